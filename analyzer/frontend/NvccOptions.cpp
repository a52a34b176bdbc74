//===- analyzer/frontend/NvccOptions.cpp - What nvcc takes ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/NvccOptions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace cudalint::nvcc {

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
    // For the device alone, and without a macro: nvcc 13 defines none.
    {"-use_fast_math", "--use_fast_math", Value::None, Action::Forward,
     "-fgpu-approx-transcendentals"},
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

Match match(StringRef Argument) {
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

bool takesNext(StringRef Argument) {
  return StringSwitch<bool>(Argument)
      .Cases({"-iquote", "-idirafter", "-imacros", "-isysroot", "-target",
              "-Xclang", "-mllvm", "-resource-dir"},
             true)
      .Default(false);
}

} // namespace cudalint::nvcc
