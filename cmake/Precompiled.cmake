# Headers of the standard library, fmt, nlohmann, Clang, LLVM and GoogleTest take
# a compiler most of the time that a file needs: they are read once for all files that
# are compiled with the same options. A file includes what it uses all the same:
# meta/UsedHeaders sees what is forgotten most.
option(CUDA_LINT_PRECOMPILE "Precompile the headers of other libraries" ON)

set(CUDA_LINT_STANDARD_HEADERS
    <algorithm> <functional> <map> <memory> <optional> <set> <span> <string>
    <string_view> <vector>)

# What the templates of headers become is most of the rest: with
# CUDA_LINT_TOGETHER, several files of a library are compiled as one. Functions,
# types and constants that a file keeps to itself need a name that no other file of
# its folder has, then: meta/NamesTogether tests it.
option(CUDA_LINT_TOGETHER "Compile several files of a library as one" OFF)
function(cudalint_compile_together)
  set_target_properties(${ARGN} PROPERTIES
    UNITY_BUILD ${CUDA_LINT_TOGETHER} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# A compiler takes what was precompiled for another target only if that has the
# same options: \p owner has no code, and other targets name it. Programs are not
# compiled as libraries are: EXECUTABLE makes it one of them. It links LINK.
function(cudalint_precompile owner)
  cmake_parse_arguments(ARG "EXECUTABLE" "" "LINK;HEADERS" ${ARGN})
  if(NOT CUDA_LINT_PRECOMPILE)
    return()
  endif()
  set(empty "${CMAKE_CURRENT_BINARY_DIR}/${owner}.cpp")
  file(GENERATE OUTPUT "${empty}" CONTENT "")
  if(ARG_EXECUTABLE)
    add_executable(${owner} EXCLUDE_FROM_ALL "${empty}")
  else()
    add_library(${owner} OBJECT EXCLUDE_FROM_ALL "${empty}")
  endif()
  target_link_libraries(${owner} PRIVATE cudalint_settings ${ARG_LINK})
  target_precompile_headers(${owner} PRIVATE ${CUDA_LINT_STANDARD_HEADERS}
                            ${ARG_HEADERS})
  # Or another build's objects are of no use to a cache.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${owner} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# Gives the headers of \p owner to targets.
function(cudalint_reuse_precompiled owner)
  if(NOT CUDA_LINT_PRECOMPILE)
    return()
  endif()
  foreach(target ${ARGN})
    target_precompile_headers(${target} REUSE_FROM ${owner})
    # Those of the libraries whose headers they are, whoever includes them.
    target_compile_definitions(${target} PRIVATE
      $<TARGET_PROPERTY:${owner},COMPILE_DEFINITIONS>)
  endforeach()
endfunction()

# GCC instantiates, at the end of each file, the templates that inline functions
# of a precompiled header use, needed or not: 1 s of nlohmann's, 2 s of
# llvm/IR/IntrinsicInst.h. So here is what nearly all files of a target need.

# What knows nothing of LLVM.
cudalint_precompile(cudalint_plain_headers
  LINK fmt::fmt
  HEADERS <fmt/format.h>)
if(CUDA_LINT_ANALYZER)
  # What is compiled as LLVM is, and hardly includes it.
  cudalint_precompile(cudalint_analyzer_headers
    LINK cudalint_llvm fmt::fmt
    HEADERS <fmt/format.h> <llvm/ADT/STLExtras.h> <llvm/ADT/StringExtras.h>)
  # What reads LLVM's code.
  cudalint_precompile(cudalint_llvm_headers
    LINK cudalint_llvm
    HEADERS <llvm/ADT/STLExtras.h> <llvm/ADT/StringExtras.h>
            <llvm/IR/InstIterator.h> <llvm/IR/Module.h>)
  # What reads a syntax tree.
  cudalint_precompile(cudalint_clang_headers
    LINK cudalint_llvm
    HEADERS <clang/AST/ASTContext.h> <clang/AST/Attr.h> <clang/AST/ExprCXX.h>
            <clang/Basic/SourceManager.h>)
endif()
