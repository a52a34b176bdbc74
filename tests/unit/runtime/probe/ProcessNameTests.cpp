//===- tests/unit/runtime/probe/ProcessNameTests.cpp - Hosts and ranks ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/ProcessName.h"

#include <gtest/gtest.h>
#include <map>

namespace cudalint::probe::ProcessNameTests {
namespace {

std::optional<ProcessRank> rank(const std::map<std::string, std::string> &Set) {
  return rankOf([&](const char *Name) -> const char * {
    const auto Found = Set.find(Name);
    return Found == Set.end() ? nullptr : Found->second.c_str();
  });
}

TEST(ProcessName, RanksOfEachLauncher) {
  EXPECT_EQ(std::nullopt, rank({}));
  for (const char *Name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                           "MV2_COMM_WORLD_RANK", "SLURM_PROCID", "RANK"}) {
    EXPECT_EQ(ProcessRank(7, {}), rank({{Name, "7"}})) << Name;
    // A user's own variable of that name may be anything.
    for (const char *Text : {"", "x", "7x", "-1", " 7", "99999999999999"})
      EXPECT_EQ(std::nullopt, rank({{Name, Text}})) << Name << Text;
  }
  // mpirun in a job of Slurm: each process is one of its own.
  EXPECT_EQ(ProcessRank(3, {}),
            rank({{"OMPI_COMM_WORLD_RANK", "3"}, {"SLURM_PROCID", "0"}}));
  EXPECT_EQ(ProcessRank(2, {}), rank({{"PMI_RANK", "?"}, {"RANK", "2"}}));
}

TEST(ProcessName, HowManyThereAre) {
  EXPECT_EQ(ProcessRank(1, 8), rank({{"RANK", "1"}, {"WORLD_SIZE", "8"}}));
  EXPECT_EQ(ProcessRank(1, 2), rank({{"OMPI_COMM_WORLD_RANK", "1"},
                                     {"OMPI_COMM_WORLD_SIZE", "2"},
                                     {"WORLD_SIZE", "8"}}));
  // The batch script itself is one process, whatever the job has.
  EXPECT_EQ(ProcessRank(0, {}),
            rank({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}));
  EXPECT_EQ(ProcessRank(0, 8),
            rank({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "8"}}));
  // srun --mpi=pmix, and processes of another launcher in one task of srun.
  EXPECT_EQ(ProcessRank(3, 8), rank({{"PMIX_RANK", "3"},
                                     {"SLURM_PROCID", "3"},
                                     {"SLURM_STEP_NUM_TASKS", "8"}}));
  EXPECT_EQ(ProcessRank(3, {}), rank({{"PMIX_RANK", "3"},
                                      {"SLURM_PROCID", "1"},
                                      {"SLURM_STEP_NUM_TASKS", "2"}}));
  for (const char *Size : {"0", "1", "x"})
    EXPECT_EQ(ProcessRank(1, {}), rank({{"RANK", "1"}, {"WORLD_SIZE", Size}}));
}

TEST(ProcessName, TorchrunIsWithinOtherLaunchers) {
  // Two tasks of srun, or of mpirun, each a torchrun of four processes.
  const std::map<std::string, std::string> Set = {{"SLURM_PROCID", "1"},
                                                  {"SLURM_STEP_NUM_TASKS", "2"},
                                                  {"OMPI_COMM_WORLD_RANK", "1"},
                                                  {"OMPI_COMM_WORLD_SIZE", "2"},
                                                  {"RANK", "6"},
                                                  {"WORLD_SIZE", "8"}};
  auto OfTorchrun = Set;
  OfTorchrun["TORCHELASTIC_RUN_ID"] = "none";
  EXPECT_EQ(ProcessRank(6, 8), rank(OfTorchrun));
  // A script may set RANK for its own ends.
  EXPECT_EQ(ProcessRank(1, 2), rank(Set));
}

TEST(ProcessName, HostsAreNamesOfFiles) {
  const std::string Name = hostName();
  EXPECT_FALSE(Name.empty());
  EXPECT_LE(Name.size(), 64u);
  EXPECT_EQ(std::string::npos, Name.find('/'));
}

} // namespace
} // namespace cudalint::probe::ProcessNameTests
