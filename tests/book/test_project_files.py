"""The files by which others meet the project: citation, forms, workflows and hooks are sound and name what exists."""

import re
import shlex

import pytest
import yaml

import metrics_lib
from tests.registries import ROOT

FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def read(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_citation_has_what_its_format_asks_for():
    citation = read(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert citation["authors"] == [{"name": "The contributors"}]
    assert citation["version"] == metrics_lib.__version__


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_questions(path):
    form = read(path)
    assert {"name", "description", "body"} <= set(form)
    asked = [part["id"] for part in form["body"]]
    assert len(asked) == len(set(asked)) >= 3
    assert all(part["attributes"]["label"] for part in form["body"])


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_what_exists(path):
    steps = [step for job in read(path)["jobs"].values() for step in job["steps"]]
    commands = [shlex.split(step["run"]) for step in steps if "run" in step and "working-directory" not in step]
    assert commands
    for command in commands:
        assert command[0] == "make" or (ROOT / command[0]).is_file()


def test_the_workflows_test_and_publish():
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert [line for line in run.splitlines() if line.startswith("make")] == ["make book", "make test"]
    assert re.search(r"make book\n.* pyspark==.* chdb==.*\nexport EVERY_ENGINE=1\nmake test\n", run)
    assert all(package in run for package in ("default-jre-headless", "postgresql"))
    assert "run: .ci/run" in (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    publish = (ROOT / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8")
    assert "working-directory: _build/html" in publish
    export = (ROOT / "book" / "_ext" / "readers_notebooks.py").read_text(encoding="utf-8")
    branch = re.search(r'^BRANCH = "([\w-]+)"', export, re.MULTILINE)[1]
    assert f"initial-branch={branch}" in publish


def test_hooks_are_local_and_run_what_exists():
    repositories = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert [repository["repo"] for repository in repositories] == ["local"]
    for hook in repositories[0]["hooks"]:
        assert hook["language"] == "system"
        for module in re.findall(r"-m tools\.(\w+)|tools/(\w+)\.py", hook["entry"]):
            assert (ROOT / "tools" / f"{''.join(module)}.py").is_file()
