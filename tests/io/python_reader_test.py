#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that python/phyxel_frames.py reads what the library writes.

Usage: python_reader_test.py SAMPLE_RUN, the program that writes a small run. Exits with 77 without numpy.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no numpy (Debian: python3-numpy)")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
import phyxel_frames

SAMPLE_RUN = sys.argv.pop(1)


class PythonReader(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.run_folder = Path(folder.name)
        subprocess.run([SAMPLE_RUN, folder.name], check=True)

    def test_frames_come_in_order_with_all_fields(self):
        frames = list(phyxel_frames.read_frames(self.run_folder, "water"))
        self.assertEqual([frame["time"] for frame in frames], [0.0, 0.5, 1.0])
        numbers = np.arange(5)
        for k, frame in enumerate(frames):
            self.assertEqual(set(frame), {"time", "position", "id", "velocity", "density"})
            expected = np.stack([numbers, 0.5 * numbers, np.full(5, -0.25 * k)], axis=-1)
            np.testing.assert_array_equal(frame["position"], expected)
            np.testing.assert_array_equal(frame["velocity"], np.outer(numbers, [1, 2, 3]))
            np.testing.assert_array_equal(frame["density"], 1000 + numbers)
            self.assertEqual(frame["id"].dtype, np.uint64)
            self.assertEqual(frame["id"].tolist(), [(i << 40) + i for i in range(5)])
        self.assertEqual(frames[0]["position"].dtype, np.float32)
        self.assertEqual(frames[2]["position"].dtype, np.float64)

    def test_surfaces_have_triangles(self):
        frame = phyxel_frames.read_frame(self.run_folder / "frames" / "water_surface_000001.ply")
        self.assertEqual(frame["triangles"].tolist(), [[0, 1, 2], [2, 3, 4]])
        self.assertEqual(frame["position"].shape, (5, 3))

    def test_tables_have_columns_and_gaps(self):
        table = phyxel_frames.read_table(self.run_folder / "probes.csv")
        self.assertEqual(list(table), ["time", "gauge", "tip.x"])
        np.testing.assert_array_equal(table["time"], [0.0, 0.5])
        np.testing.assert_array_equal(table["gauge"], [0.1, np.nan])
        np.testing.assert_array_equal(table["tip.x"], [np.nan, -2.5])

    def test_poses_are_those_of_each_body(self):
        poses = phyxel_frames.read_poses(self.run_folder)
        self.assertEqual(set(poses), {'ball, "red"', "1"})
        for pose in poses.values():
            self.assertEqual(pose["frame"].tolist(), [0, 1, 2])
            np.testing.assert_array_equal(pose["time"], [0.0, 0.5, 1.0])
            np.testing.assert_array_equal(pose["position"], [[1, 2, 3], [1, 2, 4], [1, 2, 5]])
            np.testing.assert_array_equal(pose["rotation"], [[0.5, 0.5, -0.5, 0.5]] * 3)
        (self.run_folder / "poses.csv").unlink()
        self.assertEqual(phyxel_frames.read_poses(self.run_folder), {})

    def test_a_table_without_rows_has_empty_columns(self):
        table = phyxel_frames.read_table(self.run_folder / "stats.csv")
        self.assertEqual(list(table), ["time", "steps"])
        self.assertEqual(table["steps"].size, 0)


if __name__ == "__main__":
    unittest.main()
