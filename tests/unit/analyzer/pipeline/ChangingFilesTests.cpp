//===- tests/unit/analyzer/pipeline/ChangingFilesTests.cpp - Edited files -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JobFolder.h"

#include <functional>
#include <gmock/gmock.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace ChangingFilesTests {

using namespace cudalint;
using namespace llvm;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

namespace {
/// What happens to a file between the question for its size and the reading.
using Change = std::function<void()>;

class EditedFile : public vfs::File {
public:
  EditedFile(std::unique_ptr<vfs::File> Real, const Change &Edit)
      : Real(std::move(Real)), Edit(Edit) {}

  ErrorOr<vfs::Status> status() override { return Real->status(); }
  ErrorOr<std::string> getName() override { return Real->getName(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name,
                                                   std::int64_t Size,
                                                   bool RequiresNullTerminator,
                                                   bool IsVolatile) override {
    // A real file keeps what it answers.
    Real->status();
    Edit();
    return Real->getBuffer(Name, Size, RequiresNullTerminator, IsVolatile);
  }
  std::error_code close() override { return Real->close(); }

protected:
  void setPath(const Twine &Path) override {
    Real = std::move(*getWithPath(std::move(Real), Path));
  }

private:
  std::unique_ptr<vfs::File> Real;
  const Change &Edit;
};

/// The files on disk, of which one is edited while it is read.
class EditedFiles : public vfs::ProxyFileSystem {
public:
  EditedFiles(std::string File, Change Edit)
      : ProxyFileSystem(vfs::createPhysicalFileSystem()), File(std::move(File)),
        Edit(std::move(Edit)) {}

  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    auto Opened = ProxyFileSystem::openFileForRead(Path);
    if (!Opened || !StringRef(Path.str()).ends_with(File))
      return Opened;
    return std::make_unique<EditedFile>(std::move(*Opened), Edit);
  }

private:
  std::string File;
  Change Edit;
};

/// A file that says to be longer than it is.
class ShortFile : public vfs::File {
public:
  ShortFile(std::unique_ptr<MemoryBuffer> Text, std::string Path)
      : Text(std::move(Text)), Path(std::move(Path)) {}

  ErrorOr<vfs::Status> status() override {
    return vfs::Status(Path, sys::fs::UniqueID(7, 7), {}, 0, 0,
                       Text->getBufferSize() + 100,
                       sys::fs::file_type::regular_file, sys::fs::all_read);
  }
  ErrorOr<std::unique_ptr<MemoryBuffer>>
  getBuffer(const Twine &Name, std::int64_t, bool, bool) override {
    return MemoryBuffer::getMemBufferCopy(Text->getBuffer(), Name);
  }
  std::error_code close() override { return {}; }

protected:
  void setPath(const Twine &To) override { Path = To.str(); }

private:
  std::unique_ptr<MemoryBuffer> Text;
  std::string Path;
};

/// The files on disk, of which one shrinks while it is read.
class ShortFiles : public vfs::ProxyFileSystem {
public:
  explicit ShortFiles(std::string File)
      : ProxyFileSystem(vfs::createPhysicalFileSystem()),
        File(std::move(File)) {}

  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    auto Opened = ProxyFileSystem::openFileForRead(Path);
    if (!Opened || !StringRef(Path.str()).ends_with(File))
      return Opened;
    auto Text = (*Opened)->getBuffer(Path);
    if (!Text)
      return Text.getError();
    return std::make_unique<ShortFile>(std::move(*Text), Path.str());
  }

private:
  std::string File;
};

class ChangingFiles : public Pipeline {
protected:
  ChangingFiles() {
    write("a.cu", "#include \"stride.h\"\n" + kernel("STRIDE"));
    Request.Jobs = {job("a.cu")};
  }

  UnitRecord unitWhere(Change Edit) {
    Request.Jobs[0].Files =
        makeIntrusiveRefCnt<EditedFiles>("/stride.h", std::move(Edit));
    return unitsOf(Request).at(0);
  }
};
} // namespace

/// Larger than what a system reads in place of mapping it: what is mapped and
/// no longer there ends a process.
static std::string comment() {
  return "// " + std::string(100'000, '.') + "\n";
}

TEST_F(ChangingFiles, NothingIsLeftOfAHeader) {
  write("stride.h", comment() + "#define STRIDE 8\n");
  const UnitRecord Unit =
      unitWhere([&] { std::filesystem::resize_file(Root / "stride.h", 0); });
  EXPECT_NE(Unit.Status, UnitStatus::Ok);
  ASSERT_THAT(Unit.Errors, Not(IsEmpty()));
  EXPECT_THAT(Unit.Errors[0].Message, HasSubstr("STRIDE"));
}

TEST_F(ChangingFiles, TheEndOfAHeaderGoes) {
  write("stride.h", "#define STRIDE 8\n" + comment());
  EXPECT_EQ(sectorsOf(unitWhere(
                [&] { std::filesystem::resize_file(Root / "stride.h", 17); })),
            32);
}

TEST_F(ChangingFiles, AHeaderGrows) {
  write("stride.h", "#define STRIDE 8\n" + comment());
  EXPECT_EQ(sectorsOf(unitWhere([&] {
              write("stride.h", "#define STRIDE 8\n" + comment() + comment());
            })),
            32);
}

TEST_F(ChangingFiles, AHeaderIsDeleted) {
  write("stride.h", "#define STRIDE 8\n" + comment());
  EXPECT_EQ(
      sectorsOf(unitWhere([&] { std::filesystem::remove(Root / "stride.h"); })),
      32);
}

TEST_F(ChangingFiles, AHeaderHasLessThanItSays) {
  write("stride.h", "#define STRIDE 8\n");
  Request.Jobs[0].Files = makeIntrusiveRefCnt<ShortFiles>("/stride.h");
  const UnitRecord Unit = unitsOf(Request).at(0);
  EXPECT_NE(Unit.Status, UnitStatus::Ok);
  ASSERT_THAT(Unit.Errors, Not(IsEmpty()));
  EXPECT_THAT(Unit.Errors[0].Message, HasSubstr("modified since"));
}

// Targets of two architectures have a parse each: each is of what it has read.
TEST_F(ChangingFiles, ASecondParseReadsAnotherText) {
  write("stride.h", "#define STRIDE 8\n");
  Request.Gpus.push_back(*parseTarget("sm_80"));
  Request.Threads = 1;
  unsigned Reads = 0;
  Request.Jobs[0].Files = makeIntrusiveRefCnt<EditedFiles>("/stride.h", [&] {
    if (Reads++ == 1)
      write("stride.h", "#define STRIDE 1\n");
  });
  const AnalysisResult Result = analyse(Request);
  ASSERT_THAT(Result.Documents, SizeIs(2));
  EXPECT_EQ(Reads, 2u);
  EXPECT_EQ(sectorsOf(Result.Documents[0].Units.at(0)) +
                sectorsOf(Result.Documents[1].Units.at(0)),
            32 + 4);
}

} // namespace ChangingFilesTests
