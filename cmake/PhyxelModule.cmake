# phyxel_add_module(name [LIGHT] DEPENDS … SOURCES … [HEADERS …] [LIGHT_SOURCES …] [APART …] [LIBRARIES …]
#                   [PRIVATE_LIBRARIES …] [PACKAGES …])
#
# A module: folder phyxel/<name>, target phyxel::<name>, includes <phyxel/<name>/…>. A kind of bodies is kinds/<name>, and
# its target phyxel::kinds_<name>.
# All headers of the folder are public; HEADERS are those of detail/ that they include.
# An edge that cmake/layers.txt does not have stops the configuration. LIGHT and APART: see PhyxelCompile.cmake.
# LIGHT_SOURCES are compiled as those of a LIGHT module.
# PACKAGES are what find_package(phyxel COMPONENTS <name>) has to find, each with its version, as in "embree 3".

set(PHYXEL_PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/phyxel)

function(phyxel_read_layers)
    file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/layers.txt lines REGEX "^[a-z/]+:")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE ":.*" "" module "${line}")
        string(REGEX REPLACE "^[a-z/]+: *" "" edges "${line}")
        separate_arguments(edges)
        set(reach ${edges})
        foreach(edge IN LISTS edges)
            get_property(below GLOBAL PROPERTY PHYXEL_REACH_${edge})
            list(APPEND reach ${below})
        endforeach()
        list(REMOVE_DUPLICATES reach)
        set_property(GLOBAL PROPERTY PHYXEL_REACH_${module} "${reach}")
        set_property(GLOBAL APPEND PROPERTY PHYXEL_LISTED_MODULES ${module})
    endforeach()
endfunction()

function(phyxel_add_module name)
    cmake_parse_arguments(ARG "LIGHT" "" "DEPENDS;HEADERS;SOURCES;LIGHT_SOURCES;APART;LIBRARIES;PRIVATE_LIBRARIES;PACKAGES" ${ARGN})

    get_property(modules GLOBAL PROPERTY PHYXEL_LISTED_MODULES)
    if(NOT name IN_LIST modules)
        message(FATAL_ERROR "phyxel_add_module: no module \"${name}\" in cmake/layers.txt")
    endif()
    get_property(reach GLOBAL PROPERTY PHYXEL_REACH_${name})
    foreach(dependency IN LISTS ARG_DEPENDS)
        if(NOT dependency IN_LIST reach)
            message(FATAL_ERROR "phyxel_add_module(${name}): must not depend on ${dependency}; allowed: ${reach}")
        endif()
    endforeach()

    string(REPLACE / _ target_name ${name})
    set(target phyxel_${target_name})
    add_library(${target} STATIC ${ARG_SOURCES})
    add_library(phyxel::${target_name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${target_name})
    file(GLOB headers CONFIGURE_DEPENDS *.h)
    target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers} ${ARG_HEADERS})
    list(TRANSFORM ARG_DEPENDS REPLACE / _)
    set_property(GLOBAL PROPERTY PHYXEL_DEPENDS_${target_name} ${ARG_DEPENDS})
    list(TRANSFORM ARG_DEPENDS PREPEND phyxel::)
    target_link_libraries(${target} PUBLIC ${ARG_DEPENDS} ${ARG_LIBRARIES} phyxel::numbers
                          PRIVATE ${ARG_PRIVATE_LIBRARIES} $<BUILD_INTERFACE:phyxel::strict>)
    if(ARG_LIGHT)
        phyxel_compile(${target} light APART ${ARG_APART})
    else()
        phyxel_compile(${target} numbers APART ${ARG_APART})
    endif()
    if(ARG_LIGHT_SOURCES)
        add_library(${target}_light OBJECT ${ARG_LIGHT_SOURCES})
        target_link_libraries(${target}_light PRIVATE ${ARG_DEPENDS} ${ARG_LIBRARIES} ${ARG_PRIVATE_LIBRARIES} phyxel::strict)
        phyxel_compile(${target}_light light APART ${ARG_APART})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_light>)
    endif()
    install(TARGETS ${target} EXPORT phyxel_${target_name} FILE_SET HEADERS)
    install(EXPORT phyxel_${target_name} NAMESPACE phyxel:: FILE phyxel-${target_name}.cmake DESTINATION ${PHYXEL_PACKAGE_FOLDER})
    set_property(GLOBAL PROPERTY PHYXEL_PACKAGES_${target_name} ${ARG_PACKAGES})
    set_property(GLOBAL APPEND PROPERTY PHYXEL_MODULES ${target_name})
endfunction()
