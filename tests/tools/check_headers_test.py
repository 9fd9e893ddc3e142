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

    def test_a_header_that_relies_on_one_that_it_does_not_include_is_named(self):
        self.plant("phyxel/core/good.h", "#include <vector>\n")
        self.plant("phyxel/core/bad.h", "#include <cstddef>\ninline std::vector<int> numbers;\n")
        self.plant("phyxel/core/user.h", "#include <phyxel/core/good.h>\n#include <phyxel/core/bad.h>\n")
        self.assert_fails(TOOL, "phyxel/core/bad.h does not compile alone")

    def test_a_header_that_includes_what_it_uses_too_late_is_named(self):
        self.plant("phyxel/core/detail/part.h", "inline std::vector<int> numbers;\n")
        self.plant("phyxel/core/good.h", "#include <vector>\n")
        self.plant("phyxel/core/late.h", "#include <phyxel/core/detail/part.h>\n#include <phyxel/core/good.h>\n")
        self.assert_fails(TOOL, "phyxel/core/late.h does not compile alone")

    def test_private_headers_may_rely_on_others(self):
        self.plant("phyxel/core/detail/part.h", "inline std::vector<int> numbers;\n")
        self.assert_passes(TOOL)


if __name__ == "__main__":
    unittest.main()
