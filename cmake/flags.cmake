# SPDX-License-Identifier: Apache-2.0
# Flags that every abut target shares. No -march here: vector kernels choose at run time.
include(CheckCCompilerFlag)

function(abut_compile_options target)
  target_compile_features(${target} PUBLIC c_std_17)
  set_target_properties(${target} PROPERTIES C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
  target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L ABUT_ASSERT_LEVEL=${ABUT_ASSERT_LEVEL}
                             $<$<BOOL:${MINGW}>:__USE_MINGW_ANSI_STDIO=1>)
  if(MSVC) # products and sums are not fused there unless asked for
    target_compile_options(${target} PRIVATE /W3 /fp:precise /experimental:c11atomics)
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wmissing-prototypes -Wshadow
                         $<$<BOOL:${MINGW}>:-Wno-float-conversion> # its isnan() asks for all sizes
                         -ffp-contract=off -fno-math-errno -fno-trapping-math $<$<CONFIG:Release>:-O3>)
  if(ABUT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(ABUT_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ABUT_SANITIZE} -fno-omit-frame-pointer)
    if(NOT ABUT_SANITIZE STREQUAL "thread")
      target_compile_options(${target} PRIVATE -fno-sanitize-recover=all)
    endif()
  endif()
endfunction()

function(abut_link_options target)
  if(ABUT_SANITIZE)
    target_link_options(${target} PUBLIC $<BUILD_INTERFACE:-fsanitize=${ABUT_SANITIZE}>)
  endif()
endfunction()

# For C++17: abut_cxx_executable(name source). It throws nothing and asks for no types at run time, as abut.hpp promises.
function(abut_cxx_executable name source)
  add_executable(${name} ${source})
  set_target_properties(${name} PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  if(NOT MSVC)
    target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -fno-exceptions -fno-rtti
                           $<$<BOOL:${ABUT_WERROR}>:-Werror>)
    if(ABUT_SANITIZE)
      target_compile_options(${name} PRIVATE -fsanitize=${ABUT_SANITIZE})
    endif()
  endif()
  abut_link_options(${name})
  target_link_libraries(${name} PRIVATE abut_static)
endfunction()

# An executable of the project: `abut_executable(name sources...)`, linked with the static library.
function(abut_executable name)
  add_executable(${name} ${ARGN})
  abut_compile_options(${name})
  abut_link_options(${name})
  target_link_libraries(${name} PRIVATE abut_static)
endfunction()
