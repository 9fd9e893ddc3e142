# SPDX-License-Identifier: MIT
"""Charts of runs, and figures of kernels and shape functions.

Run as: phyxel_plot_test.py PATH_OF_THE_COMMAND
"""

import csv
import json
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from command_support import BUSY_SCENE, SMALL_SCENE, CommandTest

SVG = "{http://www.w3.org/2000/svg}"


def texts_of(path: Path) -> list[str]:
    """All words of a picture; it must be well-formed to have any."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == SVG + "svg", root.tag
    return [element.text or "" for element in root.iter(SVG + "text")]


class PlotRun(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("small.json", SMALL_SCENE)
        self.assertEqual(self.phyxel("run", "small.json", "-o", "run", "--frames", "0:3", "--quiet").returncode, 0)

    def test_every_quantity_and_every_probe_has_a_chart(self):
        done = self.phyxel("plot", "run")
        self.assert_done(done)
        names = ["energy", "momentum", "particles", "density_error", "iterations", "max_speed", "step_size", "stages", "probe_gauge",
                 "probe_front"]
        self.assertEqual(done.stdout.splitlines(), [f"run/plots/{name}.svg" for name in names])
        self.assertEqual(sorted(path.name for path in (self.folder / "run/plots").iterdir()),
                         sorted(name + ".svg" for name in names))
        expected = {"energy": "energy (J)", "density_error": "compression (%)", "particles": "particles",
                    "probe_front": "bounds (m)"}
        for name in names:
            texts = texts_of(self.folder / f"run/plots/{name}.svg")
            self.assertIn("time (s)", texts, name)
            if name in expected:
                self.assertIn(expected[name], texts)
        self.assertTrue(any(text.startswith("pressure (") and text.endswith("Pa)")
                            for text in texts_of(self.folder / "run/plots/probe_gauge.svg")))
        self.assertTrue({"total", "kinetic", "potential", "internal"} <= set(texts_of(self.folder / "run/plots/energy.svg")))

    def test_all_charts_go_into_one_file_or_another_folder(self):
        done = self.phyxel("plot", "run", "-o", "deep/all.svg")
        self.assertEqual((done.returncode, done.stdout), (0, "deep/all.svg\n"), done.stderr)
        self.assertIn("(a) Energy", texts_of(self.folder / "deep/all.svg"))
        self.assertFalse((self.folder / "run/plots").exists())
        self.assert_done(self.phyxel("plot", "run", "-o", "charts"))
        self.assertTrue((self.folder / "charts/energy.svg").exists())

    def test_last_is_the_newest_run_and_the_same_command_gives_the_same_bytes(self):
        self.assert_done(self.phyxel("run", "small.json", "--frames", "0:2", "--quiet"))
        self.assert_done(self.phyxel("plot", "last"))
        folder = self.folder / "runs/small-001/plots"
        first = {path.name: path.read_bytes() for path in folder.iterdir()}
        self.assert_done(self.phyxel("plot", "last"))
        self.assertEqual(first, {path.name: path.read_bytes() for path in folder.iterdir()})

    def test_a_run_with_plots_goes_on_and_can_be_overwritten(self):
        self.assert_done(self.phyxel("plot", "run"))
        self.assert_done(self.phyxel("run", "small.json", "-o", "run", "--frames", "0:5", "--resume", "--quiet"))
        self.assert_done(self.phyxel("run", "small.json", "-o", "run", "--frames", "0:2", "--overwrite", "--quiet"))
        self.assertTrue((self.folder / "run/plots/energy.svg").exists())

    def test_a_row_that_is_being_written_is_left_out(self):
        self.assert_done(self.phyxel("plot", "run", "-o", "whole"))
        for name in ("stats.csv", "probes.csv"):
            with open(self.folder / "run" / name, "a") as table:
                table.write("17,0.0")
        self.assert_done(self.phyxel("plot", "run", "-o", "partial"))
        for path in (self.folder / "whole").iterdir():
            self.assertEqual(path.read_bytes(), (self.folder / "partial" / path.name).read_bytes(), path.name)

    def test_tables_of_any_numbers_are_drawn(self):
        for rows in ([], [["0", "1"]], [["0", "nan"], ["1", ""]], [["0", "1e308"], ["1", "-1e308"]],
                     [["0", "inf"], ["0", "5"]], [["1e-320", "1e-320"], ["0", "0"]]):
            with self.subTest(rows):
                with open(self.folder / "run/stats.csv", "w", newline="") as file:
                    csv.writer(file, lineterminator="\n").writerows([["time", "kinetic_energy"], *rows])
                self.assert_done(self.phyxel("plot", "run", "-o", "all.svg"))
                self.assertIn("(a) Energy", texts_of(self.folder / "all.svg"))

    def test_hostile_names_of_probes_make_no_hostile_files(self):
        names = ["x/../../evil", "</text><script>alert(1)</script>", "a\"b,c", "0" * 300, "\x1b[31m", "水.x", ""]
        with open(self.folder / "run/probes.csv", "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([["time", *names], *([str(t)] + ["1"] * 7 for t in range(3))])
        before = sorted(self.folder.iterdir())
        self.assert_done(self.phyxel("plot", "run"))
        self.assertEqual(sorted(self.folder.iterdir()), before)
        written = list((self.folder / "run/plots").glob("probe_*.svg"))
        self.assertEqual(len(written), len(names))
        titles = [text for path in written for text in texts_of(path)]
        self.assertIn("</text><script>alert(1)</script>", titles)

    def test_without_its_scene_a_run_is_drawn_without_units(self):
        (self.folder / "run/manifest.json").write_text("{")
        done = self.phyxel("plot", "run")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertTrue(done.stderr.startswith("phyxel: warning: run/manifest.json:"), done.stderr)
        self.assertIn("value", texts_of(self.folder / "run/plots/probe_front.svg"))

    def test_what_is_no_run_is_said_in_one_line_and_nothing_is_written(self):
        (self.folder / "foreign").mkdir()
        (self.folder / "damaged").mkdir()
        (self.folder / "damaged/manifest.json").write_text(json.dumps({"scene": {}}))
        (self.folder / "damaged/stats.csv").write_text("time,kinetic_energy\n0,1\nx,2\n")
        (self.folder / "begun").mkdir()
        (self.folder / "begun/manifest.json").write_text(json.dumps({"scene": {}}))
        for run, line in [
            ("nowhere", "nowhere: no such folder"),
            ("foreign", "foreign: is not a run, it has no manifest.json"),
            ("small.json", "small.json: is not a run, it is not a folder"),
            ("damaged", 'damaged/stats.csv:3: "x" in the column "time" is not a number'),
            ("begun", "begun: is no run, it has no stats.csv"),
        ]:
            with self.subTest(run):
                self.assert_refused(self.phyxel("plot", run), f"phyxel: {line}")
        for run in ("foreign", "damaged", "begun"):
            self.assertFalse((self.folder / run / "plots").exists())

    def test_probes_of_all_kinds_are_drawn(self):
        scene = BUSY_SCENE.replace('"probes": [', '"probes": [ { "name": "profile", "field": "velocity", "line": '
                                   '{ "from": [0.25, 0.1, 0.1], "to": [0.45, 0.1, 0.1], "count": 4 } },')
        self.write("busy.json", scene)
        self.assert_done(self.phyxel("run", "busy.json", "-o", "busy", "--frames", "0:4", "--quiet"), stderr=None)
        self.assert_done(self.phyxel("plot", "busy"))
        plots = self.folder / "busy/plots"
        self.assertIn("force (N)", texts_of(plots / "probe_push.svg"))
        self.assertIn("distance along the line (m)", texts_of(plots / "probe_profile.svg"))
        self.assertIn("(c) profile, z", texts_of(plots / "probe_profile.svg"))
        self.assertTrue(any(text.startswith("displacement (") for text in texts_of(plots / "probe_cork.svg")))


class PlotFigures(CommandTest):
    def test_kernels_are_drawn_in_every_dimension(self):
        for dimension in (1, 2, 3):
            self.assert_done(self.phyxel("plot", "kernels", "--dimension", dimension, "-o", f"{dimension}.svg"))
            texts = texts_of(self.folder / f"{dimension}.svg")
            self.assertTrue({"poly6", "spiky", "cubic spline", "Wendland C²"} <= set(texts))
        done = self.phyxel("plot", "kernels")
        self.assertEqual((done.stdout, (self.folder / "kernels.svg").read_bytes()),
                         ("kernels.svg\n", (self.folder / "2.svg").read_bytes()))

    def test_shape_functions_are_drawn_whole_beside_a_crack_and_resampled(self):
        crack = ["--crack", "0,0.5:0.6,0.5", "--node", "0.55,0.6"]
        for name, arguments, title in [
            ("whole", [], "(b) SPH (poly6)"),
            ("crack", [*crack, "--order", "2", "--translucency", "1.5"], "(f) Transparency: Φ, MLS of order 2"),
            ("resample", [*crack, "--resample", "--seed", "3", "--nodes", "8"], "(a) Not resampled, Ω = "),
            ("surface", [*crack, "--surface", "--weight", "poly6", "--support", "2.5"], "(b) Visibility: weight ω′"),
        ]:
            with self.subTest(name):
                done = self.phyxel("plot", "shape-functions", "-o", f"{name}.svg", *arguments)
                self.assert_done(done)
                self.assertEqual(done.stdout, f"{name}.svg\n")
                self.assertTrue(any(text.startswith(title) for text in texts_of(self.folder / f"{name}.svg")))
        self.assertEqual(self.phyxel("plot", "shape-functions", "-o", "folder").stdout, "folder/shape-functions.svg\n")

    def test_bad_options_are_one_line_and_nothing_is_written(self):
        crack = ["--crack", "0,0.5:0.6,0.5"]
        expected = "expected two points, the second being its front, as in 0,0.5:0.6,0.5"
        for arguments, line in [
            (["last"], "last: no run was begun from this folder yet, there is no runs/.last"),
            (["kernels", "--dimension", "4"], "the dimension of kernels is 4, must be 1, 2 or 3"),
            (["kernels", *crack], "--crack: is for phyxel plot shape-functions, not for kernels"),
            (["shape-functions", "--dimension", "2"], "--dimension: is for phyxel plot kernels, not for shape-functions"),
            (["run", "--surface"], "--surface: is for phyxel plot shape-functions, not for a run"),
            (["shape-functions", "--resample"], "--resample: needs a --crack"),
            (["shape-functions", "--order", "1"], "--order: needs a --crack"),
            (["shape-functions", "--crack", "0,0.5"], f"--crack 0,0.5: {expected}"),
            (["shape-functions", "--crack", "0,0.5:x,1"], f"--crack 0,0.5:x,1: {expected}"),
            (["shape-functions", "--crack", "0,nan:1,1"], f"--crack 0,nan:1,1: {expected}"),
            (["shape-functions", "--crack", "1,1:1,1"], "--crack 1,1:1,1: has no length"),
            (["shape-functions", *crack, "--order", "3"], "MLS order is 3, must be 0, 1 or 2"),
            (["shape-functions", *crack, "--translucency", "0"],
             "translucency of cracks is 0, must be positive and finite"),
            (["shape-functions", "--node", "5"], "--node 5: expected a point, as in 0.5,0.5"),
            (["shape-functions", "--nodes", "1"], "there are 1 nodes along a side, must be 2 to 100"),
            (["shape-functions", "--support", "-1"],
             "the support radius is -1 spacings, must be above 0 and at most 20"),
        ]:
            with self.subTest(line):
                self.assert_refused(self.phyxel("plot", *arguments), f"phyxel: {line}")
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
