"""Number figures, equations and exercises from 1 on each page, so that no page moves the numbers of another."""

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector

through_the_book = TocTreeCollector.assign_figure_numbers


def by_page(collector: TocTreeCollector, env: BuildEnvironment) -> list[str]:
    """Number as Sphinx does, then anew on each page; the pages whose numbers have changed are written."""
    before = env.toc_fignumbers
    through_the_book(collector, env)
    for kinds in env.toc_fignumbers.values():
        for numbers in kinds.values():
            numbers.update({name: (number,) for number, name in enumerate(numbers, start=1)})
    return [page for page, kinds in env.toc_fignumbers.items() if kinds != before.get(page)]


def setup(app: Sphinx) -> dict[str, bool]:
    TocTreeCollector.assign_figure_numbers = by_page
    return {"parallel_read_safe": True}
