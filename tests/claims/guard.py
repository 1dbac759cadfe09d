"""The guard against claims that cannot fail: an assert involves what the notebook, the library or its data gave.

Below `proved` it may be a proof of its own, a search over many cases or a computation; but not the length of a literal,
and not arithmetic of nothing but numbers.
"""

import ast
from collections.abc import Iterator
from itertools import chain

OWN = {"collections", "contextlib", "decimal", "fractions", "functools", "itertools", "json", "math", "matplotlib"}
OWN |= {"numpy", "pytest", "random", "re", "statistics", "string", "tests", "warnings"}  # they know nothing of the book


def unfounded(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The lines of a file of claims with an assert that cannot fail, or that is a proof and is not called one."""
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    own = {name for node in imports if module(node) in OWN for name in named(node)}
    given = {name for node in imports for name in named(node)} - own
    given |= {node.name for node in tree.body if isinstance(node, ast.FunctionDef)} | {"cases/"}
    for test in tree.body:
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            founded = made_of(test, given | {argument.arg for argument in test.args.args})
            for node in ast.walk(test):
                if isinstance(node, ast.Assert) and not names(node.test) & founded:
                    if counts_a_literal(node.test) or not names(node.test) & (bound(test) | own):
                        yield node.lineno, f"nothing can make this fail: assert {ast.unparse(node.test)}"
                    elif said_by(test, node) != "proved":
                        yield node.lineno, f"say proved(...) above what is a proof: assert {ast.unparse(node.test)}"


def module(node: ast.Import | ast.ImportFrom) -> str:
    return (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).partition(".")[0]


def named(node: ast.Import | ast.ImportFrom) -> set[str]:
    return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}


def names(node: ast.AST) -> set[str]:
    """The names in an expression, but for those in a literal that is only counted, ``len([A, B])``."""
    if counts_a_literal(node, itself=True):
        return set()
    found = {node.id} if isinstance(node, ast.Name) else set()
    if isinstance(node, ast.Constant) and str(node.value).startswith("cases/"):
        found.add("cases/")  # data
    return found.union(*map(names, ast.iter_child_nodes(node)))


def counts_a_literal(node: ast.AST, *, itself: bool = False) -> bool:
    """Whether an expression is or holds ``len([A, B])``; of a set the length says that its parts differ."""
    return any(
        isinstance(part, ast.Call)
        and getattr(part.func, "id", "") == "len"
        and isinstance(part.args[0], ast.List | ast.Tuple | ast.Dict)
        for part in ([node] if itself else ast.walk(node))
    )


def bound(test: ast.FunctionDef) -> set[str]:
    return {node.id for node in ast.walk(test) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def made_of(test: ast.FunctionDef, given: set[str]) -> set[str]:
    """What is given, and the names of a test that are made of it, or changed by it."""
    steps = [(set(targets), value) for node in ast.walk(test) for targets, value in made_by(node)]
    while True:
        more = set(chain.from_iterable(targets for targets, value in steps if value & given)) - given
        if not more:
            return given
        given = given | more


def made_by(node: ast.AST) -> Iterator[tuple[set[str], set[str]]]:
    """The names that a piece of code binds or changes, and those that it does so with."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield set().union(*map(stored, targets)), names(value)
        case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
            yield names(target), names(value)
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
            yield names(target), names(value)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name)), args=arguments):
            yield {name}, set().union(*map(names, arguments))
        case ast.With(items=items):
            for item in items:
                yield names(item.optional_vars) if item.optional_vars else set(), names(item.context_expr) | names(node)


def stored(target: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def said_by(test: ast.FunctionDef, node: ast.AST) -> str:
    """What the last call above an assert says of it: holds, proved or unchecked."""
    calls = [part for part in ast.walk(test) if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)]
    said = [call for call in calls if call.func.id in ("holds", "proved", "unchecked") and call.lineno < node.lineno]
    return max(said, key=lambda call: call.lineno).func.id if said else ""
