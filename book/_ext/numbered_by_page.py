"""Number figures, equations and exercises from 1 on each page, so that no page moves the numbers of another."""

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def number_by_page(app: Sphinx, env: BuildEnvironment) -> None:
    """Number anew on each page what Sphinx has numbered through the book; what it keeps for the next build stays so."""
    for kinds in env.toc_fignumbers.values():
        for numbers in kinds.values():
            numbers.update({name: (number,) for number, name in enumerate(numbers, start=1)})


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("env-check-consistency", number_by_page)  # the first event after Sphinx has stored its numbers
    return {"parallel_read_safe": True}
