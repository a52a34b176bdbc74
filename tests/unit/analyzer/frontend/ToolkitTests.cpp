//===- tests/unit/analyzer/frontend/ToolkitTests.cpp - Tests --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/Frontend.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

using testing::HasSubstr;

namespace cudalint::ToolkitTests {

namespace {

/// A folder of its own for each test, and an environment that names no
/// toolkit.
class Toolkit : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("toolkit", Root));
    ::unsetenv("CUDA_PATH");
    ::setenv("PATH", Root.c_str(), 1);
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Root); }

  std::string folder(llvm::StringRef Name) {
    llvm::SmallString<128> Path(Root);
    llvm::sys::path::append(Path, Name);
    return Path.str().str();
  }
  void write(const std::string &File) {
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(File));
    std::error_code Error;
    llvm::raw_fd_ostream Stream(File, Error);
    ASSERT_FALSE(Error);
    Stream << "\n";
  }
  std::string makeToolkit(llvm::StringRef Name) {
    write(folder(Name) + "/include/cuda_runtime.h");
    return folder(Name);
  }

  llvm::SmallString<128> Root;
};

} // namespace

TEST_F(Toolkit, TakesTheFolderThatTheUserNames) {
  std::string Cuda = makeToolkit("cuda");
  EXPECT_EQ(findToolkit(Cuda).Path, Cuda);
  EXPECT_EQ(findToolkit(Cuda).Error, "");
}

TEST_F(Toolkit, DoesNotReplaceAFolderThatTheUserNames) {
  ::setenv("CUDA_PATH", makeToolkit("other").c_str(), 1);
  ToolkitLookup Lookup = findToolkit(folder("empty"));
  EXPECT_EQ(Lookup.Path, "");
  EXPECT_THAT(Lookup.Error, HasSubstr(folder("empty")));
  EXPECT_THAT(Lookup.Error, HasSubstr("include/cuda_runtime.h"));
}

TEST_F(Toolkit, PrefersTheEnvironmentToThePath) {
  std::string Cuda = makeToolkit("cuda");
  ::setenv("CUDA_PATH", Cuda.c_str(), 1);
  EXPECT_EQ(findToolkit("").Path, Cuda);
}

TEST_F(Toolkit, SaysThatTheEnvironmentWasPassedOver) {
  std::string Cuda = makeToolkit("cuda");
  write(Cuda + "/bin/nvcc");
  ASSERT_FALSE(llvm::sys::fs::setPermissions(Cuda + "/bin/nvcc",
                                             llvm::sys::fs::all_all));
  ::setenv("PATH", (Cuda + "/bin").c_str(), 1);
  EXPECT_EQ(findToolkit("").Note, "");
  ::setenv("CUDA_PATH", folder("gone").c_str(), 1);
  ToolkitLookup Lookup = findToolkit("");
  EXPECT_NE(Lookup.Path, "");
  EXPECT_THAT(Lookup.Note, HasSubstr("CUDA_PATH '" + folder("gone") + "'"));
  EXPECT_THAT(Lookup.Note, HasSubstr("'" + Lookup.Path + "' is used instead"));
  // What is named on the command line is not looked for.
  EXPECT_EQ(findToolkit(Cuda).Note, "");
}

TEST_F(Toolkit, FollowsALinkToTheCompiler) {
  std::string Cuda = makeToolkit("cuda");
  write(Cuda + "/bin/nvcc");
  ASSERT_FALSE(llvm::sys::fs::setPermissions(Cuda + "/bin/nvcc",
                                             llvm::sys::fs::all_all));
  ASSERT_FALSE(llvm::sys::fs::create_link(Cuda + "/bin/nvcc", folder("nvcc")));
  llvm::SmallString<128> Real;
  ASSERT_FALSE(llvm::sys::fs::real_path(Cuda, Real));
  EXPECT_EQ(findToolkit("").Path, Real.str());
}

TEST_F(Toolkit, SaysWhereItLookedAndWhatToDo) {
  if (llvm::sys::fs::exists("/usr/local/cuda/include/cuda_runtime.h")) {
    // The last place that is looked at cannot be hidden from the search.
    EXPECT_EQ(findToolkit("").Path, "/usr/local/cuda");
    return;
  }
  ::setenv("CUDA_PATH", folder("nothing").c_str(), 1);
  ToolkitLookup Lookup = findToolkit("");
  EXPECT_EQ(Lookup.Path, "");
  for (const std::string &Part :
       {folder("nothing"), std::string("nvcc on PATH"),
        std::string("/usr/local/cuda"), std::string("--cuda-path")})
    EXPECT_THAT(Lookup.Error, HasSubstr(Part));
}

} // namespace cudalint::ToolkitTests
