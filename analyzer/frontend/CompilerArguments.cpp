//===- analyzer/frontend/CompilerArguments.cpp - nvcc's to Clang's --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/CompilerArguments.h"

#include "analyzer/frontend/ArgumentFiles.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

#include <optional>

using namespace llvm;

namespace cudalint {

namespace {

enum class Action {
  Drop,         ///< Of no consequence to a parse.
  Forward,      ///< Clang's option of the same meaning: `As` and the value.
  ForwardList,  ///< The same, once for each value of a comma-separated list.
  Define,       ///< Defines the macro `As`, as nvcc does.
  Host,         ///< A comma-separated list for the host's compiler.
  Architecture, ///< Of GPUs; not forwarded.
  Stream,       ///< `per-thread` defines the macro `As`.
  Relocatable,  ///< Unless its value is `false`.
};

enum class Value { None, Needed };

/// An option as nvcc documents it. A value follows behind `=` or as the next
/// argument, for the short and the long name alike.
struct Option {
  StringLiteral Short;
  StringLiteral Long;
  Value Takes;
  Action Does;
  StringLiteral As;
};

} // namespace

// From `nvcc --help` of CUDA 13.0. Options that Clang takes in the same
// spelling (-D, -I, -U, -isystem and -include with a separate value, -w, -m64)
// stand here only where nvcc's long name or its lists differ.
static constexpr Option Options[] = {
    // What the preprocessor and the parser care about.
    {"-D", "--define-macro", Value::Needed, Action::ForwardList, "-D"},
    {"-U", "--undefine-macro", Value::Needed, Action::ForwardList, "-U"},
    {"-I", "--include-path", Value::Needed, Action::ForwardList, "-I"},
    {"-isystem", "--system-include", Value::Needed, Action::ForwardList,
     "-isystem"},
    {"-include", "--pre-include", Value::Needed, Action::ForwardList,
     "-include"},
    {"-std", "--std", Value::Needed, Action::Forward, "-std="},
    {"-noeh", "--no-exceptions", Value::None, Action::Forward,
     "-fno-exceptions"},
    {"-ftemplate-depth", "--ftemplate-depth", Value::Needed, Action::Forward,
     "-ftemplate-depth="},
    {"-ftemplate-backtrace-limit", "--ftemplate-backtrace-limit", Value::Needed,
     Action::Forward, "-ftemplate-backtrace-limit="},
    {"-expt-relaxed-constexpr", "--expt-relaxed-constexpr", Value::None,
     Action::Define, "__CUDACC_RELAXED_CONSTEXPR__"},
    {"-expt-extended-lambda", "--expt-extended-lambda", Value::None,
     Action::Define, "__CUDACC_EXTENDED_LAMBDA__"},
    {"-extended-lambda", "--extended-lambda", Value::None, Action::Define,
     "__CUDACC_EXTENDED_LAMBDA__"},
    {"-G", "--device-debug", Value::None, Action::Define, "__CUDACC_DEBUG__"},
    {"-dc", "--device-c", Value::None, Action::Relocatable, ""},
    {"-dw", "--device-w", Value::None, Action::Relocatable, ""},
    {"-rdc", "--relocatable-device-code", Value::Needed, Action::Relocatable,
     ""},
    {"-ewp", "--extensible-whole-program", Value::None, Action::Define,
     "__CUDACC_EWP__"},
    {"-default-stream", "--default-stream", Value::Needed, Action::Stream,
     "CUDA_API_PER_THREAD_DEFAULT_STREAM"},
    {"-Xcompiler", "--compiler-options", Value::Needed, Action::Host, ""},

    // nvcc's, and Clang's.
    {"-arch", "--gpu-architecture", Value::Needed, Action::Architecture, ""},
    {"-code", "--gpu-code", Value::Needed, Action::Architecture, ""},
    {"-gencode", "--generate-code", Value::Needed, Action::Architecture, ""},
    {"--cuda-gpu-arch", "--offload-arch", Value::Needed, Action::Architecture,
     ""},

    // Code generation, linking, files and housekeeping.
    {"-O", "--optimize", Value::Needed, Action::Drop, ""},
    {"-Ofc", "--Ofast-compile", Value::Needed, Action::Drop, ""},
    {"-Xptxas", "--ptxas-options", Value::Needed, Action::Drop, ""},
    {"-Xnvlink", "--nvlink-options", Value::Needed, Action::Drop, ""},
    {"-Xlinker", "--linker-options", Value::Needed, Action::Drop, ""},
    {"-Xarchive", "--archive-options", Value::Needed, Action::Drop, ""},
    {"-Xcudafe", "-Xcudafe", Value::Needed, Action::Drop, ""},
    {"-Xnvvm", "-Xnvvm", Value::Needed, Action::Drop, ""},
    {"-Xfatbin", "-Xfatbin", Value::Needed, Action::Drop, ""},
    {"-ccbin", "--compiler-bindir", Value::Needed, Action::Drop, ""},
    {"-arbin", "--archiver-binary", Value::Needed, Action::Drop, ""},
    {"-o", "--output-file", Value::Needed, Action::Drop, ""},
    {"-odir", "--output-directory", Value::Needed, Action::Drop, ""},
    {"-x", "--x", Value::Needed, Action::Drop, ""},
    {"-l", "--library", Value::Needed, Action::Drop, ""},
    {"-L", "--library-path", Value::Needed, Action::Drop, ""},
    {"-m", "--machine", Value::Needed, Action::Drop, ""},
    {"-MF", "--dependency-output", Value::Needed, Action::Drop, ""},
    {"-MJ", "-MJ", Value::Needed, Action::Drop, ""},
    {"-serialize-diagnostics", "--serialize-diagnostics", Value::Needed,
     Action::Drop, ""},
    {"-gen-cdb-fragment-path", "-gen-cdb-fragment-path", Value::Needed,
     Action::Drop, ""},
    {"-index-store-path", "-index-store-path", Value::Needed, Action::Drop, ""},
    {"-MT", "--dependency-target-name", Value::Needed, Action::Drop, ""},
    {"-MQ", "-MQ", Value::Needed, Action::Drop, ""},
    {"-maxrregcount", "--maxrregcount", Value::Needed, Action::Drop, ""},
    {"-ftz", "--ftz", Value::Needed, Action::Drop, ""},
    {"-prec-div", "--prec-div", Value::Needed, Action::Drop, ""},
    {"-prec-sqrt", "--prec-sqrt", Value::Needed, Action::Drop, ""},
    {"-fmad", "--fmad", Value::Needed, Action::Drop, ""},
    {"-cudart", "--cudart", Value::Needed, Action::Drop, ""},
    {"-cudadevrt", "--cudadevrt", Value::Needed, Action::Drop, ""},
    {"-ldir", "--libdevice-directory", Value::Needed, Action::Drop, ""},
    {"-target-dir", "--target-directory", Value::Needed, Action::Drop, ""},
    {"-e", "--entries", Value::Needed, Action::Drop, ""},
    {"-t", "--threads", Value::Needed, Action::Drop, ""},
    {"-split-compile", "--split-compile", Value::Needed, Action::Drop, ""},
    {"-split-compile-extended", "--split-compile-extended", Value::Needed,
     Action::Drop, ""},
    {"-dopt", "--dopt", Value::Needed, Action::Drop, ""},
    {"-opt-info", "--optimization-info", Value::Needed, Action::Drop, ""},
    {"-keep-dir", "--keep-dir", Value::Needed, Action::Drop, ""},
    {"-time", "--time", Value::Needed, Action::Drop, ""},
    {"-fdevice-time-trace", "--fdevice-time-trace", Value::Needed, Action::Drop,
     ""},
    {"-run-args", "--run-args", Value::Needed, Action::Drop, ""},
    {"-idp", "--input-drive-prefix", Value::Needed, Action::Drop, ""},
    {"-ddp", "--dependency-drive-prefix", Value::Needed, Action::Drop, ""},
    {"-dp", "--drive-prefix", Value::Needed, Action::Drop, ""},
    {"-diag-error", "--diag-error", Value::Needed, Action::Drop, ""},
    {"-diag-suppress", "--diag-suppress", Value::Needed, Action::Drop, ""},
    {"-diag-warn", "--diag-warn", Value::Needed, Action::Drop, ""},
    {"-hls", "--host-linker-script", Value::Needed, Action::Drop, ""},
    {"-brief-diag", "--brief-diagnostics", Value::Needed, Action::Drop, ""},
    {"-jtd", "--jump-table-density", Value::Needed, Action::Drop, ""},
    {"-device-stack-protector", "--device-stack-protector", Value::Needed,
     Action::Drop, ""},
    {"-static-global-template-stub", "--static-global-template-stub",
     Value::Needed, Action::Drop, ""},
    {"-device-entity-has-hidden-visibility",
     "--device-entity-has-hidden-visibility", Value::Needed, Action::Drop, ""},
    {"-compress-mode", "--compress-mode", Value::Needed, Action::Drop, ""},
    {"-frandom-seed", "--frandom-seed", Value::Needed, Action::Drop, ""},
    {"-sanitize", "--sanitize", Value::Needed, Action::Drop, ""},
    {"-c", "--compile", Value::None, Action::Drop, ""},
    {"-cuda", "--cuda", Value::None, Action::Drop, ""},
    {"-cubin", "--cubin", Value::None, Action::Drop, ""},
    {"-fatbin", "--fatbin", Value::None, Action::Drop, ""},
    {"-ptx", "--ptx", Value::None, Action::Drop, ""},
    {"-optix-ir", "--optix-ir", Value::None, Action::Drop, ""},
    {"-ltoir", "--ltoir", Value::None, Action::Drop, ""},
    {"-E", "--preprocess", Value::None, Action::Drop, ""},
    {"-S", "-S", Value::None, Action::Drop, ""},
    {"-M", "--generate-dependencies", Value::None, Action::Drop, ""},
    {"-MM", "--generate-nonsystem-dependencies", Value::None, Action::Drop, ""},
    {"-MD", "--generate-dependencies-with-compile", Value::None, Action::Drop,
     ""},
    {"-MMD", "--generate-nonsystem-dependencies-with-compile", Value::None,
     Action::Drop, ""},
    {"-MP", "--generate-dependency-targets", Value::None, Action::Drop, ""},
    {"-dlink", "--device-link", Value::None, Action::Drop, ""},
    {"-link", "--link", Value::None, Action::Drop, ""},
    {"-lib", "--lib", Value::None, Action::Drop, ""},
    {"-run", "--run", Value::None, Action::Drop, ""},
    {"-shared", "--shared", Value::None, Action::Drop, ""},
    {"-r", "--relocatable-link", Value::None, Action::Drop, ""},
    {"-m64", "--m64", Value::None, Action::Drop, ""},
    {"-g", "--debug", Value::None, Action::Drop, ""},
    {"-pg", "--profile", Value::None, Action::Drop, ""},
    {"-lineinfo", "--generate-line-info", Value::None, Action::Drop, ""},
    {"-dlto", "--dlink-time-opt", Value::None, Action::Drop, ""},
    {"-lto", "--lto", Value::None, Action::Drop, ""},
    {"-gen-opt-lto", "--gen-opt-lto", Value::None, Action::Drop, ""},
    {"-use_fast_math", "--use_fast_math", Value::None, Action::Drop, ""},
    {"-extra-device-vectorization", "--extra-device-vectorization", Value::None,
     Action::Drop, ""},
    {"-keep-device-functions", "--keep-device-functions", Value::None,
     Action::Drop, ""},
    {"-src-in-ptx", "--source-in-ptx", Value::None, Action::Drop, ""},
    {"-restrict", "--restrict", Value::None, Action::Drop, ""},
    {"-res-usage", "--resource-usage", Value::None, Action::Drop, ""},
    {"-no-compress", "--no-compress", Value::None, Action::Drop, ""},
    {"-reloc-ptx", "--relocatable-ptx", Value::None, Action::Drop, ""},
    {"-nodlink", "--no-device-link", Value::None, Action::Drop, ""},
    {"-noprof", "--dont-use-profile", Value::None, Action::Drop, ""},
    {"-nohdinitlist", "--no-host-device-initializer-list", Value::None,
     Action::Drop, ""},
    {"-nohdmoveforward", "--no-host-device-move-forward", Value::None,
     Action::Drop, ""},
    {"-no-align-double", "--no-align-double", Value::None, Action::Drop, ""},
    {"-allow-unsupported-compiler", "--allow-unsupported-compiler", Value::None,
     Action::Drop, ""},
    {"-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler",
     Value::None, Action::Drop, ""},
    {"-forward-unknown-to-host-linker", "--forward-unknown-to-host-linker",
     Value::None, Action::Drop, ""},
    {"-forward-unknown-opts", "--forward-unknown-opts", Value::None,
     Action::Drop, ""},
    {"-fdevice-syntax-only", "--fdevice-syntax-only", Value::None, Action::Drop,
     ""},
    {"-dryrun", "--dryrun", Value::None, Action::Drop, ""},
    {"-v", "--verbose", Value::None, Action::Drop, ""},
    {"-keep", "--keep", Value::None, Action::Drop, ""},
    {"-save-temps", "--save-temps", Value::None, Action::Drop, ""},
    {"-clean", "--clean-targets", Value::None, Action::Drop, ""},
    {"-objtemp", "--objdir-as-tempdir", Value::None, Action::Drop, ""},
    {"-use-local-env", "--use-local-env", Value::None, Action::Drop, ""},
    {"-err-no", "--display-error-number", Value::None, Action::Drop, ""},
    {"-no-err-no", "--no-display-error-number", Value::None, Action::Drop, ""},
    {"-qpp-config", "--qpp-config", Value::Needed, Action::Drop, ""},
    {"-astoolspatch", "--compile-as-tools-patch", Value::None, Action::Drop,
     ""},
    {"-jobserver", "--jobserver", Value::None, Action::Drop, ""},
};

/// What an argument says: an option of the table and its value, where that
/// stands in the same argument.
struct Match {
  const Option *Opt = nullptr;
  std::optional<StringRef> Joined;
};

static Match match(StringRef Argument) {
  auto [Name, Joined] = Argument.split('=');
  for (const Option &O : Options) {
    // nvcc takes one dash or two before either name.
    bool Same = Name == O.Short || Name == O.Long ||
                (Name.starts_with("--") && Name.drop_front() == O.Short) ||
                (Name.starts_with("-") && Name == O.Long.drop_front());
    if (!Same)
      continue;
    if (Name.size() == Argument.size())
      return {&O, std::nullopt};
    if (O.Takes == Value::Needed)
      return {&O, Joined};
  }
  // Values glued to a letter: -DX=1, -Idir, -O3, -lcudart, -Ldir, -t4, -xcu.
  if (Argument.size() > 2 && Argument[0] == '-' && Argument[1] != '-')
    for (const Option &O : Options)
      if (O.Short.size() == 2 && O.Takes == Value::Needed && O.Short != "-m" &&
          O.Short != "-e" && Argument.starts_with(O.Short) &&
          (O.Short != "-t" || isDigit(Argument[2])))
        return {&O, Argument.drop_front(2)};
  return {};
}

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
    std::string Name = ("sm_" + Word.take_while(isDigit)).str();
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

/// Options of Clang's and gcc's whose value is the next argument.
static bool takesNext(StringRef Argument) {
  return StringSwitch<bool>(Argument)
      .Cases({"-iquote", "-idirafter", "-imacros", "-isysroot", "-target",
              "-Xclang", "-mllvm", "-resource-dir"},
             true)
      .Default(false);
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
  static constexpr StringLiteral Whole[] = {"###",
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
