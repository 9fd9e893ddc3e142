# SPDX-License-Identifier: MIT
"""tools/check_headers.py notices a public header that needs another one before it, and nothing else."""

import unittest

from planted_tree import PlantedTree

TOOL = "check_headers.py"


class CheckHeaders(PlantedTree):
    def test_headers_that_include_what_they_use_are_fine(self):
        self.plant("phyxel/core/good.h", "#include <vector>\ninline std::vector<int> numbers;\n")
        self.assert_passes(TOOL)

    def test_a_header_that_relies_on_others_is_named(self):
        self.plant("phyxel/core/good.h", "#include <vector>\n")
        self.plant("phyxel/core/bad.h", "inline std::vector<int> numbers;\n")
        self.assert_fails(TOOL, "phyxel/core/bad.h does not compile alone")

    def test_private_headers_may_rely_on_others(self):
        self.plant("phyxel/core/detail/part.h", "inline std::vector<int> numbers;\n")
        self.assert_passes(TOOL)


if __name__ == "__main__":
    unittest.main()
