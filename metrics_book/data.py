"""The data that notebooks read."""

import shutil
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlretrieve


def fetch(site: str, *files: str) -> None:
    """Download the files that are not here yet.

    Parameters
    ----------
    site : str
        The address below which the files stand, such as ``"https://example.org/notebooks"``; anything else, such as
        ``"."``, says that they came with the notebook.
    *files : str
        Their places below the address and below the current folder alike.

    Raises
    ------
    FileNotFoundError
        If a file is neither here nor at an address.
    """
    for file in map(Path, files):
        if file.is_file():
            continue
        if urlsplit(site).scheme not in ("http", "https"):
            raise FileNotFoundError(f"{file}: expected beside the notebook, as in the archive that the site offers")
        part, _ = urlretrieve(f"{site}/{file.as_posix()}")  # a download that breaks off leaves no file
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(part, file)
