# SPDX-License-Identifier: MIT
"""Pictures of runs.

Run as: phyxel_render_test.py PATH_OF_THE_COMMAND
"""

import json
import math
import os
import unittest

from command_support import (BUSY_SCENE, SMALL_SCENE, CommandTest, blue_pixels, phyxel, png_size, tetrahedron,
                             write_triangles)

# A block of water beside an obstacle that a test fills in.
SMALL_3D_SCENE = """{
    "duration": "0.1 s", "frame_rate": 40, "spacing": "4 cm",
    "domain": { "min": [0, 0, 0], "max": [0.8, 0.3, 0.5] },
    "bodies": [ { "name": "water", "type": "fluid", "shape": { "box": { "min": [0, 0, 0], "max": [0.2, 0.3, 0.3] } } } ],
    "obstacles": [ { "name": "rock", "shape": {} } ]
}
"""


class Render(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("small.json", SMALL_SCENE)
        self.assertEqual(self.phyxel("run", "small.json", "-o", "run", "--frames", "0:3", "--quiet").returncode, 0)

    def render(self, *arguments):
        return self.phyxel("render", "run", "--size", "80x60", "--samples", "1", *arguments)

    def test_every_frame_becomes_a_picture_and_a_second_time_nothing_is_done(self):
        done = self.render()
        self.assertEqual((done.returncode, done.stdout),
                         (0, "run/pictures/velocity_000002.png: 3 pictures made, 0 were there before\n"), done.stderr)
        for number in range(3):
            self.assertEqual(png_size(self.folder / f"run/pictures/velocity_{number:06d}.png"), (80, 60))
        self.assertEqual(self.render().stdout,
                         "run/pictures/velocity_000002.png: 0 pictures made, 3 were there before\n")
        # Those that are there were made with other options, and stay.
        before = self.picture("run/pictures/velocity_000001.png")
        self.assert_refused(self.render("--frames", "0:1", "--style", "dark"),
                            "phyxel: run/pictures: holds 3 pictures named velocity made with other options, which "
                            "velocity.txt lists; choose another folder with -o, or replace them with --redo")
        self.assertEqual(self.picture("run/pictures/velocity_000001.png"), before)
        self.assertIn(": 1 picture made, ", self.render("--frames", "0:1", "--style", "dark", "-o", "night").stdout)
        self.assertIn(": 3 pictures made, ", self.render("--style", "dark", "--redo").stdout)
        self.assertNotEqual(self.picture("run/pictures/velocity_000001.png"), before)

    def test_pictures_are_the_same_on_any_number_of_threads(self):
        pictures = []
        for threads in (1, 2, 7):
            done = self.render("-o", f"t{threads}", "--threads", str(threads), "--frames", "2:3", "--color", "pressure")
            self.assertEqual(done.returncode, 0, done.stderr)
            pictures.append((self.folder / f"t{threads}" / "pressure_000002.png").read_bytes())
        self.assertEqual(len(set(pictures)), 1)

    def test_bad_options_are_one_line_and_nothing_is_written(self):
        for arguments, line in [
            (["--size", "80"], "--size 80: expected width x height in pixels, as in 1280x720, at most 16384 each"),
            (["--size", "0x5"], "--size 0x5: expected width x height in pixels, as in 1280x720, at most 16384 each"),
            (["--samples", "0"], "--samples 0: must be from 1 to 65536"),
            (["--camera", "1,2,3"], "--camera 1,2,3: expected two points, as in 1,-2,1:0.5,0,0.2"),
            (["--range", "3:1"], "--range 3:1: expected two numbers, the lower first, as in 0:3"),
            (["--from", "1,2"], "--from 1,2: expected a point, as in 1,-2,1"),
            (["--look_at", "1,2,3 s"], '--look_at 3 s: expected a length such as "1 cm", found a time'),
            (["--fov", "180"], "--fov 180: must be between 0 and 180 deg"),
            (["--orbit", "1 m"], '--orbit 1 m: expected an angular velocity such as "60 rpm", found a length'),
            (["--style", "drak"], '--style drak: no such style, did you mean "dark"? allowed: light, dark'),
            (["-o", "a.png", "--format", "jpg"], "-o a.png: the name does not end in .jpg as --format asks for"),
            (["-o", "a.png"], "-o a.png: there are 3 frames for one picture; choose one with --frames, as in 20:21, or "
                              "give a folder"),
            (["--blur", "-1"], "--blur -1: must be from 0 to 10, as in 0.5"),
            (["--aperture", "-1 cm"], "--aperture -1 cm: must be at least 0"),
            (["--compare", "nowhere"], "nowhere: no such file or folder"),
            (["--format", "bmp"], "--format bmp: expected png or jpg"),
            (["--clip", "a.avi"], "--clip a.avi: expected a file that ends in .mp4 or .gif"),
        ]:
            with self.subTest(line):
                done = self.phyxel("render", "run", *arguments)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"phyxel: {line}\n"))
        self.assertFalse((self.folder / "run" / "pictures").exists())
        self.assert_refused(self.phyxel("render", "nowhere"), "phyxel: nowhere: no such file or folder")
        self.assertEqual(self.render("--color", "temperature").returncode, 2)

    def test_obstacles_and_a_camera_of_ones_own_are_drawn(self):
        self.write("busy.json", BUSY_SCENE)
        # As VTK files, which are read as well.
        self.assertEqual(self.phyxel("run", "busy.json", "-o", "busy", "--frames", "0:2", "--quiet").returncode, 0)
        done = self.phyxel("render", "busy", "--size", "80x60", "--samples", "1", "--format", "jpg", "--camera",
                           "1,-1,1:0.2,0.1,0.1", "--orbit", "90")
        self.assertEqual((done.returncode, done.stderr.count("warning")), (0, 0), done.stderr)
        pictures = [(self.folder / f"busy/pictures/velocity_{n:06d}.jpg").read_bytes() for n in range(2)]
        self.assertTrue(all(p[:2] == b"\xff\xd8" for p in pictures))
        self.assertNotEqual(*pictures)

    def test_an_obstacle_that_is_not_visible_is_there_and_not_in_pictures(self):
        rock = '"shape": { "sphere": { "center": [0.3, 0.15, 0.1], "radius": 0.08 } }'
        scenes = {
            "seen": SMALL_3D_SCENE.replace('"shape": {}', rock),
            "hidden": SMALL_3D_SCENE.replace('"shape": {}', rock + ', "visible": false'),
            "without": SMALL_3D_SCENE.replace('"obstacles": [ { "name": "rock", "shape": {} } ]', '"obstacles": []'),
        }
        for name, scene in scenes.items():
            self.write(f"{name}.json", scene)
            self.assert_done(self.phyxel("run", f"{name}.json", "-o", name, "--quiet"), None)
            self.assert_done(self.phyxel("render", name, "--frames", "0:1", "-o", f"{name}.png", "--size", "80x60",
                                         "--samples", "1", "--camera", "1,-1,1:0.3,0.1,0.1", "--quiet"))
        self.assertNotEqual(self.picture("seen.png"), self.picture("without.png"))
        self.assertEqual(self.picture("hidden.png"), self.picture("without.png"))
        last = {name: hash(self.picture(f"{name}/frames/water_000004.ply")) for name in scenes}
        self.assertEqual(last["hidden"], last["seen"], "the water does not know who looks")
        self.assertNotEqual(last["hidden"], last["without"])

    def picture(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def test_another_angle_leaves_the_pictures_alone(self):
        self.write("deep.json", SMALL_3D_SCENE.replace("{} }", '{ "sphere": { "center": [0.6, 0.1, 0.1], "radius": 0.05 } } }'))
        self.assert_done(self.phyxel("run", "deep.json", "-o", "deep", "--frames", "0:2", "--quiet"))
        draw = ["render", "deep", "--size", "80x60", "--samples", "1", "--quiet"]
        self.assert_done(self.phyxel(*draw))
        before = self.picture("deep/pictures/velocity_000001.png")
        self.assert_refused(self.phyxel(*draw, "--fov", "20"),
                            "phyxel: deep/pictures: holds 2 pictures named velocity made with other options, which "
                            "velocity.txt lists; choose another folder with -o, or replace them with --redo")
        self.assertEqual(self.picture("deep/pictures/velocity_000001.png"), before)

    def test_one_frame_can_become_one_picture(self):
        done = self.render("--frames", "1:2", "-o", "one.png")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "one.png: 1 picture made\n", ""))
        self.assertEqual(png_size(self.folder / "one.png"), (80, 60))
        self.assertFalse((self.folder / "run" / "pictures").exists())

    def test_the_scene_says_how_pictures_look_and_options_change_it(self):
        self.write("styled.json", SMALL_SCENE.replace('"output":', """"render": { "size": [100, 50],
            "camera": { "from": [0.4, 0.3, 2], "look_at": [0.4, 0.3, 0], "fov": "25 deg", "aperture": "5 cm", "focus": 1.5 },
            "color": { "field": "density", "range": [0, 4000] }, "style": "dark", "samples": 2, "blur": 0.5,
            "liquid": true }, "output":"""))
        self.assert_done(self.phyxel("run", "styled.json", "-o", "styled", "--frames", "0:1", "--quiet"))
        self.assert_done(self.phyxel("render", "styled", "--quiet"))
        self.assertEqual(png_size(self.folder / "styled/pictures/density_000000.png"), (100, 50))
        as_options = ["--size", "100x50", "--from", "0.4,30 cm,2", "--look_at", "0.4,0.3,0", "--fov", "25", "--color",
                      "density", "--range", "0:4000", "--style", "dark", "--samples", "2", "--aperture", "0.05",
                      "--focus", "1.5", "--blur", "0.5", "--liquid", "--quiet"]
        self.assert_done(self.phyxel("render", "run", "--frames", "0:1", "-o", "same.png", *as_options))
        self.assertEqual(self.picture("same.png"), self.picture("styled/pictures/density_000000.png"))
        for option, value in [("--style", "light"), ("--fov", "30"), ("--range", "0:100"), ("--color", "body"),
                              ("--from", "0.4,0.3,3"), ("--samples", "1"), ("--aperture", "20 cm"), ("--focus", "1")]:
            with self.subTest(option):
                self.assert_done(self.phyxel("render", "styled", "-o", "other.png", "--quiet", option, value))
                self.assertNotEqual(self.picture("other.png"), self.picture("same.png"))

    def test_a_run_with_pictures_can_go_on_and_be_replaced(self):
        self.assert_done(self.render("--quiet"))
        self.assert_done(self.phyxel("run", "small.json", "-o", "run", "--frames", "0:4", "--resume", "--quiet"))
        # The range of the velocities is another one now.
        self.assertIn(": 4 pictures made, 0 were there before", self.render().stdout)
        self.assert_done(self.phyxel("run", "small.json", "-o", "run", "--frames", "0:2", "--overwrite", "--quiet"))
        self.assertIn(": 2 pictures made, 0 were there before", self.render().stdout)

    def test_obstacles_from_files_are_found_from_another_folder(self):
        write_triangles(self.folder / "rock.stl", tetrahedron())
        scene = SMALL_3D_SCENE.replace('"shape": {}', '"shape": { "mesh": "rock.stl", "size": 0.2, "at": [0.6, 0.1, 0] }')
        (self.folder / "scenes").mkdir()
        (self.folder / "rock.stl").rename(self.folder / "scenes" / "rock.stl")
        self.write("scenes/rock.json", scene)
        self.assert_done(self.phyxel("run", "scenes/rock.json", "-o", "deep/rock", "--frames", "0:1", "--quiet"), None)
        manifest = json.loads((self.folder / "deep/rock/manifest.json").read_text())
        self.assertEqual(manifest["scene_folder"], "../../scenes")
        arguments = ["--size", "80x60", "--samples", "1", "--quiet", "-o"]
        self.assert_done(self.phyxel("render", "deep/rock", *arguments, "here.png"))
        (self.folder / "elsewhere").mkdir()
        done = phyxel("render", "../deep/rock", *arguments, "../there.png", cwd=self.folder / "elsewhere")
        self.assert_done(done)
        self.assertEqual(self.picture("here.png"), self.picture("there.png"))
        self.assert_done(self.phyxel("run", "scenes/rock.json", "-o", "./deep/../deep/rock", "--resume", "--frames",
                                     "0:2", "--quiet"), None)
        (self.folder / "scenes/rock.stl").unlink()
        done = self.phyxel("render", "deep/rock", "--frames", "0:1", *arguments, "without.png")
        self.assertEqual(done.returncode, 0)
        self.assertIn("rock.stl", done.stderr)
        self.assertIn("drawn without domain and obstacles", done.stderr)

    def test_shutter_lens_and_a_run_beside_it(self):
        self.assert_done(self.render("--frames", "1:2", "-o", "plain.png", "--quiet"))
        for option in [["--blur", "2"], ["--aperture", "20 cm", "--focus", "1"], ["--compare", "run"]]:
            with self.subTest(option):
                self.assert_done(self.render("--frames", "1:2", "-o", "other.png", "--quiet", *option))
                self.assertEqual(png_size(self.folder / "other.png"), (80, 60))
                self.assertNotEqual(self.picture("other.png"), self.picture("plain.png"))

    def test_a_solid_made_from_a_cloud_is_seen(self):
        count, points = 500, []
        for i in range(count):
            z, angle = 1 - (2 * i + 1) / count, 2.399963 * i
            n = (math.sqrt(1 - z * z) * math.cos(angle), math.sqrt(1 - z * z) * math.sin(angle), z)
            points.append(" ".join(map(str, n + n)))
        properties = [f"property float {name}" for name in ("x", "y", "z", "nx", "ny", "nz")]
        self.write("ball.ply", "\n".join(["ply", "format ascii 1.0", f"element vertex {count}", *properties, "end_header",
                                          *points, ""]))
        self.write("ball.json", json.dumps({
            "duration": 0.1, "count": 300, "domain": {"min": [-1, -1, 0], "max": [1, 1, 2]},
            "bodies": [{"name": "ball", "type": "solid", "shape": {"mesh": "ball.ply", "size": 0.3, "at": [0, 0, 0.1]}}]}))
        self.assert_done(self.phyxel("run", "ball.json", "-o", "ball", "--frames", "0:1", "--quiet"))
        arguments = ["--size", "80x60", "--samples", "1", "--color", "body", "--quiet", "-o"]
        self.assert_done(self.phyxel("render", "ball", *arguments, "skin.png"))
        (self.folder / "ball/frames/ball_surface_000000.ply").unlink()
        self.assert_done(self.phyxel("render", "ball", *arguments, "particles.png"))
        particles = sum(blue_pixels(self.folder / "particles.png"))
        self.assertGreater(particles, 300)
        # The skin reaches farther than the centres of its particles, so the camera is farther away.
        self.assertGreater(sum(blue_pixels(self.folder / "skin.png")), 0.7 * particles)

    def test_a_clip_needs_ffmpeg(self):
        done = self.phyxel("render", "run", "--size", "80x60", "--samples", "1", "--clip", "a.mp4", "--quiet",
                           env={**os.environ, "PATH": "/nowhere"})
        self.assert_refused(done, "phyxel: --clip needs the program ffmpeg, which is not installed; on Debian and Ubuntu: "
                                  "sudo apt-get install ffmpeg")
        self.assertFalse((self.folder / "run" / "pictures").exists(), "it is said before anything is drawn")
        # Nobody needs it for this.
        (self.folder / "bin").mkdir()
        self.write("bin/ffmpeg", "#!/bin/sh\n")
        (self.folder / "bin/ffmpeg").chmod(0o755)
        self.write("b.mp4", "a film")
        self.assert_refused(self.phyxel("render", "run", "--clip", "b.mp4", env={**os.environ, "PATH": str(self.folder / "bin")}),
                            "phyxel: b.mp4: is there already; --redo replaces it")


class RenderFiles(CommandTest):
    def setUp(self):
        super().setUp()
        write_triangles(self.folder / "tetra.stl", tetrahedron())
        self.assert_done(self.phyxel("convert", "tetra.stl", "tetra.vtp"))

    def render(self, *arguments):
        return self.phyxel("render", *arguments, "--size", "80x60", "--samples", "1")

    def test_a_file_becomes_a_picture_named_after_it(self):
        done = self.render("tetra.stl")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "tetra.png: 1 picture made\n", ""))
        self.assertEqual(png_size(self.folder / "tetra.png"), (80, 60))
        self.assert_done(self.render("tetra.stl", "--quiet"))  # our own may be replaced
        self.assert_done(self.render("tetra.vtp", "-o", "vtp.png"))
        self.assertEqual((self.folder / "vtp.png").read_bytes(), (self.folder / "tetra.png").read_bytes())
        self.assert_done(self.render("tetra.stl", "--format", "jpg"))
        self.assertEqual((self.folder / "tetra.jpg").read_bytes()[:2], b"\xff\xd8")

    def test_several_files_are_one_picture(self):
        self.write("cloud.obj", "".join(f"v {x / 4} {y / 4} 1.5\n" for x in range(5) for y in range(5)))
        self.assert_done(self.render("tetra.stl", "cloud.obj", "-o", "both.png"))
        self.assert_done(self.render("tetra.stl", "-o", "one.png"))
        self.assertNotEqual((self.folder / "both.png").read_bytes(), (self.folder / "one.png").read_bytes())

    def test_a_mesh_can_be_a_liquid(self):
        self.assert_done(self.render("tetra.stl", "-o", "chalk.png"))
        self.assert_done(self.render("tetra.stl", "--liquid", "-o", "clear.png"))
        self.assertNotEqual((self.folder / "chalk.png").read_bytes(), (self.folder / "clear.png").read_bytes())

    def test_what_is_not_ours_is_not_replaced(self):
        photo = b"\x89PNG\r\n\x1a\n" + bytes(100)
        (self.folder / "tetra.png").write_bytes(photo)
        self.assert_refused(self.render("tetra.stl"),
                            "phyxel: tetra.png: is there and not a picture that Phyxel made; choose another name with "
                            "-o, or replace it with --redo")
        self.assertEqual((self.folder / "tetra.png").read_bytes(), photo)
        self.assert_done(self.render("tetra.stl", "--redo", "--quiet"))
        self.assertEqual(png_size(self.folder / "tetra.png"), (80, 60))

    def test_bad_files_and_options_are_one_line(self):
        self.write("broken.ply", "ply\nnonsense\n")
        (self.folder / "folder").mkdir()
        for arguments, line in [
            (["absent.ply"], "absent.ply: no such file or folder"),
            (["tetra.stl", "folder"], "folder: a run is drawn alone, without other inputs"),
            (["tetra.stl", "-o", "a.gif"], "-o a.gif: expected a picture, a name that ends in .png or .jpg"),
            (["tetra.stl", "--frames", "0:1"], "--frames 0:1: only a run has frames to choose from"),
            (["tetra.stl", "--clip", "a.mp4"], "--clip a.mp4: only a run can become a clip"),
            (["tetra.stl", "--compare", "folder"], "--compare folder: only runs can be compared"),
            (["tetra.stl", "--color", "density"],
             'tetra.stl: no body has a field "density"; allowed: body'),
            (["folder"], "folder: there are no frames in folder/frames"),
        ]:
            with self.subTest(line):
                done = self.render(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertEqual(done.stderr.splitlines()[-1], "phyxel: " + line)
        self.assertEqual(self.render("broken.ply").returncode, 2)
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.png")), [])


if __name__ == "__main__":
    unittest.main()
