# SPDX-License-Identifier: Apache-2.0
# Headers, libraries, CMake package and pkg-config file.
install(TARGETS abut_shared abut_static EXPORT abut_targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/abut ${PROJECT_BINARY_DIR}/include/abut
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(EXPORT abut_targets NAMESPACE abut:: FILE abut-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
configure_package_config_file(cmake/abut-config.cmake.in abut-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
write_basic_package_version_file(abut-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/abut-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/abut-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/abut)

# abut.pc finds its prefix from its own place, so that the installed folder can be moved; absolute folders stay as given.
set(ABUT_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  string(REGEX REPLACE "/$" "" up "${up}")
  set(ABUT_PC_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(folder LIBDIR INCLUDEDIR)
  set(ABUT_PC_${folder} "\${prefix}/${CMAKE_INSTALL_${folder}}")
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${folder}}")
    set(ABUT_PC_${folder} "${CMAKE_INSTALL_${folder}}")
  endif()
endforeach()
abut_static_flags(ABUT_PC_PRIVATE)
if(OpenMP_C_FOUND)
  string(APPEND ABUT_PC_PRIVATE " ${OpenMP_C_FLAGS}")
endif()
configure_file(cmake/abut.pc.in abut.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/abut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(ABUT_BUILD_CLI)
  install(TARGETS abut RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET abut-mpi)
    install(TARGETS abut-mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endif()
if(ABUT_BUILD_CLI AND abut_has_playground)
  install(FILES ${playground_page} DESTINATION ${CMAKE_INSTALL_DATADIR}/abut)
endif()
# Manual pages and completions are made by running the tool.
find_program(BASH_PROGRAM bash)
if(ABUT_BUILD_CLI AND BASH_PROGRAM AND NOT CMAKE_CROSSCOMPILING)
  set(manual ${PROJECT_BINARY_DIR}/manual)
  add_custom_command(OUTPUT ${manual}/abut.bash DEPENDS abut ${PROJECT_SOURCE_DIR}/scripts/manual
                     COMMAND ${BASH_PROGRAM} ${PROJECT_SOURCE_DIR}/scripts/manual $<TARGET_FILE:abut> ${manual})
  add_custom_target(manual ALL DEPENDS ${manual}/abut.bash)
  install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${manual}/abut.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME abut)
  install(FILES ${manual}/_abut DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
