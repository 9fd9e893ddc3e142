# SPDX-License-Identifier: MIT
"""Surfaces of recorded runs.

Run as: phyxel_surface_test.py PATH_OF_THE_COMMAND
"""

import csv
import math
import os
import signal
import subprocess
import time
import unittest

from command_support import COMMAND, SMALL_SCENE, CommandTest

# A drop over a puddle in space.
DROP_SCENE = """{
    "duration": "0.1 s", "frame_rate": 30, "spacing": "2.5 cm",
    "domain": { "min": [0, 0, 0], "max": [0.3, 0.3, 0.5] },
    "bodies": [
        { "name": "puddle", "type": "fluid", "shape": { "box": { "min": [0, 0, 0], "max": [0.3, 0.3, 0.1] } },
          "material": "water" },
        { "name": "drop", "type": "fluid", "shape": { "sphere": { "center": [0.15, 0.15, 0.3], "radius": 0.08 } },
          "material": "water", "velocity": [0, 0, -1] }
    ]
}
"""

# A cube that falls onto the floor, and may flow after a frame.
# Two balls of a liquid run into each other.
BALLS_SCENE = """{ "duration": 0.36, "frame_rate": 25, "spacing": "2 cm", "gravity": [0, 0, 0], "bodies": [
    { "name": "left", "type": "solid", "velocity": [0.5, 0, 0], "merges_with": ["right"],
      "shape": { "sphere": { "center": [-0.085, 0, 0], "radius": 0.06 } },
      "material": { "density": 1000, "youngs_modulus": "20 kPa", "poisson_ratio": 0.4, "viscosity": 5, "flows": true } },
    { "name": "right", "type": "solid", "velocity": [-0.5, 0, 0], "merges_with": ["left"],
      "shape": { "sphere": { "center": [0.085, 0, 0], "radius": 0.06 } },
      "material": { "density": 1000, "youngs_modulus": "20 kPa", "poisson_ratio": 0.4, "viscosity": 5, "flows": true } } ] }"""

CUBE_SCENE = """{
    "duration": "0.1 s", "frame_rate": 30, "spacing": "2.5 cm", "domain": { "min": [0, 0, 0], "max": [0.4, 0.4, 0.4] },
    "bodies": [ { "name": "cube", "type": "solid", "shape": { "box": { "min": [0.1, 0.1, 0], "max": [0.3, 0.3, 0.2] } },
                  "material": { "density": 1000, "youngs_modulus": "50 kPa", "poisson_ratio": 0.4 } } ],
    "events": [ { "time": "0.05 s", "set": { "bodies.cube.material.flows": EVENT } } ]
}
"""


# A ball with a crack through it and a slit, whose halves fly apart.
HALVES_SCENE = """{ "duration": 0.1, "frame_rate": 30, "spacing": "2.5 cm", "gravity": [0, 0, 0], "bodies": [
    { "name": "ball", "type": "solid", "velocity": ["= 1 + 5*(x-0.004)", 0, 0],
      "shape": { "sphere": { "center": [0, 0, 0], "radius": 0.12 } },
      "material": { "density": 1000, "youngs_modulus": "50 kPa", "poisson_ratio": 0.3 },
      "cracks": [ { "name": "through", "polygon": [[0.004, -1, -1], [0.004, 1, -1], [0.004, 1, 1], [0.004, -1, 1]] },
                  { "name": "slit", "polygon": [[0.054, -1, 0.05], [0.054, 1, 0.05], [0.054, 1, 1], [0.054, -1, 1]] } ] } ],
    "output": { "fields": FIELDS } }"""


class Surface(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("drop.json", DROP_SCENE)
        self.assert_done(self.phyxel("run", "drop.json", "-o", "run", "--quiet"))

    def surface(self, *arguments):
        return self.phyxel("surface", "run", *arguments)

    def files(self, folder="run/frames"):
        return sorted(path.name for path in (self.folder / folder).iterdir() if "_surface_" in path.name)

    def test_each_fluid_and_frame_gets_a_closed_surface_and_a_second_time_nothing_is_done(self):
        done = self.surface()
        self.assertEqual((done.returncode, done.stdout),
                         (0, "run/frames/puddle_surface_000003.ply: 8 surfaces made, 0 were there before\n"), done.stderr)
        self.assertEqual(self.files(), [f"{body}_surface_{n:06d}.ply" for body in ("drop", "puddle") for n in range(4)])
        header = (self.folder / "run/frames/drop_surface_000002.ply").read_bytes().split(b"end_header")[0].decode()
        for words in ("format binary_little_endian 1.0", "comment body drop_surface", "property float nx",
                      "property float velocity_z", "element face", "property list uchar int vertex_indices"):
            self.assertIn(words, header)
        info = self.phyxel("info", "run/frames/drop_surface_000000.ply").stdout
        self.assertIn("closed", info)
        self.assertIn("defects    none", info)
        volume = float(info.split("volume")[1].split()[0])
        self.assertAlmostEqual(volume, 4 / 3 * 3.14159 * 0.08**3, delta=0.12 * volume)
        self.assertEqual(self.surface().stdout,
                         "run/frames/puddle_surface_000003.ply: 0 surfaces made, 8 were there before\n")
        # The run itself is what it was: surfaces are not taken for bodies.
        self.assertEqual(self.surface("--redo", "--frames", "1:2").stdout,
                         "run/frames/puddle_surface_000001.ply: 2 surfaces made, 0 were there before\n")

    def test_surfaces_made_with_other_options_are_made_anew(self):
        self.assert_done(self.surface("-o", "s"), None)
        first = (self.folder / "s/drop_surface_000000.ply").read_bytes()
        self.assertEqual(self.surface("-o", "s", "--cell", "0.8", "--frames", "0:1").stdout,
                         "s/puddle_surface_000000.ply: 2 surfaces made, 0 were there before\n")
        self.assertEqual(self.files("s"), ["drop_surface_000000.ply", "puddle_surface_000000.ply"])
        self.assertNotEqual((self.folder / "s/drop_surface_000000.ply").read_bytes(), first)

    def test_a_frame_that_was_written_again_gets_a_new_surface(self):
        self.assert_done(self.surface(), None)
        later = time.time() + 10
        os.utime(self.folder / "run/frames/drop_000001.ply", (later, later))
        self.assertIn("1 surface made, 7 were there before", self.surface().stdout)

    def test_surfaces_are_the_same_on_any_number_of_threads(self):
        for name in ("ply", "vdb"):
            made = []
            for threads in (1, 2, 7):
                folder = f"t{threads}"
                self.assert_done(self.surface("-o", folder, "--threads", str(threads), "--frames", "2:3",
                                              "--format", name), None)
                made.append((self.folder / folder / f"puddle_surface_000002.{name}").read_bytes())
            self.assertEqual(len(set(made)), 1)

    def test_other_formats_and_methods(self):
        self.assert_done(self.surface("-o", "s", "--format", "obj", "--frames", "0:1", "--method", "density"), None)
        text = (self.folder / "s/puddle_surface_000000.obj").read_text()
        self.assertTrue(all(f"\n{word} " in "\n" + text for word in ("v", "vn", "f")))
        self.assert_done(self.surface("-o", "s", "--format", "vdb", "--frames", "0:1"), None)
        data = (self.folder / "s/puddle_surface_000000.vdb").read_bytes()
        self.assertEqual(data[:4], b" BDV")
        for name in (b"surface", b"density", b"velocity"):
            self.assertIn(name, data)

    def test_a_solid_that_flows_later_has_a_closed_mesh_in_every_frame_and_one_that_never_does_has_none(self):
        for flows in ("true", "false"):
            self.write("cube.json", CUBE_SCENE.replace("EVENT", flows))
            self.assert_done(self.phyxel("run", "cube.json", "-o", "cube_" + flows, "--quiet"))
        done = self.phyxel("surface", "cube_true")
        self.assertEqual((done.returncode, done.stdout),
                         (0, "cube_true/frames/cube_coat_000003.ply: 4 surfaces made, 0 were there before\n"), done.stderr)
        for frame in range(4):
            info = self.phyxel("info", f"cube_true/frames/cube_coat_{frame:06d}.ply").stdout
            self.assertIn("closed", info)
            self.assertIn("defects    none", info)
            volume = float(info.split("volume")[1].split()[0])
            self.assertAlmostEqual(volume, 0.2**3, delta=0.1 * 0.2**3)
        done = self.phyxel("surface", "cube_false")
        self.assertEqual((done.returncode, done.stderr),
                         (2, "phyxel: cube_false: there is no fluid in this run, and no solid with a coat\n"))

    def test_solids_that_become_one_have_one_closed_mesh(self):
        self.write("balls.json", BALLS_SCENE)
        self.assert_done(self.phyxel("run", "balls.json", "-o", "balls", "--quiet"))
        done = self.phyxel("surface", "balls", "-o", "meshes")
        self.assertEqual((done.returncode, done.stdout),
                         (0, "meshes/left_coat_000009.ply: 10 surfaces made, 0 were there before\n"), done.stderr)
        self.assertEqual(sorted(file.name for file in (self.folder / "meshes").glob("*.ply")),
                         [f"left_coat_{frame:06d}.ply" for frame in range(10)])
        for frame, pieces in ((0, "2"), (9, "1")):
            info = self.phyxel("info", f"meshes/left_coat_{frame:06d}.ply").stdout
            self.assertIn("defects    none", info)
            self.assertEqual(info.split("pieces")[1].split()[0], pieces)
        done = self.phyxel("surface", "balls", "-o", "meshes")
        self.assertEqual(done.stdout, "meshes/left_coat_000009.ply: 0 surfaces made, 10 were there before\n")

    def run_halves(self, fields='["fragment", "rest_position"]'):
        self.write("halves.json", HALVES_SCENE.replace("FIELDS", fields))
        self.assert_done(self.phyxel("run", "halves.json", "-o", "halves", "--quiet"))

    def volume(self, path):
        info = self.phyxel("info", path).stdout
        self.assertIn("closed", info)
        self.assertIn("defects    none", info)
        return float(info.split("volume")[1].split()[0])

    def test_each_frame_gets_its_fragments_as_closed_meshes(self):
        self.run_halves()
        made = self.phyxel("surface", "halves", "--fragments")
        self.assertEqual(made.stdout, "halves/fragments/ball_fragments_000003.ply: 4 meshes made, 0 were there before\n",
                         made.stderr)
        for number in range(4):
            volume = self.volume(f"halves/fragments/ball_fragments_{number:06d}.ply")
            # Nothing is loaded much, so the volume is that of the ball.
            self.assertAlmostEqual(volume, 4 / 3 * math.pi * 0.12**3, delta=0.01 * 4 / 3 * math.pi * 0.12**3)
        header = (self.folder / "halves/fragments/ball_fragments_000002.ply").read_bytes().split(b"end_header")[0].decode()
        for words in ("fragment", "is_crack", "velocity_x", "element face"):
            self.assertIn(words, header)
        again = self.phyxel("surface", "halves", "--fragments")
        self.assertIn("0 meshes made, 4 were there before", again.stdout)
        finer = self.phyxel("surface", "halves", "--fragments", "--cell", "0.3", "--frames", "0:1")
        self.assertIn("1 mesh made, 0 were there before", finer.stdout)
        self.assertEqual([path.name for path in (self.folder / "halves/fragments").glob("*.ply")],
                         ["ball_fragments_000000.ply"])

    def test_fragments_as_rigid_bodies_have_a_mesh_each_and_poses(self):
        self.run_halves()
        made = self.phyxel("surface", "halves", "--fragments", "--rigid", "-o", "rigid")
        self.assertEqual(made.stdout, "rigid/poses.csv: poses of 2 fragments\n", made.stderr)
        volumes = [self.volume(f"rigid/ball_fragment_{number}.ply") for number in (0, 1)]
        self.assertAlmostEqual(sum(volumes), 4 / 3 * math.pi * 0.12**3, delta=0.01 * 4 / 3 * math.pi * 0.12**3)
        with open(self.folder / "rigid/poses.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["frame"], row["body"]) for row in rows],
                         [(str(frame), f"ball_fragment_{number}") for frame in range(4) for number in (0, 1)])
        # Halves of a ball have their centres 3/8 of its radius from the middle; they fly apart without turning.
        for row in rows:
            side = -1 if row["body"].endswith("0") else 1
            speed = 1 + 5 * side * 0.375 * 0.12
            self.assertAlmostEqual(float(row["position_x"]), side * 0.375 * 0.12 + speed * float(row["time"]), delta=0.01)
            self.assertGreater(float(row["rotation_w"]), 0.99)

    def test_fragments_need_their_fields(self):
        self.run_halves('["fragment"]')
        line = '"output": { "fields": ["fragment", "rest_position"] }'
        self.assert_refused(self.phyxel("surface", "halves", "--fragments"),
                            f"phyxel: halves/frames/ball_000000.ply: has not all of {line}")
        self.assert_refused(self.surface("--fragments"),
                            f"phyxel: run: has no frame of a solid with its fragments; a scene asks for them by {line}")
        self.assert_refused(self.surface("--rigid"), "phyxel: --rigid goes with --fragments")
        self.assert_refused(self.surface("--fragments", "--format", "vdb"),
                            "phyxel: --format vdb: fragments are made as ply or obj")

    def test_a_run_in_the_plane_has_no_surface(self):
        self.write("small.json", SMALL_SCENE)
        self.assert_done(self.phyxel("run", "small.json", "-o", "flat", "--frames", "0:2", "--quiet"))
        self.assert_refused(self.phyxel("surface", "flat"),
                            "phyxel: flat: is a run in the plane, and a fluid in the plane has no surface")

    def test_bad_options_are_one_line_and_nothing_is_written(self):
        for arguments, line in [
            (["--format", "stl"], "--format stl: is not known, allowed: ply, obj, vdb"),
            (["--method", "densty"], '--method densty: is not known, did you mean "density"? allowed: density, distance, anisotropic'),
            (["--cell", "0"], "cell 0: must be from 0.05 to 4"),
            (["--iso", "1"], "iso 1: must be from 0.01 to 0.99"),
            (["--smooth", "-2"], "smoothing -2: must be from 0 to 100"),
            (["--frames", "9:12"], "run: there are no frames in the range 9:12"),
            (["--frames", "2:1"], "--frames 2:1: the first frame must be below the end, as in 0:10"),
        ]:
            with self.subTest(line):
                self.assert_refused(self.surface(*arguments), f"phyxel: {line}")
        self.assertEqual(self.files(), [])
        self.assertEqual(self.phyxel("surface", "nowhere").returncode, 2)

    def test_a_name_that_becomes_too_long_is_refused(self):
        name = "w" * 97
        self.write("long.json", DROP_SCENE.replace('"drop"', f'"{name}"'))
        self.assert_done(self.phyxel("run", "long.json", "-o", "long", "--frames", "0:1", "--quiet"))
        self.assert_refused(self.phyxel("surface", "long"),
                            f'phyxel: long: the name "{name}" is too long to have "_surface" added to it')

    def test_broken_frames_and_manifests_are_one_line(self):
        frame = self.folder / "run/frames/drop_000000.ply"
        whole = frame.read_bytes()
        frame.write_bytes(whole[:-20])
        done = self.surface("--frames", "0:1")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
        self.assertIn("drop_000000.ply: ", done.stderr)
        header, _, body = whole.partition(b"end_header\n")
        frame.write_bytes(header + b"end_header\n" + b"\xff" * len(body))
        done = self.surface("--frames", "0:1")
        self.assert_refused(done, "phyxel: run/frames/drop_000000.ply: particle 0 is not at a finite place")
        for text in ("{}", '{"scene": []}', '{"scene": {"dimension": 3, "bodies": 1}}', '{"scene": {"dimension": "x"}}',
                     '{"scene": {"dimension": 3, "bodies": [{"name": "drop", "type": "fluid"}]}}', "no JSON"):
            self.write("run/manifest.json", text)
            done = self.surface()
            self.assertEqual((done.returncode, done.stdout), (2, ""), text)
            self.assertIn("manifest.json", done.stderr)

    def test_killed_at_any_moment_it_leaves_whole_files_and_goes_on(self):
        self.assert_done(self.surface("-o", "whole"), None)
        process = subprocess.Popen([COMMAND, "surface", "run", "-o", "s", "--quiet"], cwd=self.folder)
        folder = self.folder / "s"
        while process.poll() is None and not (folder / "drop_surface_000001.ply").exists():
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assert_done(self.surface("-o", "s"), None)
        self.assertEqual(self.files("s"), self.files("whole"))
        for name in self.files("s"):
            self.assertEqual((folder / name).read_bytes(), (self.folder / "whole" / name).read_bytes(), name)


class Foam(CommandTest):
    def foam(self, *arguments):
        return self.phyxel("foam", "run", *arguments)

    def test_a_splash_makes_foam_that_pictures_have_and_the_same_each_time(self):
        self.write("drop.json", DROP_SCENE.replace("[0, 0, -1]", "[0, 0, -6]").replace("0.1 s", "0.2 s"))
        self.assert_done(self.phyxel("run", "drop.json", "-o", "run", "--quiet"))
        self.assert_done(self.foam("--amount", "3000", "--quiet"))
        names = sorted(path.name for path in (self.folder / "run/frames").iterdir() if "_foam_" in path.name)
        self.assertEqual(names, [f"drop_foam_{n:06d}.ply" for n in range(7)])
        last = self.folder / "run/frames/drop_foam_000006.ply"
        before = last.read_bytes()
        header = before.split(b"end_header")[0].decode()
        for words in ("property float velocity_z", "property int kind", "property float radius", "property float life"):
            self.assertIn(words, header)
        self.assertGreater(int(header.split("element vertex")[1].split()[0]), 10)
        self.assert_done(self.foam("--amount", "3000", "--quiet", "--threads", "1"))
        self.assertEqual(last.read_bytes(), before)
        self.assert_done(self.phyxel("render", "run", "-o", "p.png", "--frames", "6:7", "--size", "64x48", "--quiet"))
        # Surfaces are those of the fluids, not of the foam.
        self.assertIn("14 surfaces made", self.phyxel("surface", "run").stdout)

    def test_what_has_no_foam_is_said_in_one_line(self):
        self.write("drop.json", DROP_SCENE)
        self.assert_done(self.phyxel("run", "drop.json", "-o", "run", "--quiet"))
        self.assert_refused(self.foam("--amount", "-1"), "phyxel: amount -1: must be at least 0 and at most 1000000")
        (self.folder / "run/frames/drop_000001.ply").unlink()
        (self.folder / "run/frames/puddle_000001.ply").unlink()
        self.assert_refused(self.foam(), "phyxel: run: frame 1 is missing, and foam goes from frame to frame")


if __name__ == "__main__":
    unittest.main()
