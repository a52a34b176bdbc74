//===- tests/unit/analyzer/project/TestFolder.h - Files ------- -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_ANALYZER_PROJECT_TESTFOLDER_H
#define CUDA_LINT_TESTS_UNIT_ANALYZER_PROJECT_TESTFOLDER_H

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <string>

namespace cudalint {

/// A folder of its own for each test, gone with it.
class TestFolder : public testing::Test {
protected:
  void SetUp() override {
    std::string Name = testing::TempDir() + "project-XXXXXX";
    ASSERT_NE(::mkdtemp(Name.data()), nullptr);
    Root = std::filesystem::canonical(Name);
  }
  void TearDown() override { std::filesystem::remove_all(Root); }

  std::string path(const std::string &Name) const { return Root / Name; }

  std::string write(const std::string &Name, const std::string &Text) const {
    std::filesystem::create_directories((Root / Name).parent_path());
    std::ofstream(Root / Name, std::ios::binary) << Text;
    return path(Name);
  }

  std::filesystem::path Root;
};

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_ANALYZER_PROJECT_TESTFOLDER_H
