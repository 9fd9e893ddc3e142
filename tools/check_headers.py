#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every public header compiles alone.

Public is what stands in phyxel/ outside of detail/. Most of the time goes into what headers include, so a header is
compiled after others, but only after such as it includes itself with all that they include: they show it nothing that it
would not see anyway. The same holds for a precompiled Eigen/Core, which those headers get that include it. Headers of
detail/ may rely on what comes before them, so a header that sees more of them than the one before is not put behind it.
"""

import argparse
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from check_layers import includes_of
from project_files import default_root, project_files

FLAGS = ["-std=gnu++20", "-march=x86-64-v3", "-isystem", "/usr/include/eigen3", "-DPHYXEL_ASSERTS=1"]
FLAGS += ["-Wall", "-Wextra", "-Werror"]


def compiler(root: Path) -> list[str]:
    cache = [shutil.which("ccache")] if shutil.which("ccache") else []
    return cache + ["g++", *FLAGS, f"-I{root}"]


def precompile_eigen(root: Path, folder: Path) -> Path | None:
    header = folder / "eigen_core.h"
    header.write_text("#include <Eigen/Core>\n")
    made = subprocess.run([*compiler(root), "-x", "c++-header", str(header), "-o", f"{header}.gch"])
    return header if made.returncode == 0 else None


def complaint(root: Path, folder: Path, names: list[str], before: Path | None) -> str:
    """What the compiler says of headers in this order; nothing if it is content."""
    source = folder / (names[-1].replace("/", "-") + ".cpp")
    source.write_text("".join(f"#include <{name}>\n" for name in names))
    shared = ["-include", str(before)] if before is not None else []
    done = subprocess.run(
        [*compiler(root), *shared, "-c", str(source), "-o", f"{source}.o"], capture_output=True, text=True
    )
    return "" if done.returncode == 0 else f"{names[-1]} does not compile alone:\n{done.stderr}"


def reach_of(name: str, includes: dict[str, list[str]], known: dict[str, set[str]]) -> set[str]:
    """All that a header includes, also through others of ours."""
    if name not in known:
        known[name] = set()
        known[name] = set(includes.get(name, [])).union(*(reach_of(h, includes, known) for h in includes.get(name, [])))
    return known[name]


def needs_eigen(name: str, reach: dict[str, set[str]]) -> bool:
    return any(header.startswith("Eigen/") for header in reach[name])


def chains_of(public: list[str], reach: dict[str, set[str]]) -> list[list[str]]:
    """Lists of headers in which each includes the one before it; every header is in one of them."""
    # A chain needs Eigen as a whole or not at all.
    private = {name: {h for h in reach[name] if "/detail/" in h} for name in public}
    eigen = {name: needs_eigen(name, reach) for name in public}
    chains: list[list[str]] = []
    for name in sorted(public, key=lambda name: len(reach[name])):
        ends = [c for c in chains if c[-1] in reach[name] and private[name] <= private[c[-1]] and eigen[name] == eigen[c[-1]]]
        if ends:
            max(ends, key=lambda chain: len(reach[chain[-1]])).append(name)
        else:
            chains.append([name])
    return chains


def check(root: Path, folder: Path) -> list[str]:
    names = [str(p) for p in project_files(root) if p.suffix == ".h" and str(p).startswith("phyxel/")]
    includes = {name: [header for _, _, header in includes_of(root / name)] for name in names}
    public = [name for name in names if "/detail/" not in name]
    known: dict[str, set[str]] = {}
    reach = {name: reach_of(name, includes, known) for name in public}

    folder.mkdir(parents=True, exist_ok=True)
    eigen = precompile_eigen(root, folder) if any(needs_eigen(name, reach) for name in public) else None

    def problems_of(chain: list[str]) -> list[str]:
        before = eigen if needs_eigen(chain[0], reach) else None
        together = complaint(root, folder, chain, before)
        alone = [complaint(root, folder, [name], before) for name in chain] if together else []
        return [problem for problem in alone if problem] or ([together] if together else [])

    # The longest first, so that no core waits for them at the end.
    chains = sorted(chains_of(public, reach), key=lambda chain: -len(reach[chain[-1]]))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [problem for said in pool.map(problems_of, chains) for problem in said]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=default_root())
    root = parser.parse_args().root
    problems = check(root, root / "build/headers")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
