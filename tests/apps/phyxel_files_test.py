# SPDX-License-Identifier: MIT
"""Scenes and files as the phyxel command sees them: validate, info, convert, list, new, schema.

Run as: phyxel_files_test.py PATH_OF_THE_COMMAND
"""

import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import time
import unittest

from command_support import (COMMAND, EXAMPLES, ROOT, SMALL_SCENE, CommandTest, phyxel, tetrahedron,
                             write_triangles)

LEAST_SCENE = """{ "bodies": [ { "name": "water", "type": "fluid",
    "shape": { "box": { "min": [0, 0, 0], "max": [0.3, 0.3, 0.4] } }, "material": "water" } ],
  "domain": { "min": [0, 0, 0], "max": [1, 0.3, 0.6] } }
"""


def without_comments(text: str) -> dict:
    return json.loads(re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*', lambda match: match[1] or "", text))


class Validate(CommandTest):
    def test_a_good_scene_is_ok_with_its_estimates(self):
        self.write("least.json", LEAST_SCENE)
        done = self.phyxel("validate", "least.json")
        self.assert_done(done, None)
        self.assertRegex(done.stdout, r"\Aleast\.json: ok: [\d,]+ particles, 61 frames, about [\d,]+ steps; needs about "
                                      r"[\d.]+ [kMG]B of memory, [\d.]+ [kMG]B on disk, .*(s|min|h)\n\Z")

    def test_all_problems_come_at_once_each_in_one_line_with_its_place(self):
        self.write("bad.json", LEAST_SCENE.replace('"material": "water"', '"materal": "water"')
                   .replace('"type": "fluid"', '"type": "fluit"'))
        done = self.phyxel("validate", "bad.json")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        for line in done.stderr.splitlines():
            self.assertRegex(line, r"\Abad\.json:\d+:\d+: bodies\[0\]")

    def test_text_that_is_no_json_is_refused_with_its_place(self):
        self.write("bad.json", "{ \"bodies\": [ }\n")
        self.assert_refused(self.phyxel("validate", "bad.json"),
                            'bad.json:1:15: expected a value in the list, found "}"')

    def test_a_value_can_be_set(self):
        self.write("small.json", SMALL_SCENE)
        coarse = self.phyxel("validate", "small.json", "--set", "spacing=10 cm")
        fine = self.phyxel("validate", "small.json", "--set", "spacing=\"5 cm\"")
        self.assert_done(coarse, None)
        self.assert_done(fine, None)
        count = [int(re.search(r"ok: ([\d,]+) particles", done.stdout)[1].replace(",", "")) for done in (coarse, fine)]
        self.assertLess(count[0], count[1])

    def test_what_takes_too_long_is_given_up_and_named_and_estimated_all_the_same(self):
        self.write("least.json", LEAST_SCENE.replace("fluid", "solid").replace('"material": "water"', '"material": "jelly"'))
        done = self.phyxel("validate", "least.json", "--set", "count=300000")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"bodies\[0\]\.shape: [\d,]+ particles take too long to look at here, and the check "
                                      r"was given up")
        self.assertRegex(done.stdout, r"\Aleast\.json: ok as far as it was looked at: [\d,]+ particles, 61 frames")

    def test_a_validation_can_be_interrupted(self):
        rng = random.Random(1)
        triangles = [[tuple(rng.uniform(-1, 1) for _ in range(3)) for _ in range(3)] for _ in range(3000)]
        write_triangles(self.folder / "soup.stl", triangles)
        self.write("soup.json", '{ "bodies": [ { "name": "a", "type": "solid", "shape": { "mesh": "soup.stl" } } ] }')
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([COMMAND, "validate", "--thorough", "soup.json"], cwd=self.folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(0.5)
            self.assertIsNone(process.poll())
            process.send_signal(number)
            process.communicate(timeout=20)
            self.assertEqual(process.returncode, -number)

    def test_a_value_that_does_not_fit_names_the_assignment(self):
        self.write("small.json", SMALL_SCENE)
        done = self.phyxel("validate", "small.json", "--set", "spacing=4 s")
        self.assert_refused(done, 'spacing=4 s: spacing: expected a length such as "1 cm", found a time')

    def test_a_missing_scene_names_the_nearest_example(self):
        self.assert_refused(self.phyxel("validate", "dam_brek"),
                            'phyxel: dam_brek: no such scene file and no such example, did you mean "dam_break"? '
                            '"phyxel list examples" shows the examples')

    def test_a_forgotten_ending_is_noticed(self):
        self.write("least.json", LEAST_SCENE)
        self.assert_refused(self.phyxel("validate", "least"),
                            'phyxel: least: no such scene file and no such example, did you mean "least.json"? '
                            '"phyxel list examples" shows the examples')

    def test_a_pipe_is_no_scene_and_nobody_waits_for_it(self):
        os.mkfifo(self.folder / "pipe.json")
        os.mkfifo(self.folder / "pipe.ply")
        for arguments in [("validate", "pipe.json"), ("run", "pipe.json"), ("info", "pipe.json")]:
            self.assert_refused(self.phyxel(*arguments), "pipe.json: is not a regular file, expected a scene file")
        for arguments in [("info", "pipe.ply"), ("convert", "pipe.ply", "out.obj"), ("render", "pipe.ply")]:
            self.assert_refused(self.phyxel(*arguments), "phyxel: pipe.ply: cannot read: it is not a regular file")
        self.write("scene.json", SMALL_SCENE)
        (self.folder / "link.json").symlink_to("scene.json")
        self.assert_done(self.phyxel("validate", "link.json"))

    def test_a_folder_is_no_scene(self):
        (self.folder / "runs").mkdir()
        self.assert_refused(self.phyxel("validate", "runs"),
                            "phyxel: runs: is a folder, expected a scene file or the name of an example")


# Most of the time of these tests under sanitizers, which see the same code in
# BuildScene.every_example_runs_for_two_frames_at_low_resolution.
class Examples(CommandTest):
    def test_the_named_frames_are_run(self):
        # That every example is valid and runs is seen by phyxel_states_test.py.
        for example in ("dam_break", "jelly_figure"):
            with self.subTest(example):
                self.assert_done(self.phyxel("run", example, "--quiet", "--frames", "0:2", "--set", "count=500"), None)
                run = self.folder / "runs" / f"{example}-001"
                bodies = {path.name.rsplit("_", 1)[0] for path in (run / "frames").iterdir()}
                self.assertTrue(bodies)
                for body in bodies:
                    self.assertTrue((run / "frames" / f"{body}_000001.ply").exists())
                    self.assertFalse((run / "frames" / f"{body}_000002.ply").exists())

    def test_the_list_has_each_with_its_first_line(self):
        done = self.phyxel("list", "examples")
        self.assert_done(done)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 1 + len(EXAMPLES))
        for example, line in zip(EXAMPLES, lines[1:]):
            first = example.read_text().splitlines()[0]
            self.assertTrue(first.startswith("// ") and first.endswith("."), first)
            self.assertEqual(line.split(maxsplit=1), [example.stem, first[3:]])


class Lists(CommandTest):
    def columns(self, what: str) -> list[list[str]]:
        done = self.phyxel("list", what)
        self.assert_done(done)
        return [re.split(r"  +", line) for line in done.stdout.splitlines()]

    def test_materials_have_values_units_and_sources(self):
        head, *rows = self.columns("materials")
        self.assertEqual(head, ["name", "type", "density [kg/m³]", "viscosity [Pa s]", "Young's modulus [Pa]",
                                "Poisson's ratio", "friction", "restitution", "source"])
        by_name = {row[0]: row for row in rows}
        self.assertAlmostEqual(float(by_name["water"][2]), 998.2)
        self.assertAlmostEqual(float(by_name["steel"][4]), 210e9)
        for row in rows:
            self.assertEqual(len(row), len(head))
            self.assertGreater(float(row[2]), 0)
            self.assertIn(row[1], ["fluid", "solid", "rigid"])

    def test_the_page_of_scenes_has_the_solids(self):
        page = (ROOT / "docs/scene.md").read_text()
        table = page.split("<!-- begin of solid materials -->\n")[1].split("<!-- end of solid materials -->")[0]
        written = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
        listed = [row for row in self.columns("materials")[1:] if row[1] == "solid"]
        self.assertEqual([[row[0], *(float(cell) for cell in row[1:5])] for row in written],
                         [[row[0], *(float(row[k]) for k in (2, 4, 5, 3))] for row in listed])

    def test_kernels_have_profile_support_and_source(self):
        head, *rows = self.columns("kernels")
        self.assertEqual(head, ["name", "profile in q = r / h", "support", "meaning", "source"])
        self.assertEqual([row[0] for row in rows], ["poly6", "spiky", "cubic_spline", "wendland_c2"])

    def test_shapes_are_all_there(self):
        names = [row[0] for row in self.columns("shapes")]
        for name in ["box", "sphere", "cylinder", "capsule", "torus", "mesh", "union", "intersection", "difference",
                     "up", "scale", "size", "rotate", "at"]:
            self.assertIn(name, names)

    def test_an_unknown_list_names_the_nearest(self):
        self.assert_refused(self.phyxel("list", "material"),
                            'phyxel: list material: no such list, did you mean "materials"? '
                            "there are: materials, fields, shapes, kernels, examples")


class Schema(CommandTest):
    def test_it_is_json_that_editors_read(self):
        done = self.phyxel("schema")
        self.assert_done(done)
        schema = json.loads(done.stdout)
        self.assertEqual(schema["$schema"], "http://json-schema.org/draft-07/schema#")
        self.assertIs(schema["allowComments"], True)

    def test_the_documentation_has_the_table_as_it_is(self):
        done = self.phyxel("schema", "--table")
        self.assert_done(done)
        document = (ROOT / "docs" / "scene.md").read_text()
        begin, end = "<!-- begin of phyxel schema --table -->\n", "<!-- end of phyxel schema --table -->\n"
        self.assertEqual(document.split(begin)[1].split(end)[0], done.stdout,
                         "docs/scene.md: put the output of phyxel schema --table between the marks")


class New(CommandTest):
    def test_it_runs_as_it_stands_and_names_the_schema(self):
        done = self.phyxel("new", "mine")
        self.assert_done(done)
        self.assertEqual(done.stdout, "mine.json: written\nnext: phyxel run mine.json\n")
        text = (self.folder / "mine.json").read_text()
        self.assertTrue(text.startswith("// mine, begun from the example dam_break: "))
        self.assertEqual(without_comments(text)["$schema"], "phyxel-schema.json")
        self.assertEqual((self.folder / "phyxel-schema.json").read_text(), self.phyxel("schema").stdout)
        self.assert_done(self.phyxel("validate", "mine.json"))

    def test_every_example_can_be_begun_from(self):
        for example in EXAMPLES:
            with self.subTest(example.stem):
                name = f"from_{example.stem}"
                self.assert_done(self.phyxel("new", name, "--from", example.stem))
                scene = without_comments((self.folder / f"{name}.json").read_text())
                del scene["$schema"]
                self.assertEqual(scene, without_comments(example.read_text()))
                self.assert_done(self.phyxel("validate", f"{name}.json"))

    def test_a_file_that_is_there_stays(self):
        self.write("mine.json", "mine")
        for name in ["mine", "mine.json"]:
            self.assert_refused(self.phyxel("new", name), "phyxel: mine.json: exists already, choose another name")
        self.assertEqual((self.folder / "mine.json").read_text(), "mine")
        self.assertFalse((self.folder / "phyxel-schema.json").exists())

    def test_an_unknown_example_names_the_nearest(self):
        done = self.phyxel("new", "mine", "--from", "damn_break")
        self.assertEqual(done.returncode, 2)
        self.assertIn('phyxel: no example "damn_break", did you mean "dam_break"? there are: ', done.stderr)
        self.assertFalse((self.folder / "mine.json").exists())

    def test_an_old_schema_is_replaced_and_a_foreign_one_is_not(self):
        self.phyxel("new", "one")
        schema = self.folder / "phyxel-schema.json"
        current = schema.read_text()
        old = json.loads(current)
        old["properties"] = {}
        schema.write_text(json.dumps(old))
        self.assert_done(self.phyxel("new", "two"))
        self.assertEqual(schema.read_text(), current)
        schema.write_text("something else")
        done = self.phyxel("new", "three")
        self.assert_done(done, "phyxel: warning: phyxel-schema.json: is no schema of ours and was left as it is, so the "
                               "editor will not know the keys\n")
        self.assertEqual(schema.read_text(), "something else")

    def test_a_name_that_is_none_is_refused(self):
        for name in ["..", ".hidden", "folder/", ""]:
            self.assert_refused(self.phyxel("new", name), f"phyxel: {name}: is no name for a scene")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_folder_that_is_not_there_is_refused(self):
        self.assert_refused(self.phyxel("new", "nowhere/mine"),
                            "phyxel: nowhere/mine.json: cannot write: there is no folder nowhere")


class Convert(CommandTest):
    def setUp(self):
        super().setUp()
        write_triangles(self.folder / "tetra.stl", tetrahedron())

    def test_by_extension(self):
        for extension, begin in [("ply", b"ply\n"), ("obj", b"#"), ("vtp", b"<?xml"), ("csv", b"x,y,z")]:
            with self.subTest(extension):
                self.assert_done(self.phyxel("convert", "tetra.stl", f"out.{extension}"))
                self.assertTrue((self.folder / f"out.{extension}").read_bytes().startswith(begin))

    def test_into_a_folder(self):
        (self.folder / "out").mkdir()
        self.assert_done(self.phyxel("convert", "tetra.stl", "out", "--to", "csv"))
        self.assertEqual(len((self.folder / "out" / "tetra.csv").read_text().splitlines()), 5)

    def test_the_input_is_never_replaced(self):
        self.phyxel("convert", "tetra.stl", "tetra.ply")
        (self.folder / "link.ply").symlink_to("tetra.ply")
        before = (self.folder / "tetra.ply").read_bytes()
        for name in ["tetra.ply", "./tetra.ply", "link.ply"]:
            self.assert_refused(self.phyxel("convert", "tetra.ply", name),
                                f"phyxel: {name}: is the input, give the output another name")
        self.assertEqual((self.folder / "tetra.ply").read_bytes(), before)

    def test_what_cannot_be_done_leaves_nothing(self):
        before = sorted(self.folder.iterdir())
        self.assert_refused(self.phyxel("convert", "none.stl", "out.ply"), "phyxel: none.stl: no such file or folder")
        self.assert_refused(self.phyxel("convert", "tetra.stl", "out.png"),
                            'phyxel: out.png: files of the kind ".png" cannot be written; allowed: .ply, .vtp, .obj, .csv')
        self.assert_refused(self.phyxel("convert", "tetra.stl", "none/out.ply"),
                            "phyxel: none/out.ply: cannot write: there is no folder none")
        self.assert_refused(self.phyxel("convert", "tetra.stl", "out", "--to", "vtk"),
                            'phyxel: --to vtk: no such format, did you mean "vtp"? allowed: ply, vtp, obj, csv, pc2')
        self.assert_refused(self.phyxel("convert", "tetra.stl", "out.ply", "--to", "csv"),
                            "phyxel: out.ply: the name does not end in .csv as --to asks for")
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def write_mesh_frames(self, body, vertex_counts):
        for number, count in enumerate(vertex_counts):
            points = "".join(f"{i} {number} {0.5 * i * number}\n" for i in range(count))
            self.write(f"run/frames/{body}_{number:06d}.ply",
                       f"ply\nformat ascii 1.0\nelement vertex {count}\nproperty float x\nproperty float y\n"
                       "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
                       f"{points}3 0 1 2\n")

    def test_meshes_that_keep_their_vertices_become_point_caches(self):
        (self.folder / "run/frames").mkdir(parents=True)
        self.write_mesh_frames("jelly_surface", [4, 4, 4])
        self.write_mesh_frames("water_surface", [4, 5, 4])
        done = self.phyxel("convert", "run", "cache", "--to", "pc2")
        self.assertEqual((done.returncode, done.stdout), (0, "cache: 1 mesh with a point cache\n"))
        self.assertEqual(done.stderr, "phyxel: warning: run/frames/water_surface_000001.ply: has 5 points and the first frame 4, "
                                      "but a point cache is of one mesh that moves\n")
        self.assertEqual(sorted(path.name for path in (self.folder / "cache").iterdir()),
                         ["jelly_surface.pc2", "jelly_surface.ply"])
        data = (self.folder / "cache/jelly_surface.pc2").read_bytes()
        self.assertEqual(struct.unpack("<12siiffi", data[:32]), (b"POINTCACHE2\0", 1, 4, 0.0, 1.0, 3))
        self.assertEqual(struct.unpack("<36f", data[32:]),
                         tuple(x for n in range(3) for i in range(4) for x in (i, n, 0.5 * i * n)))
        self.assert_refused(self.phyxel("convert", "run", "run/frames", "--to", "pc2"),
                            "phyxel: run/frames: belongs to the run, give the output a folder of its own")
        self.assert_refused(self.phyxel("convert", "tetra.stl", "tetra.pc2"),
                            "phyxel: tetra.stl: a point cache is made of all frames of a run")

    def test_a_file_that_ends_too_early_is_refused(self):
        data = (self.folder / "tetra.stl").read_bytes()
        (self.folder / "short.stl").write_bytes(data[:-10])
        done = self.phyxel("convert", "short.stl", "out.ply")
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1))
        self.assertFalse((self.folder / "out.ply").exists())


class InfoOfFiles(CommandTest):
    def test_a_closed_mesh_has_no_defects(self):
        write_triangles(self.folder / "tetra.stl", tetrahedron())
        done = self.phyxel("info", "tetra.stl")
        self.assert_done(done)
        rows = dict(re.split(r"  +", line, maxsplit=1) for line in done.stdout.splitlines()[1:])
        self.assertEqual(rows["points"], "4, single precision")
        self.assertEqual(rows["bounds"], "[0, 0, 0] to [1, 1, 1] m, size [1, 1, 1]")
        self.assertEqual((rows["triangles"], rows["surface"], rows["defects"]), ("4", "closed", "none"))
        self.assertEqual(rows["volume"], "0.1667 m³")

    def test_defects_are_counted(self):
        write_triangles(self.folder / "open.stl", tetrahedron()[:-1])
        done = self.phyxel("info", "open.stl")
        self.assert_done(done, None)
        self.assertRegex(done.stdout, r"surface +open\n")
        self.assertRegex(done.stdout, r"defects +3 edges at 1 hole\n")

    def test_fields_have_type_and_range(self):
        self.write("points.ply", "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
                                 "property float z\nproperty float velocity_x\nproperty float velocity_y\n"
                                 "property float velocity_z\nproperty double density\nend_header\n"
                                 "0 0 0 3 4 0 998\n1 2 3 0 0 0 nan\n")
        done = self.phyxel("info", "points.ply")
        self.assert_done(done)
        lines = [re.split(r"  +", line) for line in done.stdout.splitlines()]
        self.assertIn(["velocity", "float×3", "0", "5", "of the length"], lines)
        self.assertIn(["density", "double", "998", "998", "1 not finite"], lines)

    def test_a_scene_shows_its_bodies(self):
        self.write("small.json", SMALL_SCENE)
        done = self.phyxel("info", "small.json")
        self.assert_done(done)
        self.assertTrue(done.stdout.startswith(self.phyxel("validate", "small.json").stdout))
        rows = [re.split(r"  +", line) for line in done.stdout.splitlines()]
        self.assertIn(["puddle", "fluid", "box", "water", "224"], rows)
        self.assertIn(["drop", "fluid", "sphere", "water", "52"], rows)

    def test_what_is_not_there_or_not_known_is_refused(self):
        self.assert_refused(self.phyxel("info", "none.ply"), "phyxel: none.ply: no such file, folder or example")
        self.write("text.txt", "text")
        self.assert_refused(self.phyxel("info", "text.txt"),
                            'phyxel: text.txt: files of the kind ".txt" cannot be read; allowed: .ply, .obj, .stl, .off, .xyz, .vtp')
        self.assert_refused(self.phyxel("info", "."), "phyxel: .: is not a run, it has no manifest.json")
        self.write("bad.phyxel", "no checkpoint")
        done = self.phyxel("info", "bad.phyxel")
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1))

    def test_last_needs_a_run(self):
        for arguments in [["info", "last"], ["convert", "last", "out", "--to", "csv"]]:
            self.assert_refused(self.phyxel(*arguments),
                                "phyxel: last: no run was begun from this folder yet, there is no runs/.last")


class Installed(CommandTest):
    def test_examples_are_found_beside_an_installed_command(self):
        (self.folder / "bin").mkdir()
        shutil.copy(COMMAND, self.folder / "bin")
        scenes = self.folder / "share" / "phyxel" / "examples" / "scenes"
        scenes.mkdir(parents=True)
        (scenes / "only.json").write_text("// The only one.\n" + LEAST_SCENE)
        done = self.run_installed("list", "examples")
        self.assertEqual((done.returncode, done.stdout), (0, "name  what it shows\nonly  The only one.\n"))
        self.assertEqual(self.run_installed("validate", "only").returncode, 0)
        shutil.rmtree(scenes)
        done = self.run_installed("list", "examples")
        self.assertEqual((done.returncode, done.stderr), (2, "phyxel: there are no examples beside this command\n"))

    def run_installed(self, *arguments: str):
        import subprocess
        return subprocess.run([self.folder / "bin" / "phyxel", *arguments], cwd=self.folder, capture_output=True,
                              text=True, timeout=100)


if __name__ == "__main__":
    unittest.main()
