# What `cmake --install` puts in place: the library with its package for find_package(phyxel), the command, the
# examples (scenes and C++), the page of the studio, and the scripts for Python, Blender and ParaView. Each module is a
# component of the package; phyxel::phyxel stands for all of them together.

include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY PHYXEL_MODULES)
add_library(phyxel_all INTERFACE)
add_library(phyxel::phyxel ALIAS phyxel_all)
set_target_properties(phyxel_all PROPERTIES EXPORT_NAME phyxel)
foreach(module IN LISTS modules)
    target_link_libraries(phyxel_all INTERFACE phyxel::${module})
    get_property(depends GLOBAL PROPERTY PHYXEL_DEPENDS_${module})
    get_property(packages GLOBAL PROPERTY PHYXEL_PACKAGES_${module})
    string(APPEND needs "set(phyxel_${module}_depends ${depends})\nset(phyxel_${module}_packages \"${packages}\")\n")
endforeach()
install(TARGETS phyxel_all EXPORT phyxel_all)
install(EXPORT phyxel_all NAMESPACE phyxel:: FILE phyxel-all.cmake DESTINATION ${PHYXEL_PACKAGE_FOLDER})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/phyxel-config.cmake.in
                              ${PROJECT_BINARY_DIR}/phyxel-config.cmake INSTALL_DESTINATION ${PHYXEL_PACKAGE_FOLDER})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/phyxel-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/phyxel-config.cmake ${PROJECT_BINARY_DIR}/phyxel-config-version.cmake
        DESTINATION ${PHYXEL_PACKAGE_FOLDER})

install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/phyxel/examples
        PATTERN CMakeLists.txt EXCLUDE)
foreach(script frames blender paraview)
    install(FILES ${PROJECT_SOURCE_DIR}/python/phyxel_${script}.py DESTINATION ${CMAKE_INSTALL_DATADIR}/phyxel/python)
endforeach()
# The page of the studio, if it was built (`./dev install` does).
install(DIRECTORY ${PROJECT_SOURCE_DIR}/apps/studio/web/dist/ DESTINATION ${CMAKE_INSTALL_DATADIR}/phyxel/studio OPTIONAL
        PATTERN built EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
