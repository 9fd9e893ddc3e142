# SPDX-License-Identifier: MIT
"""tools/check_layers.py notices each kind of forbidden include, and nothing else."""

import unittest

from planted_tree import PlantedTree

TOOL = "check_layers.py"


class CheckLayers(PlantedTree):
    def setUp(self):
        super().setUp()
        self.plant("cmake/layers.txt", "# a comment\ncore:\nsearch: core\ngeometry: search\napprox: search\n")
        self.plant("phyxel/core/types.h", "#include <Eigen/Core>\n")
        self.plant("phyxel/core/plain.h", "#include <vector>\n")

    def test_includes_downward_are_allowed_and_transitive(self):
        self.plant("phyxel/approx/mls.h", "#include <phyxel/core/types.h>\n#include <phyxel/search/lists.h>\n")
        self.assert_passes(TOOL)

    def test_an_include_upward_is_refused(self):
        self.plant("phyxel/core/bad.h", "\n#include <phyxel/search/lists.h>\n")
        self.assert_fails(TOOL, "phyxel/core/bad.h:2", "core must not include search")

    def test_an_include_sideways_is_refused(self):
        self.plant("phyxel/approx/bad.cpp", "#include <phyxel/geometry/mesh.h>\n")
        self.assert_fails(TOOL, "approx must not include geometry", "allowed: core, search")

    def test_an_unknown_module_is_refused(self):
        self.plant("phyxel/utils/bad.h", "#include <vector>\n")
        self.assert_fails(TOOL, 'no module "utils"')

    def test_detail_headers_are_private_to_their_module(self):
        self.plant("phyxel/search/good.cpp", "#include <phyxel/search/detail/cells.h>\n")
        self.plant("tests/search/good.cpp", "#include <phyxel/search/detail/cells.h>\n")
        self.assert_passes(TOOL)
        self.plant("phyxel/approx/bad.cpp", "#include <phyxel/search/detail/cells.h>\n")
        self.assert_fails(TOOL, "phyxel/approx/bad.cpp:1", "private to search")

    def test_quoted_includes_are_refused_in_the_library(self):
        self.plant("phyxel/core/bad.cpp", '#include "types.h"\n')
        self.assert_fails(TOOL, "phyxel/core/bad.cpp:1")

    def test_programs_may_include_every_module(self):
        self.plant("apps/phyxel/verify.cpp", "#include <phyxel/approx/mls.h>\n#include <phyxel/core/types.h>\n")
        self.assert_passes(TOOL)

    def test_tbb_stays_in_the_sources_of_core(self):
        self.plant("phyxel/core/parallel_for.cpp", "#include <tbb/parallel_for.h>\n")
        self.assert_passes(TOOL)
        self.plant("phyxel/core/bad.h", "#  include <tbb/parallel_for.h>\n")
        self.assert_fails(TOOL, "phyxel/core/bad.h:1", "<tbb/parallel_for.h>")

    def test_cli11_stays_in_main(self):
        self.plant("apps/phyxel/main.cpp", "#include <CLI/CLI.hpp>\n")
        self.assert_passes(TOOL)
        self.plant("apps/phyxel/verify.cpp", "#include <CLI/CLI.hpp>\n")
        self.assert_fails(TOOL, "apps/phyxel/verify.cpp:1")

    def test_nanoflann_is_a_rival_and_an_oracle_only(self):
        self.plant("benchmarks/search.cpp", "#include <nanoflann.hpp>\n")
        self.plant("tests/search/kd_tree_test.cpp", "#include <nanoflann.hpp>\n")
        self.assert_passes(TOOL)
        self.plant("phyxel/search/bad.cpp", "#include <nanoflann.hpp>\n")
        self.assert_fails(TOOL, "phyxel/search/bad.cpp:1")

    def test_embree_and_picture_files_stay_in_the_sources_of_render(self):
        self.plant("cmake/layers.txt", "core:\nrender: core\n")
        self.plant("phyxel/render/ray_tracer.cpp", "#include <embree3/rtcore.h>\n#include <png.h>\n")
        self.plant("tests/render/image_test.cpp", "#include <turbojpeg.h>\n")
        self.assert_passes(TOOL)
        self.plant("phyxel/render/bad.h", "#include <embree3/rtcore.h>\n")
        self.assert_fails(TOOL, "phyxel/render/bad.h:1", "<embree3/rtcore.h>")
        self.plant("phyxel/render/bad.h", "\n")
        self.plant("phyxel/core/bad.cpp", "#include <png.h>\n")
        self.assert_fails(TOOL, "phyxel/core/bad.cpp:1", "<png.h>")

    def test_files_with_a_wider_instruction_set_see_no_eigen_even_through_our_headers(self):
        self.plant("phyxel/search/lists_avx512.cpp", "#include <phyxel/core/plain.h>\n#include <immintrin.h>\n")
        self.assert_passes(TOOL)
        self.plant("phyxel/search/lists.h", "#include <phyxel/core/types.h>\n")
        self.plant("phyxel/search/bad_avx512.cpp", "#include <phyxel/search/lists.h>\n")
        self.assert_fails(
            TOOL, "phyxel/search/bad_avx512.cpp", "phyxel/search/lists.h → phyxel/core/types.h → Eigen/Core"
        )

    def test_public_headers_see_no_intrinsics_even_through_our_headers(self):
        self.plant("phyxel/core/detail/lanes.h", "#include <immintrin.h>\n")
        self.plant("phyxel/core/sums.cpp", "#include <phyxel/core/detail/lanes.h>\n")
        self.assert_passes(TOOL)
        self.plant("phyxel/core/bad.h", "#include <phyxel/core/detail/lanes.h>\n")
        self.assert_fails(TOOL, "phyxel/core/bad.h", "phyxel/core/detail/lanes.h → immintrin.h")


if __name__ == "__main__":
    unittest.main()
