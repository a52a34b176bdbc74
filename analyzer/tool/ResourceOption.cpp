//===- analyzer/tool/ResourceOption.cpp - --registers, --ptxas ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/ResourceOption.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>

namespace cudalint {

static constexpr std::uint64_t MostRegisters = 255;
static constexpr unsigned MostSeconds = 24 * 60 * 60;

void declareResourceOptions(CLI::App &App, RawResourceOptions &Raw) {
  App.add_option("--registers", Raw.Registers,
                 "Registers per thread, of one kernel or of all; may be "
                 "repeated")
      ->type_name("[KERNEL=]N")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  App.add_option("--ptxas-log", Raw.Logs,
                 "Output of a build with nvcc -Xptxas -v, to take registers, "
                 "shared memory and spills from; may be repeated")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  App.add_option(
         "--ptxas", Raw.Ptxas,
         "What compiles for them: auto (the default: nvcc, unless given "
         "by the options above), nvcc, clang (our own code through "
         "ptxas: faster, approximate), off")
      ->type_name("HOW");
  App.add_option("--ptxas-timeout", Raw.Timeout,
                 "Seconds that nvcc may take for one file; by default 60")
      ->type_name("N");
  App.add_option("--cache-dir", Raw.CacheDir,
                 "Folder to keep the output of nvcc in; by default "
                 "$XDG_CACHE_HOME/cuda-lint or ~/.cache/cuda-lint")
      ->type_name("DIR");
  App.add_flag("--no-cache", Raw.NoCache, "Keep and use no output of nvcc");
}

template <class Number>
static std::optional<Number> readNumber(std::string_view Text) {
  Number Value = 0;
  auto [End, Code] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Code != std::errc() || End != Text.data() + Text.size())
    return std::nullopt;
  return Value;
}

std::optional<RegisterOption> parseRegisterOption(std::string_view Text,
                                                  std::string &Error) {
  RegisterOption Result;
  // The last one: a signature may hold another.
  std::size_t Equal = Text.rfind('=');
  if (Equal != std::string_view::npos) {
    Result.Kernel = Text.substr(0, Equal);
    if (Result.Kernel.empty()) {
      Error = "there is no name of a kernel before =";
      return std::nullopt;
    }
    if (Result.Kernel == "*")
      Result.Kernel.clear();
    Text.remove_prefix(Equal + 1);
  }
  std::optional<std::uint64_t> Registers = readNumber<std::uint64_t>(Text);
  if (!Registers || *Registers == 0 || *Registers > MostRegisters) {
    Error = fmt::format("'{}' is no number of registers per thread, 1 to {}",
                        Text, MostRegisters);
    return std::nullopt;
  }
  Result.Registers = *Registers;
  return Result;
}

static std::string readRegisters(const std::string &Text,
                                 std::span<const Target> Gpus,
                                 ResourceOptions &Result) {
  std::string Error;
  std::optional<RegisterOption> Option = parseRegisterOption(Text, Error);
  if (!Option)
    return fmt::format("--registers '{}': {}; write [KERNEL=]N, such as 40 or "
                       "reduce=40",
                       Text, Error);
  for (const Target &Gpu : Gpus)
    if (Option->Registers > Gpu.Arch->RegistersPerThread)
      return fmt::format("--registers '{}': a thread of {} has at most {} "
                         "registers",
                         Text, Gpu.Name, Gpu.Arch->RegistersPerThread);
  Result.Registers.push_back(std::move(*Option));
  return {};
}

std::string readResourceOptions(const RawResourceOptions &Raw,
                                std::span<const Target> Gpus,
                                ResourceOptions &Result) {
  for (const std::string &Text : Raw.Registers)
    if (std::string Error = readRegisters(Text, Gpus, Result); !Error.empty())
      return Error;

  for (const std::string &Log : Raw.Logs)
    if (Log.empty())
      return "--ptxas-log needs the name of a file";
  Result.PtxasLogs = Raw.Logs;

  if (Raw.Ptxas == "auto")
    Result.Mode = PtxasMode::Auto;
  else if (Raw.Ptxas == "nvcc")
    Result.Mode = PtxasMode::Nvcc;
  else if (Raw.Ptxas == "clang")
    Result.Mode = PtxasMode::Clang;
  else if (Raw.Ptxas == "off")
    Result.Mode = PtxasMode::Off;
  else
    return fmt::format(
        "unknown value '{}' for --ptxas; use auto, nvcc, clang or off",
        Raw.Ptxas);

  if (!Raw.Timeout.empty()) {
    std::optional<unsigned> Seconds = readNumber<unsigned>(Raw.Timeout);
    if (!Seconds || *Seconds == 0 || *Seconds > MostSeconds)
      return fmt::format("--ptxas-timeout '{}' is no number of seconds, 1 to "
                         "{}",
                         Raw.Timeout, MostSeconds);
    Result.Timeout = std::chrono::seconds(*Seconds);
  }

  if (Raw.CacheDir && Raw.CacheDir->empty())
    return "--cache-dir needs the name of a folder; --no-cache keeps nothing";
  Result.CacheDir = Raw.CacheDir.value_or("");
  Result.UseCache = !Raw.NoCache;
  return {};
}

} // namespace cudalint
