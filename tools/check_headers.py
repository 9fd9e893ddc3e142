#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every public header compiles alone.

Public is what stands in phyxel/ outside of detail/. Eigen takes nine tenths of the time, so headers that include it,
also through others of ours, get a precompiled Eigen/Core, which shows them nothing that they would not see anyway.
"""

import argparse
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from check_layers import includes_of, path_to
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


def complaint(root: Path, folder: Path, name: str, before: Path | None) -> str:
    """What the compiler says of a header by itself; nothing if it is content."""
    source = folder / (name.replace("/", "-") + ".cpp")
    source.write_text(f"#include <{name}>\n")
    shared = ["-include", str(before)] if before is not None else []
    done = subprocess.run(
        [*compiler(root), *shared, "-c", str(source), "-o", f"{source}.o"], capture_output=True, text=True
    )
    return "" if done.returncode == 0 else f"{name} does not compile alone:\n{done.stderr}"


def check(root: Path, folder: Path) -> list[str]:
    names = [str(p) for p in project_files(root) if p.suffix == ".h" and str(p).startswith("phyxel/")]
    includes = {name: includes_of(root / name) for name in names}
    public = [name for name in names if "/detail/" not in name]
    with_eigen = {name for name in public if path_to(("Eigen/",), name, includes)}

    folder.mkdir(parents=True, exist_ok=True)
    eigen = precompile_eigen(root, folder) if with_eigen else None
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = pool.map(lambda name: complaint(root, folder, name, eigen if name in with_eigen else None), public)
        return [problem for problem in said if problem]


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
