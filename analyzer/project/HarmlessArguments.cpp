//===- analyzer/project/HarmlessArguments.cpp - Nothing runs --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/HarmlessArguments.h"

#include "analyzer/frontend/ArgumentFiles.h"
#include "analyzer/project/ArgumentPaths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace cudalint {

/// `-fplugin=a.so`, `-load`, `-wrapper`: what loads or runs something.
static bool loadsCode(StringRef Word) {
  const StringRef Name = withOneDash(Word);
  for (StringRef Start : {"-fplugin", "-fpass-plugin", "-load", "-plugin",
                          "-add-plugin", "-wrapper", "-specs", "-B"})
    if (Name == Start || Name.starts_with((Start + "=").str()) ||
        (Start != "-B" && Name.starts_with((Start + "-").str())) ||
        (Start == "-B" && Name.size() > 2 && Name.starts_with("-B") &&
         !Word.starts_with("--")))
      return true;
  return false;
}

/// Options of gcc, Clang and nvcc, with one dash, that may write a file or that
/// nothing here is known of but their first letters.
static bool mayWrite(StringRef Name) {
  for (StringRef Start : {"-fmodule",
                          "-fmodules",
                          "-fimplicit-module",
                          "-ftime-trace",
                          "-fprofile",
                          "-fcoverage",
                          "-fcrash",
                          "-fdump",
                          "-fsave",
                          "-foptimization-record",
                          "-fdiagnostics",
                          "-fbuild-session",
                          "-fstack-usage",
                          "-fcallgraph",
                          "-fopt-info",
                          "-frecord",
                          "-fembed",
                          "-fsanitize",
                          "-fxray",
                          "-fdebug",
                          "-ftest-coverage",
                          "-fdepfile",
                          "-fada",
                          "-finstrument"})
    if (Name.starts_with(Start))
      return true;
  return false;
}

/// Of what the preprocessor and the parser care about, and the host's code
/// generator may have.
static bool isHarmlessWord(StringRef Word) {
  const StringRef Name = withOneDash(Word);
  if (!Name.starts_with("-"))
    return false;
  for (StringRef Start : {"-D",
                          "-U",
                          "-I",
                          "-isystem",
                          "-iquote",
                          "-idirafter",
                          "-include",
                          "-imacros",
                          "-isysroot",
                          "-std",
                          "-stdlib",
                          "-O",
                          "-sysroot",
                          "-nostdinc",
                          "-nogpuinc",
                          "-nogpulib",
                          "-nocudainc",
                          "-nocudalib",
                          "-cuda-gpu-arch",
                          "-offload-arch",
                          "-cuda-path-ignore-env",
                          "-gcc-toolchain",
                          "-target",
                          "-pedantic"})
    if (Name.starts_with(Start))
      return true;
  if (is_contained({"-w", "-g", "-pg", "-pipe", "-ansi", "-pthread",
                    "-trigraphs", "-c", "-v"},
                   Name))
    return true;
  if (Name.starts_with("-m") || Name.starts_with("-g"))
    return !Name.contains('/');
  // -Wp, -Wa and -Wl hand on.
  if (Name.starts_with("-W"))
    return !is_contained({"-Wp", "-Wa", "-Wl"}, Name.split(',').first);
  return Name.starts_with("-f") && !mayWrite(Name) && !loadsCode(Name) &&
         !Name.contains('/');
}

namespace {
enum class Takes { Nothing, Value };
struct KnownOption {
  StringLiteral Short, Long;
  Takes What;
};
} // namespace

// Of nvcc: what decides how code is parsed, or what its kernels take.
static constexpr KnownOption NvccOptions[] = {
    {"-D", "-define-macro", Takes::Value},
    {"-U", "-undefine-macro", Takes::Value},
    {"-I", "-include-path", Takes::Value},
    {"-isystem", "-system-include", Takes::Value},
    {"-include", "-pre-include", Takes::Value},
    {"-iquote", "-iquote", Takes::Value},
    {"-idirafter", "-idirafter", Takes::Value},
    {"-imacros", "-imacros", Takes::Value},
    {"-isysroot", "-isysroot", Takes::Value},
    {"-sysroot", "-sysroot", Takes::Value},
    {"-target", "-target", Takes::Value},
    {"-std", "-std", Takes::Value},
    {"-x", "-x", Takes::Value},
    {"-O", "-optimize", Takes::Value},
    {"-Ofc", "-Ofast-compile", Takes::Value},
    {"-m", "-machine", Takes::Value},
    {"-arch", "-gpu-architecture", Takes::Value},
    {"-code", "-gpu-code", Takes::Value},
    {"-gencode", "-generate-code", Takes::Value},
    {"-cuda-gpu-arch", "-offload-arch", Takes::Value},
    {"-maxrregcount", "-maxrregcount", Takes::Value},
    {"-ftz", "-ftz", Takes::Value},
    {"-fmad", "-fmad", Takes::Value},
    {"-prec-div", "-prec-div", Takes::Value},
    {"-prec-sqrt", "-prec-sqrt", Takes::Value},
    {"-default-stream", "-default-stream", Takes::Value},
    {"-rdc", "-relocatable-device-code", Takes::Value},
    {"-ftemplate-depth", "-ftemplate-depth", Takes::Value},
    {"-ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", Takes::Value},
    {"-diag-suppress", "-diag-suppress", Takes::Value},
    {"-diag-error", "-diag-error", Takes::Value},
    {"-diag-warn", "-diag-warn", Takes::Value},
    {"-dc", "-device-c", Takes::Nothing},
    {"-dw", "-device-w", Takes::Nothing},
    {"-G", "-device-debug", Takes::Nothing},
    {"-noeh", "-no-exceptions", Takes::Nothing},
    {"-ewp", "-extensible-whole-program", Takes::Nothing},
    {"-expt-relaxed-constexpr", "-expt-relaxed-constexpr", Takes::Nothing},
    {"-expt-extended-lambda", "-expt-extended-lambda", Takes::Nothing},
    {"-extended-lambda", "-extended-lambda", Takes::Nothing},
    {"-lineinfo", "-generate-line-info", Takes::Nothing},
    {"-use_fast_math", "-use_fast_math", Takes::Nothing},
    {"-extra-device-vectorization", "-extra-device-vectorization",
     Takes::Nothing},
    {"-restrict", "-restrict", Takes::Nothing},
    {"-allow-unsupported-compiler", "-allow-unsupported-compiler",
     Takes::Nothing},
    {"-forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler",
     Takes::Nothing},
};

// Of no consequence here; their values are not to be taken for anything else.
static constexpr KnownOption Steps[] = {
    {"-o", "-output-file", Takes::Value},
    {"-odir", "-output-directory", Takes::Value},
    {"-MF", "-dependency-output", Takes::Value},
    {"-MT", "-dependency-target-name", Takes::Value},
    {"-MQ", "-MQ", Takes::Value},
    {"-MJ", "-MJ", Takes::Value},
    {"-l", "-library", Takes::Value},
    {"-L", "-library-path", Takes::Value},
    {"-t", "-threads", Takes::Value},
    {"-Xlinker", "-linker-options", Takes::Value},
    {"-Xnvlink", "-nvlink-options", Takes::Value},
    {"-Xarchive", "-archive-options", Takes::Value},
    {"-Xfatbin", "-Xfatbin", Takes::Value},
    {"-Xptxas", "-ptxas-options", Takes::Value},
    {"-Xcudafe", "-Xcudafe", Takes::Value},
    {"-Xnvvm", "-Xnvvm", Takes::Value},
    {"-Xclang", "-Xclang", Takes::Value},
    {"-mllvm", "-mllvm", Takes::Value},
    {"-serialize-diagnostics", "-serialize-diagnostics", Takes::Value},
    {"-dependency-file", "-dependency-file", Takes::Value},
    {"-gen-cdb-fragment-path", "-gen-cdb-fragment-path", Takes::Value},
    {"-index-store-path", "-index-store-path", Takes::Value},
    {"-keep-dir", "-keep-dir", Takes::Value},
    {"-cudart", "-cudart", Takes::Value},
    {"-cudadevrt", "-cudadevrt", Takes::Value},
    {"-compress-mode", "-compress-mode", Takes::Value},
    {"-split-compile", "-split-compile", Takes::Value},
    {"-cuda-path", "-cuda-path", Takes::Value},
    {"-ldir", "-libdevice-directory", Takes::Value},
    {"-target-dir", "-target-directory", Takes::Value},
    {"-MD", "-generate-dependencies-with-compile", Takes::Nothing},
    {"-MMD", "-generate-nonsystem-dependencies-with-compile", Takes::Nothing},
    {"-MP", "-generate-dependency-targets", Takes::Nothing},
    {"-M", "-generate-dependencies", Takes::Nothing},
    {"-MM", "-generate-nonsystem-dependencies", Takes::Nothing},
    {"-c", "-compile", Takes::Nothing},
    {"-S", "-S", Takes::Nothing},
    {"-E", "-preprocess", Takes::Nothing},
    {"-ptx", "-ptx", Takes::Nothing},
    {"-cubin", "-cubin", Takes::Nothing},
    {"-keep", "-keep", Takes::Nothing},
    {"-save-temps", "-save-temps", Takes::Nothing},
    {"-dryrun", "-dryrun", Takes::Nothing},
    {"-v", "-verbose", Takes::Nothing},
};

static constexpr StringLiteral HostCompiler[] = {"-ccbin", "-compiler-bindir"};

static const KnownOption *optionOf(ArrayRef<KnownOption> Options,
                                   StringRef Name) {
  const StringRef Plain = withOneDash(Name);
  const auto *Found = find_if(Options, [&](const KnownOption &O) {
    return Plain == O.Short || Plain == O.Long;
  });
  return Found == Options.end() ? nullptr : Found;
}

/// `-lcublas`, `-L/usr/lib64`, `-t4`, `-oa.o`: of no consequence.
static bool isGluedStep(StringRef Argument) {
  return Argument.starts_with("-l") || Argument.starts_with("-L") ||
         Argument.starts_with("-o") ||
         (Argument.starts_with("-t") && Argument.size() > 2 &&
          isDigit(Argument[2]));
}

/// What ptxas is told of registers and caches.
static bool isHarmlessForPtxas(StringRef Word) {
  const StringRef Name = StringRef(withOneDash(Word)).split('=').first;
  return is_contained({"-maxrregcount", "-dlcm", "-dscm", "-v", "-verbose",
                       "-warn-spills", "-warn-lmem-usage", "-O0", "-O1", "-O2",
                       "-O3", "-O", "-opt-level"},
                      Name);
}

/// What cudafe++ is told of warnings.
static bool isHarmlessForCudafe(StringRef Word) {
  return withOneDash(Word).starts_with("-diag_") ||
         withOneDash(Word).starts_with("-display_error");
}

namespace {
class Keeper {
public:
  explicit Keeper(const std::function<bool(const std::string &)> &IsTrusted)
      : IsTrusted(IsTrusted) {}

  void read(const std::vector<std::string> &Arguments);

  std::vector<std::string> Kept;
  DroppedArguments Dropped;

private:
  void handOn(StringRef Name, StringRef List);

  const std::function<bool(const std::string &)> &IsTrusted;
};
} // namespace

/// The words of \p List that a host compiler may have.
void Keeper::handOn(StringRef Name, StringRef List) {
  SmallVector<std::string> Words;
  bool IsValue = false, HasDropped = false;
  for (const std::string &Word : splitList(List)) {
    SmallVector<StringRef> Blanks;
    StringRef(Word).split(Blanks, ' ', -1, /*KeepEmpty=*/false);
    const bool IsHarmless = IsValue || all_of(Blanks, [](StringRef Each) {
                              return isHarmlessWord(Each.trim("\"'"));
                            });
    IsValue = !IsValue &&
              is_contained({"-isystem", "-iquote", "-include", "-idirafter",
                            "-imacros", "-isysroot", "-D", "-U", "-I"},
                           StringRef(Word));
    if (IsHarmless) {
      Words.push_back(Word);
      continue;
    }
    HasDropped = true;
    (any_of(Blanks, loadsCode) ? Dropped.Refused : Dropped.Needless)
        .push_back(Word);
  }
  if (Words.empty())
    return;
  Kept.push_back(Name.str());
  // What protects commas is not written again where nothing is dropped.
  Kept.push_back(HasDropped ? join(Words, ",") : List.str());
}

void Keeper::read(const std::vector<std::string> &Arguments) {
  for (std::size_t I = 0; I != Arguments.size(); ++I) {
    const StringRef Argument = Arguments[I];
    const bool HasNext = I + 1 != Arguments.size();
    const auto [Name, Joined] = Argument.split('=');
    const bool IsJoined = Name.size() != Argument.size();
    const StringRef Plain = withOneDash(Name);
    const auto value = [&] {
      return IsJoined ? Joined : HasNext ? StringRef(Arguments[++I]) : "";
    };
    if (handsOn(Name)) {
      handOn(Name, value());
    } else if (is_contained(HostCompiler, Plain)) {
      const std::string Program = value().str();
      if (!StringRef(Program).contains('/') || IsTrusted(Program)) {
        Kept.push_back(Name.str());
        Kept.push_back(Program);
      } else {
        Dropped.Refused.push_back((Name + " " + Program).str());
      }
    } else if (const KnownOption *Step = optionOf(Steps, Name);
               Step && (!IsJoined || Step->What == Takes::Value)) {
      const StringRef Value = Step->What == Takes::Value ? value() : "";
      const bool IsOfPtxas = Step->Short == "-Xptxas";
      if (Step->Short == "-Xclang" && loadsCode(Value)) {
        Dropped.Refused.push_back(Value.str());
        // `-Xclang -load -Xclang lib.so`
        if (I + 2 < Arguments.size() && Arguments[I + 1] == "-Xclang" &&
            (withOneDash(Value) == "-load" || withOneDash(Value) == "-plugin"))
          I += 2;
      } else if ((IsOfPtxas || Step->Short == "-Xcudafe") &&
                 all_of(splitList(Value), [&](const std::string &Word) {
                   return IsOfPtxas ? isHarmlessForPtxas(Word)
                                    : isHarmlessForCudafe(Word);
                 })) {
        Kept.push_back(Name.str());
        Kept.push_back(Value.str());
      }
    } else if (const KnownOption *Known = optionOf(NvccOptions, Name);
               Known && (!IsJoined || Known->What == Takes::Value)) {
      Kept.push_back(Argument.str());
      if (Known->What == Takes::Value && !IsJoined && HasNext)
        Kept.push_back(Arguments[++I]);
    } else if (loadsCode(Argument)) {
      Dropped.Refused.push_back(Argument.str());
      I += is_contained({"-load", "-plugin", "-wrapper", "-specs", "-B"},
                        Plain) &&
           !IsJoined && HasNext;
    } else if (isHarmlessWord(Argument)) {
      Kept.push_back(Argument.str());
    } else if (Argument.starts_with("-") && !isGluedStep(Argument)) {
      Dropped.Needless.push_back(Argument.str());
    }
  }
}

DroppedArguments
keepHarmless(std::vector<std::string> &Arguments,
             const std::function<bool(const std::string &)> &IsTrusted) {
  Keeper All(IsTrusted);
  All.read(Arguments);
  Arguments = std::move(All.Kept);
  return std::move(All.Dropped);
}

} // namespace cudalint
