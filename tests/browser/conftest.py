"""The built site, served from this machine, in a headless Chromium that can reach nothing else."""

import os
import shutil
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import sync_playwright

from tests.browser.axe import ADDRESS

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
# The shell draws what the browser draws, in four fifths of the time.
BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
# The root page only leads to book/index.html; the page for lost readers has a test of its own.
PAGES = sorted(
    path.relative_to(SITE).as_posix()
    for path in SITE.rglob("*.html")
    if "_static" not in path.parts
    and path not in {SITE / "index.html", SITE / "404.html", SITE / "book" / "reference" / "twelve.html"}
)
# One page of each kind.
KINDS = [
    "book/index.html",
    "book/004-threshold-and-ranking/index.html",
    "book/004-threshold-and-ranking/ndcg.html",
    "book/interview/labels.html",
    "book/interview/rehearsal.html",
    "book/interview/self-test.html",
    "book/interview/exercises-scores.html",
    "book/reference/api-ranking.html",
    "book/reference/cards-labels.html",
    "book/reference/cheat-sheet.html",
    "book/reference/conventions.html",
    "book/reference/errata-004.html",
    "book/reference/glossary.html",
    "book/reference/which-metric.html",
]
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--js-flags=--wasm-lazy-compilation",  # most of Python is never called
]
# What is folded has no size and no colour: the tests unfold it, and let nothing move while they look.
SHOW_ALL = """() => {
    const style = document.createElement("style");
    style.textContent = "* { animation: none !important; transition: none !important }";
    document.head.append(style);
    document.querySelectorAll("article details").forEach((details) => { details.open = true; });
}"""


class QuietHandler(SimpleHTTPRequestHandler):
    """A file server that keeps its connections and writes no log; it has axe, too. No file changes while it serves."""

    protocol_version = "HTTP/1.1"

    def translate_path(self, path):
        return str(AXE_FILE_PATH) if path == ADDRESS else super().translate_path(path)

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()

    def log_message(self, *args):
        """Write nothing."""


@contextmanager
def served(handler):
    """Serve the site; yield its address."""
    if not PAGES:
        pytest.fail(f"{SITE} holds no site: run `make book` first")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=SITE))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def origin():
    """Serve the site for all tests."""
    with served(QuietHandler) as address:
        yield address


@pytest.fixture(scope="session")
def launch():
    """Return a function that starts a browser, which ends with the session."""
    if CHROMIUM is None:
        stop = pytest.skip if os.environ.get("CI", "").lower() in {"", "0", "false", "no"} else pytest.fail
        stop("no Chromium on this machine: apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        yield lambda *more: playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *more])


@pytest.fixture(scope="session")
def browser(launch):
    """Start the one browser in which readers click."""
    with launch() as browser:
        yield browser


@contextmanager
def tabs_of(browser, origin):
    """Yield a function that opens a page, if one is named, in a tab of the kind asked for; there is one of a kind."""
    tabs = {}

    def open_page(address=None, *, width=1280, scheme="light", script=True):
        kind = (width, scheme, script)
        if kind not in tabs:
            context = browser.new_context(
                viewport={"width": width, "height": 900},
                color_scheme=scheme,
                java_script_enabled=script,
                base_url=origin,
            )
            tabs[kind] = context.new_page()
        if address:
            tabs[kind].goto(address)
        return tabs[kind]

    yield open_page
    for tab in tabs.values():
        tab.context.close()


@pytest.fixture(scope="session")
def tab_of(browser, origin):
    """Return what opens pages for all tests."""
    with tabs_of(browser, origin) as open_page:
        yield open_page


@pytest.fixture(scope="session")
def quick_tab_of(launch, origin):
    """Return what opens pages sooner, where nothing is clicked: a click would wait for a frame that never comes."""
    with launch("--disable-threaded-compositing") as browser, tabs_of(browser, origin) as open_page:
        yield open_page


SIZE = {"width": 1280, "height": 900}


@pytest.fixture
def own_tab(browser, origin):
    """A tab in a context of its own."""
    context = browser.new_context(viewport=SIZE, base_url=origin)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def one_tab(browser, origin):
    context = browser.new_context(viewport=SIZE, base_url=origin)
    yield context.new_page()
    context.close()


@pytest.fixture
def forgetful_tab(one_tab, origin):
    """The one tab of a module; whatever pages keep is gone after each test, and so are its window and colours.

    It shows what is no page, but may keep what a page will read.
    """
    one_tab.goto("robots.txt")
    yield one_tab
    one_tab.goto("about:blank")
    session = one_tab.context.new_cdp_session(one_tab)
    session.send("Storage.clearDataForOrigin", {"origin": origin.rstrip("/"), "storageTypes": "local_storage"})
    session.detach()
    one_tab.set_viewport_size(SIZE)
    one_tab.emulate_media(color_scheme="light")
