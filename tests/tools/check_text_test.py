# SPDX-License-Identifier: MIT
"""tools/check_text.py notices each of its planted mistakes."""

import unittest

from planted_tree import PlantedTree

TOOL = "check_text.py"


class CheckText(PlantedTree):
    def test_an_ordinary_file_passes(self):
        self.plant("a.md", "# A page\n\nSee the framework/ folder, tools/rooting and ΣΦ = 1.\n")
        self.assert_passes(TOOL)

    def test_paths_of_one_machine_are_refused(self):
        for folder in ["work", "tmp", "root", "farm"]:
            for path in [f"/{folder}/main", f"at /{folder}.", f"docs/{folder}/x"]:
                with self.subTest(path=path):
                    self.plant("a.md", f"ok\n{path}\n")
                    self.assert_fails(TOOL, "a.md:2", "path of one machine")

    def test_unfinished_work_needs_an_issue(self):
        word = "TO" + "DO"
        self.plant("a.h", f"// {word}(#12): later\n")
        self.assert_passes(TOOL)
        self.plant("a.h", f"// {word}: later\n")
        self.assert_fails(TOOL, "a.h:1", "number of an issue")

    def test_tabs_are_refused(self):
        self.plant("a.h", "\tint a;\n")
        self.assert_fails(TOOL, "a.h:1: tab")

    def test_trailing_space_and_carriage_returns_are_refused(self):
        self.plant("a.h", "int a; \n")
        self.assert_fails(TOOL, "a.h:1: trailing space")
        self.plant("a.h", "int a;\r\n")
        self.assert_fails(TOOL, "a.h:1: trailing space")

    def test_the_last_line_ends_like_the_others(self):
        self.plant("a.h", "int a;\nint b;")
        self.assert_fails(TOOL, "a.h:2: no newline")
        self.plant("a.h", "int a;\n\n")
        self.assert_fails(TOOL, "a.h:2: empty line at the end")

    def test_binary_files_are_left_alone(self):
        self.plant("a.bin", "\0\t \n\n")
        self.assert_passes(TOOL)

    def test_ignored_files_are_left_alone(self):
        self.plant(".gitignore", "/build/\n")
        self.plant("build/a.h", "\tint a;")
        self.assert_passes(TOOL)


if __name__ == "__main__":
    unittest.main()
