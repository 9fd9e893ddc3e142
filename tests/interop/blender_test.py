#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs python/phyxel_blender.py in Blender, without a window, and compares with python/phyxel_frames.py.

Run as: blender_test.py PATH_OF_THE_COMMAND
"""

import json
import os
import shutil
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "apps"))
from command_support import ROOT, phyxel, temporary_folder

sys.path.insert(0, str(ROOT / "python"))
from phyxel_frames import read_frame

SCRIPT = ROOT / "python" / "phyxel_blender.py"
HERE = Path(__file__).resolve().parent

# Water that leaves through an open side, so that frames differ in their number of points; and some honey.
SCENE = """{
    "duration": "0.4 s", "frame_rate": 37.5, "spacing": "2.5 cm",
    "domain": { "min": [0, 0, 0], "max": [0.5, 0.2, 0.4], "sides": { "x": ["wall", "open"] } },
    "bodies": [
        { "name": "water", "type": "fluid", "shape": { "box": { "min": [0.1, 0, 0], "max": [0.4, 0.2, 0.2] } },
          "material": "water", "velocity": [1, 0, 0] },
        { "name": "second drop", "type": "fluid", "shape": { "sphere": { "center": [0.1, 0.1, 0.3], "radius": 0.06 } },
          "material": "water" }
    ]
}
"""
FLAT_SCENE = """{
    "dimension": 2, "duration": "0.1 s", "spacing": "2.5 cm", "domain": { "min": [0, 0], "max": [0.5, 0.4] },
    "bodies": [ { "name": "honey", "type": "fluid", "material": "honey",
                  "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } } } ]
}
"""
# A bar that spins as it falls, and one that comes later and is taken away.
RIGID_SCENE = """{
    "duration": "0.5 s", "frame_rate": 20, "spacing": "4 cm",
    "bodies": [
        { "name": "bar", "type": "rigid", "material": "steel", "angular_velocity": [3, 1, 40], "velocity": [1, 0, 2],
          "shape": { "box": { "min": [0, 0, 0], "max": [0.4, 0.1, 0.05] } } },
        { "name": "late", "type": "rigid", "start": "0.15 s",
          "shape": { "sphere": { "center": [2, 0, 0], "radius": 0.1 } } } ],
    "events": [ { "time": "0.4 s", "remove": ["late"] } ]
}
"""


def blender(*arguments, **environment):
    """Without the settings of whoever runs the test."""
    return subprocess.run(["blender", "--background", "--factory-startup", *map(str, arguments)], text=True,
                          capture_output=True, timeout=200, env=os.environ | environment)


class Blender(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = temporary_folder()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.run_folder, cls.flat, cls.rigid = cls.folder / "run", cls.folder / "flat", cls.folder / "rigid"
        for scene, run in ((SCENE, cls.run_folder), (FLAT_SCENE, cls.flat), (RIGID_SCENE, cls.rigid)):
            Path(cls.folder, "scene.json").write_text(scene)
            done = phyxel("run", "scene.json", "-o", run, "--quiet", cwd=cls.folder)
            assert done.returncode == 0, done.stderr
        done = phyxel("surface", cls.run_folder, cwd=cls.folder)
        assert done.returncode == 0, done.stderr

    def look(self, frames, *arguments, run=None):
        """What the probe finds at these frames after the script has imported a run, and what Blender said."""
        file = self.folder / "probe.json"
        file.unlink(missing_ok=True)
        done = blender(*(arguments or ("--python", SCRIPT)), "--python", HERE / "blender_probe.py",
                       *(() if arguments else ("--", run or self.run_folder)),
                       PHYXEL_PROBE_FRAMES=" ".join(map(str, frames)), PHYXEL_PROBE_FILE=str(file),
                       BLENDER_USER_SCRIPTS=str(self.folder / "scripts"))
        self.assertTrue(file.exists(), done.stdout + done.stderr)
        return json.loads(file.read_text()), done.stdout + done.stderr

    def assert_shows(self, found, name, number):
        """The points, ids, velocities and triangles of a frame, to the last bit."""
        frame = read_frame(self.run_folder / "frames" / f"{name}_{number:06d}.ply")
        found = found["objects"][name]
        np.testing.assert_array_equal(np.float32(found["points"]), frame["position"])
        np.testing.assert_array_equal(np.float32(found["velocity"]), frame["velocity"])
        if "id" in frame:
            np.testing.assert_array_equal(found["id"], frame["id"])
        if "triangles" in frame:
            np.testing.assert_array_equal(found["triangles"], frame["triangles"])

    def test_frame_n_is_frame_n_whichever_way_time_goes(self):
        found, _ = self.look([10, 3, 10])
        counts = [len(frame["objects"]["water"]["points"]) for frame in found["frames"]]
        self.assertLess(counts[0], counts[1])
        for number, frame in zip([10, 3, 10], found["frames"]):
            self.assertEqual(set(frame["objects"]), {"water", "water_surface", "second drop", "second drop_surface"})
            for name in frame["objects"]:
                with self.subTest(name=name, number=number):
                    self.assert_shows(frame, name, number)

    def test_between_frames_the_nearest_one_is_shown(self):
        found, _ = self.look([9.75, 3.25, 10.25])
        for number, frame in zip([10, 3, 10], found["frames"]):
            self.assert_shows(frame, "water", number)

    def test_rate_and_range_come_from_the_run(self):
        found, _ = self.look([0])
        self.assertAlmostEqual(found["rate"], 37.5, places=5)
        self.assertEqual(found["range"], [0, 15])

    def test_attributes_have_the_types_that_blender_expects(self):
        found, _ = self.look([10])
        attributes = found["frames"][0]["objects"]["water"]["attributes"]
        self.assertEqual({name: attributes.get(name) for name in ("velocity", "id", "density")},
                         {"velocity": "FLOAT_VECTOR", "id": "INT", "density": "FLOAT"})

    def test_particles_are_spheres_for_the_renderer(self):
        shutil.copytree(self.run_folder, self.folder / "particles", ignore=shutil.ignore_patterns("*_surface_*"))
        found, _ = self.look([10], run=self.folder / "particles")
        objects, spheres = found["frames"][0]["objects"], found["frames"][0]["spheres"]
        self.assertEqual(set(spheres), {"water", "second drop"})
        for name, (count, radius) in spheres.items():
            self.assertEqual(count, len(objects[name]["points"]))
            self.assertAlmostEqual(radius, 0.0125, places=7)
            self.assertFalse(objects[name]["hidden"])

    def test_water_is_glass_of_its_refraction_and_hides_its_particles(self):
        found, _ = self.look([10])
        objects = found["frames"][0]["objects"]
        self.assertEqual(objects["water_surface"]["materials"], ["water"])
        self.assertAlmostEqual(found["glass"]["water"], 1.333, places=5)
        self.assertEqual([objects[name]["hidden"] for name in ("water", "water_surface")], [True, False])

    def test_the_plane_stands_upright(self):
        found, _ = self.look([0], run=self.flat)
        self.assertAlmostEqual(found["frames"][0]["objects"]["honey"]["rotation"], np.pi / 2, places=6)

    def test_rigid_bodies_move_by_keys_to_where_their_frames_are(self):
        found, _ = self.look(range(11), run=self.rigid)
        for number, frame in enumerate(found["frames"]):
            self.assertEqual(set(frame["rigid"]), {"bar", "late"})
            for name, body in frame["rigid"].items():
                file = self.rigid / "frames" / f"{name}_surface_{number:06d}.ply"
                self.assertEqual(body["hidden"], not file.exists(), (name, number))
                if file.exists():
                    moved = np.array(body["points"])
                    np.testing.assert_allclose(moved, read_frame(file)["position"], atol=2e-6)

    def test_frames_that_are_missing_or_damaged_show_nothing(self):
        run = self.folder / "damaged"
        shutil.copytree(self.run_folder, run)
        (run / "frames" / "water_000004.ply").unlink()
        cut = run / "frames" / "water_000005.ply"
        cut.write_bytes(cut.read_bytes()[:2000])
        wrong = run / "frames" / "water_surface_000005.ply"
        data = wrong.read_bytes()
        wrong.write_bytes(data[:-4] + b"\xff\xff\xff\x7f")  # the last corner of the last triangle
        found, said = self.look([4, 5, 6], run=run)
        counts = [[len(frame["objects"][name]["points"]) for name in ("water", "water_surface")]
                  for frame in found["frames"]]
        self.assertEqual(counts[0][0], 0)
        self.assertEqual(counts[1], [0, 0])
        self.assertGreater(min(counts[0][1], *counts[2]), 0)
        self.assertIn(f"phyxel: {cut}: ", said)
        self.assertIn(f"phyxel: {wrong}: a triangle has a corner that does not exist", said)

    def test_what_is_no_run_is_refused_in_one_line(self):
        done = blender("--python", SCRIPT, "--", self.folder / "nowhere")
        self.assertEqual(done.returncode, 2)
        lines = [line for line in done.stderr.splitlines() if line.startswith("phyxel: ")]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn("is not the manifest of a run", lines[0])
        self.assertNotIn("Traceback", done.stdout + done.stderr)

    def test_the_add_on_goes_on_in_a_saved_scene(self):
        archive, scene = self.folder / "phyxel_blender.zip", self.folder / "saved.blend"
        with zipfile.ZipFile(archive, "w") as file:
            for name in ("phyxel_blender.py", "phyxel_frames.py"):
                file.write(ROOT / "python" / name, name)
        done = blender("--python-exit-code", 1, "--python-expr", f"""if True:
            import bpy
            bpy.ops.preferences.addon_install(filepath={str(archive)!r})
            bpy.ops.preferences.addon_enable(module="phyxel_blender")
            bpy.ops.import_scene.phyxel_run(directory={str(self.run_folder)!r})
            bpy.ops.wm.save_as_mainfile(filepath={str(scene)!r})""",
                       BLENDER_USER_SCRIPTS=str(self.folder / "scripts"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found, _ = self.look([10], "--addons", "phyxel_blender", scene)
        self.assert_shows(found["frames"][0], "water", 10)

    def test_velocity_blurs_what_moves(self):
        """A picture with an open shutter differs from a sharp one, and by the velocity of the points alone."""
        def picture(name, *changes):
            done = blender("--python-exit-code", 1, "--python", SCRIPT, "--python-expr", f"""if True:
                import bpy
                scene = bpy.context.scene
                scene.render.image_settings.file_format = "OPEN_EXR"
                scene.render.filepath = {str(self.folder / name)!r}
                scene.frame_set(2)
                {'; '.join(changes)}
                bpy.ops.render.render(write_still=True)
                picture = bpy.data.images.load({str(self.folder / name)!r})
                import numpy
                numpy.save({str(self.folder / name)!r}, numpy.array(picture.pixels[:]))""",
                           "--", self.run_folder, "--stage", "--size", 160, 90, "--samples", 4)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return np.load(self.folder / (name + ".npy"))

        still = "[setattr(x, 'vector', (0, 0, 0)) for o in scene.objects if 'phyxel_run' in (o.data or {})" \
                " for x in o.data.attributes['velocity'].data]"
        blurred = picture("blurred.exr")
        sharp = picture("sharp.exr", still)
        self.assertGreater(np.abs(blurred - sharp).mean(), 1e-3)
        closed = picture("closed.exr", "scene.render.motion_blur_shutter = 0.0")
        self.assertLess(np.abs(closed - sharp).mean(), 0.1 * np.abs(blurred - sharp).mean())


if __name__ == "__main__":
    unittest.main()
