# SPDX-License-Identifier: MIT
"""The files of the project: what git tracks, and what it would if it were added."""

import subprocess
from pathlib import Path


def project_files(root: Path) -> list[Path]:
    """Paths relative to `root`, sorted; ignored files and deleted ones are left out."""
    # The folder may belong to somebody else, as one that is mounted into a container does.
    git = ["git", "-c", "safe.directory=*", "-C", str(root)]
    listing = subprocess.run(
        git + ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True, stdout=subprocess.PIPE
    ).stdout.decode()
    names = sorted(set(filter(None, listing.split("\0"))))
    return [Path(name) for name in names if (root / name).is_file()]


def default_root() -> Path:
    return Path(__file__).resolve().parent.parent
