# SPDX-License-Identifier: MIT
"""Pictures of runs.

Run as: phyxel_render_test.py PATH_OF_THE_COMMAND
"""

import struct
import unittest

from command_support import BUSY_SCENE, SMALL_SCENE, CommandTest


def png_size(path) -> tuple[int, int]:
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND"
    return struct.unpack(">II", data[16:24])


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

    def test_pictures_are_the_same_on_any_number_of_threads(self):
        pictures = []
        for threads in (1, 2, 7):
            done = self.render("-o", f"t{threads}", "--threads", str(threads), "--frames", "2:3", "--color", "pressure")
            self.assertEqual(done.returncode, 0, done.stderr)
            pictures.append((self.folder / f"t{threads}" / "pressure_000002.png").read_bytes())
        self.assertEqual(len(set(pictures)), 1)

    def test_bad_options_are_one_line_and_nothing_is_written(self):
        for arguments, line in [
            (["--size", "80"], "--size 80: expected width x height in pixels, as in 1280x720"),
            (["--size", "0x5"], "--size 0x5: expected width x height in pixels, as in 1280x720"),
            (["--samples", "0"], "--samples 0: must be from 1 to 65536"),
            (["--camera", "1,2,3"], "--camera 1,2,3: expected two points, as in 1,-2,1:0.5,0,0.2"),
            (["--range", "3:1"], "--range 3:1: expected two numbers, the lower first, as in 0:3"),
            (["--format", "bmp"], "--format bmp: expected png or jpg"),
            (["--clip", "a.avi"], "--clip a.avi: expected a file that ends in .mp4 or .gif"),
        ]:
            with self.subTest(line):
                done = self.phyxel("render", "run", *arguments)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"phyxel: {line}\n"))
        self.assertFalse((self.folder / "run" / "pictures").exists())
        self.assertEqual(self.phyxel("render", "nowhere").returncode, 2)
        self.assertEqual(self.render("--color", "temperature").returncode, 2)

    def test_obstacles_and_a_camera_of_ones_own_are_drawn(self):
        self.write("busy.json", BUSY_SCENE)
        self.assertEqual(self.phyxel("run", "busy.json", "-o", "busy", "--frames", "0:2", "--set", "output.format=ply",
                                     "--quiet").returncode, 0)
        done = self.phyxel("render", "busy", "--size", "80x60", "--samples", "1", "--format", "jpg", "--camera",
                           "1,-1,1:0.2,0.1,0.1", "--orbit", "90")
        self.assertEqual((done.returncode, done.stderr.count("warning")), (0, 0), done.stderr)
        pictures = [(self.folder / f"busy/pictures/velocity_{n:06d}.jpg").read_bytes() for n in range(2)]
        self.assertTrue(all(p[:2] == b"\xff\xd8" for p in pictures))
        self.assertNotEqual(*pictures)


if __name__ == "__main__":
    unittest.main()
