# SPDX-License-Identifier: MIT
"""A scanned model as a fluid and as an obstacle. The models are not shipped: exits with 77 without them or numpy.

Run as: phyxel_scans_test.py PATH_OF_THE_COMMAND
"""

import json
import sys
import unittest

from command_support import ROOT, CommandTest

MODEL = ROOT.parent / "shared" / "models" / "rocker-arm.ply"
sys.path.insert(0, str(ROOT / "python"))
try:
    import numpy as np
    from phyxel_frames import read_frame
except ImportError:
    print("skipped: this Python has no numpy (Debian: python3-numpy)")
    sys.exit(77)
if not MODEL.exists():
    print(f"skipped: there is no {MODEL}")
    sys.exit(77)

SIZE, PLACE = 0.3, np.array([0.55, 0.25, 0.0])
SHAPE = {"mesh": str(MODEL), "size": SIZE, "at": PLACE.tolist()}


def placed_model() -> tuple[np.ndarray, np.ndarray]:
    """Corners of the model's triangles, placed as the scene does it, and its bounds."""
    model = read_frame(MODEL)
    x = model["position"].astype(float)
    x *= SIZE / (x.max(axis=0) - x.min(axis=0)).max()
    low, high = x.min(axis=0), x.max(axis=0)
    x += PLACE - [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]]
    return x[model["triangles"]], np.array([x.min(axis=0), x.max(axis=0)])


def winding_number(triangles: np.ndarray, point: np.ndarray) -> float:
    """Of van Oosterom and Strackee; slow, and by no code that it tests."""
    a, b, c = np.moveaxis(triangles - point, 1, 0)
    la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c))
    rest = la * lb * lc + (a * b).sum(1) * lc + (b * c).sum(1) * la + (c * a).sum(1) * lb
    return float(np.arctan2(volume, rest).sum() / (2 * np.pi))


class Scans(CommandTest):
    def run_scene(self, scene: dict) -> np.ndarray:
        """Where the particles are at the end."""
        self.write("scene.json", json.dumps({"duration": 3 / 30, "domain": {"min": [0, 0, 0], "max": [1, 0.5, 0.6]}}
                                            | scene))
        self.assert_done(self.phyxel("run", "scene.json", "-o", "out", "--quiet"))
        return read_frame(self.folder / "out" / "frames" / "water_000003.ply")["position"].astype(float)

    def test_as_a_fluid_it_is_filled_with_the_particles_asked_for(self):
        x = self.run_scene({"count": 5000, "bodies": [{"name": "water", "type": "fluid", "shape": SHAPE}]})
        self.assertLess(abs(len(x) - 5000), 250)

    def test_as_an_obstacle_nothing_gets_into_it(self):
        water = {"name": "water", "type": "fluid", "velocity": [3, 0, 0],
                 "shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.5, 0.3]}}}
        x = self.run_scene({"spacing": "2.5 cm", "bodies": [water], "obstacles": [{"name": "scan", "shape": SHAPE}]})
        triangles, bounds = placed_model()
        near = x[((x > bounds[0]) & (x < bounds[1])).all(axis=1)]
        self.assertGreater(len(near), 50)
        self.assertEqual([point for point in near if winding_number(triangles, point) > 0.5], [])

        # The oracle itself knows inside from outside: one millimetre below and above the first triangle.
        a, b, c = triangles[0]
        normal = np.cross(b - a, c - a) / np.linalg.norm(np.cross(b - a, c - a))
        self.assertGreater(winding_number(triangles, (a + b + c) / 3 - 1e-3 * normal), 0.5)
        self.assertLess(winding_number(triangles, (a + b + c) / 3 + 1e-3 * normal), 0.5)


if __name__ == "__main__":
    unittest.main()
