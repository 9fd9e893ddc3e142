# SPDX-License-Identifier: MIT
"""A kind of bodies that no part of Phyxel knows: examples/cpp/10_own_kind.cpp.

Run as: own_kind_test.py PATH_OF_THE_EXAMPLE PATH_OF_THE_COMMAND
"""

import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

EXAMPLE, COMMAND = sys.argv[1:3]
SCENE = pathlib.Path(__file__).parents[2] / "examples/cpp/10_own_kind.json"


class OwnKind(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_example(self, *arguments):
        return subprocess.run([EXAMPLE, *map(str, arguments)], capture_output=True, text=True, check=False)

    def test_the_schema_knows_it_and_its_units(self):
        schema = json.dumps(json.loads(self.run_example().stdout))
        self.assertIn('"float"', schema)
        self.assertIn("frequency", schema)

    def test_an_error_has_its_place(self):
        for value, what in [('"3 kg"', "bodies[1].height: "), ('"-3 cm"', "bodies[1].height: ")]:
            text = SCENE.read_text().replace('"height": "3 cm"', f'"height": {value}')
            (self.folder / "lake.json").write_text(text)
            said = self.run_example(self.folder, self.folder / "lake.json")
            self.assertEqual(said.returncode, 1)
            line = 1 + text[:text.index('"height"')].count("\n")
            self.assertIn(f"lake.json:{line}:23: {what}", said.stderr)

    def test_it_runs_beside_water_and_can_be_resumed(self):
        said = self.run_example(self.folder, SCENE)
        self.assertEqual((said.returncode, said.stdout), (0, "the same bits\n"), said.stderr)
        run, resumed = self.folder / "floats", self.folder / "floats_resumed"
        for body in ("lake", "corks"):
            self.assertEqual(len(list(run.glob(f"frames/{body}_*.ply"))), 7)
        head = (run / "frames/corks_000003.ply").read_bytes().split(b"end_header")[0]
        self.assertIn(b"lift", head)
        for frame in run.glob("frames/*"):
            self.assertEqual(frame.read_bytes(), (resumed / "frames" / frame.name).read_bytes(), frame.name)
        self.assertTrue(list(resumed.glob("checkpoints/*")))
        # The points follow their formula, from the event on with another height.
        with open(run / "probes.csv", encoding="utf-8") as table:
            rows = [(float(row["time"]), float(row["cork"])) for row in csv.DictReader(table)]
        self.assertEqual(len(rows), 7)
        for time, lift in rows[1:]:
            height = 0.03 if time < 0.1 + 1e-9 else 0.01
            cork = 0.19, 0.21  # the point lies between two
            self.assertTrue(any(math.isclose(lift, height * math.sin(4 * math.pi * time + x), abs_tol=1e-12)
                                for x in cork), (time, lift))

    def test_the_command_draws_its_fields_with_their_units(self):
        self.run_example(self.folder, SCENE)
        said = subprocess.run([COMMAND, "plot", self.folder / "floats", "-o", self.folder / "plots"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("lift (m)", (self.folder / "plots/probe_cork.svg").read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
