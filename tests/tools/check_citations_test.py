# SPDX-License-Identifier: MIT
"""tools/check_citations.py notices citations without an entry."""

import unittest

from planted_tree import PlantedTree

TOOL = "check_citations.py"

# Written with % so that the check of this very file does not take them for citations.
CITE = "[%s%s]"


class CheckCitations(PlantedTree):
    def setUp(self):
        super().setUp()
        self.plant("docs/references.bib", "@article{AW09,\n  title = {a}\n}\n@inproceedings{MKN*04,\n}\n")
        self.plant("docs/page.md", CITE % ("AW09", ", Eq. 5") + " and " + CITE % ("MKN*04", "") + "\n")

    def test_known_keys_pass(self):
        self.assert_passes(TOOL)

    def test_an_unknown_key_in_a_comment_is_refused(self):
        self.plant("phyxel/core/a.h", "\n// see " + CITE % ("Mon92", ", Eq. 1") + "\n")
        self.assert_fails(TOOL, "phyxel/core/a.h:2", "Mon92")

    def test_the_second_key_in_a_bracket_counts(self):
        self.plant("phyxel/core/a.h", "// " + CITE % ("AW09", ", Eq. 5; Wen95, Table 1") + "\n")
        self.assert_fails(TOOL, "Wen95")

    def test_an_unknown_key_in_a_string_is_refused(self):
        self.plant("phyxel/verify/a.cpp", 'const char* source = "' + CITE % ("Pri12", "") + '";\n')
        self.assert_fails(TOOL, "Pri12")

    def test_array_indices_are_no_citations(self):
        self.plant("phyxel/core/a.cpp", "int b = a[N10] + a[0][K12];\n")
        self.assert_passes(TOOL)

    def test_a_key_that_is_there_twice_is_refused(self):
        self.plant("docs/references.bib", "@article{AW09,\n}\n@book{AW09,\n}\n@article{MKN*04,\n}\n")
        self.assert_fails(TOOL, "AW09 is there twice")

    def test_a_key_that_nothing_cites_is_named_but_no_error(self):
        self.plant("docs/references.bib", "@article{AW09,\n}\n@article{MKN*04,\n}\n@article{DC99,\n}\n")
        code, said = self.run_tool(TOOL)
        self.assertEqual(code, 0)
        self.assertIn("not cited anywhere: DC99", said)


if __name__ == "__main__":
    unittest.main()
