"""Which lines of the cells of a page run in its own Python, told from their source alone."""

import ast
import symtable
import sys
from collections.abc import Iterator

# Pyodide's package on the registry has no sqlite3.
KNOWN = {*sys.stdlib_module_names, "numpy", "metrics_lib", "metrics_book"} - {"sqlite3"}
DRAWS = {"metrics_lib.plot", "metrics_book.style"}  # it imports Matplotlib
# Parts of statements that are too much for the page's Python: 3,607 x 3,607 products (0.5 GB with what is made of it),
# the directions of 800 words, a model of 1,312 names that remembers six characters (3 s), and 16,000 words to complete.
TOO_MUCH = ("cosine(table)", "np.linalg.eigh(", "learn(train[:-400], 6)", "trials = [trial(typed)")
Lines = list[tuple[int, int]]


def has(module: str) -> bool:
    return module.partition(".")[0] in KNOWN and module not in DRAWS


def lacking(tree: ast.AST) -> bool:
    """Whether the statement imports what the page's Python lacks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and not all(has(alias.name) for alias in node.names):
            return True
        if isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
            if not all(map(has, names)):
                return True
    return False


def tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from tables(child)


def names_in(part: ast.AST) -> tuple[set[str], set[str]]:
    """The global names that a part of a cell asks for, and those that it gives a value."""
    top = symtable.symtable(ast.unparse(part), "cell", "exec")
    asked = {
        symbol.get_name()
        for table in tables(top)
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (table is top or symbol.is_global())
    }
    given = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    changed = {ast.unparse(node.target) for node in ast.walk(part) if isinstance(node, ast.AugAssign)}
    return asked | changed & given, given


def ask_for(missing: set[str], statements: list[ast.stmt]) -> bool:
    """Whether the statements, one after another, ask for a missing name before they give it a value."""
    for statement in statements:
        match statement:
            case ast.For():
                first, then = [statement.iter], [*statement.body, *statement.orelse]
                given = names_in(ast.Assign([statement.target], ast.Constant(0), lineno=1))[1]
            case ast.If() | ast.While():
                first, then, given = [statement.test], [*statement.body, *statement.orelse], set()
            case _:
                first, then, given = [statement], [], names_in(statement)[1]
        if any(names_in(part)[0] & missing for part in first) or ask_for(missing - given, then):
            return True
        missing = missing - given
    return False


def left_out(cells: list[str]) -> list[Lines]:
    """The lines of each cell that need what the page's Python lacks: of a cell that runs there as it is, none."""
    missing, found = set[str](), []
    for source in cells:
        lines: Lines = []
        for statement in ast.parse(source).body:
            given = names_in(statement)[1]
            too_much = any(part in ast.unparse(statement) for part in TOO_MUCH)
            if too_much or lacking(statement) or ask_for(missing, [statement]):
                missing |= given
                first = min([statement.lineno, *(node.lineno for node in getattr(statement, "decorator_list", []))])
                lines.append((first, statement.end_lineno or first))
            else:
                missing -= given
        found.append(lines)
    return found
