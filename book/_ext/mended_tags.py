"""Write some tags of other packages better than these do: pictures have a size, toggles and lists say what they are."""

import posixpath
from html import escape
from pathlib import Path
from urllib.parse import quote

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.images import get_image_size
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)


def visit_image(writer: HTML5Translator, node: nodes.image) -> None:
    """Write a picture with the size of its file: without it, it moves the text under the reader's eyes."""
    builder, uri = writer.builder, node["uri"]
    size = get_image_size(Path(builder.srcdir, uri))
    if size is None:
        logger.warning("the size of the picture %s cannot be told", uri, location=node)
        size = "", ""
    source = posixpath.join(builder.imgpath, quote(builder.images[uri])) if uri in builder.images else uri
    words = {"alt": node.get("alt", ""), "src": source}
    writer.body.append(writer.emptytag(node, "img", "", width=str(size[0]), height=str(size[1]), **words))


def visit_hidden(writer: HTML5Translator, node: HideCodeCellNode) -> None:
    """Open hidden code; its toggle is called what stands on it, where MyST-NB calls each "Toggle hidden content"."""
    writer.body.append(f'<details class="admonition hide {" ".join(node["classes"])}">\n<summary>\n')
    for state, prompt in {"collapsed": node["prompt_show"], "expanded": node["prompt_hide"]}.items():
        writer.body.append(f'<p class="{state} admonition-title">{escape(prompt)}</p>\n')
    writer.body.append("</summary>\n")


def visit_citation(writer: HTML5Translator, node: nodes.citation) -> None:
    """Write a reference as an item of the list in which docutils puts it; its own role is not allowed there."""
    HTML5Translator.visit_citation(writer, node)
    writer.body[-1] = writer.body[-1].replace("doc-biblioentry", "listitem")


def close_nothing(writer: HTML5Translator, node: nodes.Element) -> None:
    """An empty tag has no end."""


def close_details(writer: HTML5Translator, node: nodes.Element) -> None:
    writer.body.append("</details>\n")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_node(nodes.image, override=True, html=(visit_image, close_nothing))
    app.add_node(HideCodeCellNode, override=True, html=(visit_hidden, close_details))
    app.add_node(nodes.citation, override=True, html=(visit_citation, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
