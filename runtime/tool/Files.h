//===- runtime/tool/Files.h - Profiles and predictions on disk --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_TOOL_FILES_H
#define CUDA_LINT_RUNTIME_TOOL_FILES_H

#include "report/Document.h"
#include "runtime/join/Profile.h"

#include <optional>
#include <string>
#include <vector>

namespace cudalint {

/// A folder of our own that goes with the object, and all that is in it.
class TemporaryFolder {
public:
  /// path() is empty, and error() says why, when there can be none.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder();

  const std::string &path() const { return Path; }
  const std::string &error() const { return Error; }

private:
  std::string Path;
  std::string Error;
};

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

/// Copies \p Paths into \p Folder, which is made if it is not there. Returns a
/// message on failure.
std::string saveProfiles(const std::vector<std::string> &Paths,
                         const std::string &Folder);

/// \p Name beside this program, or in a folder where an installation has it;
/// empty when it is nowhere.
std::string findSibling(const std::string &Name);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_TOOL_FILES_H
