"""Pack the readers' notebooks of a built site: ``python -m tools.archives SITE``.

One archive for each part of the book holds its notebooks, the data they read, both packages and a list of what else
they need. What Binder installs is written beside the site.
"""

import re
import sys
import zipfile
from importlib.metadata import requires
from itertools import groupby
from pathlib import Path

from packaging.requirements import Requirement

from tools.wheels import FOLDER, ROOT, WHEELS, released

NEEDED = ["numpy", "matplotlib", "sympy"]
ADDRESS = re.compile(r'site = \\"[^"]*\\"')  # in the first cell of a notebook, as JSON writes it


def pinned(packages: list[str]) -> list[str]:
    """The lines of requirements.txt on these packages and all that they require."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = [(Requirement(line).name.lower(), line) for line in lines if re.match(r"\w", line)]
    found, waiting = set[str](), [*packages]
    while waiting:
        if (name := waiting.pop().lower()) not in found:
            found.add(name)
            needed = [Requirement(text) for text in requires(name) or []]
            waiting += [need.name for need in needed if not need.marker or need.marker.evaluate({"extra": ""})]
    return [line for name, line in pins if name in found]


def requirements(folder: str) -> str:
    """What pip installs where the packages stand in a folder."""
    return "\n".join([*(f"{folder}/{file}" for file in WHEELS.values()), *pinned(NEEDED), ""])


def write_archive(path: Path, members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in sorted(members.items()):
            packed.writestr(
                zipfile.ZipInfo(f"{path.stem}/{name}", released().timetuple()[:6]), content, zipfile.ZIP_DEFLATED
            )


def pack(site: Path) -> None:
    folder = site / FOLDER
    shared = {file: (folder / file).read_bytes() for file in WHEELS.values()}
    shared["requirements.txt"] = requirements(".").encode()
    data = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.glob("cases/*")}
    for part, paths in groupby(sorted(site.glob("book/*/*.ipynb")), key=lambda path: path.parent):
        texts = {path.name: ADDRESS.sub(r'site = \\".\\"', path.read_text(encoding="utf-8"), 1) for path in paths}
        members = shared | {name: text.encode() for name, text in texts.items()}
        members |= {name: content for name, content in data.items() if any(name in text for text in texts.values())}
        write_archive(folder / f"{part.name}.zip", members)
    (site / "binder").mkdir(exist_ok=True)
    (site / "binder" / "requirements.txt").write_text(requirements(f"./{FOLDER}"), encoding="utf-8")


if __name__ == "__main__":
    pack(Path(sys.argv[1]))
