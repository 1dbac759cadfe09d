"""Keep the anchors of the first edition: each leads to the place that has its subject now."""

from docutils import nodes
from records import load
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

logger = logging.getLogger(__name__)


class OldAnchors(SphinxPostTransform):
    """Put the old anchors of a page before the parts that they lead to."""

    default_priority = 950  # after all that moves or folds a part
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        page = self.env.docname.removeprefix("book/")
        moved = next((record["moved"] for record in load("anchors") if record["page"] == page), {})
        places = {name: node for node in self.document.findall(nodes.Element) for name in node["ids"]}
        for name, old in moved.items():
            if name not in places or (twice := places.keys() & set(old)):
                fault = f"and {min(twice)} stand on it" if name in places else "leads to nothing"
                logger.warning("anchors.yml: %s: %s %s", page, name, fault, location=self.env.docname)
                continue
            target, node = nodes.target("", "", ids=old), places[name]
            if isinstance(node, nodes.section):
                node.insert(0, target)
            else:
                node.parent.insert(node.parent.index(node), target)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_post_transform(OldAnchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
