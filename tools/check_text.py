#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the small things that no compiler sees, in every text file of the project.

No paths of one particular machine, no note of unfinished work without the number of its issue, no tabs, no
trailing spaces, UTF-8, and a newline at the end.
"""

import argparse
import re
import sys
from pathlib import Path

from project_files import default_root, project_files

# Inputs that a fuzzer found are bytes, whatever they look like.
NOT_TEXT = ("tests/fuzz/corpus/",)

# Put together from pieces, so that this file passes its own check.
FOLDERS = "|".join(["work", "tmp", "root", "farm"])
MACHINE_PATH = re.compile(rf"/(?:{FOLDERS})/|(?<![\w.\-/}}])/(?:{FOLDERS})\b")
UNFINISHED = re.compile(r"\b(?:" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X"]) + r")\b(?!\(#\d+\))")


def problems_in(text: str) -> list[tuple[int, str]]:
    """Line and description of everything that is wrong with a file's text."""
    found = []
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if match := MACHINE_PATH.search(line):
            found.append((number, f"path of one machine: {match[0]}"))
        if match := UNFINISHED.search(line):
            found.append((number, f"{match[0]} needs the number of an issue: {match[0]}(#12)"))
        if "\t" in line:
            found.append((number, "tab"))
        if line.rstrip() != line:
            found.append((number, "trailing space"))
    if text and not text.endswith("\n"):
        found.append((len(lines), "no newline at the end of the file"))
    if text.endswith("\n\n"):
        found.append((len(lines) - 1, "empty line at the end of the file"))
    return found


def check(root: Path) -> list[str]:
    problems = []
    for path in project_files(root):
        if str(path).startswith(NOT_TEXT):
            continue
        data = (root / path).read_bytes()
        if b"\0" in data:
            continue
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            problems.append(f"{path}: not UTF-8: {error}")
            continue
        problems += [f"{path}:{line}: {problem}" for line, problem in problems_in(text)]
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=default_root())
    problems = check(parser.parse_args().root)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
