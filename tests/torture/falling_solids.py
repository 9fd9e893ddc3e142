#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Solids that fall and are drawn: figures of jelly dropped from 0.2 to 2 m, and the examples that have solids.

No phyxel turns inside out, no body loses a fifth of its volume, and nothing that is simulated or drawn lies below a wall
by more than half a spacing. Prints a row for each run, with the steps and the processor time that it took over those
that were foretold; exits with 1 if there is a finding, with 77 if this Python has no numpy.

    falling_solids.py --phyxel build/release/apps/phyxel/phyxel --models DIR
"""

import argparse
import concurrent.futures
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
try:
    import numpy as np
    from phyxel_frames import read_frame, read_table
except ImportError:
    print("skipped: this Python has no numpy (Debian: python3-numpy)")
    sys.exit(77)

SIZE = 0.3  # of every figure, its longest side [m]
HEIGHTS = (0.2, 0.5, 1.0, 2.0)  # [m]
FIGURES = ("armadillo", "bunny", "dragon-stanford", "max-planck", "santa")

# Bounds.
LEAST_VOLUME = 0.8
BELOW = 0.5  # spacings

# Misses that are known, with the least volume that was measured.
KNOWN_VOLUME = {"bunny from 2.0 m": 0.754, "max-planck from 2.0 m": 0.777}


def fall(figure, height, phyxels):
    """A figure above a floor, upright as most are scanned."""
    body = {"name": "figure", "type": "solid", "material": "jelly", "count": phyxels,
            "shape": {"mesh": str(figure.resolve()), "up": "y", "size": SIZE, "at": [0, 0, height]}}
    return {"duration": 1.5, "frame_rate": 30, "bodies": [body],
            "domain": {"min": [-2, -2, 0], "max": [2, 2, 4]}}


def solids_of(scene):
    return [body["name"] for body in scene["bodies"] if body["type"] == "solid"]


def run_phyxel(phyxel, folder, *arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([phyxel, "run", *arguments], cwd=folder, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no word"])[-1])
    return seconds


def seconds_of(text):
    """ "1 min 2 s" in seconds."""
    units = {"s": 1, "min": 60, "h": 3600, "day": 86400, "days": 86400, "ms": 1e-3}
    return sum(float(number) * units[unit] for number, unit in re.findall(r"([\d.]+) (s|min|h|days?|ms)\b", text))


def foretold(phyxel, folder, *arguments):
    """Steps and processor time."""
    said = subprocess.run([phyxel, "validate", *arguments], cwd=folder, capture_output=True, text=True).stdout
    steps = re.search(r"about ([\d,]+) step", said)
    return (int(steps[1].replace(",", "")) if steps else 0), seconds_of(said.rsplit("on disk, ", 1)[-1]) * os.cpu_count()


def lowest_below(run, name, spacing, floor):
    """How far below the floor anything of a body was, in spacings."""
    lowest = floor
    for path in sorted((run / "frames").glob(f"{name}_*.ply")):
        places = read_frame(path)["position"]
        if len(places) > 0:  # a body may come later
            lowest = min(lowest, float(places[:, -1].min()))
    return (floor - lowest) / spacing


def judge(phyxel, name, scene):
    """`scene` is a dictionary or the name of an example."""
    with tempfile.TemporaryDirectory(prefix="falling_solids_") as folder:
        folder = Path(folder)
        if isinstance(scene, dict):
            (folder / "scene.json").write_text(json.dumps(scene))
            source = "scene.json"
        else:
            source = scene
            run_phyxel(phyxel, folder, source, "-o", "look", "--quiet", "--frames", "0:1")
            scene = json.loads((folder / "look" / "manifest.json").read_text())["scene"]
        solids = solids_of(scene)
        # In every step: the deepest moment of a fall lies between frames.
        probes = [{"name": f"volume_{k}", "body": solid, "field": "volume", "every": "step"} for k, solid in enumerate(solids)]
        probes = ["--set", "probes=" + json.dumps(scene.get("probes", []) + probes)]
        steps, seconds = foretold(phyxel, folder, source, *probes)
        taken = run_phyxel(phyxel, folder, source, "-o", "run", "--quiet", "--threads", "1", *probes)
        run = folder / "run"
        stats, table = read_table(run / "stats.csv"), read_table(run / "probes.csv")
        volumes = [table[f"volume_{k}"] for k in range(len(solids))]
        volume = min(float(np.nanmin(v) / v[np.isfinite(v)][0]) for v in volumes)
        below = 0.0
        if "domain" in scene:
            spacing = json.loads((run / "manifest.json").read_text())["derived"]["spacing"]
            below = max(lowest_below(run, solid, spacing, scene["domain"]["min"][-1]) for solid in solids)
        inverted = int(stats["inverted"].max())
        wrong = []
        if inverted > 0:
            wrong.append(f"{inverted} phyxels are inside out")
        if volume < min(LEAST_VOLUME, 0.99 * KNOWN_VOLUME.get(name, 1.0)):
            wrong.append(f"keeps {100 * volume:.1f} % of its volume")
        if below > BELOW:
            wrong.append(f"lies {below:.2f} spacings below the floor")
        note = f"known miss: less than {100 * LEAST_VOLUME:.0f} %" if volume < LEAST_VOLUME else ""
        more = stats["steps"].sum() / max(steps, 1), taken / max(seconds, 1e-3)
        return f"{int(stats['particles'].max()):8d} {100 * volume:7.1f}% {max(below, 0.0):7.2f} {more[0]:7.2f} {more[1]:7.2f} {taken:8.1f}", "; ".join(wrong), note


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--phyxel", required=True, help="the command")
    parser.add_argument("--models", type=Path, help="folder of scans; without it only examples")
    parser.add_argument("--phyxels", type=int, default=500, help="of a figure (500)")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--only", default="", help="runs whose name has this")
    options = parser.parse_args()
    phyxel = str(Path(options.phyxel).resolve())
    runs = []
    for figure in FIGURES if options.models else ():
        runs += [(f"{figure} from {height} m", fall(options.models / f"{figure}.ply", height, options.phyxels))
                 for height in HEIGHTS]
    runs += [(path.stem, str(path)) for path in sorted((ROOT / "examples" / "scenes").glob("*.json"))
             if re.search(r'"type":\s*"solid"', path.read_text())]
    runs = [run for run in runs if options.only in run[0]]
    print(f"{'run':28s} {'phyxels':>8s} {'volume':>8s} {'below':>7s} {'steps':>7s} {'time':>7s} {'seconds':>8s}")
    findings = 0
    # Processes, not threads, so that each knows the processor time of its own.
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for (name, _), job in zip(runs, [pool.submit(judge, phyxel, *run) for run in runs]):
            try:
                numbers, wrong, note = job.result()
            except RuntimeError as failure:
                numbers, wrong, note = " " * 50, str(failure), ""
            print(f"{name:28s} {numbers}  {wrong or note}".rstrip(), flush=True)
            findings += bool(wrong)
    print(f"{len(runs)} runs, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
