"""Build both packages as wheels.

They are built away from their source, which stays clean; the same source gives the same bytes, dated by the release.
"""

import os
import subprocess
import sys
from datetime import UTC, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from metrics_lib import __version__

ROOT = Path(__file__).parents[1]
FOLDER = "notebooks"  # of the wheels, the archives and the data on the site
WHEELS = {name: f"{name}-{__version__}-py3-none-any.whl" for name in ("metrics_lib", "metrics_book")}


def released() -> datetime:
    """The day of the release."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return datetime.combine(citation["date-released"], time(), UTC)


def sources(name: str) -> dict[str, bytes]:
    """What a package is built from, by the places of the files beside its `pyproject.toml`."""
    root = ROOT if name == "metrics_lib" else ROOT / name
    paths = [*sorted((ROOT / name).rglob("*.py")), ROOT / name / "py.typed", root / "pyproject.toml"]
    paths += [ROOT / "README.md"] if root == ROOT else []
    files = {str(path.relative_to(root)): path.read_bytes() for path in paths}
    return files | {"LICENSE": (ROOT / "LICENSE").read_bytes()}


def wheel(file: str, files: dict[str, bytes]) -> bytes:
    """Ask setuptools for the wheel of these files, as pip does."""
    with TemporaryDirectory() as folder:
        for name, content in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        for path in Path(folder).rglob("*"):  # the wheel holds the rights of its files as well
            path.chmod(0o755 if path.is_dir() else 0o644)
        subprocess.run(
            [sys.executable, "-c", "from setuptools.build_meta import build_wheel; build_wheel('.')"],
            cwd=folder,
            env=os.environ | {"SOURCE_DATE_EPOCH": f"{released().timestamp():.0f}"},
            umask=0o022,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        return Path(folder, file).read_bytes()


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, file in WHEELS.items():
        (folder / file).write_bytes(wheel(file, sources(name)))
