"""Reading a notebook as a chapter: its sections, prose, directives, code cells and erratum boxes."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import takewhile
from pathlib import Path

import yaml
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser
from nbformat import NotebookNode

from tools import notebooks

ROOT = notebooks.BOOK.parent
SYNTAX = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["parse"]["myst_enable_extensions"]
PARSER = create_md_parser(MdParserConfig(enable_extensions=SYNTAX), RendererHTML)
DIRECTIVE = re.compile(r"\{([\w:-]+)\}\s*(.*)")
OPTION = re.compile(r":([\w-]+):\s*(.*)")
NOT_PROSE = {"bibliography", "code", "code-block", "csv-table", "eval-rst", "list-table", "math", "raw", "toctree"}


@dataclass
class Block:
    """A heading, paragraph, table cell, directive, ... and the cell and the section (level-2 heading) it stands in."""

    kind: str
    text: str
    level: int = 0
    name: str = ""
    argument: str = ""
    options: dict[str, str] = field(default_factory=dict)
    cell: int = 0
    section: str = ""


@dataclass
class Code:
    """A code cell and the section it stands in."""

    node: NotebookNode
    cell: int
    section: str
    kind: str = "code"

    @property
    def source(self) -> str:
        return self.node.source

    @property
    def tags(self) -> set[str]:
        return set(self.node.metadata.get("tags", []))

    @property
    def images(self) -> set[str]:
        return {kind for output in self.node.outputs for kind in output.get("data", {}) if kind.startswith("image/")}

    @cached_property
    def tree(self) -> ast.Module:
        """Empty where the cell is not plain Python, which a rule of its own reports."""
        try:
            return ast.parse(self.source)
        except SyntaxError:
            return ast.Module(body=[], type_ignores=[])


class Chapter:
    """A notebook as what a reader meets in order: blocks of Markdown, those inside directives too, and code cells."""

    def __init__(self, path: Path, notebook: NotebookNode) -> None:
        self.path = path
        self.notebook = notebook
        self.parts: list[Block | Code] = []
        section = ""
        for number, cell in enumerate(notebook.cells, start=1):
            if cell.cell_type == "code":
                self.parts.append(Code(cell, number, section))
                continue
            for block in blocks(cell.source):
                section = block.text if block.kind == "heading" and block.level == 2 else section
                block.cell, block.section = number, section
                self.parts.append(block)
        self.blocks = [part for part in self.parts if isinstance(part, Block)]
        self.code = [part for part in self.parts if isinstance(part, Code)]
        self.headings = self.of_kind("heading")
        self.prose = self.of_kind("paragraph", "item")
        self.directives = self.of_kind("directive")

    @classmethod
    @cache
    def read(cls, path: Path) -> "Chapter":
        return cls(path.relative_to(ROOT), notebooks.read(path))

    def of_kind(self, *kinds: str) -> list[Block]:
        return [block for block in self.blocks if block.kind in kinds]

    def of_class(self, name: str) -> list[Block]:
        return [block for block in self.directives if name in block.options.get("class", "").split()]

    def items(self, section: str) -> list[Block]:
        return [block for block in self.of_kind("item") if block.section == section]

    @property
    def labels(self) -> list[str]:
        return [block.text for block in self.of_kind("myst_target")]

    def section(self, label: str) -> str:
        """The text from a label to the next heading, or from a labelled heading to the next of its level."""
        place = next(n for n, block in enumerate(self.blocks) if (block.kind, block.text) == ("myst_target", label))
        after = self.blocks[place:]
        opening = next((block for block in after if block.kind != "myst_target"), None)
        level = opening.level if opening and opening.kind == "heading" else 9
        rest = takewhile(lambda block: block is opening or block.kind != "heading" or block.level > level, after)
        return "\n".join(f"{block.text} {block.argument}" for block in rest)

    def start(self, section: str) -> int:
        """The cell that opens a section, 1 where there is none."""
        return next((heading.cell for heading in self.headings if heading.text == section), 1)

    def span(self, key: str) -> tuple[str, int, int]:
        """A section by its label or its heading, or an exercise in it by its label: its name, first and last cell."""
        opening = [block for block in self.blocks if block.kind == "heading" or block.name.startswith("exercise-start")]
        for block in opening:
            name = block.text if block.level == 2 else block.section
            if block.level in (1, 2) and key in (self.label(block), block.text):
                return name, block.cell, max(part.cell for part in self.parts if part.section == name)
            if not block.level and block.options.get("label") == key:
                later = [other.cell for other in opening if other.cell > block.cell]
                return name, block.cell, min([*later, len(self.notebook.cells) + 1]) - 1
        raise LookupError(f"{self.path} has no section or exercise {key!r}")

    def label(self, heading: Block) -> str:
        before = self.blocks[max(self.blocks.index(heading) - 1, 0)]
        return before.text if before.kind == "myst_target" else ""

    def gated(self, name: str) -> list[tuple[Block, list[Block | Code]]]:
        """The directives of this name, each with the parts between its ``-start`` and its ``-end``."""
        parts = iter(self.parts)
        found: list[tuple[Block, list[Block | Code]]] = []
        for part in parts:
            if isinstance(part, Block) and part.name == name:
                found.append((part, []))
            elif isinstance(part, Block) and part.name == f"{name}-start":
                found.append((part, list(takewhile(lambda part: getattr(part, "name", "") != f"{name}-end", parts))))
        return found


def blocks(markdown: str) -> Iterator[Block]:
    tokens = PARSER.parse(markdown)
    for number, token in enumerate(tokens):
        directive = DIRECTIVE.fullmatch(token.info.strip())
        if token.type in ("fence", "colon_fence") and directive:
            lines = token.content.splitlines()
            options = [match.groups() for match in takewhile(bool, map(OPTION.fullmatch, lines))]
            body = "\n".join(lines[len(options) :])
            name, argument = directive.groups()
            yield Block("directive", body, name=name, argument=argument, options=dict(options))
            if name not in NOT_PROSE:
                yield from blocks(body)
        elif token.type == "inline":
            opening = tokens[number - 1]
            kind = "item" if tokens[number - 2].type == "list_item_open" else opening.type.removesuffix("_open")
            yield Block(kind, token.content, level=int(opening.tag[1]) if kind == "heading" else 0)
        elif token.nesting == 0:
            yield Block(token.type, token.content)


@dataclass(frozen=True)
class Box:
    """An erratum box: the id of its record, the notebook and the section where it stands."""

    id: str
    path: Path
    section: str


def boxes(chapter: Chapter) -> list[Box]:
    """The erratum boxes of a chapter, their ids as in the registry (``004-45``, ``X-18``)."""
    shown = [block for block in chapter.directives if block.name == "erratum"]
    return [Box(block.argument, chapter.path, block.section) for block in shown]
