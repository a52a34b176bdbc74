//===- tests/unit/report/HtmlWriterTests.cpp - Findings as a page ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/page/HtmlWriter.h"

#include "JsonMutator.h"
#include "ReportDocuments.h"
#include "report/JsonReader.h"
#include "report/JsonWriter.h"
#include "report/TerminalText.h"
#include "report/page/HtmlMarkdown.h"
#include "report/page/PageAssets.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>

namespace HtmlWriterTests {

using namespace cudalint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

static std::string page(const Document &Doc, const Texts &Sources = {}) {
  return toHtml({&Doc, 1}, InRoot, sourceOf(Sources));
}

static std::size_t countOf(std::string_view Text, std::string_view Part) {
  std::size_t Count = 0;
  for (std::size_t At = 0; (At = Text.find(Part, At)) != Text.npos;
       At += Part.size())
    ++Count;
  return Count;
}

/// What of a page is not its style and script.
static std::string withoutAssets(std::string Page) {
  for (const std::string_view Asset : {PageStyle, PageScript}) {
    const std::size_t At = Page.find(Asset);
    EXPECT_NE(At, Page.npos);
    if (At != Page.npos)
      Page.erase(At, Asset.size());
  }
  return Page;
}

/// Every element that needs an end has one, in the right order.
static void expectNested(const std::string &Page) {
  static const std::regex Tag("<(/?)([a-z][a-z0-9]*)[^<>]*?(/?)>");
  // The last two end where the next of them, or their list, does.
  static constexpr std::string_view Alone[] = {"meta", "input", "dt",
                                               "dd",   "th",    "td"};
  std::vector<std::string> Open;
  const std::string Body = withoutAssets(Page);
  for (std::sregex_iterator At(Body.begin(), Body.end(), Tag), End; At != End;
       ++At) {
    const std::string Name = (*At)[2];
    if ((*At)[3].length() || std::ranges::count(Alone, Name))
      continue;
    if (!(*At)[1].length()) {
      Open.push_back(Name);
      continue;
    }
    ASSERT_FALSE(Open.empty()) << At->str();
    ASSERT_EQ(Open.back(), Name)
        << Body.substr(0, At->position())
               .substr(std::max<std::size_t>(200, At->position()) - 200);
    Open.pop_back();
  }
  EXPECT_TRUE(Open.empty());
}

/// No byte of it is a control character or no UTF-8.
static void expectPrintable(const std::string &Page) {
  std::string Text = Page;
  std::erase(Text, '\n');
  EXPECT_EQ(printable(Text), Text);
}

//===----------------------------------------------------------------------===//
// The page
//===----------------------------------------------------------------------===//

TEST(HtmlWriter, IsWholeWithoutFindings) {
  for (const std::string &Page :
       {toHtml({}, {}, nullptr), page(documentOf({unitOf("a.cu", {})}))}) {
    EXPECT_THAT(Page,
                AllOf(testing::StartsWith("<!DOCTYPE html>"),
                      HasSubstr("no findings"), HasSubstr("Nothing was found."),
                      testing::EndsWith("</html>\n")));
    expectNested(Page);
  }
}

TEST(HtmlWriter, AllowsItsOwnStyleAndScriptAlone) {
  const std::string Page = page(groupDocument());
  EXPECT_THAT(Page, HasSubstr(fmt::format("default-src 'none'; style-src '{}'; "
                                          "script-src '{}'",
                                          PageStyleHash, PageScriptHash)));
  // 32 bytes in base64.
  for (const std::string_view Hash : {PageStyleHash, PageScriptHash})
    EXPECT_TRUE(std::regex_match(std::string(Hash),
                                 std::regex("sha256-[A-Za-z0-9+/]{43}=")))
        << Hash;
  EXPECT_EQ(countOf(Page, "<script"), 1U);
  EXPECT_EQ(countOf(Page, "<style"), 1U);
  // Which the policy would refuse.
  EXPECT_THAT(withoutAssets(Page),
              AllOf(Not(HasSubstr("style=")), Not(HasSubstr(" onclick")),
                    Not(HasSubstr("src=\""))));
  expectNested(Page);
}

TEST(HtmlWriter, TellsAProblemOnceWithItsPlaces) {
  const Texts Sources = {
      {"a.cu", "1\n2\n3\n4\n5\n    tile[i] = x;\n    tile[j] = y;\n"},
      {"src/b.cuh", "1\n2\n3\n    tile[k] = z;\n"}};
  const std::string Page = page(groupDocument(), Sources);
  EXPECT_EQ(countOf(Page, "<details class=problem"), 1U);
  EXPECT_THAT(Page, AllOf(HasSubstr("cuda-lint: 1 warning"),
                          HasSubstr("leave 4 bytes free"),
                          HasSubstr("The same at 2 other places"),
                          HasSubstr("<span>    <mark>tile[i]"
                                    "</mark> = x;\n</span>"),
                          HasSubstr("</span>    tile[j] = y;\n"),
                          HasSubstr("<span class=place>src/b.cuh:4</span> "
                                    "<code><mark>tile[k]</mark> = z;</code>"),
                          HasSubstr("75 %")));
  expectNested(Page);
}

TEST(HtmlWriter, TellsWhatTargetsHaveInCommonOnce) {
  std::vector<Document> Docs(2, contractDocument());
  Docs[1].Target = {"a100", "8.0", 108};
  Docs[1].Units[0].Findings[0].Predicted->Value = 16;
  const std::string Page = toHtml(Docs, InRoot, nullptr);
  EXPECT_EQ(countOf(Page, "<details class=problem"), 1U);
  EXPECT_EQ(countOf(Page, "<details class=kernel"), 2U);
  EXPECT_THAT(Page, AllOf(HasSubstr("<dt>targets<dd>12 on h200, 16 on a100"),
                          HasSubstr("a.cu:4 on a100")));
  EXPECT_THAT(page(Docs[0]), Not(HasSubstr("<dt>targets")));
}

TEST(HtmlWriter, NothingOfANameOrATextIsMarkup) {
  static constexpr const char *Evil =
      "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
      "\"onload='alert(1)'&lt;<!--";
  Document Doc = hostileDocument();
  Finding F = Doc.Units[0].Findings[0];
  F.Check = Evil;
  F.What = {"evil", "'{what}' " + std::string(Evil), {{"what", Evil}}};
  F.Cause = F.Remedy = F.What;
  F.Where = F.Meant.Begin = F.Meant.End = {Evil, 1, 1};
  F.Meant.End.Column = 4;
  F.About.Name = F.About.Function = Evil;
  F.Predicted = Prediction{Evil, 4, 1};
  F.Wasted = Waste{.Unit = Evil, .OfKernel = 0.5};
  F.Effect =
      RemedyEffect{.Object = Evil, .Unit = Evil, .Before = 2, .After = 1};
  F.Request = RequestExample{.Unit = Evil, .Bytes = 4};
  Doc.Units[0].Findings.push_back(F);
  KernelRecord K;
  K.Name = K.Signature = F.Kernel = Evil;
  K.Where = {Evil, 1, 1};
  K.Resources = ResourceRecord{.Registers = 8, .Source = Evil};
  K.Launches = {
      {.Where = {Evil, 1, 1}, .Occupancy = OccupancyRecord{.Limiter = Evil}}};
  Doc.Units[0].Kernels = {K};
  Doc.Rules = {{.Name = Evil,
                .Summary = Evil,
                .Why = std::string("| ") + Evil + " |\n|--|\n\n`" + Evil + "`",
                .Bad = Evil,
                .Good = Evil,
                .Limits = Evil,
                .Proof = Evil}};
  Doc.Target.ComputeCapability = Doc.ToolVersion = Evil;
  const Texts Sources = {{Evil, std::string(Evil) + "\r\n\xFF\x1b[31m"},
                         {HostileName, HostileText}};
  const std::string Page = page(Doc, Sources);
  EXPECT_EQ(countOf(Page, "<script"), 1U);
  EXPECT_EQ(countOf(Page, "</script"), 1U);
  EXPECT_THAT(Page, AllOf(Not(HasSubstr("<img")), Not(HasSubstr("<f>")),
                          Not(HasSubstr("<!--")), HasSubstr("&lt;FF&gt;")));
  expectNested(Page);
  expectPrintable(withoutAssets(Page));
}

TEST(HtmlWriter, AnyReportIsAPage) {
  const Document Good = contractDocument();
  const nlohmann::json Json = nlohmann::json::parse(toJson({&Good, 1}));
  const Texts Sources = {{"a.cu", "one\n\ttwo\nthree\nfour\nfive\nsix six "
                                  "six six six\n"}};
  JsonMutator Changes(11);
  std::size_t Pages = 0;
  for (int Times = 0; Times != 2000; ++Times) {
    const DocumentsRead Read = readDocuments(Changes.mutate(Json));
    if (!Read.Error.empty())
      continue;
    const std::string Page = toHtml(Read.Documents, InRoot, sourceOf(Sources));
    ASSERT_THAT(Page, testing::EndsWith("</html>\n"));
    if (++Pages % 10 == 0)
      expectNested(Page);
  }
  EXPECT_GT(Pages, 100U);
}

TEST(HtmlWriter, TellsWhatWasNotAnalysed) {
  Document Doc = documentOf({unitOf("a.cu", {})});
  Doc.Units[0].Status = UnitStatus::Failed;
  Doc.Units[0].Errors = {{{"a.cu", 3, 1}, "unknown type name 'floot'"}};
  Doc.Skipped = {{"small-grid", false, "needs the SMs of a product"}};
  EXPECT_THAT(page(Doc),
              AllOf(HasSubstr("Not analysed"), HasSubstr("a.cu:3"),
                    HasSubstr("unknown type name <code>floot</code>"),
                    HasSubstr("not looked for: <code>small-grid</code>")));
}

TEST(HtmlWriter, AThousandFindingsAreBelow3Megabytes) {
  Document Doc = documentOf({});
  std::map<std::string, std::string> Sources;
  for (unsigned File = 0; File != 50; ++File) {
    UnitRecord Unit = unitOf(fmt::format("src/part/kernel_{}.cu", File), {});
    std::string &Text = Sources[Unit.File];
    for (unsigned I = 0; I != 20; ++I) {
      const unsigned Stride = 1 + (File * 7 + I) % 32;
      Finding F = contractDocument().Units[0].Findings[0];
      F.Where = {Unit.File, I * 8 + 4, 17};
      F.Meant = {{Unit.File, I * 8 + 4, 17}, {Unit.File, I * 8 + 4, 32}};
      F.IncludedFrom = F.InlinedAt = {};
      F.Kernel = fmt::format("_Z{}k{}", File, I / 4);
      F.About.Function = F.Kernel;
      F.About.Object = F.About.Variable = fmt::format("in{}", I);
      F.Remedy.Values[0] = {"struct", fmt::format("part_{}_{}", File, I)};
      for (std::size_t Lane = 0; Lane != 32; ++Lane)
        F.Request->Lanes[Lane] = 4 * Stride * Lane;
      Unit.Findings.push_back(F);
      Text += "// What this kernel does with the data that it is given.\n"
              "__global__ void kernel(float *out, const float *in, int n) {\n"
              "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
              "  out[i] = 2 * in[3 * i + 7] + 1;\n"
              "  if (i + 1 < n)\n"
              "    out[i + 1] = 0;\n"
              "}\n\n";
      if (I % 4 != 0)
        continue;
      KernelRecord K = contractDocument().Units[0].Kernels[0];
      K.Name = F.Kernel;
      K.Where = {Unit.File, I * 8 + 2, 1};
      K.Resources->Registers = 16 + (File + I) % 64;
      K.StaticSharedBytes = 1024 * (I / 4);
      K.Accesses.clear();
      Unit.Kernels.push_back(K);
    }
    Doc.Units.push_back(std::move(Unit));
  }
  const std::string Page = page(Doc, Sources);
  EXPECT_EQ(countOf(Page, "<details class=problem"), 1000U);
  EXPECT_EQ(countOf(Page, "<details class=kernel"), 250U);
  EXPECT_LT(Page.size(), 3'000'000U);
  RecordProperty("bytes", static_cast<int>(Page.size()));
  expectNested(Page);
}

//===----------------------------------------------------------------------===//
// Source
//===----------------------------------------------------------------------===//

/// The excerpt of a page about line \p Line of \p Text.
static std::string excerpt(const std::string &Text, unsigned Line,
                           unsigned From, unsigned To) {
  Finding F = findingAt("a.cu", Line, From);
  F.Meant = {{"a.cu", Line, From}, {"a.cu", Line, To}};
  const std::string Page = page(withFindings({F}), {{"a.cu", Text}});
  const std::size_t At = Page.find("<pre class=src");
  return At == Page.npos ? "" : Page.substr(At, Page.find("</pre>", At) - At);
}

TEST(HtmlSource, LinesEndAndBeginAsTheyDo) {
  const std::string Lines =
      excerpt("\xEF\xBB\xBFint a;\r\nint b;\rint c;", 1, 8, 9);
  EXPECT_THAT(Lines, AllOf(HasSubstr("<span>int <mark>a</mark>"
                                     ";\n</span>"),
                           HasSubstr("</span>int b;\nint c;\n"),
                           HasSubstr("aria-hidden=true>1\n2\n3\n</span>"),
                           HasSubstr("from line 1; line 1 is marked")));
}

TEST(HtmlSource, TabsAndBytesAreShown) {
  EXPECT_THAT(excerpt("\tf(\xE9, \"\xC3\xA9\");", 1, 2, 3),
              HasSubstr("<span>        <mark>f</mark>(&lt;E9&gt;, "
                        "&quot;\u00E9&quot;);"));
}

TEST(HtmlSource, LongLinesAreCutAroundWhatIsMeant) {
  const std::string Line =
      std::string(100'000, 'a') + "here" + std::string(100'000, 'b');
  const std::string Lines = excerpt(Line, 1, 100'001, 100'005);
  EXPECT_THAT(Lines, HasSubstr("a<mark>here</mark>b"));
  EXPECT_LT(Lines.size(), 1000U);
}

TEST(HtmlSource, NoLinesWhereThereAreNone) {
  EXPECT_EQ(excerpt("int a;\n", 9, 1, 2), "");
  EXPECT_EQ(excerpt("", 1, 1, 2), "");
  EXPECT_THAT(excerpt("abc\n", 1, 70, 90), HasSubstr("<span>abc\n</span>"));
}

TEST(HtmlSource, AByteOrderMarkIsNoPartOfALine) {
  Finding F = findingAt("b.cu", 2);
  F.What = findingAt("a.cu", 1).What;
  Finding G = F;
  G.Where = {"a.cu", 1, 4};
  F.Fixes = {{"pad it", FixSafety::Safe, {{"a.cu", 8, 0, "b"}}}};
  F.Group = G.Group = 1;
  const std::string Page =
      page(withFindings({F, G}),
           {{"a.cu", "\xEF\xBB\xBFint a;\n"}, {"b.cu", "\nint b;\n"}});
  EXPECT_THAT(Page, AllOf(HasSubstr("<ins>+ int ab;\n</ins>"),
                          Not(HasSubstr("U+FEFF"))));
}

TEST(HtmlSource, AnEditIsTheLineBeforeAndAfter) {
  Finding F = findingAt("a.cu", 2);
  F.Fixes = {{"pad it", FixSafety::Safe, {{"a.cu", 19, 0, " + 1"}}}};
  const std::string Page =
      page(withFindings({F}), {{"a.cu", "// A.\nfloat Tile[32][32];\n"}});
  EXPECT_THAT(Page, AllOf(HasSubstr("changes nothing but the cost"),
                          HasSubstr("<del>- float Tile[32][32];\n</del>"),
                          HasSubstr("<ins>+ float Tile[32 + 1][32];\n</ins>")))
      << Page;
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

static LaneAddresses strided(std::uint64_t Bytes) {
  LaneAddresses Out;
  for (std::uint64_t Lane = 0; Lane != 32; ++Lane)
    Out.emplace_back(Bytes * Lane);
  return Out;
}

static std::string pictures(RequestExample R, std::size_t Times = 1) {
  std::vector<Finding> All;
  for (unsigned I = 0; I != Times; ++I) {
    All.push_back(findingAt("a.cu", 10 * I + 1));
    All.back().What.Values.emplace_back("n", I);
    All.back().Check = fmt::format("check-{}", I);
    All.back().Request = R;
  }
  return page(withFindings(All));
}

TEST(LaneMaps, AColumnOfATileIsATower) {
  const std::string Page = pictures({.Unit = "wavefronts",
                                     .Bytes = 4,
                                     .Lanes = strided(128),
                                     .Cost = 32,
                                     .Ideal = 1,
                                     .LanesThen = strided(132),
                                     .CostThen = 1});
  EXPECT_THAT(Page,
              AllOf(HasSubstr("now: 32 wavefronts for a request, ideal 1"),
                    HasSubstr("1 of 32 banks are used, in 32 rows"),
                    HasSubstr("with the remedy: 1 wavefront"),
                    HasSubstr("32 of 32 banks are used, in 1 row")));
  EXPECT_EQ(countOf(Page, "<symbol"), 2U);
  expectNested(Page);
}

TEST(LaneMaps, SectorsAreFilledAsFarAsTheyAreUsed) {
  // 12-byte structs: a third of 12 sectors.
  const std::string Page = pictures({.Unit = "sectors",
                                     .Bytes = 4,
                                     .Lanes = strided(12),
                                     .Cost = 12,
                                     .Ideal = 4});
  EXPECT_THAT(Page,
              AllOf(HasSubstr("128 of 384 bytes of 12 sectors are asked for"),
                    HasSubstr("ideal, the lanes side by side: 4 sectors"),
                    HasSubstr("128 of 128 bytes of 4 sectors")));
}

TEST(LaneMaps, EqualPicturesAreThereOnce) {
  EXPECT_EQ(countOf(pictures({.Unit = "wavefronts",
                              .Bytes = 8,
                              .Lanes = strided(256),
                              .Cost = 32,
                              .Ideal = 2},
                             5),
                    "<symbol"),
            1U);
}

TEST(LaneMaps, NonsenseHasNone) {
  for (const RequestExample &R :
       {RequestExample{.Unit = "sectors", .Bytes = 4},
        RequestExample{.Unit = "sectors", .Bytes = 0, .Lanes = strided(4)},
        RequestExample{.Unit = "sectors", .Bytes = 5, .Lanes = strided(4)},
        RequestExample{.Unit = "?", .Bytes = 4, .Lanes = strided(4)},
        RequestExample{.Unit = "sectors", .Bytes = 4, .Lanes = strided(~0ull)},
        RequestExample{
            .Unit = "sectors", .Bytes = 4, .Lanes = LaneAddresses(32)}})
    EXPECT_THAT(pictures(R), Not(HasSubstr("<symbol")));
}

//===----------------------------------------------------------------------===//
// Kernels and checks
//===----------------------------------------------------------------------===//

TEST(HtmlKernels, HaveLaunchesAndCurves) {
  const std::string Page = page(contractDocument());
  EXPECT_THAT(Page,
              AllOf(HasSubstr("func(vec3d *, float *)"),
                    HasSubstr("<th scope=row>a.cu:30</th><td>64</td><td>256"
                              "</td><td>0</td><td>8</td><td>64</td><td>100 %"
                              "</td><td>warps</td>"),
                    HasSubstr("now 256 with 64 of 64 warps"),
                    // 12 registers: up to 32, as many warps as there can be.
                    HasSubstr("cliffs behind 32 (64 warps), 40 (48 warps)"),
                    HasSubstr("<a href=\"#k0\">")));
  expectNested(Page);
}

TEST(HtmlKernels, WithoutRegistersThereIsNoCurve) {
  Document Doc = contractDocument();
  Doc.Units[0].Kernels[0].Resources.reset();
  Doc.Units[0].Kernels[0].Launches[0].Block = {std::nullopt, 1, 1};
  const std::string Page = page(Doc);
  EXPECT_THAT(Page, AllOf(Not(HasSubstr("<svg class=curve")),
                          HasSubstr("Without its registers"),
                          HasSubstr("<td>?</td>")));
}

TEST(HtmlMarkdown, HasWhatChecksWrite) {
  EXPECT_EQ(
      htmlOfMarkdown("Rows of `T[32]`\nqueue.\n\n- one\n- two\n  lines\n"),
      "<p>Rows of <code>T[32]</code>\nqueue.</p>\n"
      "<ul><li>one</li>\n<li>two\nlines</li></ul>\n");
  EXPECT_THAT(htmlOfMarkdown("Gains:\n| a | b |\n|---|--:|\n| `x` | <1 |\n"),
              AllOf(HasSubstr("<p>Gains:</p>"),
                    HasSubstr("<tr><th>a</th><th>b</th></tr>"),
                    HasSubstr("<tr><td><code>x</code></td><td>&lt;1</td>"),
                    Not(HasSubstr("--"))));
  EXPECT_EQ(htmlOfMarkdown("a `b"), "<p>a `b</p>\n");
  EXPECT_EQ(htmlOfMarkdown(""), "");
}

} // namespace HtmlWriterTests
