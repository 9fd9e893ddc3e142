# SPDX-License-Identifier: MIT
"""Whatever has a surface is seen in pictures where its particles are: the bodies of every example, as solids are recorded
and as `phyxel surface` makes it for fluids, and solids that were made from clouds and meshes. Exits with 77 without numpy.

Run as: phyxel_skins_test.py PATH_OF_THE_COMMAND
"""

import json
import re
import shutil
import sys
import unittest
from pathlib import Path

from command_support import EXAMPLES, ROOT, CommandTest, blue_pixels, tetrahedron, write_triangles

sys.path.insert(0, str(ROOT / "python"))
try:
    import numpy as np
    from phyxel_frames import read_frame
except ImportError:
    print("skipped: this Python has no numpy (Debian: python3-numpy)")
    sys.exit(77)

def ellipsoid(rng, count: int) -> tuple[np.ndarray, np.ndarray]:
    x = rng.normal(size=(count, 3))
    x /= np.linalg.norm(x, axis=1)[:, None]
    axes = np.array([1.0, 0.6, 0.4])
    return x * axes, x / axes


def torus(rng, count: int) -> tuple[np.ndarray, np.ndarray]:
    u, v = 2 * np.pi * rng.random((2, 3 * count))
    # The outer side has more area than the inner one.
    kept = np.flatnonzero(rng.random(3 * count) * 1.4 < 1 + 0.4 * np.cos(v))[:count]
    u, v = u[kept], v[kept]
    normals = np.stack([np.cos(v) * np.cos(u), np.cos(v) * np.sin(u), np.sin(v)], axis=-1)
    return np.stack([np.cos(u), np.sin(u), 0 * u], axis=-1) + 0.4 * normals, normals


def with_hole(rng, count: int) -> tuple[np.ndarray, np.ndarray]:
    """As from a scanner that did not see the underside."""
    points, normals = ellipsoid(rng, 2 * count)
    kept = np.flatnonzero(normals[:, 2] / np.linalg.norm(normals, axis=1) > -0.7)[:count]
    return points[kept], normals[kept]


def noisy(rng, count: int) -> tuple[np.ndarray, np.ndarray]:
    points, normals = torus(rng, count)
    return points + 0.02 * rng.normal(size=points.shape), normals + 0.2 * rng.normal(size=normals.shape)


def sheet(rng, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Both sides of something flat, and its rim."""
    half = np.array([1.0, 0.7, 0.06])
    areas = np.array([half[1] * half[2], half[0] * half[2], half[0] * half[1]])
    axis = rng.choice(3, count, p=areas / areas.sum())
    normals = np.eye(3)[axis] * rng.choice([-1.0, 1.0], count)[:, None]
    inside = rng.uniform(-1, 1, (count, 3))
    return half * np.where(normals == 0, inside, normals), normals


CLOUDS = {"ellipsoid": ellipsoid, "torus": torus, "hole": with_hole, "noisy": noisy, "sheet": sheet}


def write_cloud(path: Path, points: np.ndarray, normals: np.ndarray):
    properties = [f"property float {name}" for name in ("x", "y", "z", "nx", "ny", "nz")]
    rows = [" ".join(map(str, row)) for row in np.hstack([points, normals])]
    path.write_text("\n".join(["ply", "format ascii 1.0", f"element vertex {len(rows)}", *properties, "end_header", *rows, ""]))


class Skins(CommandTest):
    def recorded(self, scene: str, *changes: str) -> Path:
        """The beginning of a scene and the frame after it, coarse, with surfaces for the fluids in it."""
        options = [word for change in changes for word in ("--set", change)]
        self.assert_done(self.phyxel("run", scene, "-o", "run", "--overwrite", "--frames", "0:2", "--quiet", *options), None)
        run = self.folder / "run"
        description = json.loads((run / "manifest.json").read_text())["scene"]
        if description["dimension"] == 3 and any(body["type"] == "fluid" for body in description["bodies"]):
            self.assert_done(self.phyxel("surface", "run", "--frames", "1:2", "--quiet"), None)
        return run

    def check_skin(self, run: Path, skin: Path, is_rigid: bool) -> bool:
        """The body alone, as its particles in frame 0 and with its skin in frame 1, is seen at the same places; unless it
        is not there yet."""
        particles = skin.with_name(skin.name.replace("_surface_", "_"))
        if particles.suffix != ".ply":
            self.assert_done(self.phyxel("convert", particles, "as.ply"), None)
        x = read_frame(particles if particles.suffix == ".ply" else self.folder / "as.ply")["position"]
        if len(x) == 0:
            return False  # joins later
        low, high = x.min(axis=0), x.max(axis=0)
        middle, away = (low + high) / 2, 2.2 * np.linalg.norm(high - low) * np.array([0.35, -0.85, 0.4])
        camera = ":".join(",".join(map(str, place)) for place in (middle + away, middle))
        alone = self.folder / "alone"
        shutil.copytree(run, alone, ignore=lambda folder, names: names if Path(folder).name == "frames" else [])
        for file, new_name in [(particles, "body_000000"), (particles, "body_000001"), (skin, "body_surface_000001")]:
            shutil.copy(file, alone / "frames" / (new_name + file.suffix))
        self.assert_done(self.phyxel("render", "alone", "--camera", camera, "--size", "96x72", "--samples", "1", "--color",
                                     "body", "--style", "light", "--quiet"), None)
        expected, seen = (np.array(blue_pixels(alone / f"pictures/body_{n:06d}.png")) for n in range(2))
        shutil.rmtree(alone)
        found, beside = (expected & seen).sum() / expected.sum(), (seen & ~expected).sum() / expected.sum()
        figures = f"{found:.2f} of the {expected.sum()} pixels of its particles, and {beside:.2f} beside them"
        if is_rigid:  # it has the skin of its shape, whatever its particles, of which a thin one has hardly any
            self.assertGreater(seen.sum(), 100, figures)
            self.assertTrue(found > 0.8 or len(x) < 60, figures)
            return True
        self.assertGreater(expected.sum(), 100, figures)
        self.assertGreater(found, 0.8, figures)  # balls stick out where there are few of them
        self.assertLess(beside, 0.5, figures)  # and lie deep in what is thin
        return True

    def check_skins(self, run: Path) -> list[str]:
        """Those of these bodies are there."""
        names = []
        bodies = json.loads((run / "manifest.json").read_text())["scene"]["bodies"]
        rigid = {body["name"] for body in bodies if body["type"] == "rigid"}
        for skin in sorted(run.glob("frames/*_surface_000001.*")):
            name = skin.name.split("_surface_000001")[0]
            with self.subTest(name):
                if self.check_skin(run, skin, name in rigid):
                    names.append(name)
        return names

    def test_every_example_is_seen_by_its_skin(self):
        for scene in EXAMPLES:
            with self.subTest(scene.stem):
                description = json.loads(re.sub(r"^\s*//.*$", "", scene.read_text(), flags=re.MULTILINE))
                bodies = description["bodies"]
                if description.get("dimension") == 2: # there are no surfaces
                    continue
                # A third as fine as they are meant to be, which takes a fraction of the time.
                details = [f"bodies[{i}].skin.detail=32" for i, body in enumerate(bodies) if body["type"] == "solid"]
                run = self.recorded(str(scene), f"count={600 + 60 * len(bodies)}", *details)
                later = [body["name"] for body in bodies if "start" in body]
                self.assertEqual(set(self.check_skins(run)), {body["name"] for body in bodies} - set(later))

    def solid_from(self, file: str, **settings) -> Path:
        self.write("solid.json", json.dumps({
            "duration": 1, "count": 600, "domain": {"min": [-1, -1, 0], "max": [1, 1, 2]},
            "bodies": [{"name": "solid", "type": "solid", "material": "jelly",
                        "shape": {"mesh": file, "size": 0.3, "at": [0, 0, 0.1]}}], **settings}))
        return self.recorded("solid.json")

    def test_solids_made_from_clouds_are_seen_by_their_surfels(self):
        for name, make in CLOUDS.items():
            with self.subTest(name):
                points, normals = make(np.random.default_rng(7), 1500)
                write_cloud(self.folder / f"{name}.ply", points, normals)
                run = self.solid_from(f"{name}.ply")
                skin = read_frame(run / "frames/solid_surface_000001.ply")
                self.assertEqual(len(skin.get("triangles", [])), 0)
                self.assertIn("axis_u", skin)
                self.assertEqual(self.check_skins(run), ["solid"])
        self.assertEqual(self.check_skins(self.solid_from("torus.ply", output={"format": "vtk"})), ["solid"])

    def test_solids_made_from_meshes_are_seen_by_their_triangles(self):
        write_triangles(self.folder / "tetra.stl", tetrahedron())
        run = self.solid_from("tetra.stl")
        self.assertEqual(len(read_frame(run / "frames/solid_surface_000001.ply")["triangles"]), 4)
        self.assertEqual(self.check_skins(run), ["solid"])


if __name__ == "__main__":
    unittest.main()
