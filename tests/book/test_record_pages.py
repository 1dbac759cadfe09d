"""Records become pages by templates: what is wrong with a record stops the build, and says where; nothing is unused."""

import importlib
import os
import re
import subprocess
import sys

import pytest

from tests.registries import ROOT
from tools import notebooks

BOOK = ROOT / "book"
SPHINX = "import sys; import tools.build; from sphinx.cmd.build import main; sys.exit(main(sys.argv[1:]))"
SETTINGS = """\
extensions = ["myst_parser", "records", "record_pages"]
exclude_patterns = ["book"]

def setup(app):
    app.add_config_value("repository_url", "", "html")
"""


@pytest.fixture
def build(tmp_path):
    """Build a page whose directive shows records, of which one has changed; its status and what it says."""

    def run(page, registry="cards", old="", new=""):
        (tmp_path / "book" / "data").mkdir(parents=True)
        for path in [BOOK / "_ext", BOOK / "_templates", *(BOOK / "data").iterdir()]:
            (tmp_path / path.relative_to(ROOT)).symlink_to(path)
        text = (BOOK / "data" / f"{registry}.yml").read_text(encoding="utf-8")
        assert old in text
        (tmp_path / "book" / "data" / f"{registry}.yml").unlink()
        (tmp_path / "book" / "data" / f"{registry}.yml").write_text(text.replace(old, new, 1), encoding="utf-8")
        (tmp_path / "conf.py").write_text(SETTINGS)
        (tmp_path / "index.md").write_text(f"# A page\n\n{page}\n")
        command = [sys.executable, "-c", SPHINX, "-W", "--keep-going", "-b", "dummy", ".", "_build"]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path / "book" / "_ext"), str(ROOT)])}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, re.sub(r"\x1b\[[\d;]*m", "", done.stderr)

    return run


@pytest.fixture
def record_pages(monkeypatch, tmp_path):
    """The extension with templates of its own."""
    monkeypatch.syspath_prepend(BOOK / "_ext")
    extension = importlib.import_module("record_pages")
    monkeypatch.setattr(extension, "TEMPLATES", tmp_path)
    extension.templates.cache_clear()
    yield extension
    extension.templates.cache_clear()


def test_a_wrong_field_of_a_record_stops_the_build(build):
    """Before the first page, with the file, the record and the reason."""
    status, said = build("Text.", old="\n  range: ", new="\n  rnge: ")
    assert status
    first, second = said.splitlines()
    assert first.startswith("book/data/cards.yml: accuracy: 'range' is missing, expected ")
    assert second.startswith("book/data/cards.yml: accuracy: 'rnge' is not a field of it, expected id, name, ")


def test_a_record_that_does_not_exist_fails_the_build(build):
    status, said = build("```{card-links} nowhere\n```\n\n```{wrong-formulas} nowhere\n```")
    assert status
    assert re.search(
        r"index\.md:3: ERROR: card-links nowhere: book/_templates/card-links\.md\.jinja, line \d+: "
        "no record of cards has the id 'nowhere'",
        said,
    )
    assert "index.md:6: ERROR: wrong-formulas nowhere: there is no such record" in said


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("\n{{ record.titel }}", "line 2: 'ndcg' has no field 'titel'"),
        ("{{ record.doors.spl }}", "line 1: what has sql, measure has no field 'spl'"),
        ("{{ rekord.title }}", "line 1: 'rekord' is undefined"),
        ("{% for part in record.number %}{% endfor %}", "line 1: TypeError: 'int' object is not iterable"),
        ("{{ record.range | interval }}", "line 1: TypeError: 'NoneType' object is not subscriptable"),
        ("{{ record.number | exactly }}\n{% if %}", "line 2: Expected an expression, got 'end of statement block'"),
    ],
)
def test_what_a_template_asks_for_in_vain_is_named(record_pages, tmp_path, template, said):
    (tmp_path / "some.md.jinja").write_text(template)
    record = {"id": "ndcg", "number": 1, "range": "0 to 1", "doors": {"sql": "", "measure": ""}}
    with pytest.raises(record_pages.RecordError) as error:
        record_pages.fill("some", {"record": record})
    assert str(error.value).partition("\n")[0] == f"some.md.jinja, {said}"


def test_every_template_has_a_page_and_every_filter_a_template(monkeypatch):
    monkeypatch.syspath_prepend(BOOK / "_ext")
    pages = "".join(path.read_text(encoding="utf-8") for path in BOOK.rglob("*.md"))
    pages += "".join(path.read_text(encoding="utf-8") for path in notebooks.book_notebooks())
    templates = {path.name: path.read_text(encoding="utf-8") for path in (BOOK / "_templates").glob("*.jinja")}
    written = "".join(templates.values())
    for name in templates:
        shared = name.startswith("_")
        assert f'"{name}"' in written if shared else f"{{{name.removesuffix('.md.jinja')}}}" in pages, name
    for name in importlib.import_module("record_filters").FILTERS:
        assert re.search(rf'\| {name}\b|map\("{name}"\)', written), name
