# Headers of Clang and LLVM take GCC most of the time that a file needs: they are
# read once for a folder. A file includes what it uses all the same; the preset
# release, which goes without, shows what is missing.
option(CUDA_LINT_PRECOMPILE "Precompile the headers of Clang and LLVM" ON)

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
