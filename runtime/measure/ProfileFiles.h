//===- runtime/measure/ProfileFiles.h - Profiles, predictions ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_MEASURE_PROFILEFILES_H
#define CUDA_LINT_RUNTIME_MEASURE_PROFILEFILES_H

#include "report/Document.h"
#include "runtime/join/Profile.h"

#include <optional>
#include <string>
#include <vector>

namespace cudalint {

struct ProfilesRead {
  std::vector<Profile> Profiles;
  std::vector<std::string> Paths;  ///< Of Profiles.
  std::vector<std::string> Errors; ///< For the user, one for each bad file.
};

/// Reads a profile, or all `*.json` of a folder in the order of their names;
/// with \p TakesResults also what confirm --format=json wrote.
void readProfiles(const std::string &Path, ProfilesRead &Out,
                  bool TakesResults = false);

/// Adds the documents of a file. Returns a message on failure.
std::string readPredictions(const std::string &Path,
                            std::vector<Document> &Out);

/// Copies \p Paths into \p Folder, which is made if it is not there, \p Prefix
/// before their names. Returns a message on failure.
std::string saveProfiles(const std::vector<std::string> &Paths,
                         const std::string &Folder,
                         const std::string &Prefix = {});

/// Before the name of a profile that is saved: it is of this run for times,
/// from 1, of several. readProfiles() understands it.
std::string runPrefix(unsigned Run);

/// \p Name beside this program, or in a folder where an installation has it;
/// empty when it is nowhere.
std::string findSibling(const std::string &Name);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_MEASURE_PROFILEFILES_H
