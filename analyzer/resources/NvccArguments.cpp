//===- analyzer/resources/NvccArguments.cpp - For a run of nvcc -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/NvccArguments.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <optional>
#include <tuple>

using namespace llvm;

namespace cudalint {

namespace {
/// Both names of an option as `nvcc --help` of CUDA 13.0 lists them; nvcc takes
/// one dash or two before either.
struct Option {
  StringLiteral Short;
  StringLiteral Long;
};
} // namespace

// With a value: glued, behind `=`, or the next argument.
static constexpr Option KeptWithValue[] = {
    {"-D", "--define-macro"},
    {"-I", "--include-path"},
    {"-O", "--optimize"},
    {"-Ofc", "--Ofast-compile"},
    {"-U", "--undefine-macro"},
    {"-Xcompiler", "--compiler-options"},
    {"-Xcudafe", "-Xcudafe"},
    {"-Xnvvm", "-Xnvvm"},
    {"-Xptxas", "--ptxas-options"},
    {"-ccbin", "--compiler-bindir"},
    {"-default-stream", "--default-stream"},
    {"-diag-suppress", "--diag-suppress"},
    {"-fmad", "--fmad"},
    {"-ftemplate-depth", "--ftemplate-depth"},
    {"-ftz", "--ftz"},
    {"-include", "--pre-include"},
    {"-isystem", "--system-include"},
    {"-ldir", "--libdevice-directory"},
    {"-m", "--machine"},
    {"-maxrregcount", "--maxrregcount"},
    {"-prec-div", "--prec-div"},
    {"-prec-sqrt", "--prec-sqrt"},
    {"-rdc", "--relocatable-device-code"},
    {"-std", "--std"},
    {"-target-dir", "--target-directory"},
};

static constexpr Option KeptAlone[] = {
    {"-G", "--device-debug"},
    {"-allow-unsupported-compiler", "--allow-unsupported-compiler"},
    {"-ewp", "--extensible-whole-program"},
    {"-expt-extended-lambda", "--expt-extended-lambda"},
    {"-expt-relaxed-constexpr", "--expt-relaxed-constexpr"},
    {"-extended-lambda", "--extended-lambda"},
    {"-extra-device-vectorization", "--extra-device-vectorization"},
    {"-lineinfo", "--generate-line-info"},
    {"-noeh", "--no-exceptions"},
    {"-restrict", "--restrict"},
    {"-use_fast_math", "--use_fast_math"},
};

static constexpr Option DroppedWithValue[] = {
    {"-L", "--library-path"},
    {"-MF", "--dependency-output"},
    {"-MQ", "-MQ"},
    {"-MT", "--dependency-target-name"},
    {"-Werror", "--Werror"},
    {"-Xarchive", "--archive-options"},
    {"-Xfatbin", "-Xfatbin"},
    {"-Xlinker", "--linker-options"},
    {"-Xnvlink", "--nvlink-options"},
    {"-arch", "--gpu-architecture"},
    {"-code", "--gpu-code"},
    {"-cudadevrt", "--cudadevrt"},
    {"-cudart", "--cudart"},
    {"-fdevice-time-trace", "--fdevice-time-trace"},
    {"-gencode", "--generate-code"},
    {"-keep-dir", "--keep-dir"},
    {"-l", "--library"},
    {"-o", "--output-file"},
    {"-odir", "--output-directory"},
    {"-opt-info", "--optimization-info"},
    {"-run-args", "--run-args"},
    {"-split-compile", "--split-compile"},
    {"-t", "--threads"},
    {"-time", "--time"},
    {"-x", "--x"},
    // Clang's and gcc's.
    {"--cuda-gpu-arch", "--offload-arch"},
    {"--cuda-path", "--cuda-path"},
    {"-Xarch_device", "-Xarch_host"},
    {"-Xclang", "-Xclang"},
    {"-mllvm", "-mllvm"},
    {"-resource-dir", "-resource-dir"},
    {"-target", "--target"},
};

static constexpr Option DroppedAlone[] = {
    {"-E", "--preprocess"},
    {"-M", "--generate-dependencies"},
    {"-MD", "--generate-dependencies-with-compile"},
    {"-MM", "--generate-nonsystem-dependencies"},
    {"-MMD", "--generate-nonsystem-dependencies-with-compile"},
    {"-MP", "--generate-dependency-targets"},
    {"-S", "-S"},
    {"-c", "--compile"},
    {"-clean", "--clean-targets"},
    {"-cubin", "--cubin"},
    {"-cuda", "--cuda"},
    {"-dlink", "--device-link"},
    {"-dlto", "--dlink-time-opt"},
    {"-dryrun", "--dryrun"},
    {"-fatbin", "--fatbin"},
    {"-g", "--debug"},
    {"-keep", "--keep"},
    {"-lib", "--lib"},
    {"-link", "--link"},
    {"-lto", "--lto"},
    {"-ltoir", "--ltoir"},
    {"-nocudainc", "-nocudalib"},
    {"-optix-ir", "--optix-ir"},
    {"-pg", "--profile"},
    {"-ptx", "--ptx"},
    {"-r", "--relocatable-link"},
    {"-res-usage", "--resource-usage"},
    {"-run", "--run"},
    {"-save-temps", "--save-temps"},
    {"-shared", "--shared"},
    {"-v", "--verbose"},
    {"-w", "--disable-warnings"},
};

/// What Clang calls by another name.
static constexpr struct {
  StringLiteral Clang;
  StringLiteral Nvcc;
} Translations[] = {
    {"-dc", "-rdc=true"},
    {"--device-c", "-rdc=true"},
    {"-dw", "-rdc=true"},
    {"--device-w", "-rdc=true"},
    {"-fcuda-flush-denormals-to-zero", "-ftz=true"},
    {"-fgpu-flush-denormals-to-zero", "-ftz=true"},
    {"-ffast-math", "-use_fast_math"},
    {"-ffp-contract=off", "-fmad=false"},
    {"-fgpu-rdc", "-rdc=true"},
    {"-fcuda-rdc", "-rdc=true"},
    {"-fno-exceptions", "-noeh"},
    {"-fopenmp", "-Xcompiler=-fopenmp"},
};

static bool isNamed(const Option &O, StringRef Name) {
  return Name == O.Short || Name == O.Long ||
         (Name.starts_with("--") && Name.drop_front() == O.Short) ||
         (Name.starts_with("-") && Name == O.Long.drop_front());
}

static bool holds(ArrayRef<Option> Options, StringRef Name) {
  return any_of(Options, [&](const Option &O) { return isNamed(O, Name); });
}

/// `-DX=1`, `-Idir`, `-O3`, `-lcudart`: an option of one letter.
static bool holdsGlued(ArrayRef<Option> Options, StringRef Argument) {
  if (Argument.size() < 3 || Argument[0] != '-' || Argument[1] == '-')
    return false;
  // -t8 are threads; -target is not. -xcu and -m64 are glued.
  if (Argument[1] == 't' && !isDigit(Argument[2]))
    return false;
  return any_of(Options, [&](const Option &O) {
    return O.Short.size() == 2 && Argument.starts_with(O.Short);
  });
}

/// Speaks of the host, of Clang's warnings or of its own ways: `-march=native`,
/// `-Wall`, `-fcolor-diagnostics`, `-nogpulib`, `--cuda-device-only`.
static bool isClangs(StringRef Argument) {
  return Argument.starts_with("-W") || Argument.starts_with("-f") ||
         (Argument.starts_with("-m") && Argument != "-m64") ||
         Argument.starts_with("--cuda-") || Argument.starts_with("--no-cuda") ||
         Argument.starts_with("--no-offload") || Argument == "-nogpuinc" ||
         Argument == "-nogpulib" || Argument == "-pedantic" ||
         Argument == "-pthread" || Argument.starts_with("-stdlib=") ||
         Argument.starts_with("--gcc-") || Argument.starts_with("-nostd") ||
         Argument.starts_with("-ggdb") || Argument.starts_with("-gline") ||
         Argument.starts_with("-gdwarf") ||
         (Argument.size() == 3 && Argument.starts_with("-g")) ||
         Argument.starts_with("-Qunused");
}

static bool namesFile(StringRef Argument) {
  if (Argument.starts_with("-"))
    return false;
  return any_of(ArrayRef<StringRef>{".cu", ".cpp", ".cc", ".cxx", ".c", ".o",
                                    ".a", ".so", ".obj", ".lib"},
                [&](StringRef End) { return Argument.ends_with(End); });
}

std::vector<std::string> nvccArguments(std::span<const std::string> User) {
  std::vector<std::string> Result;
  for (std::size_t I = 0; I != User.size(); ++I) {
    StringRef Argument = User[I];
    StringRef Name = Argument.split('=').first;
    bool HasValue = Name.size() != Argument.size();
    bool HasNext = I + 1 != User.size();
    if (auto *Known = find_if(
            Translations, [&](const auto &T) { return T.Clang == Argument; });
        Known != std::end(Translations)) {
      Result.push_back(Known->Nvcc.str());
    } else if (holds(DroppedAlone, Argument)) {
      continue;
    } else if (holds(KeptAlone, Argument)) {
      Result.push_back(Argument.str());
    } else if (holds(KeptWithValue, Name)) {
      if (!HasValue && !HasNext)
        continue;
      Result.push_back(Argument.str());
      if (!HasValue)
        Result.push_back(User[++I]);
    } else if (holds(DroppedWithValue, Name)) {
      I += !HasValue && HasNext;
    } else if (Argument == "-Ofast") {
      Result.insert(Result.end(), {"-O3", "-use_fast_math"});
    } else if (Argument == "-Os" || Argument == "-Oz" || Argument == "-Og") {
      Result.push_back("-O2");
    } else if (Argument == "-iquote" || Argument == "-idirafter" ||
               Argument == "-imacros" || Argument == "-isysroot") {
      if (HasNext) // Through nvcc to the preprocessor, word by word.
        for (const std::string &Word : {Argument.str(), User[++I]})
          Result.insert(Result.end(), {"-Xcompiler", Word});
    } else if (holdsGlued(KeptWithValue, Argument) && !isClangs(Argument)) {
      Result.push_back(Argument.str());
    } else if (!isClangs(Argument) && !namesFile(Argument) &&
               !holdsGlued(DroppedWithValue, Argument)) {
      Result.push_back(Argument.str());
    }
  }
  return Result;
}

std::vector<NvccOption> nvccOptions(std::span<const std::string> Arguments) {
  std::vector<NvccOption> Result;
  for (std::size_t I = 0; I != Arguments.size(); ++I) {
    StringRef Argument = Arguments[I];
    auto [Name, Joined] = Argument.split('=');
    std::size_t Count = 1;
    NvccOption Option{Argument.str(), std::nullopt, {}};
    auto *Known = find_if(KeptWithValue, [&, Name = Name](const auto &O) { //
      return isNamed(O, Name);
    });
    if (Known != std::end(KeptWithValue) && Name.size() != Argument.size()) {
      Option = {Known->Short.str(), Joined.str(), {}};
    } else if (Known != std::end(KeptWithValue)) {
      Option.Name = Known->Short.str();
      if (I + 1 != Arguments.size())
        Option.Value = Arguments[I + Count++];
    } else if (holdsGlued(KeptWithValue, Argument) && !isClangs(Argument)) {
      Option = {Argument.take_front(2).str(), Argument.drop_front(2).str(), {}};
    }
    Option.Words = Arguments.subspan(I, Count);
    I += Count - 1;
    Result.push_back(std::move(Option));
  }
  return Result;
}

std::vector<std::string> nvccList(std::string_view List) {
  std::vector<std::string> Parts(1);
  bool Quoted = false;
  for (std::size_t I = 0; I != List.size(); ++I) {
    if (List[I] == '\\' && I + 1 != List.size()) {
      if (List[I + 1] != ',')
        Parts.back() += List[I];
      Parts.back() += List[++I];
    } else if (List[I] == ',' && !Quoted) {
      Parts.emplace_back();
    } else {
      Quoted ^= List[I] == '"';
      Parts.back() += List[I];
    }
  }
  return Parts;
}

std::string nvccArchitecture(ComputeCapability CC,
                             std::span<const std::string> User) {
  std::string Number = (Twine(CC.Major) + Twine(CC.Minor)).str();
  for (StringRef Argument : User)
    for (StringRef Prefix : {"sm_", "compute_"})
      for (char Letter : {'a', 'f'}) {
        std::string Name = (Twine(Prefix) + Number + Twine(Letter)).str();
        std::size_t At = Argument.find(Name);
        if (At != StringRef::npos && (At + Name.size() == Argument.size() ||
                                      !isAlnum(Argument[At + Name.size()])))
          return "sm_" + Number + Letter;
      }
  return "sm_" + Number;
}

bool isSeparatelyCompiled(std::span<const std::string> User) {
  static constexpr Option Separate = {"-rdc", "--relocatable-device-code"};
  static constexpr Option Steps[] = {{"-dc", "--device-c"},
                                     {"-dw", "--device-w"},
                                     {"-fgpu-rdc", "-fcuda-rdc"}};
  static constexpr Option Not = {"-fno-gpu-rdc", "-fno-cuda-rdc"};
  bool Result = false;
  for (std::size_t I = 0; I != User.size(); ++I) {
    auto [Name, Value] = StringRef(User[I]).split('=');
    if (holds(Steps, User[I]))
      Result = true;
    if (isNamed(Not, User[I]))
      Result = false;
    if (!isNamed(Separate, Name))
      continue;
    if (Name.size() == User[I].size() && I + 1 != User.size())
      Value = User[++I];
    Result = Value == "true";
  }
  return Result;
}

/// The arguments of nvcc and, behind the one that hands them on, of ptxas; a
/// comma parts several: `-Xptxas -v,-maxrregcount=64`.
static std::vector<std::string>
withThoseOfPtxas(std::span<const std::string> User) {
  static constexpr Option HandsOn = {"-Xptxas", "--ptxas-options"};
  std::vector<std::string> Result;
  for (std::size_t I = 0; I != User.size(); ++I) {
    auto [Name, Value] = StringRef(User[I]).split('=');
    if (!isNamed(HandsOn, Name)) {
      Result.push_back(User[I]);
      continue;
    }
    if (Name.size() == User[I].size() && I + 1 != User.size())
      Value = User[++I];
    for (StringRef Rest = Value; !Rest.empty();) {
      StringRef Each;
      std::tie(Each, Rest) = Rest.split(',');
      Result.push_back(Each.trim("\"'").str());
    }
  }
  return Result;
}

std::string registerLimit(std::span<const std::string> User) {
  static constexpr Option Limit = {"-maxrregcount", "--maxrregcount"};
  std::string Result;
  const std::vector<std::string> All = withThoseOfPtxas(User);
  for (std::size_t I = 0; I != All.size(); ++I) {
    auto [Name, Value] = StringRef(All[I]).split('=');
    if (!isNamed(Limit, Name))
      continue;
    if (Name.size() == All[I].size() && I + 1 != All.size())
      Value = All[++I];
    if (!Value.empty() && all_of(Value, isDigit))
      Result = Value.str();
  }
  return Result;
}

} // namespace cudalint
