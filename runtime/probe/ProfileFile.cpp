//===- runtime/probe/ProfileFile.cpp - Writes all or nothing --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/ProfileFile.h"

#include "runtime/probe/ProcessName.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace cudalint::probe {

static int writeAll(int Descriptor, std::string_view Text) {
  while (!Text.empty()) {
    ssize_t Written = ::write(Descriptor, Text.data(), Text.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return errno;
    Text.remove_prefix(static_cast<std::size_t>(Written));
  }
  return 0;
}

/// Whether a file system answers so to what it cannot do at all.
static bool isUnsupported(int Error) {
  return Error == EPERM || Error == ENOTSUP || Error == ENOSYS ||
         Error == EINVAL || Error == EMLINK;
}

/// Gives the file \p From the name \p To unless somebody has it: EEXIST. From
/// may be there or not afterwards.
static int publish(const std::string &From, const std::string &To) {
  // A link fails where a file stands, a rename would replace it.
  if (::link(From.c_str(), To.c_str()) == 0)
    return 0;
  if (!isUnsupported(errno))
    return errno;
  // FAT and some network and container file systems have no links.
  if (::renameat2(AT_FDCWD, From.c_str(), AT_FDCWD, To.c_str(),
                  RENAME_NOREPLACE) == 0)
    return 0;
  if (!isUnsupported(errno))
    return errno;
  // The name is taken first and gets its contents then, at once: a reader may
  // see it empty for a moment, which is no JSON, but never half of it.
  int Taken = ::open(To.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (Taken < 0)
    return errno;
  ::close(Taken);
  if (::rename(From.c_str(), To.c_str()) == 0)
    return 0;
  int Error = errno;
  ::unlink(To.c_str());
  return Error;
}

int ProfileFile::write(std::string_view Text) {
  // Processes of several machines may write into one folder.
  const std::string Own = hostName() + "-" + std::to_string(::getpid());
  std::string Stem = Folder + "/profile-" + Own + "-";
  std::string Temporary = Folder + "/.profile-" + Own + ".tmp";
  // A leftover of a process that was killed and had the same number.
  ::unlink(Temporary.c_str());
  int Descriptor =
      ::open(Temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (Descriptor < 0)
    return errno;
  int Error = writeAll(Descriptor, Text);
  if (::close(Descriptor) != 0 && !Error)
    Error = errno;
  if (!Error && Path.empty()) {
    for (unsigned N = 0; N != 1000 && Path.empty() && !Error; ++N) {
      std::string Candidate = Stem + std::to_string(N) + ".json";
      Error = publish(Temporary, Candidate);
      if (!Error)
        Path = Candidate;
      else if (Error == EEXIST)
        Error = 0;
    }
    if (Path.empty() && !Error)
      Error = EEXIST;
    ::unlink(Temporary.c_str());
    return Error;
  }
  if (!Error && ::rename(Temporary.c_str(), Path.c_str()) != 0)
    Error = errno;
  if (Error)
    ::unlink(Temporary.c_str());
  return Error;
}

} // namespace cudalint::probe
