//===- tests/unit/analyzer/resources/NvccRunTests.cpp - Runs of nvcc ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeToolkit.h"

#include "analyzer/resources/ChildProcess.h"

#include <atomic>
#include <csignal>
#include <gmock/gmock.h>
#include <stop_token>
#include <thread>
#include <unistd.h>

namespace NvccRunTests {

using namespace cudalint;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using NvccRun = FakeToolkit;

static const ComputeCapability SM61{6, 1}, SM80{8, 0}, SM90{9, 0};

/// True when the process, whose number the file holds, is gone within 5 s.
static bool isGone(const std::string &Number) {
  pid_t Pid = static_cast<pid_t>(std::atol(Number.c_str()));
  EXPECT_GT(Pid, 1) << "the script wrote no number";
  for (int I = 0; I != 500; ++I) {
    if (Pid <= 1 || kill(Pid, 0) != 0)
      return Pid > 1;
    // A child of init's that nobody waits for stays as a zombie.
    std::ifstream Stat("/proc/" + Number.substr(0, Number.find('\n')) +
                       "/stat");
    std::string Words;
    std::getline(Stat, Words);
    if (Words.find(") Z ") != std::string::npos)
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST_F(NvccRun, figuresForEachTarget) {
  setGoodNvcc();
  Arguments = {"-DA=b c;$(touch x)", "-c",   "-o", "mine.o",
               "-arch=sm_70",        "-Wall"};
  FileResources Result = compile({SM90, SM80});
  EXPECT_THAT(Result.Notes, IsEmpty());
  EXPECT_FALSE(Result.Cached);
  ASSERT_THAT(Result.Kernels, SizeIs(2));
  for (std::size_t I : {0, 1}) {
    const KernelResources &K = Result.Kernels[I];
    EXPECT_EQ(K.Kernel, "k");
    EXPECT_EQ(K.CC, I == 0 ? SM90 : SM80);
    EXPECT_EQ(K.Record.Registers, 40u);
    EXPECT_EQ(K.Record.SharedBytes, 512u);
    EXPECT_EQ(K.Record.LocalBytes, 8u);
    EXPECT_EQ(K.Record.SpillStores, 4u);
    EXPECT_EQ(K.Record.SpillLoads, 2u);
    EXPECT_EQ(K.Record.Barriers, 1u);
    EXPECT_EQ(K.Record.Source, "nvcc");
  }
  EXPECT_THAT(read("runs"),
              AllOf(Not(HasSubstr("touch")), HasSubstr("-Xptxas -v"),
                    HasSubstr("-cubin"), Not(HasSubstr("mine.o")),
                    Not(HasSubstr("sm_70")), Not(HasSubstr("-Wall"))));
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(NvccRun, fewerRegistersAreTried) {
  setGoodNvcc();
  Arguments = {"-DN=3"};
  const ResourceFinder Finder(Options);
  const std::vector<KernelResources> Tried =
      Finder.compileBounded(job(), {9, 0}, 32);
  EXPECT_THAT(read("runs"), HasSubstr("-DN=3 -maxrregcount=32"));
  const ResourceRecord *Found = ResourceFinder::findIn(Tried, "k", {9, 0});
  ASSERT_NE(Found, nullptr);
  EXPECT_EQ(Found->Registers, 40u);
  EXPECT_EQ(ResourceFinder::findIn(Tried, "k", {8, 0}), nullptr);
  EXPECT_EQ(ResourceFinder::findIn(Tried, "other", {9, 0}), nullptr);
  // Kept apart from what it is without, and from other numbers.
  Finder.compileBounded(job(), {9, 0}, 32);
  EXPECT_EQ(runs(), 1u);
  Finder.compileBounded(job(), {9, 0}, 24);
  compile();
  EXPECT_EQ(runs(), 3u);
}

TEST_F(NvccRun, oneTargetThatTheCompilerRefusesCostsThatTargetOnly) {
  setGoodNvcc(R"([ "$arch" != sm_61 ] || {
    echo "nvcc fatal   : Unsupported gpu architecture 'compute_61'" >&2
    exit 1
  })");
  FileResources Result = compile({SM61, SM90});
  ASSERT_THAT(Result.Kernels, SizeIs(1));
  EXPECT_EQ(Result.Kernels[0].CC, SM90);
  EXPECT_THAT(noteOf(Result),
              AllOf(HasSubstr("nvcc 13.0 does not compile for sm_61"),
                    HasSubstr("--registers"), Not(HasSubstr("a.cu"))));
}

TEST_F(NvccRun, anOptionThatNvccDoesNotKnowIsLeftOut) {
  setGoodNvcc(R"(for o in $(tail -n 1 "$root/runs"); do
    case $o in
      -qnew|--other=1) echo "nvcc fatal   : Unknown option '$o'" >&2; exit 1 ;;
    esac
  done)");
  Arguments = {"-qnew", "value", "--other=1", "-DX"};
  FileResources Result = compile();
  ASSERT_THAT(Result.Kernels, SizeIs(1));
  EXPECT_EQ(Result.Kernels[0].Record.Registers, 40u);
  EXPECT_THAT(noteOf(Result),
              HasSubstr("nvcc 13.0 does not know '-qnew --other=1' and was run "
                        "without"));
  std::string Last = read("runs");
  Last = Last.substr(Last.rfind('\n', Last.size() - 2) + 1);
  EXPECT_THAT(Last, AllOf(HasSubstr("-DX"), Not(HasSubstr("value"))));
}

TEST_F(NvccRun, anUnknownOptionThatNobodyGaveEndsTheTry) {
  setNvcc("echo \"nvcc fatal   : Unknown option '-zzz'\" >&2\nexit 1\n");
  FileResources Result = compile();
  EXPECT_THAT(Result.Kernels, IsEmpty());
  EXPECT_THAT(noteOf(Result), HasSubstr("Unknown option '-zzz'"));
  EXPECT_EQ(runs(), 1u);
}

TEST_F(NvccRun, figuresBeforeLinkingAreCalledSo) {
  setGoodNvcc();
  Arguments = {"-dc"};
  FileResources Result = compile();
  ASSERT_THAT(Result.Kernels, SizeIs(1));
  EXPECT_THAT(noteOf(Result), HasSubstr("before device linking"));
}

TEST_F(NvccRun, codeThatDoesNotCompile) {
  setNvcc("echo 'a.cu(3): warning #1-D: x' >&2\n"
          "printf 'a.cu(7): error: \\033[31mno such thing\\n' >&2\nexit 2\n");
  FileResources Result = compile();
  EXPECT_THAT(Result.Kernels, IsEmpty());
  EXPECT_THAT(noteOf(Result),
              AllOf(HasSubstr("a.cu: nvcc 13.0 cannot compile this for sm_90"),
                    HasSubstr("a.cu(7): error: "), HasSubstr("no such thing"),
                    Not(HasSubstr("\x1b"))));
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(NvccRun, aHangingCompilerIsStoppedWithItsChildren) {
  setNvcc("sleep 100 & echo $! >\"$root/child\"\n"
          "echo x >\"$TMPDIR/tmpxft\"\nsleep 100\n");
  Options.Timeout = std::chrono::seconds(1);
  FileResources Result = compile();
  EXPECT_THAT(noteOf(Result), HasSubstr("took longer than 1 s"));
  EXPECT_THAT(Result.Kernels, IsEmpty());
  EXPECT_THAT(noteOf(Result), AllOf(HasSubstr("longer than 1 s"),
                                    HasSubstr("--ptxas-timeout")));
  EXPECT_TRUE(isGone(read("child")));
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(NvccRun, whatTheCompilerLeavesRunningIsStopped) {
  setGoodNvcc("sleep 100 & echo $! >\"$root/child\"\n");
  FileResources Result = compile();
  EXPECT_THAT(Result.Kernels, SizeIs(1));
  EXPECT_TRUE(isGone(read("child")));
}

TEST_F(NvccRun, aWordingThatNobodyKnows) {
  for (const char *Line :
       {"echo 'kernel k: 40 regs'", ":",
        "echo \"ptxas info : Compiling entry function 'k' for 'sm_90'\"; "
        "echo 'ptxas info : k needs forty registers'"}) {
    setNvcc(Line);
    FileResources Result = compile();
    EXPECT_THAT(Result.Kernels, IsEmpty()) << Line;
    EXPECT_THAT(noteOf(Result),
                HasSubstr("cannot read the output of nvcc 13.0"))
        << Line;
  }
}

TEST_F(NvccRun, aFileWithoutKernelsIsNoFault) {
  setNvcc("echo 'ptxas info    : 0 bytes gmem'\n");
  FileResources Result = compile();
  EXPECT_THAT(Result.Kernels, IsEmpty());
  EXPECT_THAT(Result.Notes, IsEmpty());
}

TEST_F(NvccRun, endlessOutput) {
  setNvcc("exec yes 'ptxas info    : 0 bytes gmem'\n");
  FileResources Result = compile();
  EXPECT_THAT(noteOf(Result), HasSubstr("printed more than 32 MiB"));
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(NvccRun, aCrash) {
  setNvcc("kill -SEGV $$\n");
  EXPECT_THAT(noteOf(compile()), HasSubstr("nvcc 13.0 crashed"));
}

TEST_F(NvccRun, standardInputIsEmpty) {
  setGoodNvcc("cat >/dev/null\n");
  EXPECT_THAT(compile().Kernels, SizeIs(1));
}

TEST_F(NvccRun, noCompiler) {
  FileResources Result = compile();
  EXPECT_THAT(noteOf(Result),
              AllOf(HasSubstr("there is no bin/nvcc in"),
                    HasSubstr("--registers"), HasSubstr("--ptxas-log")));
  Options.CudaPath = path("nowhere");
  EXPECT_THAT(noteOf(compile()), HasSubstr("nowhere"));
}

TEST_F(NvccRun, somethingThatCannotBeRun) {
  setNvcc("");
  write("bin/nvcc", "\x7f"
                    "ELF, but not really");
  EXPECT_THAT(noteOf(compile()), HasSubstr("registers"));
  EXPECT_THAT(compile().Kernels, IsEmpty());
}

TEST_F(NvccRun, isNotRunWhenNothingNeedsIt) {
  setGoodNvcc();
  Options.Mode = PtxasMode::Off;
  EXPECT_FALSE(ResourceFinder(Options).needsCompilation());
  EXPECT_THAT(compile().Kernels, IsEmpty());
  Options.Mode = PtxasMode::Auto;
  Options.PtxasLogs = {"a.log"};
  EXPECT_FALSE(ResourceFinder(Options).needsCompilation());
  Options.PtxasLogs.clear();
  Options.Registers = {{.Kernel = "", .Registers = 40}};
  EXPECT_FALSE(ResourceFinder(Options).needsCompilation());
  EXPECT_EQ(runs(), 0u);
  Options.Registers = {{.Kernel = "other", .Registers = 40}};
  EXPECT_TRUE(ResourceFinder(Options).needsCompilation());
  Options.Registers = {{.Kernel = "", .Registers = 40}};
  Options.Mode = PtxasMode::Nvcc;
  EXPECT_TRUE(ResourceFinder(Options).needsCompilation());
}

namespace {
/// Is to end from the second that enters on.
class CountingGuard final : public EndGuard {
public:
  void enter() const override { ++Inside, ++Entered; }
  void leave() const override { --Inside; }
  bool isToEnd() const override { return Entered > 1; }

  mutable std::atomic<int> Inside = 0, Entered = 0;
};
} // namespace

TEST_F(NvccRun, aGuardEndsTheCompiler) {
  setGoodNvcc();
  const CountingGuard Guard;
  Options.Guard = &Guard;
  EXPECT_THAT(compile().Kernels, SizeIs(1));
  EXPECT_EQ(Guard.Entered, 1);
  EXPECT_EQ(Guard.Inside, 0);
  write("a.h", "// Another one: nothing is kept of it.\n");
  EXPECT_THAT(compile().Kernels, IsEmpty());
  EXPECT_EQ(runs(), 1u);
  EXPECT_EQ(Guard.Entered, 2);
  EXPECT_EQ(Guard.Inside, 0);
  EXPECT_TRUE(nothingIsLeft());
}

// One kernel with too much shared memory is no fault of the others.
TEST_F(NvccRun, figuresOfTheKernelsThatCanBe) {
  setNvcc(R"(
echo "ptxas error   : Entry function 'bad' uses too much shared data" >&2
echo "ptxas info    : 0 bytes gmem" >&2
echo "ptxas info    : Compiling entry function 'k' for 'sm_90'" >&2
echo "ptxas info    : Function properties for k" >&2
echo "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads" >&2
echo "ptxas info    : Used 10 registers, used 0 barriers" >&2
exit 255)");
  const FileResources Result = compile();
  EXPECT_THAT(noteOf(Result),
              AllOf(HasSubstr("too much shared data"),
                    HasSubstr("; but for 1 kernel, of which it printed")));
  ASSERT_THAT(Result.Kernels, SizeIs(1));
  EXPECT_EQ(Result.Kernels[0].Kernel, "k");
  EXPECT_EQ(Result.Kernels[0].Record.Registers, 10u);
  EXPECT_THAT(Result.Instructions, IsEmpty());
}

// Names are from the folder of the job, and so is where nvcc runs.
TEST_F(NvccRun, aJobRunsInItsFolder) {
  std::filesystem::create_directory(Root / "sub");
  write("sub/b.cu", "#include \"b.h\"\n");
  setGoodNvcc("pwd >\"$root/here\"");
  const CompileJob Job = {.File = "b.cu",
                          .Folder = path("sub"),
                          .Arguments = {"-I."},
                          .Files = nullptr};
  const FileResources Result =
      ResourceFinder(Options).compile(Job, std::array{SM90});
  EXPECT_THAT(Result.Notes, IsEmpty());
  EXPECT_THAT(Result.Kernels, SizeIs(1));
  EXPECT_EQ(read("here"), path("sub") + "\n");
}

TEST_F(NvccRun, aStopEndsTheCompiler) {
  setNvcc("echo $$ >\"$root/child\"\nmkdir \"$TMPDIR/x\"\nsleep 100\n");
  Options.Timeout = std::chrono::seconds(100);
  std::stop_source Stop;
  std::thread Compiling([&] {
    ResourceFinder(Options).compile(job(), std::array{SM90, SM80},
                                    Stop.get_token());
  });
  for (int I = 0; I != 500 && read("child").empty(); ++I)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  Stop.request_stop();
  Compiling.join();
  EXPECT_TRUE(isGone(read("child")));
  EXPECT_TRUE(nothingIsLeft());
  EXPECT_EQ(runs(), 1u); // Not for the other target.
  ResourceFinder(Options).compile(job(), std::array{SM90}, Stop.get_token());
  EXPECT_EQ(runs(), 1u);
}

TEST_F(NvccRun, severalFilesAtATime) {
  setGoodNvcc();
  ResourceFinder Finder(Options);
  std::vector<std::thread> Threads;
  std::array<FileResources, 8> Results;
  for (FileResources &Result : Results)
    Threads.emplace_back(
        [&] { Result = Finder.compile(job(), std::array{SM90, SM80}); });
  for (std::thread &Each : Threads)
    Each.join();
  for (const FileResources &Result : Results)
    EXPECT_THAT(Result.Kernels, SizeIs(2));
  EXPECT_TRUE(nothingIsLeft());
}

} // namespace NvccRunTests
