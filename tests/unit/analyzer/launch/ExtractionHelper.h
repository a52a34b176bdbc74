//===- tests/unit/analyzer/launch/ExtractionHelper.h - Tests ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_ANALYZER_LAUNCH_EXTRACTIONHELPER_H
#define CUDA_LINT_TESTS_UNIT_ANALYZER_LAUNCH_EXTRACTIONHELPER_H

#include "analyzer/frontend/SourceFacts.h"
#include "analyzer/launch/Launch.h"

#include <string>
#include <vector>

namespace cudalint::test {

/// What is extracted from `Code`, parsed after the mock of the toolkit. Errors
/// in `Code` fail the test, unless `MayFail`.
LaunchFacts extract(const std::string &Code, bool MayFail = false,
                    const WholeProgram *Program = nullptr);

/// The same on a GPU of that name; the others are on an sm_90.
LaunchFacts extractOn(const std::string &Gpu, const std::string &Code,
                      bool MayFail = false,
                      const WholeProgram *Program = nullptr);

/// The same for the files of one program.
std::vector<LaunchFacts> extractProgram(const std::vector<std::string> &Files);

/// What `Code` accesses, with addFieldArrays().
SourceFacts sourceFacts(const std::string &Code, bool MayFail = false);

/// The same for `Body` as the body of main(int argc, char **argv), behind
/// kernels `a` and `b` that take an int.
LaunchFacts extractMain(const std::string &Body);

/// Grid and block of each launch, in order: "2,1,1|256,1,1"; ? is unknown.
std::vector<std::string> shapes(const LaunchFacts &Facts);
std::vector<std::string> shapesInMain(const std::string &Body);
/// The blocks alone.
std::vector<std::string> blocksInMain(const std::string &Body);
std::vector<std::string> blocks(const LaunchFacts &Facts);

/// Names of the functions that Clang emits for the device.
std::vector<std::string> emittedNames(const std::string &Code);

} // namespace cudalint::test

#endif // CUDA_LINT_TESTS_UNIT_ANALYZER_LAUNCH_EXTRACTIONHELPER_H
