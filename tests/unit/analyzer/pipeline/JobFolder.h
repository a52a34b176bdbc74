//===- tests/unit/analyzer/pipeline/JobFolder.h - Files to lint -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_ANALYZER_PIPELINE_JOBFOLDER_H
#define CUDA_LINT_TESTS_UNIT_ANALYZER_PIPELINE_JOBFOLDER_H

#include "analyzer/pipeline/Pipeline.h"
#include "tests/mock/MockCuda.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <memory>
#include <string>
#include <vector>

namespace cudalint {

/// Stores of lanes that are so many words apart: a sector for each 8 words.
inline std::string kernel(const std::string &Stride) {
  return "__global__ void k(float *p) { p[threadIdx.x * " + Stride +
         "] = 1; }\n";
}

inline double sectorsOf(const UnitRecord &Unit) {
  EXPECT_EQ(Unit.Status, UnitStatus::Ok)
      << (Unit.Errors.empty() ? "" : Unit.Errors[0].Message);
  if (Unit.Kernels.size() != 1 || Unit.Kernels[0].Accesses.size() != 1)
    return -1;
  return Unit.Kernels[0].Accesses[0].PerRequest.value_or(-1);
}

/// A folder with files, and a request about them.
class Pipeline : public testing::Test {
protected:
  Pipeline() {
    std::string Name = testing::TempDir() + "pipeline-XXXXXX";
    EXPECT_NE(mkdtemp(Name.data()), nullptr);
    Root = Name;
    Request.Gpus = {*parseTarget("sm_90")};
  }
  ~Pipeline() override { std::filesystem::remove_all(Root); }

  void write(const std::string &Name, const std::string &Text) const {
    std::filesystem::create_directories((Root / Name).parent_path());
    std::ofstream(Root / Name) << Text;
  }

  /// In the folder \p Folder below Root.
  CompileJob job(const std::string &File, const std::string &Folder = ".",
                 std::vector<std::string> More = {}) const {
    More.insert(More.end(), {"-nocudainc", "-include", test::mockCudaPath()});
    return {.File = File,
            .Folder = Root / Folder,
            .Arguments = std::move(More),
            .Files = nullptr};
  }

  /// Asks for the findings of all checks.
  void checkAll() {
    for (const auto &Each : Checks)
      Request.Checks.push_back(Each.get());
  }

  std::vector<UnitRecord> unitsOf(const AnalysisRequest &Of) const {
    AnalysisResult Result = analyse(Of);
    EXPECT_EQ(Result.Documents.size(), 1u);
    return Result.Documents.at(0).Units;
  }

  std::filesystem::path Root;
  AnalysisRequest Request;

private:
  const std::vector<std::unique_ptr<Check>> Checks = makeChecks();
};

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_ANALYZER_PIPELINE_JOBFOLDER_H
