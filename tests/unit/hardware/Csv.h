//===- tests/unit/hardware/Csv.h - Tables of numbers ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads the measurements that lie beside the tests.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_HARDWARE_CSV_H
#define CUDA_LINT_TESTS_UNIT_HARDWARE_CSV_H

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace cudalint {

/// The rows below the line of titles; none, and a failure, when the file is
/// not there or a cell is not a number.
inline std::vector<std::vector<double>> readCsv(const std::string &Name) {
  const std::string Path = std::string(CUDA_LINT_TEST_DATA) + "/" + Name;
  std::ifstream In(Path);
  std::vector<std::vector<double>> Rows;
  std::string Line;
  if (!std::getline(In, Line)) {
    ADD_FAILURE() << Path << ": cannot be read";
    return Rows;
  }
  while (std::getline(In, Line)) {
    std::istringstream Cells(Line);
    std::vector<double> Row;
    for (double Value; Cells >> Value; Cells.ignore(1, ','))
      Row.push_back(Value);
    if (!Cells.eof() || Row.size() < 3)
      ADD_FAILURE() << Path << ": not a row of numbers: " << Line;
    else
      Rows.push_back(Row);
  }
  return Rows;
}

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_HARDWARE_CSV_H
