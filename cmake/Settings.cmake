# Language level, warnings and sanitizers, on one interface target that every
# target of ours links.
option(CUDA_LINT_WERROR "Treat warnings as errors" ON)
option(CUDA_LINT_ANALYZER
       "Build the analyzer, which needs LLVM; without it, what a machine with a GPU needs" ON)
option(CUDA_LINT_STATIC_LLVM
       "Link cuda-lint-check with LLVM's archives, so that it starts at once" ON)
option(CUDA_LINT_BENCH "Build the benchmarks" OFF)
option(CUDA_LINT_TOOLKIT_TESTS
       "Run the tests that need the headers of a CUDA toolkit" ON)
set(CUDA_LINT_SANITIZE "" CACHE STRING
    "Sanitizers, as in -fsanitize=: address,undefined")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# The libraries are also parts of plugins.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

add_library(cudalint_settings INTERFACE)
target_include_directories(cudalint_settings
                           INTERFACE "${PROJECT_SOURCE_DIR}")
# nvcc has options of its own for warnings, and passes these on for the host.
target_compile_options(cudalint_settings INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wno-missing-field-initializers>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports these for strings that are moved or joined (bug 105651).
  target_compile_options(cudalint_settings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized;-Wno-restrict>")
  # And this for a vector that grows: 13, or 12 with precompiled headers.
  target_compile_options(cudalint_settings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow>")
  # Files that are compiled together are headers of one file to GCC, in which
  # nothing should have a type of an anonymous namespace.
  target_compile_options(cudalint_settings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>")
  # GCC does not know this attribute, by which Clang sees what dangles.
  target_compile_options(cudalint_settings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-attributes=clang::lifetimebound>")
  # A tenth of the time is collecting garbage, of a gigabyte at most.
  target_compile_options(cudalint_settings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=1048576>")
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # What libstdc++ 12 uses itself, in std::stable_sort.
  target_compile_options(cudalint_settings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>")
endif()
# Three times as fast, and a part of binutils as the other one.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold CUDA_LINT_HAVE_GOLD)
if(CUDA_LINT_HAVE_GOLD AND NOT CMAKE_BUILD_TYPE STREQUAL "Release"
   AND NOT CUDA_LINT_SANITIZE
   AND NOT CMAKE_EXE_LINKER_FLAGS MATCHES "-fuse-ld=")
  add_link_options($<$<LINK_LANGUAGE:CXX>:-fuse-ld=gold>)
endif()
if(CUDA_LINT_WERROR)
  target_compile_options(cudalint_settings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Werror>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>")
endif()
if(CUDA_LINT_SANITIZE)
  target_compile_options(cudalint_settings INTERFACE
    "-fsanitize=${CUDA_LINT_SANITIZE}" -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(cudalint_settings INTERFACE
    "-fsanitize=${CUDA_LINT_SANITIZE}")
endif()
