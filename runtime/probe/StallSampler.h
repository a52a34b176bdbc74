//===- runtime/probe/StallSampler.h - CUPTI samples PCs ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_STALLSAMPLER_H
#define CUDA_LINT_RUNTIME_PROBE_STALLSAMPLER_H

#include "runtime/probe/CuptiLibrary.h"

#include <map>
#include <optional>
#include <vector>

namespace cudalint::probe {

/// How often one reason was seen at an instruction.
struct ReasonSamples {
  std::string_view Name; // CUPTI's; lives as long as the sampler
  std::uint32_t Samples = 0;
};

/// What was seen at one instruction since the last time.
struct SampledInstruction {
  std::uint32_t Module = 0;
  std::string Function;
  std::uint64_t Offset = 0;
  std::vector<ReasonSamples> Reasons;
};

struct SamplesRead {
  std::vector<SampledInstruction> Instructions;
  /// All that the GPU took, dropped ones and those of kernels of the driver
  /// among them, for which there are no instructions.
  std::uint64_t Samples = 0, Dropped = 0, Others = 0;
  std::size_t Discarded = 0; // instructions for which there was no room
  bool IsHardwareFull = false;
};

/// CUPTI's PC sampling of one context, in its continuous mode: kernels run side
/// by side as always, and no code is patched. At each period an SM notes at
/// which instruction one of its active warps is and why that was not issued;
/// threads of CUPTI add them up. See cupti_pcsampling.h:
///
///   start()  cuptiPCSamplingEnable, then the configuration
///   read()   cuptiPCSamplingGetData until nothing remains: waits for no
///            kernel, and gets what CUPTI has decoded so far
///   stop()   cuptiPCSamplingDisable, which hands what was not read over in the
///            buffer of the configuration
///
/// A record names its module by what the callback answers that was registered
/// by cuptiRegisterComputeCrcCallback, otherwise by cuptiGetCubinCrc: of both,
/// ModuleTable takes the lower half. When a module goes, CUPTI hands the
/// samples of its code over later.
///
/// One thread at a time. An object that isEnabled() must not go before stop()
/// has succeeded, since CUPTI's threads have the buffer.
class StallSampler {
public:
  StallSampler(const CuptiLibrary &Cupti, CUcontext Context)
      : Cupti(Cupti), Context(Context) {}
  StallSampler(const StallSampler &) = delete;
  StallSampler &operator=(const StallSampler &) = delete;

  CUptiResult start(); // once
  bool isEnabled() const { return IsEnabled; }
  CUptiResult read(SamplesRead &Out);
  CUptiResult stop(SamplesRead &Out);

  /// Of the GPU between two samples of a scheduler; absent: not known.
  std::optional<std::uint64_t> periodCycles() const { return Period; }

private:
  /// Room for some instructions with all their reasons.
  struct Buffer {
    void make(std::size_t Pcs, std::size_t ReasonsOfEach);

    CUpti_PCSamplingData Data = {};
    std::vector<CUpti_PCSamplingPCData> Pcs;
    std::vector<CUpti_PCSamplingStallReason> Reasons;
  };
  CUptiResult listReasons();
  CUptiResult configure();
  void askForPeriod();
  void take(const Buffer &From, SamplesRead &Out) const;

  const CuptiLibrary &Cupti;
  const CUcontext Context;
  std::vector<std::uint32_t> Indices;
  std::map<std::uint32_t, std::string> Names; // by index
  Buffer Configured, Own;
  bool IsEnabled = false;
  std::optional<std::uint64_t> Period;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_STALLSAMPLER_H
