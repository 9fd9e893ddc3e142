# SPDX-License-Identifier: MIT
"""The phyxel command keeps its promises to scripts: exit codes, what goes to stdout, what to stderr.

Run as: phyxel_command_test.py PATH_OF_THE_COMMAND
"""

import json
import math
import re
import shutil
import subprocess
import tempfile
import unittest

from command_support import COMMAND, ROOT, phyxel

SUBCOMMANDS = ["run", "validate", "info", "convert", "studio", "schema", "list", "new", "verify"]


class Command(unittest.TestCase):
    def assert_bad_usage(self, done: subprocess.CompletedProcess, *words: str):
        """Exit 2, nothing on stdout, and on stderr one line that says what is wrong and one with a hint."""
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 2, done.stderr)
        self.assertTrue(all(line.startswith("phyxel: ") for line in lines), done.stderr)
        self.assertIn("--help", lines[1])
        for word in words:
            self.assertIn(word, lines[0])

    def test_the_first_run_of_a_clone_mentions_the_studio(self):
        script = (ROOT / "dev").read_text()
        self.assertIn("./dev phyxel studio", script[script.index("\nrun_scene() {"):script.index("\nrun_tour() {")])

    def test_version_goes_to_stdout(self):
        done = phyxel("--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, re.compile(r"\Aphyxel \d+\.\d+\.\d+\n\Z"))

    def test_help_names_every_subcommand(self):
        done = phyxel("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for subcommand in SUBCOMMANDS:
            self.assertRegex(done.stdout, rf"\n  {subcommand} +\w")

    def test_every_subcommand_has_a_help_of_its_own(self):
        for subcommand in SUBCOMMANDS:
            done = phyxel(subcommand, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(f"Usage: phyxel {subcommand}", done.stdout)

    def test_help_may_be_asked_for_by_a_word(self):
        self.assertEqual(phyxel("help").stdout, phyxel("--help").stdout)
        for subcommand in SUBCOMMANDS:
            done = phyxel("help", subcommand)
            self.assertEqual((done.returncode, done.stdout), (0, phyxel(subcommand, "--help").stdout))
        self.assert_bad_usage(phyxel("help", "rnu"), 'unknown subcommand "rnu"')

    def test_a_program_that_is_missing_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = shutil.copy(COMMAND, folder)
            for subcommand in (["verify", "--list"], ["studio"], ["surface", "run"]):
                done = subprocess.run([alone, *subcommand], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(f"phyxel: the program phyxel-{subcommand[0]} does this", done.stderr)

    def test_an_example_has_an_info(self):
        done = phyxel("info", "dam_break")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("15,360 particles", done.stdout)
        self.assertEqual(phyxel("info", "dam_brake").stderr, "phyxel: dam_brake: no such file, folder or example\n")

    def test_an_unknown_subcommand_is_bad_usage(self):
        self.assert_bad_usage(phyxel("frobnicate"), "frobnicate")

    def test_unknown_words_get_the_nearest_known(self):
        self.assert_bad_usage(phyxel("rnu", "scene.json"), 'unknown subcommand "rnu", did you mean "run"? known: run, ')
        self.assert_bad_usage(phyxel("--versoin"), 'unknown option "--versoin", did you mean "--version"? known: ')
        self.assert_bad_usage(phyxel("run", "scene.json", "--resum"),
                              'unknown option "--resum", did you mean "--resume"? known: --help, --output, --resume, ')
        self.assert_bad_usage(phyxel("schema", "tabel"), 'one word too many: "tabel"')

    def test_a_missing_word_is_bad_usage(self):
        for subcommand, word in [("run", "SCENE"), ("validate", "SCENE"), ("info", "PATH"), ("convert", "IN"),
                                 ("list", "WHAT"), ("new", "NAME")]:
            self.assert_bad_usage(phyxel(subcommand), word)

    def test_an_unknown_option_is_bad_usage(self):
        self.assert_bad_usage(phyxel("--frobnicate"), "--frobnicate")

    def test_no_subcommand_is_bad_usage(self):
        self.assert_bad_usage(phyxel(), "subcommand")


QUICK_CASE = "V-K5"  # a group that takes milliseconds


class Verify(unittest.TestCase):
    def test_a_case_prints_its_numbers_and_exits_with_0(self):
        done = phyxel("verify", QUICK_CASE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for word in ["measured", "reference", "tolerance", "unit", "source", "pass", QUICK_CASE, ", 0 failed"]:
            self.assertIn(word, done.stdout)

    def test_json_has_the_promised_keys(self):
        done = phyxel("verify", "--json", QUICK_CASE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        cases = json.loads(done.stdout)["cases"]
        self.assertGreater(len(cases), 0)
        for case in cases:
            for key in ["name", "measured", "reference", "tolerance", "unit", "pass", "seconds", "source"]:
                self.assertIn(key, case)
            self.assertTrue(case["name"].startswith(QUICK_CASE))
            self.assertIs(case["pass"], True)
            self.assertTrue(math.isfinite(case["measured"]) and math.isfinite(case["reference"]))
            self.assertNotEqual(case["source"], "")

    def test_sabotage_is_noticed_and_said_so(self):
        done = phyxel("verify", "--sabotage", "--json", QUICK_CASE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for case in json.loads(done.stdout)["cases"]:
            self.assertIs(case["noticed"], True)
            self.assertIs(case["pass"], False)
            self.assertNotEqual(case["sabotage"], "")

    def test_the_page_has_every_case_whether_it_was_run_or_not(self):
        with tempfile.TemporaryDirectory() as folder:
            done = phyxel("verify", "--report", folder, QUICK_CASE)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(f"{folder}/verification.html", encoding="utf-8") as file:
                page = file.read()
        for line in phyxel("verify", "--list").stdout.splitlines():
            self.assertIn(line.split()[0], page)

    def test_list_names_the_cases_of_the_specification(self):
        done = phyxel("verify", "--list")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        names = [line.split()[0] for line in done.stdout.splitlines()]
        self.assertEqual(len(names), len(set(names)))
        wanted = [f"V-K{i}" for i in range(1, 6)] + [f"V-A{i}" for i in range(1, 9)] + [f"V-S{i}" for i in range(1, 4)]
        for case in wanted:
            self.assertTrue(any(name == case or name.startswith(case + "/") for name in names), case)

    def test_numbers_do_not_depend_on_the_number_of_threads(self):
        def numbers(threads: str):
            cases = json.loads(phyxel("verify", "V-A7", "--json", "--threads", threads).stdout)["cases"]
            return [(case["name"], case["measured"]) for case in cases]

        self.assertEqual(numbers("1"), numbers("4"))

    def test_an_unknown_case_is_bad_input_with_a_suggestion(self):
        done = phyxel("verify", QUICK_CASE + "x")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn(f'did you mean "{QUICK_CASE}"', done.stderr)

    def test_an_impossible_number_of_threads_is_bad_input(self):
        done = phyxel("verify", QUICK_CASE, "--threads", "0")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("must be at least 1", done.stderr)
        done = phyxel("verify", QUICK_CASE, "--threads", "1000000000")
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (2, "", "phyxel: --threads 1000000000: at most 1024 are allowed\n"))

    def test_output_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([COMMAND, "verify", QUICK_CASE], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write", done.stderr)


if __name__ == "__main__":
    unittest.main()
