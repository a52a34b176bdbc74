# What find_package(CudaLint) brings: cuda-lint in the build of a CMake project,
# with its own compiler and flags. See docs/cmake.md.
#
# Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include_guard(GLOBAL)

# Beside this file, or where the user says; not what another PATH would name.
get_filename_component(CudaLint_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.."
                       ABSOLUTE)
find_program(CUDA_LINT_PROGRAM cuda-lint HINTS "${CudaLint_PREFIX}/bin"
             DOC "The program cuda-lint")
if(NOT CUDA_LINT_PROGRAM)
  set(CudaLint_FOUND FALSE)
  set(CudaLint_NOT_FOUND_MESSAGE
      "there is no cuda-lint in ${CudaLint_PREFIX}/bin or on the PATH; set \
CUDA_LINT_PROGRAM")
  return()
endif()

# Lints the CUDA files of a target when they are compiled, beside the compiler.
#
#   cuda_lint_target(TARGET [GPU NAME...] [CHECKS GLOBS] [FAIL_ON LEVEL]
#                    [MIN_OCCUPANCY PERCENT] [RESULTS FOLDER])
#
# GPU: products or architectures; by default those that it is compiled for.
# FAIL_ON: error, warning, note or never, the default: the severity from which
# on the build fails. RESULTS: a folder for `cuda-lint merge`.
function(cuda_lint_target target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG ""
                        "CHECKS;FAIL_ON;MIN_OCCUPANCY;RESULTS" "GPU")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "cuda_lint_target: there is no target '${target}'")
  endif()
  foreach(extra ${ARG_UNPARSED_ARGUMENTS})
    message(FATAL_ERROR "cuda_lint_target: '${extra}' is none of GPU, CHECKS, "
                        "FAIL_ON, MIN_OCCUPANCY and RESULTS")
  endforeach()
  foreach(keyword ${ARG_KEYWORDS_MISSING_VALUES})
    message(FATAL_ERROR "cuda_lint_target: ${keyword} has no value")
  endforeach()
  set(options)
  foreach(gpu ${ARG_GPU})
    list(APPEND options "--gpu=${gpu}")
  endforeach()
  foreach(pair CHECKS=checks FAIL_ON=fail-on MIN_OCCUPANCY=min-occupancy
               RESULTS=results)
    string(REPLACE "=" ";" pair ${pair})
    list(GET pair 0 keyword)
    list(GET pair 1 option)
    if(DEFINED ARG_${keyword})
      list(APPEND options "--${option}=${ARG_${keyword}}")
    endif()
  endforeach()
  # Before a launcher that is there, such as ccache: it is the compiler's.
  get_target_property(launcher ${target} CUDA_COMPILER_LAUNCHER)
  if(NOT launcher)
    set(launcher "")
  endif()
  set(words "${CUDA_LINT_PROGRAM}" launcher ${options} -- ${launcher})
  set_target_properties(${target} PROPERTIES
                        CUDA_COMPILER_LAUNCHER "${words}")
endfunction()

# Lints all targets that are defined from here on, in this folder and below, as
# CMAKE_CXX_CLANG_TIDY does: set(CUDA_LINT ON), or cmake -DCUDA_LINT=ON, before
# find_package(CudaLint); or options: set(CUDA_LINT --gpu=h200 --fail-on=error).
if(CUDA_LINT)
  set(CudaLint_OPTIONS "${CUDA_LINT}")
  if(CudaLint_OPTIONS MATCHES "^(1|ON|YES|TRUE|Y|on|yes|true|y)$")
    set(CudaLint_OPTIONS)
  endif()
  if(NOT "launcher" IN_LIST CMAKE_CUDA_COMPILER_LAUNCHER)
    list(PREPEND CMAKE_CUDA_COMPILER_LAUNCHER "${CUDA_LINT_PROGRAM}" launcher
         ${CudaLint_OPTIONS} --)
  endif()
  unset(CudaLint_OPTIONS)
endif()

# Registers a test that runs a program on the GPU and confirms the predictions
# of its CUDA files, which are to be compiled with -lineinfo.
#
#   cuda_lint_confirm_test(NAME TARGET [FAIL_ON WHAT] [SOURCES FILE...]
#                          [ARGUMENTS WORD...])
#
# FAIL_ON: refuted, the default, missed or never. SOURCES: the files to predict;
# by default the CUDA files of the target. ARGUMENTS: those of the program. The
# test has the label gpu: ctest -LE gpu leaves it out.
function(cuda_lint_confirm_test name target)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "FAIL_ON" "SOURCES;ARGUMENTS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR
            "cuda_lint_confirm_test: there is no target '${target}'")
  endif()
  foreach(extra ${ARG_UNPARSED_ARGUMENTS})
    message(FATAL_ERROR "cuda_lint_confirm_test: '${extra}' is none of FAIL_ON, "
                        "SOURCES and ARGUMENTS")
  endforeach()
  if(NOT DEFINED ARG_FAIL_ON)
    set(ARG_FAIL_ON refuted)
  endif()
  set(files ${ARG_SOURCES})
  get_target_property(folder ${target} SOURCE_DIR)
  if(NOT files)
    get_target_property(files ${target} SOURCES)
    list(FILTER files INCLUDE REGEX "\\.cu$")
  endif()
  if(NOT files)
    message(FATAL_ERROR
            "cuda_lint_confirm_test: '${target}' has no CUDA files; name SOURCES")
  endif()
  list(TRANSFORM files PREPEND "${folder}/" REGEX "^[^/]")
  set(flags)
  foreach(pair INCLUDE_DIRECTORIES=-I COMPILE_DEFINITIONS=-D)
    string(REPLACE "=" ";" pair ${pair})
    list(GET pair 0 property)
    list(GET pair 1 flag)
    set(values "$<TARGET_PROPERTY:${target},${property}>")
    list(APPEND flags
         "$<$<BOOL:${values}>:--extra-arg=${flag}$<JOIN:${values},$<SEMICOLON>--extra-arg=${flag}>>")
  endforeach()
  add_test(NAME "${name}"
           COMMAND "${CUDA_LINT_PROGRAM}" confirm --fail-on=${ARG_FAIL_ON}
                   ${flags} ${files} -- $<TARGET_FILE:${target}> ${ARG_ARGUMENTS}
           COMMAND_EXPAND_LISTS)
  set_tests_properties("${name}" PROPERTIES LABELS gpu)
endfunction()
