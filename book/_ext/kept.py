"""Keep what takes long to make, for the next build, beside the pages that Sphinx keeps."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from sphinx.application import Sphinx

CODE = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]


def kept(app: Sphinx, make: Callable[..., bytes], *arguments: object) -> bytes:
    """``make(*arguments)``, made again only if an argument or an extension has changed."""
    name = hashlib.sha256(repr([CODE, arguments]).encode()).hexdigest()
    path = Path(app.doctreedir, "kept", make.__name__, name)
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")  # a build that is stopped leaves nothing half made
        part.write_bytes(make(*arguments))
        part.replace(path)
    return path.read_bytes()
