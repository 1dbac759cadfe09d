"""Runs the cells of a page in the browser, in a namespace of their own and each within its time.

`worker.js` calls `run`. What a cell shows is the plain text that a notebook would show.
"""

import ast
import builtins
import io
import linecache
import math
import os
import random
import signal
import sys
import traceback
import warnings
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import wraps
from pathlib import Path
from types import ModuleType

import numpy as np

from metrics_book import practice

CHECKER = str(Path(practice.__file__).parent)
WIDTH, MOST_ITEMS, MOST_KEPT = 79, 1000, 20_000
interruptible = False
sys.stdin = io.StringIO()  # nobody is there to answer
BRACKETS = {list: "[]", tuple: "()", dict: "{}", set: "{}"}
repeat, bincount = np.repeat, np.bincount


def narrow(values):
    values = np.asarray(values)
    return values.astype(np.intp) if values.dtype.kind in "iu" else values


# Places have 32 bits here, and NumPy refuses counts of 64, such as those that its generators draw.
np.repeat = wraps(repeat)(lambda a, repeats, axis=None: repeat(a, narrow(repeats), axis))
np.bincount = wraps(bincount)(lambda x, /, weights=None, minlength=0: bincount(narrow(x), weights, minlength))


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


@contextmanager
def restored():
    """Put back what a cell changes for all that follow: names in modules, seeds, the folder, the depth of recursion."""
    names = [(vars(module), dict(vars(module))) for module in (builtins, math, random, np, np.random)]
    seeds, numpy_seeds = random.getstate(), np.random.get_state(legacy=False)  # noqa: NPY002
    depth, folder = sys.getrecursionlimit(), Path.cwd()
    try:
        yield
    finally:
        for now, before in names:
            now.update(before)
        random.setstate(seeds)
        np.random.set_state(numpy_seeds)  # noqa: NPY002
        sys.setrecursionlimit(depth)
        with suppress(OSError):  # or no more
            os.chdir(folder)


def interrupt(_number, frame):
    """End what runs for too long, a call of a submission like a cell; but no import, and no report of a check."""
    while frame and not frame.f_code.co_filename.startswith("<cell"):
        if frame.f_code.co_filename.startswith(("<frozen importlib", CHECKER)):
            return  # a module would stay broken; a report is soon done
        frame = frame.f_back
    if interruptible:
        raise practice.Stopped


def told(error, names):
    """What went wrong, and in which line of which cell."""
    if isinstance(error, SyntaxError) and error.filename in names:
        text = f"{type(error).__name__}: {error.msg}"
        return {"text": text, "cell": names.index(error.filename), "line": error.lineno}
    text = "".join(traceback.format_exception_only(error)).strip()[:2000]
    if isinstance(error, ModuleNotFoundError):
        text += ". In the page there are Python's own modules, NumPy, metrics_lib and metrics_book."
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in names]
    last = {"cell": names.index(frames[-1].filename), "line": frames[-1].lineno} if frames else {}
    return {"text": text} | last


def run(cells, limit, begin):
    """Run the cells up to the first that fails. Return what each showed, and whether they left `passed` true.

    `begin(number)` is called before each: from then on the worker counts, and after the limit in seconds it interrupts.
    """
    names = [f"<cell {number}>" for number in range(1, len(cells) + 1)]
    module, results = ModuleType("__main__"), []
    main, sys.modules["__main__"] = sys.modules["__main__"], module
    signal.signal(signal.SIGINT, interrupt)
    try:
        with restored(), np.printoptions(), np.errstate(), warnings.catch_warnings():
            warnings.showwarning = lambda message, category, *_: print(f"{category.__name__}: {message}")
            for number, (name, source) in enumerate(zip(names, cells, strict=True)):
                linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
                begin(number)
                results.append(run_one(source, name, module, names, limit))
                if results[-1]["error"]:
                    break
    finally:
        sys.modules["__main__"] = main
    passed = module.__dict__.get("passed")
    return {"cells": results, "passed": isinstance(passed, bool | np.bool_) and bool(passed)}


def run_one(source, name, module, names, limit):
    global interruptible
    printed, error = Kept(), None
    with redirect_stdout(printed), redirect_stderr(printed):
        interruptible = True
        try:
            execute(source, name, module.__dict__)
        except BaseException as raised:
            interruptible = False  # before anything else: the next interrupt is on its way
            late = isinstance(raised, practice.Stopped)
            error = {"text": f"Stopped: not done after {limit:g} seconds."} if late else told(raised, names)
            error = {"cell": names.index(name)} | error
        interruptible = False
    return {"out": printed.getvalue() + printed.cut, "error": error}
