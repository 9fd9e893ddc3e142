# cmake -DBUILD=… -DCOMPILER=… -DSOURCE=… -DFOLDER=… -P run.cmake
#
# Installs the build into a prefix of its own, then configures, builds and runs the consumer against it, which has to
# do without Embree and OpenVDB. The water of the simulation, 0.2 m wide at first,
# is at about 1.5 and 2.5 times that after 0.1 and 0.2 s, as in [MM52]; what the interpolation
# prints are the exact values of x² + 3xy at (0.5, 0.4), which moving least squares of order 2 reproduces.
file(REMOVE_RECURSE ${FOLDER})
function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(expect_output pattern program)
    execute_process(COMMAND ${program} ${ARGN} OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    message("${said}")
    if(NOT said MATCHES "${pattern}")
        message(FATAL_ERROR "expected ${pattern}")
    endif()
endfunction()
function(build_consumer source folder)
    run(${CMAKE_COMMAND} -S ${source} -B ${folder} -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${COMPILER}
        -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_PREFIX_PATH=${FOLDER}/prefix ${ARGN})
    run(${CMAKE_COMMAND} --build ${folder})
endfunction()
function(expect_no_volumes file)
    execute_process(COMMAND readelf -d ${file} OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    if(said MATCHES "embree|openvdb")
        message(FATAL_ERROR "${file} needs ${CMAKE_MATCH_0}")
    endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix)
build_consumer(${SOURCE} ${FOLDER}/build -DCMAKE_DISABLE_FIND_PACKAGE_embree=ON -DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON)
expect_output("^t = 0.1 s, front at 0.(2[5-9]|3[0-5]) m\nt = 0.2 s, front at 0.(4[5-9]|5[0-9]) m\n" ${FOLDER}/build/simulation)
expect_output("^f = 0.850000, gradient = \\(2.200000, 1.500000\\)\n$" ${FOLDER}/build/interpolation)
expect_no_volumes(${FOLDER}/build/simulation)
build_consumer(${SOURCE}/components ${FOLDER}/components)
expect_no_volumes(${FOLDER}/components/libwater.so)
build_consumer(${SOURCE}/own_kind ${FOLDER}/own_kind)
expect_output("^the same bits\n$" ${FOLDER}/own_kind/own_kind ${FOLDER}/runs
              ${SOURCE}/../../examples/cpp/10_own_kind.json)

# The README shows these programs: what a reader copies from there must be what was just built and run.
file(READ ${SOURCE}/../../README.md readme)
foreach(name simulation.cpp interpolation.cpp CMakeLists.txt)
    file(READ ${SOURCE}/${name} program)
    string(REGEX REPLACE "^// SPDX[^\n]*\n" "" program "${program}")
    string(FIND "${readme}" "${program}" place)
    if(place EQUAL -1)
        message(FATAL_ERROR "README.md does not show tests/consumer/${name} as it is")
    endif()
endforeach()
