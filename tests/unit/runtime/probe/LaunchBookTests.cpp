//===- tests/unit/runtime/probe/LaunchBookTests.cpp - Who may wait --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/LaunchBook.h"
#include "runtime/probe/ModuleTable.h"
#include "runtime/probe/ProblemList.h"
#include "tests/unit/cubin/FakeCubin.h"

#include <elf.h>
#include <gtest/gtest.h>

namespace cudalint::probe::LaunchBookTests {
namespace {

using namespace std::chrono_literals;

// The high half of a load in a loop, as ptxas 13.0 writes it for sm_90.
constexpr std::uint64_t Weak = 0x1ea4000c1e1900, OfGpu = 0x1ea4000c1ef900;

/// A program with one kernel, which loads in a loop.
struct Program {
  explicit Program(std::uint64_t High) {
    S.Launches = 5;
    std::string Code;
    for (std::uint64_t Word :
         {std::uint64_t{0x402007981}, High, std::uint64_t{0xfffffffc00f48947},
          std::uint64_t{0xfea000383ffff}})
      Code += fake::bytesOf(Word);
    fake::ElfWriter Out;
    Out.add({".text.kernel", SHT_PROGBITS, Code});
    Modules.loaded(Out.write(), std::nullopt);
    bool IsNew = false;
    Target = Book.target(Context, 0, "kernel", {.Block = {256, 1, 1}}, IsNew);
  }

  /// Launches it; what is to be found out of it then.
  std::optional<LaunchBook::Suspect> launch() {
    IsDue = Book.isDue(Target);
    Book.launching({.Context = Context}, {&Target, 1});
    return Book.suspect();
  }

  Settings S;
  ModuleTable Modules;
  ProblemList Problems;
  LaunchBook Book{S, Modules, Problems};
  CUcontext Context = reinterpret_cast<CUcontext>(0x10);
  LaunchTarget Target;
  bool IsDue = false;
};

TEST(LaunchBook, AKernelThatLooksAtNobodyIsDueAtOnce) {
  Program Its(Weak);
  EXPECT_FALSE(Its.launch());
  EXPECT_TRUE(Its.IsDue);
}

TEST(LaunchBook, OneThatEndsByItselfIsWaitedForAndDue) {
  Program Its(OfGpu);
  for (int I = 0; I != 3; ++I) {
    const auto Suspect = Its.launch();
    EXPECT_FALSE(Its.IsDue);
    ASSERT_TRUE(Suspect);
    EXPECT_EQ(Its.Context, Suspect->Context);
    EXPECT_LT(0s, Suspect->Patience);
    Its.Book.judge(*Suspect, /*HasEnded=*/true, 1ms);
    EXPECT_FALSE(Its.Book.suspect()); // It is judged once.
  }
  EXPECT_FALSE(Its.launch());
  EXPECT_TRUE(Its.IsDue);
}

TEST(LaunchBook, OneThatDoesWaitIsSoonLeftAlone) {
  Program Its(OfGpu);
  int Waits = 0;
  for (int I = 0; I != 10; ++I) {
    const auto Suspect = Its.launch();
    ASSERT_TRUE(Suspect);
    Waits += Suspect->Patience > 0s;
    Its.Book.judge(*Suspect, /*HasEnded=*/false, Suspect->Patience);
  }
  EXPECT_EQ(2, Waits);
  EXPECT_FALSE(Its.Book.isDue(Its.Target));
}

TEST(LaunchBook, OneWhoseContextIsGoneIsNotAskedFor) {
  Program Its(OfGpu);
  Its.launch();
  ASSERT_TRUE(Its.launch());
  Its.Book.contextGone(reinterpret_cast<CUcontext>(0x20));
  EXPECT_TRUE(Its.Book.suspect());
  Its.Book.contextGone(Its.Context);
  EXPECT_FALSE(Its.Book.suspect());
}

TEST(LaunchBook, AnotherLaunchMeanwhileSpoilsIt) {
  Program Its(OfGpu);
  for (int I = 0; I != 6; ++I) {
    const auto Suspect = Its.launch();
    ASSERT_TRUE(Suspect);
    Its.launch(); // by another thread
    Its.Book.judge(*Suspect, /*HasEnded=*/true, 1ms);
  }
  EXPECT_FALSE(Its.Book.isDue(Its.Target));
}

} // namespace
} // namespace cudalint::probe::LaunchBookTests
