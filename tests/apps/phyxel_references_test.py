#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What cases of `phyxel verify` take for references is what tools/reference_numbers.py works out.

Run as: phyxel_references_test.py PATH_OF_THE_COMMAND
"""

import json
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
COMMAND = ""
GROUPS = ["V-F1", "V-E3", "V-E4", "V-E5", "V-E7", "V-E/mode/cantilever", "V-C3"]

# Cases that take seconds, and whose references have fewer digits.
FULL = ["V-E/mode/beam/bending", "V-E/mode/cube/twist", "V-E/mode/sphere/torsion", "V-E/mode/sphere/breathing",
        "V-E/mode/sphere/spheroidal"]

try:
    import reference_numbers
except ModuleNotFoundError:
    sys.exit(77)  # no numpy


class References(unittest.TestCase):
    def test_are_those_of_the_program_that_is_shipped(self):
        done = subprocess.run([COMMAND, "verify", "--json", *GROUPS], capture_output=True, text=True)
        cases = {case["name"]: case for case in json.loads(done.stdout)["cases"]}
        compared = set()
        for name, value in reference_numbers.all_numbers():
            same = [case for case in cases if case == name or case.startswith(name + "/")]
            if name.startswith("V-C3/sampling"):
                continue  # the case has several, and measures their error
            if name in FULL:
                continue
            self.assertTrue(same, name)
            for case in same:
                with self.subTest(case=case):
                    self.assertAlmostEqual(cases[case]["reference"] / value, 1.0, delta=1e-9)
                    compared.add(case)
        quoted = {name for name, case in cases.items() if "reference_numbers.py" in case["source"]}
        self.assertEqual(quoted - compared, {"V-C3/sampling"})


if __name__ == "__main__":
    COMMAND = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
