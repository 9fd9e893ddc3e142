#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every #include goes in a direction that cmake/layers.txt allows.

Modules (folders of phyxel/) see only the modules below them, and no other module's detail/ headers. Apps, tests,
examples and benchmarks may include any module. Third-party headers stay where THIRD_PARTY says, and files with
a wider instruction set of their own see no Eigen: its inline functions, compiled for that set, could be the
copies that the linker keeps for everybody. Public headers see no intrinsics of ours.
"""

import argparse
import re
import sys
from fnmatch import fnmatch
from pathlib import Path

from project_files import default_root, project_files

INCLUDE = re.compile(r'^\s*#\s*include\s*(<|")([^>"]+)[>"]')

# Prefixes of the included header, and where it may be included.
THIRD_PARTY = [
    (("tbb/", "oneapi/"), ["phyxel/core/*.cpp", "phyxel/volume/*.cpp"]),
    (("CLI/",), ["apps/phyxel/main.cpp"]),
    (("boost/beast", "boost/asio"), ["apps/studio/server/server.cpp"]),
    (("nanoflann",), ["benchmarks/*", "tests/*"]),
    (("openvdb/",), ["phyxel/volume/*.cpp"]),
    (("embree3/",), ["phyxel/render/*.cpp"]),
    (("png.h", "turbojpeg.h"), ["phyxel/render/*.cpp", "tests/render/*"]),
]

EIGEN = ("Eigen/", "unsupported/Eigen/")
WITHOUT_EIGEN = ["*_avx512.cpp", "*_avx2.cpp"]

INTRINSICS = ("immintrin.h", "x86intrin.h")


def read_layers(path: Path) -> dict[str, set[str]]:
    """For each module all modules below it; edges are transitive."""
    below: dict[str, set[str]] = {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        module, _, edges = line.partition(":")
        below[module] = set()
        for edge in edges.split():
            if edge not in below:
                raise SystemExit(f"{path.name}: {module} names {edge}, which is not listed before it")
            below[module] |= {edge} | below[edge]
    return below


def includes_of(path: Path) -> list[tuple[int, str, str]]:
    """Line number, opening sign and header of each include."""
    found = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        if match := INCLUDE.match(line):
            found.append((number, match[1], match[2]))
    return found


def module_of(name: str) -> str | None:
    parts = name.split("/")
    if parts[0] != "phyxel" or len(parts) <= 2:
        return None
    # Every kind of bodies is a module of its own.
    return "/".join(parts[1:3]) if parts[1] == "kinds" and len(parts) > 3 else parts[1]


def path_to(prefixes: tuple[str, ...], name: str, includes: dict[str, list[tuple[int, str, str]]]) -> list[str] | None:
    """The chain of our headers through which a file sees one that begins with a prefix, if it does."""
    chains, seen = [[name]], {name}
    while chains:
        chain = chains.pop()
        for _, _, header in includes.get(chain[-1], []):
            if header.startswith(prefixes):
                return chain + [header]
            if header not in seen:
                seen.add(header)
                chains.append(chain + [header])
    return None


def check(root: Path) -> list[str]:
    below = read_layers(root / "cmake/layers.txt")
    names = [str(p) for p in project_files(root) if p.suffix in (".h", ".cpp")]
    includes = {name: includes_of(root / name) for name in names}
    problems = []

    for name in names:
        module = module_of(name)
        if module is not None and module not in below:
            problems.append(f"{name}: there is no module \"{module}\" in cmake/layers.txt")
            continue
        for line, sign, header in includes[name]:
            here = f"{name}:{line}: "
            target = module_of(header)
            if module is not None and sign == '"':
                problems.append(f'{here}write #include <phyxel/…> instead of "{header}"')
            if module is not None and target is not None and target != module:
                if target not in below[module]:
                    allowed = ", ".join(sorted(below[module])) or "none"
                    problems.append(f"{here}{module} must not include {target}; allowed: {allowed}")
                elif "/detail/" in header:
                    problems.append(f"{here}<{header}> is private to {target}")
            for prefixes, places in THIRD_PARTY:
                if header.startswith(prefixes) and not any(fnmatch(name, place) for place in places):
                    problems.append(f"{here}<{header}> may only be included by {', '.join(places)}")
        if any(fnmatch(name, pattern) for pattern in WITHOUT_EIGEN):
            if chain := path_to(EIGEN, name, includes):
                problems.append(f"{name}: must not see Eigen: {' → '.join(chain[1:])}")
        if module is not None and name.endswith(".h") and "/detail/" not in name:
            if chain := path_to(INTRINSICS, name, includes):
                problems.append(f"{name}: a public header must not see intrinsics: {' → '.join(chain[1:])}")
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
