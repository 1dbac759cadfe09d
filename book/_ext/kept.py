"""Keep what takes long to make, for the next build, beside the pages that Sphinx keeps."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from sphinx.application import Sphinx

CODE = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]


def kept(app: Sphinx, name: str, make: Callable[..., bytes], *arguments: object) -> bytes:
    """``make(*arguments)``, made again only if an argument or an extension has changed since the last build."""
    made_from = hashlib.sha256(repr([CODE, arguments]).encode()).digest()
    path = Path(app.doctreedir, "kept", name)
    known = path.read_bytes() if path.is_file() else b""
    if known.startswith(made_from):
        return known.removeprefix(made_from)
    result = make(*arguments)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")  # a build that is stopped leaves nothing half written
    part.write_bytes(made_from + result)
    part.replace(path)
    return result
