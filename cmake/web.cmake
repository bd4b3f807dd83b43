# SPDX-License-Identifier: Apache-2.0
# The page template of web/, built by scripts/web and put into the library as an array of bytes. ABUT_WITH_WEB=AUTO leaves
# it out when there is no Node.js new enough; the page writers then say so. Source archives of releases hold the built pages in
# the folder pages/: then neither Node.js nor emscripten is needed.
if(PROJECT_IS_TOP_LEVEL)
  set(web_default AUTO)
else()
  set(web_default OFF)
endif()
set(ABUT_WITH_WEB ${web_default} CACHE STRING "Put the page template into the library: ON, OFF, or AUTO when Node.js is there")
set_property(CACHE ABUT_WITH_WEB PROPERTY STRINGS AUTO ON OFF)
set(ABUT_WEB_DIR ${PROJECT_BINARY_DIR}/web CACHE PATH "Where the packages of the page are installed")

set(ABUT_PAGES ${PROJECT_SOURCE_DIR}/pages CACHE PATH "Folder of built pages, taken where it holds abut.html and playground.html")

set(abut_has_web OFF)
set(abut_has_pages OFF)
if(EXISTS ${ABUT_PAGES}/abut.html AND NOT ABUT_WITH_WEB STREQUAL "OFF")
  set(abut_has_web ON)
  set(abut_has_pages ON)
elseif(NOT ABUT_WITH_WEB STREQUAL "OFF")
  # Packages are fetched here, once, so that a machine without them can still build the rest.
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/web-packages ${ABUT_WEB_DIR} RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result EQUAL 0)
    set(abut_has_web ON)
  elseif(ABUT_WITH_WEB STREQUAL "AUTO")
    message(STATUS "abut: pages are left out: ${output}")
  else()
    message(FATAL_ERROR "abut: the packages of the page cannot be installed: ${output}")
  endif()
endif()
message(STATUS "abut: pages ${abut_has_web}")

if(abut_has_web)
  file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
  list(APPEND web_sources ${PROJECT_SOURCE_DIR}/web/abut.html ${PROJECT_SOURCE_DIR}/web/play.html
       ${PROJECT_SOURCE_DIR}/web/head.html ${PROJECT_SOURCE_DIR}/web/body.html
       ${PROJECT_SOURCE_DIR}/web/package-lock.json
       ${PROJECT_SOURCE_DIR}/web/embed.mjs ${PROJECT_SOURCE_DIR}/web/vite.config.js ${PROJECT_SOURCE_DIR}/web/tsconfig.json ${PROJECT_SOURCE_DIR}/scripts/web)
  set(template ${PROJECT_BINARY_DIR}/page_template.html)
  set(make_template ${PROJECT_SOURCE_DIR}/scripts/web ${template} ${ABUT_WEB_DIR})
  if(abut_has_pages)
    set(web_sources ${ABUT_PAGES}/abut.html)
    set(make_template ${CMAKE_COMMAND} -E copy ${ABUT_PAGES}/abut.html ${template})
  endif()
  set(embedded ${PROJECT_BINARY_DIR}/page_template.c)
  add_custom_command(OUTPUT ${template} COMMAND ${make_template}
                     DEPENDS ${web_sources} COMMENT "Building the page template" VERBATIM)
  add_custom_command(OUTPUT ${embedded} DEPENDS ${template} ${CMAKE_CURRENT_LIST_DIR}/embed.cmake VERBATIM
                     COMMAND ${CMAKE_COMMAND} -DINPUT=${template} -DOUTPUT=${embedded}
                             -DNAME=abut_page_template -P ${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
  add_custom_target(page_template DEPENDS ${embedded}) # so that no two targets make it at once
  add_dependencies(abut_objects page_template)
  target_sources(abut_objects PRIVATE ${embedded})
  target_compile_definitions(abut_objects PRIVATE ABUT_HAVE_WEB)
endif()

# The page of `abut playground`: the core as WebAssembly inside another page, beside the tool. Needs emscripten, which is
# large: AUTO leaves it out when it is not there, and the command says so.
set(ABUT_WITH_PLAYGROUND ${web_default} CACHE STRING "Build the playground: ON, OFF, or AUTO when emscripten is there")
set_property(CACHE ABUT_WITH_PLAYGROUND PROPERTY STRINGS AUTO ON OFF)
find_program(ABUT_EMCC emcc)
mark_as_advanced(ABUT_EMCC)
set(abut_has_playground OFF)
if(abut_has_pages AND EXISTS ${ABUT_PAGES}/playground.html AND NOT ABUT_WITH_PLAYGROUND STREQUAL "OFF")
  set(abut_has_playground ON)
elseif(NOT ABUT_WITH_PLAYGROUND STREQUAL "OFF" AND abut_has_web AND ABUT_EMCC AND NOT ABUT_SANITIZE)
  set(abut_has_playground ON)
elseif(ABUT_WITH_PLAYGROUND STREQUAL "ON")
  message(FATAL_ERROR "abut: the playground needs Node.js and emscripten (Debian: nodejs npm emscripten)")
endif()
message(STATUS "abut: playground ${abut_has_playground}")

if(abut_has_playground)
  file(GLOB_RECURSE core_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.[ch] ${PROJECT_SOURCE_DIR}/src/*.inc
       ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/web/native/CMakeLists.txt ${PROJECT_SOURCE_DIR}/web/native/playground/*
       ${PROJECT_SOURCE_DIR}/literature/dynamics/* ${PROJECT_SOURCE_DIR}/literature/solve/* ${PROJECT_SOURCE_DIR}/literature/include/*)
  list(FILTER core_sources EXCLUDE REGEX "/src/(clearance|batch|manipulation|proof|plan|file|import|picture)/")
  set(playground_page ${PROJECT_BINARY_DIR}/playground.html)
  set(make_playground ${PROJECT_SOURCE_DIR}/scripts/playground ${playground_page} ${PROJECT_BINARY_DIR})
  if(abut_has_pages)
    set(core_sources ${ABUT_PAGES}/playground.html)
    set(make_playground ${CMAKE_COMMAND} -E copy ${ABUT_PAGES}/playground.html ${playground_page})
  endif()
  # After the template, as both work in the same folder; without the library, which a release compiles elsewhere.
  add_custom_command(OUTPUT ${playground_page} COMMAND ${make_playground}
                     DEPENDS ${core_sources} ${web_sources} ${PROJECT_SOURCE_DIR}/scripts/playground ${template}
                     COMMENT "Building the playground" VERBATIM)
  add_custom_target(playground ALL DEPENDS ${playground_page})
  add_dependencies(playground page_template)
endif()
