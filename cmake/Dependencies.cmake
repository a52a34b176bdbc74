# Everything comes from Debian packages; scripts/lint and scripts/test install
# what is missing.
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)

if(CUDA_LINT_ANALYZER)
  # Debian's version file answers only to the exact minor version.
  find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm)
  find_package(Clang 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/clang)

  # What analyzer/ links: the two shared libraries, so that a link takes seconds.
  add_library(cudalint_llvm INTERFACE)
  target_include_directories(cudalint_llvm SYSTEM INTERFACE
                             ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  target_compile_options(cudalint_llvm INTERFACE -fno-rtti)
  target_link_libraries(cudalint_llvm INTERFACE clang-cpp LLVM)

  # Debian's package of it has no file for CMake.
  find_path(LZ4_INCLUDE_DIR lz4.h REQUIRED)
  find_library(LZ4_LIBRARY lz4 REQUIRED)
  add_library(LZ4::LZ4 UNKNOWN IMPORTED)
  set_target_properties(LZ4::LZ4 PROPERTIES
    IMPORTED_LOCATION "${LZ4_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LZ4_INCLUDE_DIR}")

  # A quarter of an analysis is malloc: see docs/validation/speed.md. Nothing
  # names it, so that a linker would leave it out. A sanitizer has its own.
  add_library(cudalint_malloc INTERFACE)
  if(NOT CUDA_LINT_SANITIZE)
    find_library(JEMALLOC_LIBRARY jemalloc REQUIRED)
    target_link_libraries(cudalint_malloc INTERFACE
      -Wl,--push-state,--no-as-needed "${JEMALLOC_LIBRARY}" -Wl,--pop-state)
  endif()
endif()

if(BUILD_TESTING)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
if(CUDA_LINT_BENCH)
  find_package(benchmark REQUIRED)
endif()
