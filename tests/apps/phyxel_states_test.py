#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The state after the first frames of every example and verification scene, bit by bit. Examples bring no warning.

A change that is not meant to change any number changes none of these. One that is meant to is committed together with
new ones, and says which and why.

Run as: phyxel_states_test.py PATH_OF_THE_COMMAND [--update]
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STATES = Path(__file__).with_name("states.json")
COMMAND = ""

# Large scenes are made smaller: what matters is that all of their code runs.
MOST_PARTICLES = 8000
FRAMES = "0:2"


def phyxel(folder, *arguments):
    return subprocess.run([COMMAND, *arguments], cwd=folder, capture_output=True, text=True)


def state_of(scene):
    """As the log of a run of the first frames has it, or the reason why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        said = phyxel(folder, "validate", str(scene))
        if scene.parent.name == "scenes" and (said.returncode != 0 or said.stderr):
            return said.stderr.strip() or "not valid"
        count = re.search(r"([\d,]+) particle", said.stdout)
        smaller = []
        if count and int(count[1].replace(",", "")) > MOST_PARTICLES:
            smaller = ["--set", f"count={MOST_PARTICLES}"]
        done = phyxel(folder, "run", str(scene), "-o", "run", "--frames", FRAMES, *smaller)
        if done.returncode != 0:
            return (done.stderr.strip().splitlines() or ["no word"])[-1]
        return re.search(r"state at frame \d+: (\w+)", (Path(folder) / "run" / "log.txt").read_text())[1]


def scenes():
    return sorted(file for file in (ROOT / "examples").glob("*/*.json") if file.parent.name != "cpp")


class States(unittest.TestCase):
    def test_every_scene_begins_with_the_states_that_it_had(self):
        known = json.loads(STATES.read_text())
        self.assertEqual(sorted(known), [str(scene.relative_to(ROOT)) for scene in scenes()])
        for scene in scenes():
            name = str(scene.relative_to(ROOT))
            with self.subTest(scene=name):
                self.assertEqual(state_of(scene), known[name])


if __name__ == "__main__":
    COMMAND = str(Path(sys.argv[1]).resolve())
    if sys.argv[2:] == ["--update"]:
        STATES.write_text(json.dumps({str(scene.relative_to(ROOT)): state_of(scene) for scene in scenes()}, indent=2) + "\n")
    else:
        unittest.main(argv=sys.argv[:1])
