//===- tests/unit/analyzer/tool/OptionsTests.cpp - The command line -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Options.h"

#include <gmock/gmock.h>

namespace OptionsTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static Options accepted(const std::vector<std::string> &Arguments) {
  ParsedOptions Parsed = parseOptions(Arguments);
  EXPECT_EQ(Parsed.Err, "");
  EXPECT_TRUE(Parsed.Run.has_value());
  return Parsed.Run.value_or(Options());
}

/// The message, once it is known to be bad usage that prints nothing else.
static std::string refused(const std::vector<std::string> &Arguments) {
  ParsedOptions Parsed = parseOptions(Arguments);
  EXPECT_FALSE(Parsed.Run.has_value());
  EXPECT_EQ(Parsed.Code, 2);
  EXPECT_EQ(Parsed.Out, "");
  EXPECT_THAT(Parsed.Err, testing::StartsWith("cuda-lint: error: "));
  EXPECT_THAT(Parsed.Err, testing::EndsWith("\n"));
  return Parsed.Err;
}

TEST(Options, defaults) {
  Options O = accepted({"a.cu"});
  EXPECT_THAT(O.Inputs, ElementsAre("a.cu"));
  ASSERT_EQ(O.Gpus.size(), 1u);
  EXPECT_EQ(O.Gpus[0].Name, "sm_90");
  EXPECT_FALSE(O.Gpus[0].SMs.has_value());
  EXPECT_EQ(O.Format, OutputFormat::Text);
  EXPECT_EQ(O.Output, "-");
  EXPECT_EQ(O.FailOn, Severity::Error);
  EXPECT_THAT(O.CompilerArguments, IsEmpty());
  EXPECT_FALSE(O.Explain);
}

TEST(Options, anOptionWithASeparateValueDoesNotSwallowTheFiles) {
  Options O = accepted({"--gpu", "h200", "a.cu", "--gpu", "v100", "b.cu"});
  EXPECT_THAT(O.Inputs, ElementsAre("a.cu", "b.cu"));
  ASSERT_EQ(O.Gpus.size(), 2u);
  EXPECT_EQ(O.Gpus[0].Name, "h200");
  EXPECT_EQ(O.Gpus[1].Name, "v100");
}

TEST(Options, theSameGpuOrFileTwiceIsTakenOnce) {
  Options O = accepted({"--gpu=h200", "--gpu=H200", "a.cu", "a.cu"});
  EXPECT_EQ(O.Gpus.size(), 1u);
  EXPECT_THAT(O.Inputs, ElementsAre("a.cu"));
}

TEST(Options, whatFollowsTwoDashesIsTheCompilers) {
  Options O = accepted(
      {"a.cu", "--format=json", "--", "-std=c++17", "--gpu", "--", "-DN=2"});
  EXPECT_THAT(O.CompilerArguments,
              ElementsAre("-std=c++17", "--gpu", "--", "-DN=2"));
  EXPECT_EQ(O.Format, OutputFormat::Json);
}

TEST(Options, theGpusOfABuildAreLinted) {
  auto NamesOf = [](const Options &O) {
    std::vector<std::string> Names;
    for (const Target &Gpu : O.Gpus)
      Names.push_back(Gpu.Name);
    return Names;
  };
  Options O = accepted({"a.cu", "--", "-gencode", "arch=compute_80,code=sm_80",
                        "-gencode=arch=compute_90,code=[sm_90,compute_90]"});
  EXPECT_THAT(NamesOf(O), ElementsAre("sm_80", "sm_90"));
  EXPECT_THAT(O.Notes, IsEmpty());
  O = accepted({"--gpu=h200", "a.cu", "--", "-arch=sm_80"});
  EXPECT_THAT(NamesOf(O), ElementsAre("h200"));
  O = accepted({"a.cu", "--", "-arch=sm_999"});
  EXPECT_THAT(NamesOf(O), ElementsAre("sm_90"));
  EXPECT_THAT(O.Notes, ElementsAre(HasSubstr("not linted for sm_999")));
}

TEST(Options, theLastOfTwoFormatsCounts) {
  EXPECT_EQ(accepted({"--format=json", "--format=text", "a.cu"}).Format,
            OutputFormat::Text);
}

TEST(Options, thresholds) {
  EXPECT_EQ(accepted({"--fail-on=note", "a.cu"}).FailOn, Severity::Note);
  EXPECT_EQ(accepted({"--fail-on=warning", "a.cu"}).FailOn, Severity::Warning);
  EXPECT_EQ(accepted({"--fail-on=never", "a.cu"}).FailOn, std::nullopt);
  EXPECT_THAT(refused({"--fail-on=warn", "a.cu"}),
              HasSubstr("unknown level 'warn' for --fail-on; use error, "
                        "warning, note or never"));
}

TEST(Options, bothSpellingsOfColour) {
  EXPECT_EQ(accepted({"--color=always", "a.cu"}).Colour, ColourMode::Always);
  EXPECT_EQ(accepted({"--colour=never", "a.cu"}).Colour, ColourMode::Never);
  EXPECT_THAT(refused({"--color=maybe", "a.cu"}), HasSubstr("'maybe'"));
}

TEST(Options, unknownGpuNamesTheNearestOnes) {
  std::string Message = refused({"--gpu", "h2000", "a.cu"});
  EXPECT_THAT(Message, HasSubstr("unknown GPU 'h2000' for --gpu"));
  EXPECT_THAT(Message, HasSubstr("h200"));
}

TEST(Options, unknownOptionNamesTheNearestOne) {
  std::string Message = refused({"--formt=json", "a.cu"});
  EXPECT_THAT(Message, HasSubstr("unknown option '--formt=json'"));
  EXPECT_THAT(Message, HasSubstr("did you mean --format?"));
  // A compiler's option in the wrong place is the likeliest mistake.
  EXPECT_THAT(refused({"-std=c++17", "a.cu"}),
              HasSubstr("compiler arguments go behind --"));
}

TEST(Options, anOptionWithoutItsValueIsRefused) {
  EXPECT_THAT(refused({"a.cu", "--gpu"}), HasSubstr("--gpu"));
  EXPECT_THAT(refused({"a.cu", "--output="}), HasSubstr("--output"));
}

TEST(Options, withoutFilesItIsThoseOfTheBuild) {
  EXPECT_THAT(accepted({}).Inputs, IsEmpty());
  EXPECT_THAT(accepted({"-p", "out"}).Build, "out");
  EXPECT_FALSE(accepted({"a.cu"}).HasCompilerArguments);
  EXPECT_TRUE(accepted({"a.cu", "--"}).HasCompilerArguments);
  EXPECT_THAT(refused({""}), HasSubstr("name of a file is empty"));
}

TEST(Options, unknownFormat) {
  EXPECT_THAT(refused({"--format=xml", "a.cu"}),
              HasSubstr("unknown format 'xml' for --format; use text, json, "
                        "sarif"));
}

TEST(Options, blockAndLaunchAreReadAndRefusedWithTheirText) {
  Options O = accepted({"--block=32,8", "--launch", "k=64,16x16,1024", "a.cu"});
  EXPECT_EQ(O.Shapes.Block, (std::array<std::int64_t, 3>{32, 8, 1}));
  ASSERT_EQ(O.Shapes.Launches.size(), 1u);
  EXPECT_EQ(O.Shapes.Launches[0].DynamicSharedBytes, 1024);

  EXPECT_THAT(refused({"--block=0", "a.cu"}),
              HasSubstr("--block '0': block dimension x is 0, it must be at "
                        "least 1"));
  EXPECT_THAT(refused({"--block", "-32", "a.cu"}), HasSubstr("is -32"));
  EXPECT_THAT(refused({"--launch=k=64,0", "a.cu"}),
              HasSubstr("--launch 'k=64,0': block dimension x is 0"));
  EXPECT_THAT(refused({"--launch=k=-1,32", "a.cu"}),
              HasSubstr("grid dimension x is -1"));
}

// A V100 allows 1024 threads in a block, a Tesla S2050 too, an 8800 GT 512
// (CUDA C++ Programming Guide, technical specifications per capability).
TEST(Options, aBlockMustFitEveryTarget) {
  EXPECT_THAT(refused({"--block=64,32", "a.cu"}),
              HasSubstr("2048 threads is too large, sm_90 allows 1024"));
  EXPECT_THAT(refused({"--gpu=v100", "--gpu=8800-gt", "--block=1024", "a.cu"}),
              HasSubstr("8800-gt allows 512"));
  accepted({"--gpu=v100", "--block=1024", "a.cu"});
}

TEST(Options, explainAccessTakesAPlaceButNoFile) {
  Options Flag = accepted({"--explain-access", "a.cu"});
  EXPECT_TRUE(Flag.Explain);
  EXPECT_FALSE(Flag.ExplainAt.has_value());
  EXPECT_THAT(Flag.Inputs, ElementsAre("a.cu"));

  Location Line42{.File = "a.cu", .Line = 42};
  Options Place = accepted({"--explain-access", "a.cu:42", "a.cu"});
  EXPECT_EQ(Place.ExplainAt, Line42);
  EXPECT_EQ(accepted({"a.cu", "--explain-access=a.cu:42"}).ExplainAt, Line42);
  EXPECT_TRUE(accepted({"a.cu", "--explain-access"}).Explain);

  EXPECT_THAT(refused({"--explain-access=a.cu", "a.cu"}),
              HasSubstr("'a.cu' is not FILE:LINE"));
  EXPECT_THAT(refused({"--explain-access=a.cu:0", "a.cu"}),
              HasSubstr("is not FILE:LINE"));
}

TEST(Options, jobs) {
  EXPECT_EQ(accepted({"-j", "3", "a.cu"}).Jobs, 3u);
  EXPECT_EQ(accepted({"-j3", "a.cu"}).Jobs, 3u);
  EXPECT_THAT(refused({"-j", "0", "a.cu"}), HasSubstr("not a positive number"));
  EXPECT_THAT(refused({"-j", "many", "a.cu"}), HasSubstr("'many'"));
}

TEST(Options, minOccupancyIsAShare) {
  EXPECT_FALSE(accepted({"a.cu"}).MinOccupancy.has_value());
  EXPECT_EQ(accepted({"--min-occupancy=50", "a.cu"}).MinOccupancy, 0.5);
  EXPECT_EQ(accepted({"--min-occupancy", "100%", "a.cu"}).MinOccupancy, 1.0);
  for (const char *Wrong : {"0", "101", "-5", "0.5", "half", "%", "5 %"})
    EXPECT_THAT(refused({std::string("--min-occupancy=") + Wrong, "a.cu"}),
                AllOf(HasSubstr(Wrong), HasSubstr("per cent")));
}

TEST(Options, summaryIsAFlag) {
  EXPECT_FALSE(accepted({"a.cu"}).Summary);
  EXPECT_TRUE(accepted({"--summary", "a.cu"}).Summary);
}

TEST(Options, helpAndVersionGoToStandardOutput) {
  ParsedOptions Help = parseOptions({"--help"});
  EXPECT_FALSE(Help.Run.has_value());
  EXPECT_EQ(Help.Code, 0);
  for (const char *Word :
       {"--gpu", "--checks", "--fail-on", "--launch", "--block", "--format",
        "--output", "--explain-access", "--cuda-path", "--color", "--jobs",
        "--quiet", "--version", "--summary", "--min-occupancy", "list-checks",
        "explain CHECK", "Exit codes"})
    EXPECT_THAT(Help.Out, HasSubstr(Word));
  std::istringstream Lines(Help.Out);
  for (std::string Line; std::getline(Lines, Line);)
    EXPECT_LE(Line.size(), 80u) << Line;

  for (const std::vector<std::string> &Arguments :
       {std::vector<std::string>{"--version", "--cuda-path=/opt"},
        {"merge", "--version", "--cuda-path=/opt"},
        {"--cuda-path=/opt", "--version", "a.cu"}}) {
    Options Version = accepted(Arguments);
    EXPECT_EQ(Version.What, Command::Version);
    EXPECT_EQ(Version.CudaPath, "/opt");
  }
}

TEST(Options, subCommands) {
  EXPECT_EQ(accepted({"list-checks"}).What, Command::ListChecks);
  Options Explain = accepted({"explain", "small-grid"});
  EXPECT_EQ(Explain.What, Command::Explain);
  EXPECT_EQ(Explain.Argument, "small-grid");
  Options Pages = accepted({"explain", "--all-markdown", "docs/checks"});
  EXPECT_EQ(Pages.What, Command::WriteCheckPages);
  EXPECT_EQ(Pages.Argument, "docs/checks");
  EXPECT_THAT(refused({"explain"}), HasSubstr("cuda-lint explain CHECK"));
  EXPECT_THAT(refused({"list-checks", "a.cu"}), HasSubstr("no arguments"));
  // A file can still have the name of a command.
  EXPECT_THAT(accepted({"./explain"}).Inputs, ElementsAre("./explain"));
}

} // namespace OptionsTests
