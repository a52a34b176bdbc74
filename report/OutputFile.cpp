//===- report/OutputFile.cpp - Writes a whole file or none ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/OutputFile.h"

#include "report/InputFile.h"
#include "report/TerminalText.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace cudalint {

/// The system's words for \p Error, in the case of our messages.
static std::string lowerCaseReason(int Error) {
  std::string Text = std::generic_category().message(Error);
  // "I/O error" keeps its capital.
  if (Text.size() > 1 && Text[0] >= 'A' && Text[0] <= 'Z' && Text[1] >= 'a')
    Text[0] = static_cast<char>(Text[0] - 'A' + 'a');
  return Text;
}

static std::string remedy(int Error) {
  switch (Error) {
  case ENOENT:
  case ENOTDIR:
    return "make its folder first, or name another file";
  case EACCES:
  case EPERM:
  case EROFS:
    return "make the file and its folder writable, or name another file";
  case ENOSPC:
  case EDQUOT:
  case EFBIG:
    return "free some space, or name a file on another disk";
  case EISDIR:
    return "name a file in that folder";
  case ELOOP:
    return "repair the symbolic link, or name another file";
  case ENAMETOOLONG:
    return "choose a shorter name";
  case EPIPE:
    return "the program that reads the output has ended";
  default:
    return "name another file";
  }
}

static std::string failure(std::string_view Path, int Error) {
  return fmt::format("cannot write '{}': {}; {}", printable(Path),
                     lowerCaseReason(Error), remedy(Error));
}

/// Returns 0 or the error.
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

/// Writes and closes; the first error counts.
static int writeAndClose(int Descriptor, std::string_view Text) {
  int Error = writeAll(Descriptor, Text);
  // Some file systems report a full disk only here.
  if (::close(Descriptor) != 0 && !Error)
    Error = errno;
  return Error;
}

static std::optional<std::string> writeStandardOutput(std::string_view Text) {
  // What the program has printed so far must come first.
  int Error = std::fflush(stdout) == 0 ? 0 : errno;
  if (!Error)
    Error = writeAll(STDOUT_FILENO, Text);
  if (Error)
    return fmt::format("cannot write to standard output: {}; {}",
                       lowerCaseReason(Error), remedy(Error));
  return std::nullopt;
}

/// Follows symbolic links by hand, because the last target need not exist.
/// Returns 0 or the error.
static int followLinks(fs::path &Path) {
  for (int Hops = 0; Hops != 40; ++Hops) {
    std::error_code Error;
    if (!fs::is_symlink(fs::symlink_status(Path, Error)))
      return 0;
    fs::path Target = fs::read_symlink(Path, Error);
    if (Error)
      return Error.value();
    // Keeps an absolute target as it is.
    Path = Path.parent_path() / Target;
  }
  return ELOOP;
}

/// Makes a new file in \p Folder and opens it; \p Name becomes its path.
/// Returns the descriptor, or -1 with errno set. The mode is 0666 less the
/// umask, which mkstemp() would not give.
static int createBeside(const fs::path &Folder, fs::path &Name) {
  for (unsigned Try = 0; Try != 1000; ++Try) {
    Name = Folder / fmt::format(".cuda-lint-{}-{}.tmp", ::getpid(), Try);
    int Descriptor =
        ::open(Name.c_str(),
               O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (Descriptor >= 0 || errno != EEXIST)
      return Descriptor;
  }
  return -1;
}

/// Writes \p Text to a new file and gives it the name \p Path. \p Old is what
/// stands there now, or null.
static int replaceFile(const fs::path &Path, const struct stat *Old,
                       std::string_view Text) {
  // A rename needs no right to write the old file; the user expects that a
  // write-protected file stays.
  if (Old && ::faccessat(AT_FDCWD, Path.c_str(), W_OK, AT_EACCESS) != 0)
    return errno;
  fs::path Temporary;
  int Descriptor = createBeside(Path.parent_path(), Temporary);
  if (Descriptor < 0)
    return errno;
  int Error = 0;
  if (Old && ::fchmod(Descriptor, Old->st_mode & 07777) != 0)
    Error = errno;
  int WriteError = writeAndClose(Descriptor, Error ? "" : Text);
  if (!Error)
    Error = WriteError;
  if (!Error && ::rename(Temporary.c_str(), Path.c_str()) != 0)
    Error = errno;
  if (Error)
    ::unlink(Temporary.c_str());
  return Error;
}

/// Pipes and devices: there is nothing to keep, and a rename would put a file
/// in their place.
static int writeInPlace(const fs::path &Path, std::string_view Text) {
  int Descriptor = ::open(Path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  return Descriptor < 0 ? errno : writeAndClose(Descriptor, Text);
}

namespace {
/// A file that is to take the place of another.
struct Staged {
  fs::path Path; ///< Without symbolic links.
  fs::path New;  ///< Beside it; empty: not made.
  fs::path Old;  ///< The same for what stood there; empty: still there.
};

/// No signal ends the process while this lives.
class SignalsWait {
public:
  SignalsWait() {
    sigset_t All;
    ::sigfillset(&All);
    ::pthread_sigmask(SIG_BLOCK, &All, &Before);
  }
  ~SignalsWait() { ::pthread_sigmask(SIG_SETMASK, &Before, nullptr); }
  SignalsWait(const SignalsWait &) = delete;
  SignalsWait &operator=(const SignalsWait &) = delete;

private:
  sigset_t Before = {};
};
} // namespace

static std::string changedMeanwhile(const std::string &Path) {
  return fmt::format("'{}' has changed since it was read; it is left alone",
                     printable(Path));
}

/// Writes what \p Update makes of its file beside it. Returns 0 or the error.
static int stage(const FileUpdate &Update, const struct stat &Status,
                 Staged &File) {
  if (::faccessat(AT_FDCWD, File.Path.c_str(), W_OK, AT_EACCESS) != 0)
    return errno;
  fs::path Temporary;
  const int Descriptor = createBeside(File.Path.parent_path(), Temporary);
  if (Descriptor < 0)
    return errno;
  File.New = Temporary;
  struct stat Made = {};
  int Error = 0;
  // A change of the owner clears bits of the mode: that comes after.
  if (::fstat(Descriptor, &Made) != 0 ||
      ((Made.st_uid != Status.st_uid || Made.st_gid != Status.st_gid) &&
       ::fchown(Descriptor, Status.st_uid, Status.st_gid) != 0) ||
      ::fchmod(Descriptor, Status.st_mode & 07777) != 0)
    Error = errno;
  const int WriteError = writeAndClose(Descriptor, Error ? "" : Update.After);
  return Error ? Error : WriteError;
}

/// Checks one file, and prepares it.
static std::optional<std::string> prepare(const FileUpdate &Update,
                                          Staged &File) {
  File.Path = Update.Path;
  struct stat Status = {};
  int Error = followLinks(File.Path);
  if (!Error && ::stat(File.Path.c_str(), &Status) != 0)
    Error = errno;
  if (!Error && !S_ISREG(Status.st_mode))
    Error = EINVAL;
  std::string Why;
  if (!Error &&
      readWholeFile(Update.Path, Update.Before.size(), Why) != Update.Before)
    return changedMeanwhile(Update.Path);
  if (!Error)
    Error = stage(Update, Status, File);
  return Error ? std::optional(failure(Update.Path, Error)) : std::nullopt;
}

/// Gives each new file its name. Returns which could not, or their number.
static std::size_t exchange(std::span<Staged> Files) {
  for (std::size_t I = 0; I != Files.size(); ++I) {
    Staged &File = Files[I];
    fs::path Old = File.New;
    Old += ".old";
    if (::link(File.Path.c_str(), Old.c_str()) == 0)
      File.Old = std::move(Old);
    // Without the link, as where there are no hard ones, it cannot be undone.
    if ((File.Old.empty() && Files.size() > 1) ||
        ::rename(File.New.c_str(), File.Path.c_str()) != 0)
      return I;
    File.New.clear();
  }
  return Files.size();
}

std::optional<std::string> updateFiles(std::span<const FileUpdate> Updates) {
  std::vector<Staged> Files(Updates.size());
  const SignalsWait Wait;
  std::optional<std::string> Error;
  for (std::size_t I = 0; I != Updates.size() && !Error; ++I)
    Error = prepare(Updates[I], Files[I]);
  if (!Error)
    if (const std::size_t Done = exchange(Files); Done != Files.size()) {
      Error = failure(Updates[Done].Path, errno);
      for (Staged &Each : Files)
        if (Each.New.empty() && !Each.Old.empty() &&
            ::rename(Each.Old.c_str(), Each.Path.c_str()) == 0)
          Each.Old.clear();
    }
  for (const Staged &Each : Files)
    for (const fs::path &Left : {Each.New, Each.Old})
      if (!Left.empty())
        ::unlink(Left.c_str());
  return Error;
}

std::optional<std::string> writeOutputFile(const std::string &Path,
                                           std::string_view Text) {
  if (Path == "-")
    return writeStandardOutput(Text);
  if (Path.empty())
    return "cannot write the output: the file name is empty; name a file, or "
           "'-' for standard output";
  // A file name cannot hold one, and the system would cut the name there.
  if (Path.find('\0') != std::string::npos)
    return failure(Path, EINVAL);

  fs::path Target = Path;
  struct stat Status = {};
  bool Exists = ::stat(Path.c_str(), &Status) == 0;
  if ((Exists && S_ISDIR(Status.st_mode)) || Path.back() == '/')
    return failure(Path, EISDIR);

  int Error = 0;
  if (Exists && !S_ISREG(Status.st_mode))
    Error = writeInPlace(Target, Text);
  else if (Error = followLinks(Target); !Error)
    Error = replaceFile(Target, Exists ? &Status : nullptr, Text);
  if (Error)
    return failure(Path, Error);
  return std::nullopt;
}

} // namespace cudalint
