//===- tests/unit/runtime/probe/SnapshotWriterTests.cpp - When to write ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/SnapshotWriter.h"

#include "runtime/probe/Profile.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

namespace cudalint::probe::SnapshotWriterTests {
namespace {

using namespace std::chrono_literals;
using testing::Gt;
using testing::HasSubstr;
using testing::Le;
using testing::SizeIs;

class SnapshotWriterTest : public testing::Test {
protected:
  void SetUp() override {
    S.Folder = testing::TempDir() + "snapshots-" + std::to_string(::getpid());
    std::filesystem::create_directories(S.Folder);
  }
  void TearDown() override { std::filesystem::remove_all(S.Folder); }

  /// Of the one file.
  std::string text() const {
    std::string Out;
    for (const auto &Each : std::filesystem::directory_iterator(S.Folder)) {
      EXPECT_EQ(Out, "");
      std::ifstream In(Each.path());
      Out.assign(std::istreambuf_iterator<char>(In), {});
    }
    return Out;
  }

  Settings S;
};

TEST_F(SnapshotWriterTest, OneIsDueAtATimeAndThenNotForASecond) {
  SnapshotWriter W(S);
  auto Now = SnapshotWriter::Clock::now();
  EXPECT_TRUE(W.begins(Now));
  EXPECT_FALSE(W.begins(Now));
  W.ended(Now);
  EXPECT_FALSE(W.begins(Now + 900ms));
  EXPECT_TRUE(W.begins(SnapshotWriter::Clock::now() + 1s));
}

TEST_F(SnapshotWriterTest, WhatTakesLongComesSeldom) {
  SnapshotWriter W(S);
  // It began a second ago: fifty seconds without one follow.
  auto Now = SnapshotWriter::Clock::now();
  W.ended(Now - 1s);
  EXPECT_FALSE(W.begins(Now + 49s));
  EXPECT_TRUE(W.begins(Now + 60s));
}

TEST_F(SnapshotWriterTest, NothingIsWrittenAfterTheLast) {
  SnapshotWriter W(S);
  Profile P = W.ofThisProcess();
  P.End = "killed";
  W.write(P, /*IsLast=*/false);
  EXPECT_THAT(text(), HasSubstr("\"killed\""));
  P.End = "exit";
  W.write(P, /*IsLast=*/true);
  EXPECT_THAT(text(), HasSubstr("\"exit\""));
  P.End = "killed";
  W.write(P, /*IsLast=*/false);
  EXPECT_THAT(text(), HasSubstr("\"exit\""));
  EXPECT_FALSE(W.begins(SnapshotWriter::Clock::now() + 1h));
}

TEST_F(SnapshotWriterTest, ItNamesTheProcess) {
  Profile P = SnapshotWriter(S).ofThisProcess();
  EXPECT_EQ(P.Pid, ::getpid());
  EXPECT_EQ(P.Parent, ::getppid());
  EXPECT_THAT(P.Command, SizeIs(Gt(0u)));
  S.NoArguments = true;
  EXPECT_THAT(SnapshotWriter(S).ofThisProcess().Command, SizeIs(Le(1u)));
}

} // namespace
} // namespace cudalint::probe::SnapshotWriterTests
