# Headers of Clang, LLVM and GoogleTest take GCC most of the time that a file
# needs: they are read once for a folder, or for all unit tests. A file includes
# what it uses all the same; the preset release, which goes without, shows what is
# missing.
option(CUDA_LINT_PRECOMPILE "Precompile the headers of Clang, LLVM and GoogleTest" ON)

function(cudalint_precompile target)
  if(CUDA_LINT_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

set(CUDA_LINT_STANDARD_HEADERS
    <algorithm> <functional> <map> <memory> <optional> <set> <string> <vector>)

# What files include that read a syntax tree.
function(cudalint_precompile_clang target)
  cudalint_precompile(${target} ${CUDA_LINT_STANDARD_HEADERS}
    <clang/AST/ASTContext.h> <clang/AST/Attr.h> <clang/AST/ExprCXX.h>
    <clang/Basic/SourceManager.h>)
endfunction()

# What files include that read LLVM's code.
function(cudalint_precompile_llvm target)
  cudalint_precompile(${target} ${CUDA_LINT_STANDARD_HEADERS}
    <llvm/ADT/STLExtras.h> <llvm/ADT/StringExtras.h> <llvm/IR/InstIterator.h>
    <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h>)
endfunction()

# What tests include. A compiler takes what was precompiled for another target
# only if that has the same options and no definitions of its own: \p owner is a
# program without code, and other targets name it.
function(cudalint_precompile_tests owner)
  file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${owner}.cpp" CONTENT "")
  add_executable(${owner} EXCLUDE_FROM_ALL
                 "${CMAKE_CURRENT_BINARY_DIR}/${owner}.cpp")
  cudalint_precompile(${owner} ${CUDA_LINT_STANDARD_HEADERS}
    <fstream> <gmock/gmock.h> <gtest/gtest.h> ${ARGN})
endfunction()

function(cudalint_reuse_precompiled target owner)
  if(CUDA_LINT_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
