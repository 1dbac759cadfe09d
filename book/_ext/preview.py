"""Let one page be built by itself: what it asks of other pages is looked up in the last build of the whole book.

``tools/preview.py`` says in PREVIEW_KNOWS where that build left what it knows. Links to other pages lead to its site.
"""

import os
import pickle
from pathlib import Path

from records import load
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

SITE = "../../../html/"  # from the folder of the preview
logger = logging.getLogger(__name__)


def tolerate(app: Sphinx, config: object) -> None:
    """Before the first build of the book nothing is known of other pages."""
    if not Path(os.environ["PREVIEW_KNOWS"]).is_file():
        config.suppress_warnings += ["ref", "myst.xref_missing", "bibtex.key_not_found"]
        print("references to other pages are not checked: there was no 'make book' yet")


def graft(app: Sphinx, env: BuildEnvironment) -> None:
    """Add the pages of the book, with their titles, labels and numbers, to what this page knows."""
    path, here = Path(os.environ["PREVIEW_KNOWS"]), set(env.all_docs)
    if not path.is_file():
        return
    book = pickle.loads(path.read_bytes())
    for name in ("all_docs", "titles", "longtitles", "toc_fignumbers", "toc_secnumbers"):
        getattr(env, name).update(others(getattr(book, name), here))
    for domain in ("std", "math", "py", "cite"):
        mine = env.domaindata[domain]
        for kind, known in book.domaindata[domain].items():
            if isinstance(known, dict):
                mine[kind] = others(known, here) | mine[kind]
            elif kind == "citations":
                mine[kind] = mine[kind] or known
    # A new question is on no page of the last build; these pages are made from the records, so both will have it.
    for question in load("questions"):
        for kind, page in {"question": question["topic"], "rehearsal": "rehearsal"}.items():
            name = f"{kind}-{question['id']}"
            env.domaindata["std"]["anonlabels"].setdefault(name, (f"book/interview/{page}", name))
    app.builder.search = False  # a single page is not searched, and the index would miss the others
    target, away = app.builder.get_target_uri, set(book.all_docs) - here
    app.builder.get_target_uri = lambda name, *rest: f"{SITE}{target(name)}" if name in away else target(name, *rest)


def others(known: dict, here: set[str]) -> dict:
    """What is known of pages that are not here: by the name of the page, or with the page as first part."""
    return {
        name: what
        for name, what in known.items()
        if name not in here and not (isinstance(what, tuple) and what and what[0] in here)
    }


def setup(app: Sphinx) -> dict[str, bool]:
    if "PREVIEW_KNOWS" in os.environ:
        app.connect("config-inited", tolerate)
        app.connect("env-check-consistency", graft)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
