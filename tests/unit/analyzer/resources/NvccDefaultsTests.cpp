//===- tests/unit/analyzer/resources/NvccDefaultsTests.cpp - Dry runs -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/NvccDefaults.h"
#include "tests/unit/analyzer/resources/FakeToolkit.h"

#include <gmock/gmock.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace cudalint::NvccDefaultsTests {

namespace {
class NvccDefaults : public FakeToolkit {
protected:
  /// One that adds two folders, of which one is its own, and a macro.
  void setAdding() const {
    write("bin/nvcc.profile", "");
    setNvcc(R"s(
echo '#$ _HERE_=/usr/bin' >&2
echo '#$ gcc -D__CUDA_ARCH_LIST__=750 -E -x c++ -DHOST=1 "a.cu" -o "a.ii"' >&2
echo "#\$ gcc -D__CUDA_ARCH__=750 -E -x c++ -D__CUDACC__ \"-I$root/include\" \
  \"-isystem\" \"$root/tmp\" -D \"SITE=a b\" -I/opt/site $NVCC_APPEND_FLAGS \
  -D__CUDACC_VER_MAJOR__=13 -include \"cuda_runtime.h\" -include \"site.h\" \"a.cu\" -o \"b.ii\"" >&2
)s");
  }
  std::size_t runs() const {
    const std::string Text = read("runs");
    return static_cast<std::size_t>(std::ranges::count(Text, '\n'));
  }
};
} // namespace

TEST_F(NvccDefaults, AreWhatADryRunAdds) {
  setAdding();
  ResourceCache Cache(path("cache"));
  EXPECT_THAT(addedByNvcc(Root, Cache),
              ElementsAre("-isystem", path("tmp"), "-DSITE=a b", "-I/opt/site",
                          "-include", "site.h"));
  // Asked once, also by another run.
  ResourceCache Again(path("cache"));
  EXPECT_EQ(addedByNvcc(Root, Again).size(), 6u);
  EXPECT_EQ(runs(), 1u);
  // Until something is another.
  setenv("NVCC_APPEND_FLAGS", "-DMORE", 1);
  EXPECT_EQ(addedByNvcc(Root, Again).size(), 7u);
  unsetenv("NVCC_APPEND_FLAGS");
  EXPECT_EQ(runs(), 2u);
}

TEST_F(NvccDefaults, AreNothingWhereItDoesNotAnswer) {
  ResourceCache Cache(path("cache"));
  for (const char *Script : {"exit 1\n", "echo text\n", "kill -9 $$\n",
                             "head -c 3000000 /dev/zero\n", ""}) {
    setNvcc(Script);
    EXPECT_THAT(addedByNvcc(Root, Cache), IsEmpty()) << Script;
  }
  std::filesystem::remove(path("bin/nvcc"));
  EXPECT_THAT(addedByNvcc(Root, Cache), IsEmpty());
}

TEST(DryRun, OfAToolkitAsItIs) {
  EXPECT_THAT(parseDryRun("#$ gcc -D__CUDA_ARCH__=750 -E -x c++ "
                          "-DCUDA_DOUBLE_MATH_FUNCTIONS -D__NVCC__ -m64 -o x",
                          "/nowhere"),
              IsEmpty());
  for (const char *Text : {"", "#$ ", "#$ gcc -E", "gcc -D__CUDA_ARCH__=1 -E ",
                           "#$ x -D__CUDA_ARCH__=1 -E -isystem", "#$ x -E -I"})
    EXPECT_THAT(parseDryRun(Text, "/nowhere"), IsEmpty()) << Text;
}

} // namespace cudalint::NvccDefaultsTests
