"""JupyterLab, which knows nothing of MyST, shows the notebooks for readers as they are meant."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from nbformat import v4

from tests.browser.conftest import SITE

MARKS = ["$", "`", "**", ":::", "](", "]{", ")=\n", "<details>", "<summary>", "| --- |", r"\tag"]
SETTINGS = {
    "notebook-extension/tracker": {"windowingMode": "none"},  # cells out of sight, too
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
# What a reader sees; code may hold any mark, and formulas hold their source for screen readers.
TEXTS = """() => [...document.querySelectorAll(".jp-MarkdownOutput")].map((cell) => {
    const text = cell.cloneNode(true);
    text.querySelectorAll("code, mjx-container").forEach((part) => part.remove());
    return text.textContent;
})"""
TYPESET = """() => !document.querySelector(".jp-MarkdownOutput:empty") &&
    [...document.querySelectorAll(".jp-MarkdownOutput :not(code, mjx-container *)")].every((part) =>
        [...part.childNodes].every((node) => node.nodeType !== 3 || !node.data.includes("$")))"""


FOLDING = re.compile("</?details>|</?summary>|<br>")  # left open, they hide no mark of what follows


def alone(text):
    """Whether a text may be left open, so that another one in its cell could close it, or be hidden in it."""
    return "<" in FOLDING.sub("", text) or "```" in text or text.count("$") % 2 == 1


@pytest.fixture(scope="module")
def texts():
    """Every cell of Markdown of every notebook for readers; as a cell takes time, twenty in one where they may."""
    paths = sorted((SITE / "book").glob("*/*.ipynb"))
    cells = [cell for path in paths for cell in v4.reads(path.read_text(encoding="utf-8")).cells]
    sources = [cell.source for cell in cells if cell.cell_type == "markdown"]
    others = [source for source in sources if not alone(source)]
    return [*filter(alone, sources), *("\n\n".join(others[n : n + 20]) for n in range(0, len(others), 20))]


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory, texts):
    """Serve all of them as one notebook in a JupyterLab without anybody's settings; return its address."""
    folder = tmp_path_factory.mktemp("laboratory")
    for name, setting in SETTINGS.items():
        path = folder / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(setting), encoding="utf-8")
    (folder / "root").mkdir()
    notebook = v4.new_notebook(cells=[v4.new_markdown_cell(text, id=str(n)) for n, text in enumerate(texts)])
    lesson = v4.reads((SITE / "book" / "lessons" / "ndcg.ipynb").read_text(encoding="utf-8"))
    pictured = (
        cell for cell in lesson.cells if any("image/svg+xml" in o.get("data", {}) for o in cell.get("outputs", []))
    )
    notebook.cells.append(next(pictured))
    (folder / "root" / "texts.ipynb").write_text(v4.writes(notebook), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folders = {"CONFIG": "JUPYTER_CONFIG_DIR", "data": "JUPYTER_DATA_DIR", "run": "JUPYTER_RUNTIME_DIR"}
    folders |= {"settings": "JUPYTERLAB_SETTINGS_DIR", "workspaces": "JUPYTERLAB_WORKSPACES_DIR"}
    options = ["--no-browser", "--allow-root", "--IdentityProvider.token=", f"--ServerApp.port={port}"]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.root_dir={folder / 'root'}"],
            env=os.environ | {variable: str(folder / name) for name, variable in folders.items()},
            stdout=log,
            stderr=log,
        )
    address = f"http://127.0.0.1:{port}/"
    try:
        wait_for(f"{address}api", server, folder / "log")
        yield address
    finally:
        server.terminate()
        server.wait()


def wait_for(address, server, log):
    for _ in range(600):
        try:
            with urllib.request.urlopen(address):
                return
        except OSError:
            assert server.poll() is None, log.read_text(encoding="utf-8")
            time.sleep(0.1)
    pytest.fail(log.read_text(encoding="utf-8"))


def test_jupyterlab_shows_no_mark_of_a_directive_and_every_formula(browser, laboratory, texts):
    tab = browser.new_page()
    tab.set_default_timeout(300_000)
    tab.goto(f"{laboratory}doc/tree/texts.ipynb")
    tab.wait_for_function("number => document.querySelectorAll('.jp-MarkdownOutput').length === number", arg=len(texts))
    tab.wait_for_function(TYPESET, polling=1000)
    shown = tab.evaluate(TEXTS)
    pictures = tab.locator(".jp-OutputArea img").evaluate_all("images => images.map((image) => image.naturalWidth > 0)")
    faulty = tab.evaluate("[...document.querySelectorAll('mjx-merror')].map((error) => error.textContent)")
    tab.close()
    assert [(text, mark) for text in shown for mark in MARKS if mark in text] == []
    assert faulty == []
    assert pictures == [True]  # though nobody trusts the notebook
