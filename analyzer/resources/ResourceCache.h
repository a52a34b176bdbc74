//===- analyzer/resources/ResourceCache.h - Output of nvcc, kept *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Keeps what nvcc printed, together with the contents of all files that it
/// read. An entry counts only while every one of these files is as it was. A
/// header that appears earlier on the include path than before goes unnoticed,
/// as it does with ccache.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_RESOURCECACHE_H
#define CUDA_LINT_ANALYZER_RESOURCES_RESOURCECACHE_H

#include "analyzer/resources/SafeNames.h"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>

namespace cudalint {

/// What one run of nvcc made.
struct CompilerOutput {
  std::string Text;        ///< What it printed.
  std::string Cubin;       ///< The machine code, an ELF file.
  PrivateNames Names = {}; ///< Of files in its line tables.
};

/// May be used from several threads, and the folder by several processes.
class ResourceCache {
public:
  /// \p Folder is made when it is first written to. An empty name is a cache
  /// that holds nothing and keeps nothing.
  explicit ResourceCache(std::string Folder);

  /// `$XDG_CACHE_HOME/cuda-lint` or `~/.cache/cuda-lint`; empty where neither
  /// is known.
  static std::string defaultFolder();

  /// What nvcc made for \p Key, if that is known and still true.
  std::optional<CompilerOutput> find(const std::string &Key);

  /// Keeps \p Output, which nvcc made after it had read \p Files. Not, when
  /// one of them was changed after \p Start: nvcc may have read either version.
  /// A cache that cannot be written is no error.
  void keep(const std::string &Key, const CompilerOutput &Output,
            std::span<const std::string> Files,
            std::chrono::system_clock::time_point Start);

  /// Of the contents of a regular file, in hexadecimal; empty when it cannot
  /// be read. Each file is read once.
  std::string hashOf(const std::string &File);

private:
  std::string pathOf(const std::string &Key) const;

  std::string Folder;
  std::mutex Guard;
  std::map<std::string, std::string, std::less<>> Hashes;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_RESOURCECACHE_H
