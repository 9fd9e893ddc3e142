# Flags as targets, so that nothing is global.
#
# phyxel::numbers   what decides the bits: one instruction set for all files, no contraction of a*b + c.
#                   It travels with the library, because inline code in headers must round alike.
# phyxel::strict    warnings, and how the compiler uses memory, for our own files only.

add_library(phyxel_numbers INTERFACE)
add_library(phyxel::numbers ALIAS phyxel_numbers)
set_target_properties(phyxel_numbers PROPERTIES EXPORT_NAME numbers)
target_compile_features(phyxel_numbers INTERFACE cxx_std_20)
target_compile_options(phyxel_numbers INTERFACE -march=x86-64-v3 -ffp-contract=off)
install(TARGETS phyxel_numbers EXPORT phyxel_core)

add_library(phyxel_strict INTERFACE)
add_library(phyxel::strict ALIAS phyxel_strict)
# -Wrestrict: g++ 12 warns of its own std::string, "x" + std::string (its bug 105329).
# -Wshadow: where several files are compiled as one, a private name of one is not shadowed by a local name of another.
target_compile_options(phyxel_strict INTERFACE -Wall -Wextra -Wpedantic -Wconversion
                       $<IF:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>,-Wshadow=local,-Wshadow>
                       -Wno-sign-conversion $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                       $<$<BOOL:${PHYXEL_WERROR}>:-Werror>)
# g++ looks for garbage whenever its heap has grown by a third. Below 1 GB that is a waste: without it 7 % of the time
# is saved for 15 % more memory, at most some 100 MB a file.
target_compile_options(phyxel_strict INTERFACE
                       "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=1000000 --param ggc-min-expand=300>")

# Null pointers that are followed, and objects that are left, are seen by the address sanitizer as well, and these two
# checks take time to compile.
if(CMAKE_CXX_FLAGS MATCHES "fsanitize=address,undefined")
    set(PHYXEL_SANITIZED ON)
    target_compile_options(phyxel_strict INTERFACE -fno-sanitize=null,object-size)
endif()
