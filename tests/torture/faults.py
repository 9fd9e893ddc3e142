#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs that are killed, run out of disk or are damaged: gone on with, they give the bytes of a run that was not. And more
threads than cores, which must cost neither time nor memory.

Everything follows from the seed but the moment at which a kill arrives. Prints a table; exits with 1 if there is a
finding.

    faults.py --phyxel build/release/apps/phyxel/phyxel --count 100 --seed 1
"""

import argparse
import csv
import filecmp
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

SCENE = """{
    "dimension": 2, "duration": "0.3 s", "frame_rate": 60, "spacing": "1.5 cm",
    "domain": { "min": [0, 0], "max": [0.8, 0.6] },
    "bodies": [
        { "name": "water", "type": "fluid", "shape": { "box": { "min": [0, 0], "max": [0.4, 0.35] } }, "material": "water" },
        { "name": "jelly", "type": "solid", "shape": { "sphere": { "center": [0.6, 0.3], "radius": 0.1 } },
          "material": "jelly", "solver": { "type": "implicit" } }
    ],
    "probes": [ { "name": "gauge", "point": [0.3, 0.05], "field": "pressure", "every": "step" } ]
}"""
BUSY = SCENE.replace('"1.5 cm"', '"4 mm"').replace('"0.3 s"', '"0.05 s"')

# Bounds.
MOST_TIME, MOST_MEMORY = 1.3, 1.3  # of 16 threads, over those of as many as there are cores


def phyxel(command, folder, *arguments, timeout=120):
    return subprocess.run([command, *arguments], cwd=folder, capture_output=True, text=True, timeout=timeout)


def untimed(path):
    """The rows of a table without times, and checksums of rows that have such."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    kept = [k for k, name in enumerate(rows[0]) if not name.startswith("seconds") and name != "checksum"]
    return [[row[k] for k in kept] for row in rows]


def difference(run, reference, spare=True):
    """What of a run is not as it is in the reference, or nothing. Without `spare`, checkpoints may be missing: of two the
    older one is not made anew."""
    def files(folder):
        return sorted(str(p.relative_to(folder)) for p in folder.rglob("*")
                      if p.is_file() and p.name != "log.txt" and (spare or p.parent.name != "checkpoints"))

    if files(run) != files(reference):
        return f"other files: {sorted(set(files(run)) ^ set(files(reference)))[:4]}"
    for name in files(reference):
        if name == "stats.csv":
            same = untimed(run / name) == untimed(reference / name)
        else:
            same = filecmp.cmp(run / name, reference / name, shallow=False)
        if not same:
            return f"{name} differs"
    return ""


class Faults:
    def __init__(self, command, folder, seed):
        self.command, self.folder, self.rng = command, folder, random.Random(seed)
        (folder / "scene.json").write_text(SCENE)
        done = phyxel(command, folder, "run", "scene.json", "-o", "reference", "--quiet")
        if done.returncode != 0:
            raise SystemExit(f"the run to compare with failed: {done.stderr}")
        self.reference = folder / "reference"
        begun = time.monotonic()
        phyxel(command, folder, "run", "scene.json", "-o", "timed", "--quiet")
        self.seconds = time.monotonic() - begun
        shutil.rmtree(folder / "timed")

    def resumed(self, what):
        """Whether the run `out` can be gone on with and is then as it should be."""
        run = self.folder / "out"
        done = phyxel(self.command, self.folder, "run", "scene.json", "-o", "out", "--resume", "--quiet")
        if done.returncode != 0:
            return f"{what}: resuming ended with {done.returncode}: {done.stderr.strip()[:200]}"
        found = difference(run, self.reference)
        return f"{what}: {found}" if found else ""

    def kill(self):
        """Killed up to three times, at any moment."""
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        for _ in range(self.rng.randint(1, 3)):
            process = subprocess.Popen([self.command, "run", "scene.json", "-o", "out", "--resume", "--quiet"], cwd=self.folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(self.rng.uniform(0, self.seconds))
            process.kill()
            process.wait()
        return self.resumed("killed")

    def full_disk(self):
        """A disk with room for some of the files, in a namespace of its own."""
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        shutil.rmtree(self.folder / "disk", ignore_errors=True)
        (self.folder / "disk").mkdir()
        room = self.rng.choice([f"size=10m,nr_inodes={self.rng.randint(8, 60)}", f"size={self.rng.randint(100, 900)}k"])
        script = (f'mount -t tmpfs -o {room} none disk || exit 77; "$@"; code=$?; cp -r disk/out out; exit $code')
        done = phyxel("unshare", self.folder, "-rm", "sh", "-c", script, "sh", self.command, "run", "scene.json", "-o",
                      "disk/out", "--quiet")
        if done.returncode == 77 or "unshare" in done.stderr:
            return None
        if done.returncode == 2 and "there is room for" in done.stderr or not (self.folder / "out").exists():
            return ""  # foretold, and nothing written
        if done.returncode not in (0, 1) or (done.returncode == 1 and "disk is full" not in done.stderr):
            return f"full disk ({room}): ended with {done.returncode}: {done.stderr.strip()[:200]}"
        return self.resumed(f"full disk ({room})")

    def damage(self):
        """A file of a run, finished or stopped, that has other bytes, is cut short or gone."""
        run = self.folder / "out"
        shutil.rmtree(run, ignore_errors=True)
        if self.rng.random() < 0.5:
            shutil.copytree(self.reference, run)
        else:
            phyxel(self.command, self.folder, "run", "scene.json", "-o", "out", "--quiet", "--frames", f"0:{self.rng.randint(2, 17)}")
        files = sorted(p for p in run.rglob("*") if p.suffix in (".ply", ".csv") or p.parent.name == "checkpoints")
        file = self.rng.choice(files)
        data = bytearray(file.read_bytes())
        how = self.rng.choice(["bits", "cut", "gone", "zeros"])
        if how == "bits":
            for _ in range(self.rng.randint(1, 8)):
                data[self.rng.randrange(len(data))] ^= 1 << self.rng.randrange(8)
        elif how == "cut":
            del data[self.rng.randrange(len(data)):]
        elif how == "zeros":
            first = self.rng.randrange(len(data))
            data[first:first + 64] = bytes(len(data[first:first + 64]))
        if how == "gone":
            file.unlink()
        else:
            file.write_bytes(data)
        what = f"{file.relative_to(run)}, {how}"
        done = phyxel(self.command, self.folder, "info", "out")
        if done.returncode not in (0, 1, 2):
            return f"{what}: info ended with {done.returncode}"
        # Refusing with a line that names the file is right where it cannot be made anew.
        done = phyxel(self.command, self.folder, "run", "scene.json", "-o", "out", "--resume", "--quiet")
        if done.returncode in (1, 2):
            return "" if file.name in done.stderr else f"{what}: refused without naming it: {done.stderr.strip()[:200]}"
        if done.returncode != 0:
            return f"{what}: resuming ended with {done.returncode}: {done.stderr.strip()[:200]}"
        found = difference(run, self.reference, spare=False)
        return f"{what}: {found}" if found else ""

    def threads(self):
        """Sixteen threads against as many as there are cores. What else runs on the machine only adds to a time, so the
        least of each counts, and both take turns."""
        (self.folder / "busy.json").write_text(BUSY)

        def measured(count):
            """Seconds, seconds of processor time and bytes of a run."""
            shutil.rmtree(self.folder / "busy", ignore_errors=True)
            begun = time.monotonic()
            process = subprocess.Popen([self.command, "run", "busy.json", "-o", "busy", "--quiet", "--threads", str(count)],
                                       cwd=self.folder, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            return (time.monotonic() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss) if process.returncode == 0 else None

        cores = len(os.sched_getaffinity(0))
        few, many = [], []
        # More turns where five say too much: on a machine with other work the least takes longer to find.
        for turn in range(15):
            few.append(measured(cores))
            many.append(measured(16))
            if None in (few[-1], many[-1]):
                return "threads: the run failed"
            seconds, work, memory = (min(a) / min(b) for a, b in zip(zip(*many), zip(*few)))
            if turn >= 4 and seconds <= MOST_TIME:
                break
        said = f"{seconds:.2f} times the time, {work:.2f} times the processor time, {memory:.2f} times the memory"
        print(f"16 threads on {cores} cores: {said}")
        if max(seconds, work) > MOST_TIME or memory > MOST_MEMORY:
            return f"16 threads take {said}"
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--phyxel", required=True, help="the command")
    parser.add_argument("--count", type=int, default=100, help="faults of each kind (100)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so long, whatever the count")
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    table, findings = {}, []
    with tempfile.TemporaryDirectory() as temporary:
        faults = Faults(os.path.abspath(arguments.phyxel), pathlib.Path(temporary), arguments.seed)
        found = faults.threads()
        if found:
            findings.append(found)
        for number in range(arguments.count):
            for kind in (faults.kill, faults.full_disk, faults.damage):
                if time.monotonic() > end:
                    break
                found = kind()
                row = table.setdefault(kind.__name__, [0, 0])
                row[0] += found is not None
                if found:
                    row[1] += 1
                    findings.append(f"{number}: {found}")
                    print(findings[-1], flush=True)
    print(f"{'fault':12} {'cases':>6} {'findings':>9}")
    for kind, (count, wrong) in table.items():
        print(f"{kind:12} {count:6} {wrong:9}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
