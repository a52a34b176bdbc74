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
  # A program that sets CUDA_LINT_STATIC_LLVM links the archives: to bind the
  # shared libraries is most of what a start costs, see docs/validation/speed.md.
  add_library(cudalint_shared_llvm INTERFACE)
  target_link_libraries(cudalint_shared_llvm INTERFACE clang-cpp LLVM)
  add_library(cudalint_llvm INTERFACE)
  target_include_directories(cudalint_llvm SYSTEM INTERFACE
                             ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  target_compile_options(cudalint_llvm INTERFACE -fno-rtti)
  if(CUDA_LINT_STATIC_LLVM)
    # By their files: the targets name the shared libraries, and libraries of
    # parts that nothing here uses.
    set(archives "")
    foreach(library ${CLANG_EXPORTED_TARGETS} ${LLVM_AVAILABLE_LIBS})
      if(TARGET ${library})
        get_target_property(type ${library} TYPE)
        get_target_property(file ${library} LOCATION)
        if(type STREQUAL "STATIC_LIBRARY" AND EXISTS "${file}")
          list(APPEND archives "${file}")
        endif()
      endif()
    endforeach()
    find_package(ZLIB REQUIRED)
    find_library(ZSTD_LIBRARY zstd REQUIRED)
    add_library(cudalint_static_llvm INTERFACE)
    # Clang's code generation names Polly, in a function that nothing here calls.
    target_link_options(cudalint_static_llvm INTERFACE -Wl,--gc-sections)
    target_link_libraries(cudalint_static_llvm INTERFACE
      -Wl,--start-group ${archives} -Wl,--end-group
      ZLIB::ZLIB "${ZSTD_LIBRARY}" ${CMAKE_DL_LIBS})
    target_link_libraries(cudalint_llvm INTERFACE
      $<IF:$<BOOL:$<TARGET_PROPERTY:CUDA_LINT_STATIC_LLVM>>,cudalint_static_llvm,cudalint_shared_llvm>)
  else()
    target_link_libraries(cudalint_llvm INTERFACE cudalint_shared_llvm)
  endif()

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
