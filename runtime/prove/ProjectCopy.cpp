//===- runtime/prove/ProjectCopy.cpp - A project to build in --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/prove/ProjectCopy.h"

#include "report/TerminalText.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace cudalint {

/// Version control, and what a build has made.
static bool isLeftOut(const fs::path &Folder) {
  static constexpr const char *Histories[] = {".git", ".hg", ".svn", ".jj"};
  if (std::ranges::find(Histories, Folder.filename()) != std::end(Histories))
    return true;
  std::error_code None;
  for (const char *Made : {"CMakeCache.txt", "build.ninja", "meson-info"})
    if (fs::exists(Folder / Made, None))
      return true;
  return false;
}

namespace {
class Copier {
public:
  Copier(fs::path From, fs::path To, std::uint64_t MostBytes)
      : From(std::move(From)), To(std::move(To)), Left(MostBytes),
        Most(MostBytes) {}

  std::string run() {
    folder("");
    return std::move(Error);
  }

private:
  void fail(const fs::path &Name, const std::string &Why) {
    if (Error.empty())
      Error = fmt::format("cannot copy '{}': {}", printable(Name.string()),
                          printable(Why));
  }

  void folder(const fs::path &Name) {
    std::error_code Code;
    fs::create_directory(To / Name, Code);
    if (Code)
      return fail(To / Name, Code.message());
    for (fs::directory_iterator Each(From / Name, Code), End;
         !Code && Each != End && Error.empty(); Each.increment(Code))
      entry(Name / Each->path().filename());
    if (Code)
      return fail(From / Name, Code.message());
    fs::permissions(To / Name,
                    fs::status(From / Name, Code).permissions() |
                        fs::perms::owner_all,
                    Code);
  }

  void entry(const fs::path &Name) {
    std::error_code Code;
    const fs::file_status Status = fs::symlink_status(From / Name, Code);
    switch (Status.type()) {
    case fs::file_type::regular:
      return file(Name);
    case fs::file_type::directory:
      if (!isLeftOut(From / Name) && !fs::equivalent(From / Name, To, Code))
        folder(Name);
      return;
    case fs::file_type::symlink:
      return link(Name);
    default: // Nothing that a build could read.
      return;
    }
  }

  void file(const fs::path &Name) {
    // A work tree of git has a file in the place of the folder.
    if (Name.filename() == ".git")
      return;
    const int In = ::open((From / Name).c_str(), O_RDONLY | O_CLOEXEC);
    if (In < 0)
      return fail(From / Name, std::strerror(errno));
    struct stat Status = {};
    const int Out = ::fstat(In, &Status) == 0
                        ? ::open((To / Name).c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
                        : -1;
    if (Out < 0)
      fail(To / Name, std::strerror(errno));
    else if (!hold(In, Out, static_cast<std::uint64_t>(Status.st_size)))
      fail(To / Name, Left == 0 ? tooMuch() : std::strerror(errno));
    if (Out >= 0) {
      const timespec Times[2] = {Status.st_atim, Status.st_mtim};
      ::fchmod(Out, Status.st_mode | S_IWUSR);
      ::futimens(Out, Times);
      if (::close(Out) != 0)
        fail(To / Name, std::strerror(errno));
    }
    ::close(In);
  }

  std::string tooMuch() const {
    return fmt::format("the project has more than {} MB; name a smaller folder "
                       "by --project",
                       Most / 1000000);
  }

  bool hold(int In, int Out, std::uint64_t Bytes) {
    if (::ioctl(Out, FICLONE, In) == 0)
      return true;
    if (Bytes > Left) {
      Left = 0;
      return false;
    }
    Left -= Bytes;
    // Some file systems know neither; then it is read and written.
    char Buffer[1 << 16];
    ssize_t Read;
    while ((Read = ::read(In, Buffer, sizeof(Buffer))) > 0)
      for (ssize_t Done = 0; Done != Read;) {
        const ssize_t Written =
            ::write(Out, Buffer + Done, static_cast<std::size_t>(Read - Done));
        if (Written <= 0)
          return false;
        Done += Written;
      }
    return Read == 0;
  }

  void link(const fs::path &Name) {
    std::error_code Code;
    const fs::path Target = fs::read_symlink(From / Name, Code);
    if (Code)
      return fail(From / Name, Code.message());
    const fs::path Folder = (From / Name).parent_path();
    const fs::path Whole = (Folder / Target).lexically_normal();
    const fs::path Inside = Whole.lexically_relative(From);
    const bool IsInside = !Inside.empty() && *Inside.begin() != "..";
    fs::create_symlink(!IsInside              ? Whole
                       : Target.is_absolute() ? To / Inside
                                              : Target,
                       To / Name, Code);
    if (Code)
      fail(To / Name, Code.message());
  }

  fs::path From, To;
  std::uint64_t Left, Most;
  std::string Error;
};
} // namespace

std::string copyProject(const std::string &From, const std::string &To,
                        std::uint64_t MostBytes) {
  return Copier(fs::path(From).lexically_normal(), To, MostBytes).run();
}

ProjectFiles filesOfProject(const std::string &From) {
  ProjectFiles Result;
  std::error_code Code;
  for (fs::recursive_directory_iterator Each(From, Code), End;
       !Code && Each != End; Each.increment(Code)) {
    struct stat Status = {};
    if (::lstat(Each->path().c_str(), &Status) != 0)
      continue;
    if (S_ISDIR(Status.st_mode) && isLeftOut(Each->path()))
      Each.disable_recursion_pending();
    else if (S_ISREG(Status.st_mode))
      Result[Each->path().lexically_relative(From).string()] = {
          static_cast<std::uint64_t>(Status.st_size),
          static_cast<std::int64_t>(Status.st_mtim.tv_sec) * 1'000'000'000 +
              Status.st_mtim.tv_nsec};
  }
  return Result;
}

} // namespace cudalint
