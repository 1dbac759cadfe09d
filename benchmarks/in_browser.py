"""How long a reader waits for Python in the page, five times cold and warm: ``python -m benchmarks.in_browser``.

From the click to the first report of `practice.check`, on the built site (`make book`), in a headless Chromium.
Cold is a browser that has nothing of the site; warm is another page of it in the same browser.
"""

import statistics
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from time import perf_counter

from playwright.sync_api import Browser, BrowserContext, sync_playwright

SITE = Path(__file__).resolve().parents[1] / "_build" / "html"
PAGE = "book/lessons/roc-auc.html"
RUNS = 5
WANTED = {"cold": 8.0, "warm": 5.0}  # seconds on two idle cores
SUBMISSION = """\
from metrics_book import practice
def my_auc(y_true, y_score):
    gaps = y_score[y_true == 1][:, None] - y_score[y_true == 0]
    return ((gaps > 0) + (gaps == 0) / 2).mean()
report = practice.check("auc", my_auc)"""


class Quiet(SimpleHTTPRequestHandler):
    """A file server without a log."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Write nothing."""


def report(context: BrowserContext, address: str) -> tuple[float, float]:
    """Seconds from the click to the report, and the megabytes of Python's memory."""
    tab = context.new_page()
    tab.goto(f"{address}{PAGE}")
    cell = tab.locator(".cell.runs").first
    cell.get_by_role("button", name="Edit and run").click()
    cell.get_by_role("textbox").fill(SUBMISSION)
    start = perf_counter()
    cell.get_by_role("button", name="Run", exact=True).click()
    cell.locator(".python-out", has_text="tests passed").wait_for(timeout=120_000)
    seconds = perf_counter() - start
    heap = tab.evaluate("pythonInPage().then(({ run }) => run([''])).then(({ heap }) => heap)")
    tab.evaluate("localStorage.clear()")  # the next page begins without this edit
    tab.close()
    return seconds, heap / 1e6


def measure(browser: Browser, address: str) -> dict[str, list[tuple[float, float]]]:
    found: dict[str, list[tuple[float, float]]] = {"cold": [], "warm": []}
    for _ in range(RUNS):
        context = browser.new_context()
        found["cold"].append(report(context, address))
        found["warm"].append(report(context, address))
        context.close()
    return found


def main() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    chromium = which("chromium-headless-shell") or which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        found = measure(browser, f"http://127.0.0.1:{server.server_port}/")
        browser.close()
    print("| start | seconds, in order | median | wanted | verdict | memory, MB |")
    print("|---|---|---|---|---|---|")
    for kind, runs in found.items():
        times = sorted(seconds for seconds, _ in runs)
        verdict = "met" if times[-1] <= WANTED[kind] else "MISSED"
        shown = ", ".join(f"{seconds:.1f}" for seconds in times)
        memory = max(heap for _, heap in runs)
        print(f"| {kind} | {shown} | {statistics.median(times):.1f} | {WANTED[kind]:g} | {verdict} | {memory:.0f} |")


if __name__ == "__main__":
    main()
