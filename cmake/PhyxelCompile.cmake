# phyxel_compile(target numbers|light|tests [APART file…]): how our own files are compiled.
#
# numbers   loops over particles: the optimisation of the build type
# light     files that run once in a command: -O1, which compiles faster
# tests     -O1, and GoogleTest
#
# Most of what the compiler reads is the standard library and Eigen, so each of the three has a
# precompiled header. They cannot share one: g++ optimises every file as its precompiled header was, whatever the
# file's own -O says. For the same reason a source file with an -O of its own must be outside
# (phyxel_optimise_apart).
#
# With PHYXEL_UNITY several files are compiled as one, which saves what they include and instantiate in common. A file
# whose private names clash with those of another, or which is large by itself, stays APART. Private names of tests do not
# clash: each file has a namespace of its own.
#
# A precompiled header hides a forgotten #include; the presets tidy and fuzz build without one.

option(PHYXEL_UNITY "Compile several source files as one: less to do, but more after each change" OFF)

set(headers <Eigen/Dense> <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <concepts>
            <condition_variable> <cstdint> <cstdio> <cstring> <exception> <filesystem> <fstream> <functional> <limits>
            <map> <memory> <mutex> <numbers> <numeric> <optional> <set> <span> <sstream> <string> <string_view>
            <system_error> <thread> <tuple> <type_traits> <utility> <variant> <vector>)
file(CONFIGURE OUTPUT headers.cpp CONTENT "")
foreach(level numbers light tests)
    add_library(phyxel_headers_${level} OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/headers.cpp)
    target_link_libraries(phyxel_headers_${level} PRIVATE phyxel::numbers phyxel::strict Eigen3::Eigen)
    target_precompile_headers(phyxel_headers_${level} PRIVATE ${headers})
endforeach()

# Position-independent, so that a shared library of somebody else can hold ours. Without interposition, because that
# forbids inlining.
set(position_independent -fPIC -fno-semantic-interposition)
target_compile_options(phyxel_headers_numbers PRIVATE ${position_independent})
# -Warray-bounds: at -O1 g++ 12 takes the short form of std::string for all of it.
target_compile_options(phyxel_headers_light PRIVATE -O1 -Wno-array-bounds ${position_independent})
target_compile_options(phyxel_headers_tests PRIVATE -O1 -Wno-array-bounds ${position_independent})
# What tests do by themselves nobody else runs. The first three look at every pointer that is followed: without them,
# and without the two of PhyxelFlags.cmake, two files of tests compiled in two thirds of the time. The last looks for
# locals that are used after their block: without it files of tests take an eighth less time.
if(PHYXEL_SANITIZED)
    target_compile_options(phyxel_headers_tests PRIVATE -fno-sanitize=alignment,vptr,pointer-overflow
                                                        -fno-sanitize-address-use-after-scope)
endif()

function(phyxel_compile target level)
    get_target_property(options phyxel_headers_${level} COMPILE_OPTIONS)
    target_compile_options(${target} PRIVATE ${options})
    target_precompile_headers(${target} REUSE_FROM phyxel_headers_${level})
    cmake_parse_arguments(ARG "" "" "APART" ${ARGN})
    if(PHYXEL_UNITY)
        # Files of tests take longer each, and large units at the end keep one of two cores waiting.
        set(files_in_one 10)
        if(level STREQUAL "tests")
            set(files_in_one 6)
        endif()
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files_in_one})
        # A source file looks like a header here, so g++ warns of what is private to it.
        target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
        set_source_files_properties(${ARG_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
endfunction()

# phyxel_optimise_apart(option… FILES file…): for files that need more or less than the rest of their module.
function(phyxel_optimise_apart)
    cmake_parse_arguments(ARG "" "" "FILES" ${ARGN})
    set_source_files_properties(${ARG_FILES} PROPERTIES COMPILE_OPTIONS "${ARG_UNPARSED_ARGUMENTS}"
                                SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
