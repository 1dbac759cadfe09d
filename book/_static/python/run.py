"""Runs the cells of a page in the browser, in a namespace of their own and each within its time.

`worker.js` calls `run`. What a cell shows is the plain text that a notebook would show.
"""

import ast
import io
import linecache
import sys
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout, suppress
from types import ModuleType

import numpy as np

from metrics_lib.practice._engine import OutOfTime, restored, watched

WIDTH, MOST_ITEMS, MOST_KEPT = 79, 1000, 20_000
BRACKETS = {list: "[]", tuple: "()", dict: "{}", set: "{}"}


class Kept(io.StringIO):
    """Keeps the beginning of what is written: a loop may print without end."""

    cut = ""

    def write(self, text):
        left = MOST_KEPT - self.tell()
        if len(text) > left:
            self.cut = "\n... cut"
        super().write(text[:left])
        return len(text)

    def close(self):
        """Stay open: what is printed after that is shown, too."""


def shown(value, indent=0):
    """The text of a value as a notebook shows it: what is wider than a line stands on several."""
    kind = type(value)
    if kind not in BRACKETS or not value:
        return repr(value[:MOST_KEPT] if kind is str else value).replace("\n", "\n" + " " * indent)
    head, tail = BRACKETS[kind]
    indent += 1
    parts = list(value.items() if kind is dict else value)
    if kind is set:
        with suppress(TypeError):
            parts.sort()
    more = ["..."] if len(parts) > MOST_ITEMS else []
    if kind is dict:
        keys = [f"{shown(key, indent)}: " for key, _ in parts[:MOST_ITEMS]]
        texts = [key + shown(part, indent + len(key)) for key, (_, part) in zip(keys, parts, strict=False)]
    else:
        texts = [shown(part, indent) for part in parts[:MOST_ITEMS]]
    tail = "," + tail if kind is tuple and len(parts) == 1 else tail
    line = head + ", ".join(texts + more) + tail
    fits = "\n" not in line and indent - 1 + len(line) <= WIDTH
    return line if fits else head + f",\n{' ' * indent}".join(texts + more) + tail


def execute(source, name, space):
    """Run a cell, and print the value of an expression at its end unless a semicolon follows."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec", dont_inherit=True), space)
    if last:
        value = eval(compile(ast.Expression(last.value), name, "eval", dont_inherit=True), space)
        if value is not None and not source.rstrip().endswith(";"):
            print(shown(value))


def told(error, names):
    """What went wrong, and in which line of which cell."""
    text = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1][:2000]
    if isinstance(error, ModuleNotFoundError):
        text += ". In the page there are Python's own modules, NumPy and metrics_lib."
    if isinstance(error, SyntaxError) and error.filename in names:
        return {"text": text, "cell": names.index(error.filename), "line": error.lineno}
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in names]
    last = {"cell": names.index(frames[-1].filename), "line": frames[-1].lineno} if frames else {}
    return {"text": text} | last


def run(cells, limit, begin=lambda number: None):
    """Run the cells up to the first that fails. Return what each showed, and whether they left `passed` true."""
    names = [f"<cell {number}>" for number in range(1, len(cells) + 1)]
    module, results = ModuleType("__main__"), []
    main, sys.modules["__main__"] = sys.modules["__main__"], module
    try:
        with restored(), np.printoptions(), np.errstate(), warnings.catch_warnings():
            warnings.showwarning = lambda message, category, *_: print(f"{category.__name__}: {message}")
            for number, (name, source) in enumerate(zip(names, cells, strict=True)):
                begin(number)
                linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
                results.append(run_one(source, name, module, names, limit))
                if results[-1]["error"]:
                    break
    finally:
        sys.modules["__main__"] = main
    passed = module.__dict__.get("passed")
    return {"cells": results, "passed": isinstance(passed, bool | np.bool_) and bool(passed)}


def run_one(source, name, module, names, limit):
    printed, error = Kept(), None

    def work():
        nonlocal error
        try:
            execute(source, name, module.__dict__)
        except OutOfTime:
            raise
        except BaseException as raised:
            error = told(raised, names)

    with redirect_stdout(printed), redirect_stderr(printed):
        if watched(work, limit):
            error = {"text": f"Stopped: not done after {limit:g} seconds."}
    return {"out": printed.getvalue() + printed.cut, "error": error}
