//===- analyzer/checks/RegisterSpill.cpp - Registers that ran out ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LaunchWords.h"
#include "analyzer/model/RegisterBounds.h"

#include <algorithm>

namespace cudalint::register_spill {
static constexpr CheckOption WarningBytes = {
    "register-spill.WarningBytes", 32, 0, 1e9,
    "bytes of a thread, stored or loaded, from which on it is a warning"};

static constexpr CheckOption Options[] = {WarningBytes};

namespace {

class RegisterSpill : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "register-spill",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds kernels whose values do not fit their registers",
      .Why = R"md(When a thread needs more registers than it may have, the
compiler stores some of them in local memory and loads them back: traffic that
the source does not show. The limit is 255, or what `__launch_bounds__` and
`-maxrregcount` leave: with `__launch_bounds__(1024)`, a block of 1024 threads
must fit the 65536 registers of an SM, which is 64 for each; with
`__launch_bounds__(1024, 2)` it is 32. More resident warps are seldom worth
spills inside a loop.)md",
      .Bad =
          R"cuda(// ptxas info    : Compiling entry function '_Z5scalePf' for 'sm_90'
// ptxas info    : Function properties for _Z5scalePf
//     72 bytes stack frame, 96 bytes spill stores, 104 bytes spill loads
// ptxas info    : Used 32 registers, used 0 barriers, 72 bytes cumulative stack size
__global__ void __launch_bounds__(1024, 2) scale(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void run(float *data) {
  scale<<<4096, 1024>>>(data);
}
)cuda",
      .Good =
          R"cuda(// ptxas info    : Compiling entry function '_Z5scalePf' for 'sm_90'
// ptxas info    : Function properties for _Z5scalePf
//     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// ptxas info    : Used 46 registers, used 0 barriers
__global__ void __launch_bounds__(1024, 1) scale(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void run(float *data) {
  scale<<<4096, 1024>>>(data);
}
)cuda",
      .Limits = R"md(Needs the compiler's figures: nvcc, or a log of `-Xptxas
-v`. A note for less than 32 bytes each way, which may well be outside of every
loop. Does not know how often the spills are executed.)md",
      .ConfirmedBy = Evidence::LocalSectors,
      .NeedsResources = true,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// ptxas stops a little short of a limit that is no multiple of its unit.
static bool isAt(std::uint64_t Registers, std::uint64_t Limit) {
  return Registers <= Limit && Registers + 8 > Limit;
}

/// What holds the registers down, and what would give more; empty when
/// nothing is known to.
static Phrase sourceOf(const KernelModel &K, std::uint64_t Registers) {
  const Architecture &Arch = *K.Gpu.Arch;
  const KernelDeclaration &D = K.Declaration;
  // It counts instead of -maxrregcount.
  if (D.MaxRegisters) {
    const std::optional<std::uint64_t> Limit = boundedRegisters(Arch, D);
    if (Limit && isAt(Registers, *Limit))
      return {"raise-maxnreg",
              "{bound} allows no more: raise it, or keep fewer values alive",
              {{"bound", launchBoundsOf(D)}}};
  } else if (K.MaxRegisters && isAt(Registers, *K.MaxRegisters)) {
    return {"raise-maxrregcount",
            "-maxrregcount={registers_allowed} allows no more: raise it, or "
            "use __launch_bounds__ for the kernels that need the limit",
            {{"registers_allowed", *K.MaxRegisters}}};
  }
  if (D.MaxThreads && *D.MaxThreads > 0) {
    const auto Threads = static_cast<std::uint64_t>(*D.MaxThreads);
    const auto Blocks = static_cast<std::uint64_t>(
        std::max<std::int64_t>(D.MinBlocks.value_or(1), 1));
    const std::uint64_t Limit = registersFor(Arch, Threads, Blocks);
    if (Limit < Arch.RegistersPerThread && isAt(Registers, Limit)) {
      Phrase Said{"relax-launch-bounds",
                  "{bound} leaves {registers_allowed} for each thread",
                  {{"bound", launchBoundsOf(D)}, {"registers_allowed", Limit}}};
      if (Blocks > 1)
        return Said.append(
            "; ", {"fewer-blocks",
                   "with {blocks block} to the SM it is up to {registers}",
                   {{"blocks", Blocks - 1},
                    {"registers", registersFor(Arch, Threads, Blocks - 1)}}});
      return Said.append("; ",
                         {"fewer-threads",
                          "a bound of {threads} threads leaves {registers}",
                          {{"threads", Threads / 2},
                           {"registers", registersFor(Arch, Threads / 2, 1)}}});
    }
  }
  if (isAt(Registers, Arch.RegistersPerThread))
    return {"fewer-values",
            "{registers_allowed} are the most that a thread can have: keep "
            "fewer values alive, or split the kernel",
            {{"registers_allowed", Arch.RegistersPerThread}}};
  return {};
}

void RegisterSpill::checkKernel(const KernelModel &K, FindingSink &Out) const {
  if (!K.Resources)
    return;
  const ResourceRecord &R = *K.Resources;
  const std::uint64_t Stores = R.SpillStores.value_or(0);
  const std::uint64_t Loads = R.SpillLoads.value_or(0);
  if (Stores == 0 && Loads == 0)
    return;
  Finding &F = Out.report(
      K,
      {"spills",
       "'{kernel}' spills {stores byte} of registers to local memory on {gpu}: "
       "{stores byte} of stores and {loads byte} of loads in the code of each "
       "thread",
       {{"kernel", shortName(K.Declaration)},
        {"gpu", K.Gpu.Name},
        {"stores", Stores},
        {"loads", Loads}}});
  if (R.Registers) {
    F.What.append(
        ", with ",
        {"registers", "{registers register}", {{"registers", *R.Registers}}});
    F.Remedy = sourceOf(K, *R.Registers);
  }
  if (static_cast<double>(std::max(Stores, Loads)) < Out.value(WarningBytes))
    F.Level = Severity::Note;
}

CUDA_LINT_REGISTER_CHECK(RegisterSpill)

} // namespace cudalint::register_spill
