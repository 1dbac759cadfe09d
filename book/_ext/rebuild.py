"""Build anew what changed and nothing else, with the result and the warnings of a build from nothing.

Sphinx writes the pages that changed. Five things that it and its extensions leave out are done here:

- A page that others show a part of, by its titles, labels or numbers, changes them, too: all are written again.
- A page that was read in a build that warned is read again until there is no warning.
- The search keeps the index entries, such as the Chinese names of the glossary, of the pages that are not written.
- The search forgets the words that no page has any more.
- Names in code lead to the library on each page that is written, not on those alone that are read.

And figures are counted in an outline of each page, kept in the environment: Sphinx loads every page for that.
"""

import hashlib
import json
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
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


def forget_words(app: Sphinx) -> list:
    if app.builder.name == "html" and (indexer := app.builder.indexer):
        for words in (indexer._mapping, indexer._title_mapping):
            for word in [word for word, pages in words.items() if not pages]:
                del words[word]
    return []  # no pages of its own


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


def outline(node: nodes.Element, counted: tuple[type, ...]) -> nodes.Element:
    """The sections of a page, its lists of pages and, with its title, what may have a number; nothing between them."""
    found = nodes.Element() if isinstance(node, nodes.document) else node.copy()
    found._document, found.rawsource = None, ""  # else the whole page hangs on it
    for child in node.children:
        if isinstance(node, counted) and isinstance(child, nodes.title | nodes.caption | nodes.literal_block):
            found += type(child)("", child.astext())
        elif isinstance(child, nodes.Element):
            part = outline(child, counted)
            found += part if isinstance(child, (nodes.section, addnodes.toctree, *counted)) else part.children
    return found


def keep_outline(app: Sphinx, doctree: nodes.document) -> None:
    counted = tuple(kind for domain in app.env.domains.values() for kind in domain.enumerable_nodes)
    app.env.outlines[app.env.docname] = outline(doctree, counted)


def drop_outline(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    env.outlines.pop(docname, None)


def begin_outlines(app: Sphinx) -> None:
    app.env.outlines = getattr(app.env, "outlines", {})


def count_in_outlines(app: Sphinx, env: BuildEnvironment) -> list[str]:
    env.get_doctree = env.outlines.__getitem__
    return []


def end_count(app: Sphinx, env: BuildEnvironment) -> list[str]:
    del env.get_doctree
    return []


def finish(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and not app._warncount:
        remember(app, {"told": told(app.env), "read": []})


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", fetch_code_links, priority=400)
    app.connect("builder-inited", keep_code_links, priority=600)
    app.connect("builder-inited", begin_outlines)
    app.connect("env-purge-doc", drop_outline)
    app.connect("doctree-read", keep_outline, priority=900)  # after the lists of pages are put in
    app.connect("env-get-updated", count_in_outlines, priority=400)
    app.connect("env-get-updated", end_count, priority=600)
    app.connect("doctree-resolved", link_code)
    app.connect("env-get-outdated", read_again)
    app.connect("env-before-read-docs", note_read)
    app.connect("env-updated", keep_index_entries)
    app.connect("env-get-updated", write_again, priority=900)  # after the figures are numbered
    app.connect("html-collect-pages", forget_words)  # all others are written, the index of the search is not
    app.connect("build-finished", finish, priority=999)
    return {"env_version": 1}
