//===- runtime/probe/ProcessName.cpp - One of many processes --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/ProcessName.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <unistd.h>

namespace cudalint::probe {

std::string hostName() {
  char Name[65] = {};
  if (::gethostname(Name, sizeof Name - 1) != 0 || !*Name)
    return "unknown";
  std::string Out = Name;
  // It becomes a part of the names of files.
  std::ranges::replace_if(
      Out,
      [](unsigned char C) {
        return !(C < 128 && std::isalnum(C)) && !std::strchr(".-_", C);
      },
      '_');
  return Out;
}

std::optional<ProcessRank>
rankOf(const std::function<const char *(const char *)> &Variable) {
  // The innermost first: a task of srun or mpirun may be a torchrun, and an
  // mpirun the one task of srun. Scripts set RANK for ends of their own, but
  // torchrun sets the run's id with it. A batch script of Slurm has a rank, and
  // is no step of several tasks.
  static constexpr struct {
    const char *Rank, *Ranks, *Only = nullptr;
  } Launchers[] = {{"RANK", "WORLD_SIZE", "TORCHELASTIC_RUN_ID"},
                   {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                   {"PMIX_RANK", nullptr},
                   {"PMI_RANK", "PMI_SIZE"},
                   {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                   {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
                   {"RANK", "WORLD_SIZE"}};
  const auto number = [&](const char *Name) -> std::optional<unsigned> {
    const char *Text = Name ? Variable(Name) : nullptr;
    if (!Text || !*Text)
      return std::nullopt;
    unsigned Value = 0;
    const char *End = Text + std::strlen(Text);
    const auto [Stop, Error] = std::from_chars(Text, End, Value);
    return Error == std::errc() && Stop == End ? std::optional(Value)
                                               : std::nullopt;
  };
  for (const auto &Each : Launchers) {
    if (Each.Only && !Variable(Each.Only))
      continue;
    if (const std::optional<unsigned> Rank = number(Each.Rank)) {
      std::optional<unsigned> Ranks = number(Each.Ranks);
      // srun --mpi=pmix
      if (!Each.Ranks && Rank == number("SLURM_PROCID"))
        Ranks = number("SLURM_STEP_NUM_TASKS");
      if (Ranks && *Ranks <= *Rank)
        Ranks.reset();
      return ProcessRank{*Rank, Ranks};
    }
  }
  return std::nullopt;
}

} // namespace cudalint::probe
