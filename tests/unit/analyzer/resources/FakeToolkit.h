//===- tests/unit/analyzer/resources/FakeToolkit.h - A scripted nvcc ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A toolkit in a folder of its own, whose nvcc does what a test wants.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_ANALYZER_RESOURCES_FAKETOOLKIT_H
#define CUDA_LINT_TESTS_UNIT_ANALYZER_RESOURCES_FAKETOOLKIT_H

#include "analyzer/resources/Resources.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

namespace cudalint {

/// The folder also serves for temporary files, so that what is left behind
/// shows, and holds the source `a.cu` with its header `a.h`.
class FakeToolkit : public testing::Test {
protected:
  void SetUp() override {
    std::string Name = testing::TempDir() + "fake-toolkit-XXXXXX";
    ASSERT_NE(mkdtemp(Name.data()), nullptr);
    Root = Name;
    for (const char *Folder : {"include", "bin", "tmp"})
      std::filesystem::create_directory(Root / Folder);
    write("include/cuda_runtime.h", "");
    write("include/cuda.h", "#define CUDA_VERSION 13000\n");
    write("a.cu", "#include \"a.h\"\n");
    write("a.h", "");
    setenv("TMPDIR", path("tmp").c_str(), 1);
    Options.CudaPath = Root;
    Options.CacheDir = path("cache");
    Options.Timeout = std::chrono::seconds(20);
  }
  void TearDown() override {
    unsetenv("TMPDIR");
    std::filesystem::remove_all(Root);
  }

  std::string path(const std::string &Name) const { return Root / Name; }

  void write(const std::string &Name, const std::string &Text) const {
    std::ofstream(Root / Name) << Text;
  }
  std::string read(const std::string &Name) const {
    std::ifstream File(Root / Name);
    return {std::istreambuf_iterator<char>(File), {}};
  }

  /// A script of /bin/sh. `$root` is the folder of the toolkit, and each run
  /// adds a line to the file `runs`.
  void setNvcc(const std::string &Script) const {
    write("bin/nvcc", "#!/bin/sh\nroot='" + Root.string() +
                          "'\necho \"$*\" >>\"$root/runs\"\n" + Script);
    std::filesystem::permissions(Root / "bin/nvcc",
                                 std::filesystem::perms::owner_all);
  }

  /// Prints the figures of the kernel `k` and tells of what it read.
  void setGoodNvcc(const std::string &Extra = "") const {
    setNvcc(R"(
while [ $# != 0 ]; do
  case $1 in
    -arch=*) arch=${1#-arch=} ;;
    -MF) rule=$2 ;;
    -o) out=$2 ;;
  esac
  shift
done
echo code >"$out"
echo left over >"$TMPDIR/tmpxft_1.ii"
printf 'out : %s/a.cu \\\n  %s/a.h\n' "$root" "$root" >"$rule"
)" + Extra + R"(
echo "ptxas info    : 0 bytes gmem" >&2
echo "ptxas info    : Compiling entry function 'k' for '$arch'" >&2
echo "ptxas info    : Function properties for k" >&2
echo "    8 bytes stack frame, 4 bytes spill stores, 2 bytes spill loads" >&2
echo "ptxas info    : Used 40 registers, used 1 barriers, 512 bytes smem" >&2
)");
  }

  std::size_t runs() const {
    std::string Text = read("runs");
    return static_cast<std::size_t>(std::count(Text.begin(), Text.end(), '\n'));
  }

  FileResources compile(std::vector<ComputeCapability> Targets = {
                            {9, 0}}) const {
    return ResourceFinder(Options).compile(job(), Targets);
  }

  CompileJob job() const {
    return {.File = path("a.cu"),
            .Folder = {},
            .Arguments = Arguments,
            .Files = nullptr};
  }

  /// What the only note says; none is the empty string.
  std::string noteOf(const FileResources &Result) const {
    EXPECT_LE(Result.Notes.size(), 1u);
    return Result.Notes.empty() ? "" : Result.Notes.front();
  }

  bool nothingIsLeft() const { return std::filesystem::is_empty(Root / "tmp"); }

  std::filesystem::path Root;
  ResourceOptions Options;
  std::vector<std::string> Arguments; ///< Of the compiler.
};

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_ANALYZER_RESOURCES_FAKETOOLKIT_H
