"""Tell the templates of pages what only Python knows: the version, the site's address, which scripts a page needs."""

from urllib.parse import urlsplit

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from metrics_lib import __version__


def pass_on_address(app: Sphinx, config: Config) -> None:
    """Give the address of the site, which is set once, to the extensions that ask for it by other names."""
    config.ogp_site_url = config.site_url
    config.notfound_urls_prefix = urlsplit(config.site_url).path or "/"


def complete(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """Let scripts wait for the page, and load tabs where there are some."""
    context["version"] = __version__
    scripts = context["script_files"]
    if "sd-tab-set" not in context.get("body", ""):
        scripts[:] = [script for script in scripts if "design-tabs" not in str(script.filename)]
    scripts[:] = [script for script in scripts if script.filename]  # the theme's settings, of features that are off
    for script in scripts:
        # The lines that follow the options use their constants.
        if script.filename and "documentation_options" not in str(script.filename):
            script.attributes.setdefault("defer", "defer")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("config-inited", pass_on_address, priority=900)  # after readers_notebooks has looked at the address
    app.connect("html-page-context", complete, priority=950)  # after those that add scripts
    return {"parallel_read_safe": True, "parallel_write_safe": True}
