//===- analyzer/frontend/CompilerArguments.cpp - nvcc's to Clang's --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/CompilerArguments.h"

#include "analyzer/frontend/ArgumentFiles.h"
#include "analyzer/frontend/NvccOptions.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

#include <optional>

using namespace llvm;
using namespace cudalint::nvcc;

namespace cudalint {

static void append(std::vector<std::string> &To, StringRef Name,
                   StringRef Value) {
  if (Name == "-isystem" || Name == "-include") {
    To.push_back(Name.str());
    To.push_back(Value.str());
    return;
  }
  To.push_back((Twine(Name) + Value).str());
}

/// Of what is meant for the host's compiler, only what the preprocessor sees
/// changes the kernels.
static void appendHostArguments(std::vector<std::string> &To, StringRef List) {
  bool TakesNext = false;
  for (const std::string &Argument : splitList(List, /*AtSpaces=*/true)) {
    StringRef A(Argument);
    if (TakesNext || A == "-D" || A == "-U" || A == "-I" || A == "-isystem" ||
        A == "-include") {
      TakesNext = !TakesNext;
      To.push_back(Argument);
    } else if (A.starts_with("-D") || A.starts_with("-U") ||
               A.starts_with("-I") || A.starts_with("-std=")) {
      To.push_back(Argument);
    }
  }
  if (TakesNext)
    To.pop_back();
}

/// `sm_90a`, `compute_100f`.
static bool namesSpecialFeatures(StringRef Architecture) {
  for (std::size_t I = 1; I < Architecture.size(); ++I)
    if ((Architecture[I] == 'a' || Architecture[I] == 'f') &&
        isDigit(Architecture[I - 1]))
      return true;
  return false;
}

/// The words of `arch=compute_80,code=[sm_80,sm_86]` that begin so, as `sm_80`.
static void appendArchitectures(StringRef Text, StringRef Prefix,
                                std::vector<std::string> &To) {
  SmallVector<StringRef> Words;
  SplitString(Text, Words, ",=[]\"' ");
  for (StringRef Word : Words) {
    if (!Word.consume_front(Prefix))
      continue;
    std::string Name = ("sm_" + Word.take_while(llvm::isDigit)).str();
    if (!is_contained(To, Name))
      To.push_back(std::move(Name));
  }
}

static void apply(const Option &O, StringRef Value, ClangArguments &Result) {
  switch (O.Does) {
  case Action::Drop:
    return;
  case Action::Forward:
    append(Result.Arguments, O.As, Value);
    return;
  case Action::ForwardList:
    // A definition may hold commas of its own: -DARGS=1,2. nvcc splits there
    // as well, so a backslash is what protects them.
    for (const std::string &Part : splitList(Value))
      append(Result.Arguments, O.As, Part);
    return;
  case Action::Define:
    append(Result.Arguments, "-D", O.As);
    return;
  case Action::Host:
    appendHostArguments(Result.Arguments, Value);
    return;
  case Action::Architecture:
    Result.ArchitectureSpecific |= namesSpecialFeatures(Value);
    return;
  case Action::Stream:
    if (Value == "per-thread")
      append(Result.Arguments, "-D", O.As);
    return;
  case Action::Relocatable:
    if (Value != "false")
      append_range(Result.Arguments,
                   std::vector<std::string>{"-fgpu-rdc", "-D__CUDACC_RDC__"});
    return;
  }
}

static bool namesSource(StringRef Argument) {
  if (Argument.starts_with("-"))
    return false;
  for (StringRef End : {".cu", ".cpp", ".cc", ".cxx", ".c", ".o", ".a", ".so"})
    if (Argument.ends_with(End))
      return true;
  return false;
}

ClangArguments translateArguments(std::span<const std::string> Nvcc) {
  ClangArguments Result;
  std::string Gpus;
  for (std::size_t I = 0; I != Nvcc.size(); ++I) {
    StringRef Argument = Nvcc[I];
    bool HasNext = I + 1 != Nvcc.size();
    if (Match M = match(Argument); M.Opt) {
      StringRef Given = M.Joined.value_or("");
      if (M.Opt->Takes == Value::Needed && !M.Joined) {
        if (!HasNext)
          continue;
        Given = Nvcc[++I];
      }
      apply(*M.Opt, Given, Result);
      if (M.Opt->Does == Action::Architecture)
        Gpus += "," + Given.str();
      continue;
    }
    // -march and its like speak of the host, OpenMP of its threads.
    // Steps of a build, whose products nobody asks for.
    if (Argument.starts_with("-Wp,") || Argument.starts_with("-MJ") ||
        Argument.starts_with("-fmodules") ||
        Argument.starts_with("-ftime-trace") ||
        Argument.starts_with("-save-temps"))
      continue;
    if (namesSource(Argument) || Argument == "-fopenmp" ||
        (Argument.starts_with("-m") && Argument != "-mllvm"))
      continue;
    Result.Arguments.push_back(Argument.str());
    if (takesNext(Argument) && HasNext)
      Result.Arguments.push_back(Nvcc[++I]);
  }
  appendArchitectures(Gpus, "sm_", Result.Architectures);
  if (Result.Architectures.empty())
    appendArchitectures(Gpus, "compute_", Result.Architectures);
  return Result;
}

std::vector<std::string> unknownArguments(std::span<const std::string> Nvcc) {
  const std::vector<std::string> Arguments = translateArguments(Nvcc).Arguments;
  SmallVector<const char *> Pointers;
  for (const std::string &Each : Arguments)
    Pointers.push_back(Each.c_str());
  unsigned MissingIndex = 0, MissingCount = 0;
  const opt::InputArgList Parsed = clang::getDriverOptTable().ParseArgs(
      Pointers, MissingIndex, MissingCount,
      opt::Visibility(clang::options::ClangOption));
  std::vector<std::string> Result;
  for (const opt::Arg *Each : Parsed.filtered(clang::options::OPT_UNKNOWN))
    Result.push_back(Each->getAsString(Parsed));
  // An option without its value, at the end.
  if (MissingCount != 0)
    Result.push_back(Arguments[MissingIndex]);
  return Result;
}

//===----------------------------------------------------------------------===//
// What is no compilation
//===----------------------------------------------------------------------===//

std::string askingForOther(std::span<const std::string> Nvcc) {
  // Of Clang's driver and of nvcc; `-h` and `-V` are nvcc's.
  static constexpr llvm::StringLiteral Whole[] = {"###",
                                                  "V",
                                                  "analyze",
                                                  "arch-ls",
                                                  "cc1",
                                                  "cc1as",
                                                  "code-ls",
                                                  "cuda-host-only",
                                                  "cuda-compile-host-device",
                                                  "dumpmachine",
                                                  "dumpversion",
                                                  "h",
                                                  "help",
                                                  "help-hidden",
                                                  "list-gpu-arch",
                                                  "list-gpu-code",
                                                  "offload-host-device",
                                                  "offload-host-only",
                                                  "version"};
  bool IsValue = false;
  for (const std::string &Argument : translateArguments(Nvcc).Arguments) {
    // An option with one dash or two, but no value of another.
    StringRef Name = Argument;
    bool WasValue =
        std::exchange(IsValue, takesNext(Argument) || Name == "-isystem" ||
                                   Name == "-include");
    if (WasValue || !Name.consume_front("-"))
      continue;
    Name.consume_front("-");
    if (is_contained(Whole, Name) || Name.starts_with("print-") ||
        Name.starts_with("autocomplete") || Name.starts_with("help="))
      return Argument;
  }
  return "";
}

} // namespace cudalint
