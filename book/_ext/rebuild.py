"""Build anew what changed and nothing else, with the result and the warnings of a build from nothing.

Sphinx writes the pages that changed. Four things that it and its extensions leave out are done here:

- A page that others show a part of, by its titles, labels or numbers, changes them, too: all are written again.
- A page that was read in a build that warned is read again until there is no warning.
- The search keeps the index entries, such as the Chinese names of the glossary, of the pages that are not written.
- Names in code lead to the library on each page that is written, not on those alone that are read.
"""

import gc
import hashlib
import json
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.search import js_index
from sphinx_codeautolink.extension import SphinxCodeAutoLink


def told(env: BuildEnvironment) -> str:
    """A fingerprint of what the pages tell of themselves to others."""
    std, cites = env.domaindata["std"], env.domaindata.get("cite", {}).get("citation_refs", [])
    parts = [
        {name: title.astext() for name, title in env.titles.items()},
        env.toctree_includes,
        env.toc_secnumbers,
        env.toc_fignumbers,
        *(std[kind] for kind in ("labels", "anonlabels", "terms", "objects")),
        env.domaindata["math"]["objects"],
        env.domaindata["py"]["objects"],
        {f"{cite.docname} {cite.targets}": "" for cite in cites},
    ]
    text = "\n".join(repr(sorted(part.items(), key=repr)) for part in parts)
    return hashlib.sha256(text.encode()).hexdigest()


def memory(app: Sphinx) -> Path:
    return Path(app.doctreedir, "rebuild.json")


def remembered(app: Sphinx) -> dict:
    """What the last good build told, and the pages that were read since."""
    path = memory(app)
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"told": "", "read": []}


def remember(app: Sphinx, what: dict) -> None:
    memory(app).write_text(json.dumps(what), encoding="utf-8")


def read_again(app: Sphinx, env: BuildEnvironment, added: set, changed: set, removed: set) -> list[str]:
    return remembered(app)["read"]


def note_read(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    last = remembered(app)
    remember(app, last | {"read": sorted({*last["read"], *docnames})})


def write_again(app: Sphinx, env: BuildEnvironment) -> set[str]:
    """Every page, if what the pages tell one another has changed."""
    return set() if remembered(app)["told"] == told(env) else set(env.all_docs)


def keep_index_entries(app: Sphinx, env: BuildEnvironment) -> None:
    """Give the search the index entries of the last build; those of a page that is written take their place."""
    path = Path(app.outdir, "searchindex.js")
    if app.builder.name != "html" or not path.is_file():
        return
    frozen = js_index.loads(path.read_text(encoding="utf-8"))
    entries: dict[str, list] = {}
    for name, places in frozen["indexentries"].items():
        for number, anchor, main in places:
            entries.setdefault(frozen["docnames"][number], []).append((name, anchor, "main" if main else ""))
    env._search_index_index_entries = {name: entries[name] for name in sorted(entries) if name in env.all_docs}


def code_links(app: Sphinx) -> SphinxCodeAutoLink:
    """The one object that links the names in code."""
    owners = (getattr(listener.handler, "__self__", None) for listener in app.events.listeners["build-finished"])
    return next(owner for owner in owners if isinstance(owner, SphinxCodeAutoLink))


def fetch_code_links(app: Sphinx) -> None:
    """Take what the last build knew before it is forgotten: the cache of the extension is for ``.rst`` files alone."""
    app.env.code_links_before = getattr(app.env, "sphinx_codeautolink_transforms", {})


def keep_code_links(app: Sphinx) -> None:
    known = app.env.__dict__.pop("code_links_before")
    code_links(app).cache.transforms.update({page: known[page] for page in known if page in app.env.all_docs})


def link_code(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Link the names in the code of a page that is written."""
    code_links(app).outdated_docs.add(docname)


def finish(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and not app._warncount:
        remember(app, {"told": told(app.env), "read": []})


def setup(app: Sphinx) -> dict[str, bool]:
    # A book is millions of objects that live until the end: looking through them for garbage took half of the time.
    gc.set_threshold(1_000_000)
    app.connect("builder-inited", fetch_code_links, priority=400)
    app.connect("builder-inited", keep_code_links, priority=600)
    app.connect("doctree-resolved", link_code)
    app.connect("env-get-outdated", read_again)
    app.connect("env-before-read-docs", note_read)
    app.connect("env-updated", keep_index_entries)
    app.connect("env-get-updated", write_again, priority=900)  # after the figures are numbered
    app.connect("build-finished", finish, priority=999)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
