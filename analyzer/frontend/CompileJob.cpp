//===- analyzer/frontend/CompileJob.cpp - What to compile, how ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/CompileJob.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <system_error>

using namespace llvm;

namespace cudalint {

namespace {

/// In the words of Clang's "cannot open file 'a.h': ".
class NoPlainFile : public std::error_category {
public:
  const char *name() const noexcept override { return "no plain file"; }
  std::string message(int) const override {
    return "it is a device or a pipe, which is not read; include a plain file";
  }
};

/// A file of which a copy is read, whatever its size.
class CopiedFile : public vfs::File {
public:
  explicit CopiedFile(std::unique_ptr<vfs::File> Real)
      : Real(std::move(Real)) {}

  ErrorOr<vfs::Status> status() override { return Real->status(); }
  ErrorOr<std::string> getName() override { return Real->getName(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>>
  getBuffer(const Twine &Name, std::int64_t Size, bool RequiresNullTerminator,
            bool /*IsVolatile*/) override {
    return Real->getBuffer(Name, Size, RequiresNullTerminator,
                           /*IsVolatile=*/true);
  }
  std::error_code close() override { return Real->close(); }

protected:
  void setPath(const Twine &Path) override {
    Real = std::move(*getWithPath(std::move(Real), Path));
  }

private:
  std::unique_ptr<vfs::File> Real;
};

class JobFiles : public vfs::ProxyFileSystem {
public:
  JobFiles(IntrusiveRefCntPtr<vfs::FileSystem> Files, std::string Folder)
      : ProxyFileSystem(std::move(Files)), Folder(std::move(Folder)) {}

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    ErrorOr<vfs::Status> Found = getUnderlyingFS().status(absolute(Path));
    return Found ? vfs::Status::copyWithNewName(*Found, Path)
                 : std::move(Found);
  }
  bool exists(const Twine &Path) override {
    return getUnderlyingFS().exists(absolute(Path));
  }
  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    const std::string Name = absolute(Path);
    // A pipe without a writer waits in open().
    ErrorOr<vfs::Status> Status = getUnderlyingFS().status(Name);
    if (Status && !Status->isRegularFile() && !Status->isDirectory())
      return std::error_code(1, Category);
    auto File =
        vfs::File::getWithPath(getUnderlyingFS().openFileForRead(Name), Path);
    if (!File)
      return File.getError();
    return std::make_unique<CopiedFile>(std::move(*File));
  }
  vfs::directory_iterator dir_begin(const Twine &Path,
                                    std::error_code &Error) override {
    return getUnderlyingFS().dir_begin(absolute(Path), Error);
  }
  std::error_code getRealPath(const Twine &Path,
                              SmallVectorImpl<char> &Out) override {
    return getUnderlyingFS().getRealPath(absolute(Path), Out);
  }
  ErrorOr<std::string> getCurrentWorkingDirectory() const override {
    return Folder;
  }
  std::error_code setCurrentWorkingDirectory(const Twine &Path) override {
    Folder = absolute(Path);
    return {};
  }

private:
  std::string absolute(const Twine &Path) const {
    SmallString<256> Name;
    Path.toVector(Name);
    sys::path::make_absolute(Folder, Name);
    return Name.str().str();
  }

  std::string Folder;
  static const NoPlainFile Category;
};
const NoPlainFile JobFiles::Category;

} // namespace

std::string CompileJob::absoluteFolder() const {
  SmallString<256> Name(Folder);
  return sys::fs::make_absolute(Name) ? "" : Name.str().str();
}

std::string CompileJob::fromProcess(const std::string &Name) const {
  if (Folder.empty() || sys::path::is_absolute(Name))
    return Name;
  SmallString<256> Path(Folder);
  sys::path::append(Path, Name);
  return Path.str().str();
}

IntrusiveRefCntPtr<vfs::FileSystem>
overDisk(const std::map<std::string, std::string> &Texts,
         const std::string &Folder) {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->setCurrentWorkingDirectory(
      CompileJob{.Folder = Folder}.absoluteFolder());
  for (const auto &[Name, Text] : Texts)
    Memory->addFile(Name, 0, MemoryBuffer::getMemBufferCopy(Text, Name));
  auto Files = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(
      vfs::createPhysicalFileSystem());
  Files->pushOverlay(Memory);
  return Files;
}

IntrusiveRefCntPtr<vfs::FileSystem> filesOf(const CompileJob &Job) {
  return makeIntrusiveRefCnt<JobFiles>(
      Job.Files ? Job.Files : vfs::createPhysicalFileSystem(),
      Job.absoluteFolder());
}

} // namespace cudalint
