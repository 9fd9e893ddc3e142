#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every citation such as [AW09, Eq. 5] or [MKN*04] has an entry in docs/references.bib.

Entries that nothing cites are named, but are no error.
"""

import argparse
import re
import sys
from pathlib import Path

from project_files import default_root, project_files

CITING = {".h", ".cpp", ".md", ".py", ".txt", ".cmake", ".cff"}
BIBLIOGRAPHY = Path("docs/references.bib")

KEY = re.compile(r"[A-Z][A-Za-z]*\*?[0-9]{2}[a-z]?")
# Not preceded by what would make it an array index.
BRACKET = re.compile(r"(?<![\w\])])\[([^\[\]\n]+)\]")
ENTRY = re.compile(r"^@\w+\{([^,\s]+),", re.MULTILINE)


def cited_keys(text: str) -> list[tuple[int, str]]:
    """Line and key of each citation; [AW09, Eq. 5; Mon92] cites two. Markdown may write the star as \\*."""
    found = []
    for number, line in enumerate(text.replace("\\*", "*").splitlines(), start=1):
        for bracket in BRACKET.finditer(line):
            words = [word.strip() for word in re.split("[,;]", bracket[1])]
            if KEY.fullmatch(words[0]):
                found += [(number, word) for word in words if KEY.fullmatch(word)]
    return found


def check(root: Path) -> tuple[list[str], list[str]]:
    """Problems, and keys that nothing cites."""
    problems = []
    entries = ENTRY.findall((root / BIBLIOGRAPHY).read_text())
    for key in sorted({key for key in entries if entries.count(key) > 1}):
        problems.append(f"{BIBLIOGRAPHY}: {key} is there twice")
    used = set()
    for path in project_files(root):
        if path.suffix not in CITING:
            continue
        for line, key in cited_keys((root / path).read_text()):
            used.add(key)
            if key not in entries:
                problems.append(f"{path}:{line}: [{key}] is not in {BIBLIOGRAPHY}")
    return problems, sorted(set(entries) - used)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=default_root())
    problems, unused = check(parser.parse_args().root)
    for problem in problems:
        print(problem, file=sys.stderr)
    if unused:
        print(f"{BIBLIOGRAPHY}: not cited anywhere: {', '.join(unused)}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
