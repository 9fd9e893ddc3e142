# cmake -DBUILD=… -DCOMPILER=… -DSOURCE=… -DFOLDER=… -P run.cmake
#
# Installs the build into a prefix of its own, then configures, builds and runs the consumer against it. What it
# prints are the exact values of x² + 3xy at (0.5, 0.4), which moving least squares of order 2 reproduces.
file(REMOVE_RECURSE ${FOLDER})
function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER}/build -G Ninja -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_PREFIX_PATH=${FOLDER}/prefix)
run(${CMAKE_COMMAND} --build ${FOLDER}/build)
execute_process(COMMAND ${FOLDER}/build/consumer OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
message("${said}")
if(NOT said STREQUAL "f = 0.850000, gradient = (2.200000, 1.500000)\n")
    message(FATAL_ERROR "expected f = 0.85 and gradient = (2.2, 1.5)")
endif()

# The README shows this program: what a reader copies from there must be what was just built and run.
file(READ ${SOURCE}/main.cpp program)
string(REGEX REPLACE "^[^\n]*\n" "" program "${program}")
file(READ ${SOURCE}/../../README.md readme)
string(FIND "${readme}" "${program}" place)
if(place EQUAL -1)
    message(FATAL_ERROR "README.md does not show tests/consumer/main.cpp as it is")
endif()
