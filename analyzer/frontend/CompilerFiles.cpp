//===- analyzer/frontend/CompilerFiles.cpp - Inputs and output ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/CompilerFiles.h"

#include "analyzer/frontend/CompilerArguments.h"
#include "analyzer/frontend/NvccOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <optional>

using namespace llvm;

namespace cudalint {

namespace {
/// What a command line asks for besides its inputs.
struct Wishes {
  std::string Output;       ///< Of -o; may be empty.
  std::string OutputFolder; ///< Of -odir; may be empty.
  /// How a file is called that a step makes of one source: `.o`; empty: all are
  /// linked.
  std::string Extension;
  bool HasMachineCode = true;
};
} // namespace

/// Steps that end before any code of a GPU is there, or that compile none.
static bool isOtherStep(StringRef Short) {
  return is_contained({"-E", "-M", "-MM", "-dryrun", "-dlink", "-lib", "-cuda",
                       "-fdevice-syntax-only"},
                      Short);
}

static void takeOption(const nvcc::Option &Option, StringRef Value,
                       StringRef AsWritten, CompilerFiles &Out, Wishes &Its) {
  if (isOtherStep(Option.Short))
    Out.OtherStep = AsWritten;
  else if (Option.Short == "-o")
    Its.Output = Value;
  else if (Option.Short == "-odir")
    Its.OutputFolder = Value;
  const StringRef Extension = StringSwitch<StringRef>(Option.Short)
                                  .Cases({"-c", "-dc", "-dw"}, ".o")
                                  .Case("-cubin", ".cubin")
                                  .Case("-fatbin", ".fatbin")
                                  .Cases({"-ptx", "-S"}, ".ptx")
                                  .Case("-optix-ir", ".optixir")
                                  .Case("-ltoir", ".ltoir")
                                  .Default("");
  if (Extension.empty())
    return;
  Its.Extension = Extension;
  Its.HasMachineCode = !is_contained({".ptx", ".optixir", ".ltoir"}, Extension);
}

static std::string outputOf(const std::string &Source, const Wishes &Its) {
  if (!Its.Output.empty())
    return Its.Output;
  if (Its.Extension.empty())
    return "a.out";
  SmallString<128> Name(Its.OutputFolder);
  sys::path::append(Name, sys::path::stem(Source) + Its.Extension);
  return Name.str().str();
}

CompilerFiles compilerFiles(std::span<const std::string> Arguments) {
  CompilerFiles Out;
  Wishes Its;
  std::optional<bool> IsCuda; // Of what follows -x.
  for (std::size_t I = 0; I != Arguments.size(); ++I) {
    const StringRef Argument = Arguments[I];
    const bool HasNext = I + 1 != Arguments.size();
    if (const nvcc::Match Found = nvcc::match(Argument); Found.Opt) {
      StringRef Value = Found.Joined.value_or("");
      if (Found.Opt->Takes == nvcc::Value::Needed && !Found.Joined && HasNext)
        Value = Arguments[++I];
      if (Found.Opt->Short == "-x")
        IsCuda = is_contained({"cu", "cuda", "CUDA"}, Value);
      takeOption(*Found.Opt, Value, Argument, Out, Its);
    } else if (nvcc::takesNext(Argument)) {
      I += HasNext;
    } else if (!Argument.starts_with("-") && !Argument.empty()) {
      Out.Inputs.push_back(Argument.str());
      if (IsCuda.value_or(sys::path::extension(Argument) == ".cu"))
        Out.Sources.push_back(Argument.str());
    }
  }
  if (Out.OtherStep.empty())
    Out.OtherStep = askingForOther(Arguments);
  for (const std::string &Source : Out.Sources) {
    Out.Outputs.push_back(outputOf(Source, Its));
    Out.Objects.push_back(Its.HasMachineCode ? Out.Outputs.back() : "");
  }
  return Out;
}

} // namespace cudalint
