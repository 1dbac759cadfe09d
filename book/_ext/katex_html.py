"""Typeset all maths at build time: KaTeX 0.16.22, run by dukpy, writes HTML for the eye and MathML for screen readers.

The page needs no script for its maths and asks no other site for anything.
Whatever KaTeX refuses becomes a warning of the build, so a strict build has no broken formula.
The script stays here; its style sheet and fonts, of the same version, are in ``_static/katex``.
"""

import re
from functools import cache
from pathlib import Path

import dukpy
from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

SCRIPT = Path(__file__).parent / "katex" / "katex.min.js"
RENDER = "katex.renderToString(dukpy.tex, {displayMode: dukpy.display, strict: 'error'})"
NUMBERED = re.compile(r"\\(begin|end)\{(equation|align|gather|alignat)\}")
logger = logging.getLogger(__name__)


@cache
def interpreter():
    """Return the one JavaScript interpreter, with KaTeX loaded."""
    javascript = dukpy.JSInterpreter()
    javascript.evaljs(SCRIPT.read_text(encoding="utf-8"))
    return javascript


@cache
def to_html(tex, display):
    """Return the HTML of one formula; raise ValueError with KaTeX's message if it is faulty."""
    try:
        return interpreter().evaljs(RENDER, tex=tex, display=display)
    except dukpy.JSRuntimeError as error:
        raise ValueError(str(error).splitlines()[0]) from None


def as_one_display(tex):
    r"""Return the source of a display as KaTeX takes it: without blank lines, and ``\\`` only inside an environment."""
    rows = [row.strip() for row in re.split(r"\n\s*\n", tex) if row.strip()]
    tex = r"\\".join(rows)
    if r"\\" in tex and not tex.startswith(r"\begin{"):
        tex = rf"\begin{{aligned}}{tex}\end{{aligned}}"
    # Sphinx counts the equations: KaTeX must not number them a second time.
    return NUMBERED.sub(r"\\\1{\2*}", tex)


def append_formula(writer, node, tex, *, display):
    """Write the formula of `node`, or its source and a warning."""
    try:
        writer.body.append(to_html(tex, display))
    except ValueError as error:
        logger.warning("%s in %s", error, tex, location=node, type="katex")
        writer.body.append(f"<code>{writer.encode(tex)}</code>")


def visit_inline(writer, node):
    """Write an inline formula."""
    writer.body.append(writer.starttag(node, "span", "", CLASS="math notranslate nohighlight"))
    append_formula(writer, node, node.astext(), display=False)
    writer.body.append("</span>")
    raise nodes.SkipNode


def visit_display(writer, node):
    """Write a display and, if it has one, the number that ``{eq}`` shows, with its permanent link."""
    writer.body.append(writer.starttag(node, "div", CLASS="math notranslate nohighlight"))
    if node["number"]:
        writer.body.append(f'<span class="eqno">({get_node_equation_number(writer, node)})')
        writer.add_permalink_ref(node, "Link to this equation")
        writer.body.append("</span>")
    append_formula(writer, node, as_one_display(node.astext()), display=True)
    writer.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app):
    """Register the renderer; ``html_math_renderer: katex`` selects it."""
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_display, None))
    app.add_css_file("katex/katex.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
