//===- tests/unit/runtime/join/VerdictRulesTests.cpp - Each rule is met ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Made profiles, each with what is predicted and what its instructions counted:
// one that meets a rule, and one that is a step beside. Each is tried as global
// loads, global stores and shared loads, and as a profile of before, which has
// lines alone.
//
//===----------------------------------------------------------------------===//

#include "runtime/join/VerdictRules.h"

#include "Examples.h"
#include "runtime/join/Join.h"

#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>

namespace VerdictRulesTests {

using namespace cudalint;
using testing::HasSubstr;
using enum VerdictKind;

namespace {
/// Predicted, of line 14 unless it says otherwise.
struct P {
  std::optional<double> PerRequest;
  std::optional<double> Ideal;
  unsigned Bytes = 4;
  bool IsExact = false;
  unsigned Line = 14;
  std::optional<double> Executions = {};
  unsigned Loop = 0;
  double Lanes = 32;
  std::optional<double> Least = {}, Most = {};
  std::optional<std::uint64_t> Offset = {}; ///< Of its machine instruction.
  unsigned Call = 0;                        ///< Where it was inlined.
};

/// Measured by one instruction, 16 bytes after the one before.
struct M {
  double PerRequest;
  double Ideal;
  unsigned Bytes = 4;
  std::uint64_t Requests = 4096;
  double Lanes = 32;
  unsigned Line = 14;
  unsigned Call = 0;       ///< Where it was inlined.
  bool IsInHeader = false; ///< Shown in a header of the toolkit.
  bool HasRecord = true;
};

struct Case {
  const char *Name;
  std::vector<P> Predicted;
  std::vector<M> Code;
  VerdictKind Kind;
  const char *Rule;
  /// As the lines alone tell.
  VerdictKind OldKind;
  const char *OldRule;
  Shape Block = {256, 1, 1};
  bool CallsOthers = false;
};

enum class Kinds { GlobalLoads, GlobalStores, SharedLoads };
} // namespace

static const std::vector<Case> &cases() {
  static const std::vector<Case> All = {
      // Numbers that agree.
      {"equal", {{12, 4}}, {{12, 4}}, Confirmed, "agrees", Confirmed, "agrees"},
      {"within the tolerance",
       {{100, 4}},
       {{104.9, 4}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"outside of it",
       {{100, 4}},
       {{105.1, 4}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      {"exact",
       {{100, 4, 4, true}},
       {{100.9, 4}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"not so exact",
       {{100, 4, 4, true}},
       {{101.1, 4}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      {"both a little more: the ratio alone is as predicted",
       {{100, 100}},
       {{105.5, 104.5}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      // Widths.
      {"four loads became one",
       {{4, 4}, {4, 4}, {4, 4}, {4, 4}},
       {{16, 16, 16, 1024}},
       Inconclusive,
       "merged",
       Inconclusive,
       "merged-unseen"},
      {"a larger ideal of the same width",
       {{4, 4}},
       {{16, 16}},
       Refuted,
       "refuted",
       Inconclusive,
       "merged-unseen"},
      {"two of four became one",
       {{4, 4}, {4, 4}, {4, 4}, {4, 4}},
       {{4, 4}, {4, 4}, {8, 8, 8}},
       Inconclusive,
       "merged",
       Inconclusive,
       "merged-unseen"},
      {"merged, and the numbers agree all the same",
       {{12, 4}},
       {{12, 4, 8}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"one load became four",
       {{16, 16, 16}},
       {{8, 4}, {8, 4}, {8, 4}, {8, 4}},
       Inconclusive,
       "split",
       Inconclusive,
       "split-unseen"},
      {"a smaller ideal of the same width",
       {{16, 16, 16}},
       {{8, 4, 16}},
       Refuted,
       "refuted",
       Inconclusive,
       "split-unseen"},
      {"an access is gone",
       {{4, 4}, {8, 8, 8}},
       {{4, 4}},
       Inconclusive,
       "removed",
       Inconclusive,
       "mixture"},
      {"it is there",
       {{4, 4}, {8, 8, 8}},
       {{4, 4}, {8, 8, 8}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"it is there and never ran",
       {{4, 4}, {8, 8, 8}},
       {{4, 4}, {0, 0, 8, 0, 0}},
       Confirmed,
       "agrees",
       Inconclusive,
       "mixture"},
      // Accesses that are told apart.
      {"by their widths",
       {{4, 4}, {32, 8, 8}},
       {{4, 4}, {32, 8, 8, 1024}},
       Confirmed,
       "agrees",
       Inconclusive,
       "mixture"},
      {"one of them has another number",
       {{4, 4}, {32, 8, 8}},
       {{4, 4}, {16, 8, 8, 1024}},
       Refuted,
       "refuted",
       Inconclusive,
       "mixture"},
      {"unequal ones average out",
       {{4, 4}, {32, 4}},
       {{18, 4}, {18, 4}},
       Inconclusive,
       "mixture",
       Confirmed,
       "agrees"},
      {"unequal ones do not",
       {{4, 4}, {32, 4}},
       {{32, 4}, {4, 4}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"one ran less often",
       {{4, 4}, {32, 4}},
       {{32, 4, 4, 1024}, {4, 4}},
       Confirmed,
       "agrees",
       Inconclusive,
       "mixture"},
      {"equal ones average out",
       {{12, 4}, {12, 4}},
       {{6, 4}, {18, 4}},
       Refuted,
       "refuted",
       Confirmed,
       "agrees"},
      {"equal ones do not",
       {{12, 4}, {12, 4}},
       {{12, 4}, {12, 4}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"one is there twice",
       {{4, 4}, {32, 4}},
       {{4, 4}, {4, 4}},
       Inconclusive,
       "mixture",
       Inconclusive,
       "mixture"},
      {"one is none of them",
       {{4, 4}, {32, 4}},
       {{4, 4}, {16, 4}},
       Refuted,
       "refuted",
       Inconclusive,
       "mixture"},
      {"one of two never ran",
       {{4, 4}, {32, 4}},
       {{0, 0, 4, 0, 0}, {32, 4}},
       Confirmed,
       "agrees",
       Inconclusive,
       "mixture"},
      {"more than any",
       {{4, 4}, {32, 4}},
       {{40, 4}, {40, 4}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      {"unrolled",
       {{12, 4}},
       {{12, 4}, {12, 4}, {12, 4}, {12, 4}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"unrolled, of unequal turns",
       {{12, 4, 4, false, 14, {}, 1}},
       {{6, 4}, {18, 4}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"unrolled, one turn costs more",
       {{12, 4}},
       {{12, 4}, {12, 4}, {12, 4}, {40, 4}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      {"unrolled, each of its own and none of the mean",
       {{3, 2, 4, false, 14, {}, 1},
        {3, 2, 4, false, 14, {}, 1},
        {3, 2, 4, false, 14, {}, 1}},
       {{2, 2}, {2, 2}, {5, 2}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"unrolled, another mean",
       {{3, 2, 4, false, 14, {}, 1},
        {3, 2, 4, false, 14, {}, 1},
        {3, 2, 4, false, 14, {}, 1}},
       {{2, 2}, {2, 2}, {6, 2}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      {"two of a loop, whose turns are told apart",
       {{3, 2, 4, false, 14, {}, 1},
        {3, 2, 4, false, 14, {}, 1},
        {8, 2, 4, false, 14, {}, 1}},
       {{2, 2}, {8, 2, 4, 1024}, {4, 2}},
       Confirmed,
       "agrees",
       Inconclusive,
       "mixture"},
      {"two of a loop, one has another number",
       {{3, 2, 4, false, 14, {}, 1},
        {3, 2, 4, false, 14, {}, 1},
        {8, 2, 4, false, 14, {}, 1}},
       {{2, 2}, {7, 2, 4, 1024}, {4, 2}},
       Inconclusive,
       "mixture",
       Inconclusive,
       "mixture"},
      // Of equal instructions a prediction may name the wrong one.
      {"the offsets have each other's numbers",
       {{.PerRequest = 4, .Ideal = 4, .Offset = 16},
        {.PerRequest = 32, .Ideal = 4, .Offset = 32}},
       {{32, 4}, {4, 4}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"alike, and each as often as another was to run",
       {{12, 4, 4, true, 14, 0.25}, {12, 4, 4, true, 14, 0.75}},
       {{12, 4, 4, 3072}, {12, 4, 4, 1024}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"alike, and more than both",
       {{12, 4, 4, true, 14, 0.25}, {12, 4, 4, true, 14, 0.75}},
       {{12, 4, 4, 3072}, {12, 4, 4, 2048}},
       Refuted,
       "sums-refuted",
       Refuted,
       "sums-refuted"},
      {"by their calls",
       {{.PerRequest = 4, .Ideal = 4, .Call = 30},
        {.PerRequest = 32, .Ideal = 4, .Call = 40}},
       {{4, 4, 4, 4096, 32, 14, 30}, {32, 4, 4, 4096, 32, 14, 40}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"the calls have each other's numbers",
       {{.PerRequest = 4, .Ideal = 4, .Call = 30},
        {.PerRequest = 32, .Ideal = 4, .Call = 40}},
       {{32, 4, 4, 4096, 32, 14, 30}, {4, 4, 4, 4096, 32, 14, 40}},
       Refuted,
       "refuted",
       Confirmed,
       "agrees"},
      // Data.
      {"it depends on data",
       {{{}, {}}},
       {{20, 4}},
       MeasuredOnly,
       "data",
       MeasuredOnly,
       "data"},
      {"one depends on data, the other is found",
       {{{}, {}}, {4, 4}},
       {{20, 4}, {4, 4}},
       Confirmed,
       "agrees",
       Inconclusive,
       "some-data"},
      {"the other is not found",
       {{{}, {}}, {4, 4}},
       {{20, 4}, {7, 4}},
       Inconclusive,
       "some-data",
       Inconclusive,
       "some-data"},
      {"the other has its width",
       {{{}, {}}, {4, 4, 8}},
       {{20, 4}, {9, 4, 8}},
       Refuted,
       "refuted",
       Inconclusive,
       "some-data"},
      // Lanes.
      {"fewer lanes",
       {{4, 4}},
       {{2.5, 2.5, 4, 4096, 20}},
       Confirmed,
       "fewer-lanes",
       Confirmed,
       "fewer-lanes"},
      {"a few fewer lanes",
       {{32, 4}},
       {{30.2, 3.82, 4, 4096, 30.5}},
       Confirmed,
       "fewer-lanes",
       Confirmed,
       "fewer-lanes"},
      {"fewer lanes, and much less than these",
       {{8, 8}},
       {{4, 4, 4, 4096, 30}},
       Inconclusive,
       "other-lanes",
       Inconclusive,
       "other-lanes"},
      {"a few fewer lanes, and much less",
       {{8, 8}},
       {{4, 4, 4, 4096, 31}},
       Refuted,
       "refuted",
       Inconclusive,
       "split-unseen"},
      {"all lanes and a little less",
       {{32, 4}},
       {{30.2, 4}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      {"a part of the lanes cannot touch more",
       {{4, 4}},
       {{30, 3.75, 4, 4096, 30}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      {"those that are left may be the dearer ones",
       {{4, 4}},
       {{5, 3.75, 4, 4096, 30}},
       Inconclusive,
       "other-lanes",
       Inconclusive,
       "other-lanes"},
      {"fewer lanes and another ratio",
       {{4, 4}},
       {{3.5, 2.5, 4, 4096, 20}},
       Inconclusive,
       "other-lanes",
       Inconclusive,
       "other-lanes"},
      {"very few lanes",
       {{4, 4}},
       {{1.5, 1.5, 4, 4096, 12}},
       Inconclusive,
       "other-lanes",
       Inconclusive,
       "other-lanes"},
      {"exact lanes",
       {{4, 4, 4, true}},
       {{2.5, 2.5, 4, 4096, 20}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      // Loops.
      {"other lanes of a loop",
       {{4, 1, 4, true, 14, {}, 1, 21}},
       {{4.4, 1, 4, 4096, 19}},
       Inconclusive,
       "turns-lanes",
       Inconclusive,
       "turns-lanes"},
      {"other lanes of a loop that made all requests",
       {{4, 1, 4, true, 14, 1, 1, 21}},
       {{4.4, 1, 4, 4096, 19}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      {"turns were removed",
       {{1.2, 1, 4, true, 14, {}, 1}},
       {{1.25, 1, 4, 32}},
       Inconclusive,
       "turns",
       Inconclusive,
       "turns"},
      {"no turns were removed",
       {{1.2, 1, 4, true, 14, {}, 1}},
       {{1.25, 1, 4, 80}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      {"turns, and as many requests as predicted",
       {{1.2001, 1, 4, true, 14, 1, 1}},
       {{1.25, 1}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      // Sizes.
      {"other sizes",
       {{10, 8, 4, false, 14, {}, 0, 32, 8, 10}},
       {{9.4, 8}},
       Inconclusive,
       "sizes",
       Inconclusive,
       "sizes"},
      {"no such sizes",
       {{10, 8, 4, false, 14, {}, 0, 32, 8, 10}},
       {{16, 8}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      // Sums: 4096 warps were launched.
      {"as many requests as predicted",
       {{12, 4, 4, true, 14, 1}},
       {{12, 4}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"more requests than predicted",
       {{12, 4, 4, true, 14, 1}},
       {{12, 4, 4, 5000}},
       Refuted,
       "sums-refuted",
       Refuted,
       "sums-refuted"},
      {"more requests than assumed",
       {{12, 4, 4, false, 14, 1}},
       {{12, 4, 4, 5000}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"one of two has more requests",
       {{12, 4, 4, true, 14, 1}, {4, 4, 8, true, 14, 1}},
       {{12, 4, 4, 5000}, {4, 4, 8}},
       Refuted,
       "sums-refuted",
       Confirmed,
       "agrees"},
      // Blocks.
      {"other blocks",
       {{4, 4}},
       {{12, 4}},
       Inconclusive,
       "other-blocks",
       Inconclusive,
       "other-blocks",
       {100, 1, 1}},
      {"other blocks, the same number",
       {{4, 4}},
       {{4, 4}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees",
       {100, 1, 1}},
      // Nothing was measured.
      {"no request",
       {{4, 4}},
       {{0, 0, 4, 0, 0}},
       NotMeasured,
       "idle",
       NotMeasured,
       "idle"},
      {"a few requests",
       {{4, 4}},
       {{4, 4, 4, 1}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"not in the code",
       {{4, 4}},
       {{4, 4, 4, 4096, 32, 30}},
       Inconclusive,
       "not-in-code",
       Inconclusive,
       "not-seen"},
      {"in the code",
       {{4, 4}},
       {{4, 4, 4, 4096, 32, 30}, {0, 0, 4, 0, 0, 14, 0, false, false}},
       NotMeasured,
       "not-reached",
       Inconclusive,
       "not-seen"},
      {"not in the code that is known",
       {{4, 4}},
       {{4, 4, 4, 4096, 32, 30}},
       Inconclusive,
       "not-seen",
       Inconclusive,
       "not-seen",
       {256, 1, 1},
       true},
      // One of two lines is not there.
      {"one of both",
       {{12, 4}, {12, 4, 4, false, 20}},
       {{20, 4}},
       Inconclusive,
       "one-of-both",
       Inconclusive,
       "one-of-both-unseen"},
      {"more than both",
       {{12, 4}, {12, 4, 4, false, 20}},
       {{30, 4}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      {"the other is far",
       {{12, 4}, {12, 4, 4, false, 31}},
       {{20, 4}},
       Refuted,
       "refuted",
       Refuted,
       "refuted"},
      {"the other is there",
       {{12, 4}, {12, 4, 4, false, 20}},
       {{20, 4}, {0, 0, 4, 0, 0, 20, 0, false, false}},
       Refuted,
       "refuted",
       Inconclusive,
       "one-of-both-unseen"},
      {"the other may be called",
       {{12, 4}, {12, 4, 4, false, 20}},
       {{20, 4}},
       Refuted,
       "refuted",
       Inconclusive,
       "one-of-both-unseen",
       {256, 1, 1},
       true},
      // Functions of headers.
      {"in a header",
       {{12, 4}},
       {{12, 4, 4, 4096, 32, 134, 14, true}},
       Confirmed,
       "agrees",
       Confirmed,
       "agrees"},
      {"in a header, another number",
       {{12, 4}},
       {{20, 4, 4, 4096, 32, 134, 14, true}},
       Refuted,
       "refuted",
       Inconclusive,
       "toolkit"},
      {"in a header that two lines call",
       {{12, 4}, {16, 4, 4, false, 20}},
       {{12, 4, 4, 4096, 32, 134, 14, true},
        {16, 4, 4, 4096, 32, 134, 20, true}},
       Confirmed,
       "agrees",
       Inconclusive,
       "toolkit"},
      {"each with the number of the other",
       {{12, 4}, {16, 4, 4, false, 20}},
       {{16, 4, 4, 4096, 32, 134, 14, true},
        {12, 4, 4, 4096, 32, 134, 20, true}},
       Refuted,
       "refuted",
       Inconclusive,
       "toolkit"},
  };
  return All;
}

static AccessRecord recordOf(const P &Of, Kinds Kind) {
  AccessRecord Out = access(Of.Line, Of.PerRequest, Of.Ideal);
  Out.Bytes = Of.Bytes;
  Out.Lanes = Of.Lanes;
  Out.Executions = Of.Executions;
  Out.LoopDepth = Of.Loop;
  Out.Least = Of.Least;
  Out.Most = Of.Most;
  if (Of.IsExact)
    Out.Trust = Certainty::Exact;
  if (Kind == Kinds::SharedLoads) {
    Out.Space = MemorySpace::Shared;
    Out.Unit = TrafficUnit::Wavefronts;
  }
  if (Kind == Kinds::GlobalStores)
    Out.Op = AccessOp::Store;
  if (Of.Call)
    Out.InlinedAt = {{"vec3d.cu", Of.Call, 0}};
  if (Of.Offset)
    Out.Compiled = MachineInstruction{
        .Name = "LDX.E", .Offset = *Of.Offset, .Bytes = Of.Bytes};
  return Out;
}

static ProfileInstruction instructionOf(const M &Of, Kinds Kind,
                                        std::uint64_t Offset) {
  auto times = [&](double Each) {
    return static_cast<std::uint64_t>(Each * static_cast<double>(Of.Requests) +
                                      0.5);
  };
  ProfileLine Counts = measured(Of.Line, times(Of.PerRequest), times(Of.Ideal));
  Counts.Instructions = Counts.Requests = Of.Requests;
  Counts.Lanes = times(Of.Lanes);
  if (Kind == Kinds::SharedLoads) {
    Counts.Space = MemorySpace::Shared;
    Counts.Wavefronts = std::exchange(Counts.Sectors, {});
    Counts.IdealWavefronts = std::exchange(Counts.IdealSectors, {});
  }
  if (Kind == Kinds::GlobalStores)
    Counts.Op = AccessOp::Store;
  if (!Of.HasRecord)
    Counts = {.Space = Counts.Space, .Op = Counts.Op};
  ProfileInstruction Out = instruction(Offset, Counts, Of.Bytes);
  Out.Opcode = "LDX";
  const std::uint32_t File = Of.IsInHeader;
  Out.Where = ProfilePlace{File, Of.Line};
  Out.Frames = {{File, Of.Line}};
  if (Of.Call)
    Out.Frames.push_back({0, Of.Call});
  return Out;
}

static Document documentOf(const Case &Of, Kinds Kind) {
  std::vector<AccessRecord> Accesses;
  for (const P &Each : Of.Predicted)
    Accesses.push_back(recordOf(Each, Kind));
  Document Doc = document(std::move(Accesses));
  Doc.Units[0].Kernels[0].Totals = {
      {.Block = {256, 1, 1}, .Grid = {512, 1, 1}}};
  return Doc;
}

static Profile profileOf(const Case &Of, Kinds Kind, bool IsOld) {
  std::vector<ProfileInstruction> Code;
  for (const M &Each : Of.Code)
    Code.push_back(instructionOf(Each, Kind, 16 * (Code.size() + 1)));
  Profile Out = profileOf(std::move(Code));
  Out.Launches[0].Block = Of.Block;
  Out.Code[0].CallsOthers = Of.CallsOthers;
  if (IsOld) {
    Out.Code.clear();
    Out.Files.clear();
  }
  return Out;
}

/// The verdict on line 14.
static LineVerdict verdictOf(const Case &Of, Kinds Kind, bool IsOld) {
  Document Doc = documentOf(Of, Kind);
  Profile P = profileOf(Of, Kind, IsOld);
  JoinResult R = join(std::span(&Doc, 1), merge(std::span(&P, 1)), {});
  for (const LineVerdict &Each : R.Gpus.at(0).Lines)
    if (Each.Where.Line == 14)
      return Each;
  ADD_FAILURE() << "no verdict";
  return {};
}

TEST(VerdictRules, EachMadeProfileHasItsVerdict) {
  unsigned Profiles = 0;
  for (const Case &Each : cases())
    for (Kinds Kind :
         {Kinds::GlobalLoads, Kinds::GlobalStores, Kinds::SharedLoads})
      for (bool IsOld : {false, true}) {
        ++Profiles;
        LineVerdict V = verdictOf(Each, Kind, IsOld);
        const std::string Says =
            fmt::format("{}, kind {}, {}: {}", Each.Name,
                        static_cast<int>(Kind), IsOld ? "old" : "new", V.Why);
        EXPECT_EQ(nameOf(V.Kind), nameOf(IsOld ? Each.OldKind : Each.Kind))
            << Says;
        EXPECT_EQ(V.Rule, IsOld ? Each.OldRule : Each.Rule) << Says;
      }
  EXPECT_GE(Profiles, 200u);
}

TEST(VerdictRules, SaysWhichAccessAndWhichInstruction) {
  auto whyOf = [](const char *Name) {
    for (const Case &Each : cases())
      if (Each.Name == std::string(Name))
        return verdictOf(Each, Kinds::GlobalLoads, false).Why;
    return std::string("no such case");
  };
  EXPECT_EQ(whyOf("four loads became one"),
            "the compiler merged accesses: the code has LDX of 16 bytes at "
            "0x10, predicted were 4");
  EXPECT_EQ(whyOf("one load became four"),
            "the compiler split accesses: the code has LDX of 4 bytes at 0x10, "
            "predicted were 16");
  EXPECT_THAT(whyOf("an access is gone"),
              HasSubstr("the compiler removed or merged an access of 8 bytes: "
                        "the code has none so wide in this line"));
  EXPECT_EQ(whyOf("one of them has another number"),
            "its access of 8 bytes at 0x20 has 16.0 per request, predicted "
            "32.0");
  EXPECT_THAT(whyOf("in a header"),
              HasSubstr("measured in sm_32_intrinsics.hpp:134"));
}

/// As it should be, each as often as it ran.
TEST(VerdictRules, AMeanIsWeightedByWhatRan) {
  for (const Case &Each : cases())
    if (Each.Name == std::string("by their widths")) {
      LineVerdict V = verdictOf(Each, Kinds::GlobalLoads, false);
      EXPECT_DOUBLE_EQ(*V.PerRequest, (4 * 4096 + 32 * 1024) / 5120.0);
      EXPECT_DOUBLE_EQ(*V.Ideal, (4 * 4096 + 8 * 1024) / 5120.0);
    }
}

TEST(VerdictRules, TheCounterIsNamed) {
  const Case &Equal = cases().front();
  EXPECT_EQ(verdictOf(Equal, Kinds::GlobalLoads, false).Counter,
            "smsp__sass_sectors_mem_global");
  EXPECT_EQ(verdictOf(Equal, Kinds::SharedLoads, false).Counter,
            "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared");
}

TEST(VerdictRules, CountsThatAreNotTheHardwaresAreNamed) {
  auto whyOf = [](AccessRecord Access, ProfileLine Line) {
    Line.Op = Access.Op;
    if (Access.Space == MemorySpace::Shared) {
      Line.Space = MemorySpace::Shared;
      Line.Wavefronts = std::exchange(Line.Sectors, {});
      Line.IdealWavefronts = std::exchange(Line.IdealSectors, {});
    }
    Document Doc = document({Access});
    Profile P = profile({Line});
    return join(std::span(&Doc, 1), merge(std::span(&P, 1)), {})
        .Gpus.at(0)
        .Lines.at(0)
        .Why;
  };
  // All lanes at one word, and each at its own.
  AccessRecord Atomic = access(14, 1, 1);
  Atomic.Op = AccessOp::Atomic;
  EXPECT_THAT(whyOf(Atomic, measured(14, 4096, 4096)),
              HasSubstr("lanes share words"));
  Atomic.PerRequest = Atomic.Ideal = 4;
  EXPECT_EQ(whyOf(Atomic, measured(14, 4 * 4096, 4 * 4096)), "");
  // Wide loads with and without conflicts, and a narrow one.
  AccessRecord Wide = access(14, 4, 2);
  Wide.Space = MemorySpace::Shared;
  Wide.Unit = TrafficUnit::Wavefronts;
  Wide.Bytes = 8;
  EXPECT_THAT(whyOf(Wide, measured(14, 4 * 4096, 2 * 4096)),
              HasSubstr("wide loads that conflict"));
  Wide.PerRequest = 2;
  EXPECT_EQ(whyOf(Wide, measured(14, 2 * 4096, 2 * 4096)), "");
  Wide.PerRequest = 4;
  Wide.Bytes = 4;
  EXPECT_EQ(whyOf(Wide, measured(14, 4 * 4096, 2 * 4096)), "");
}

//===----------------------------------------------------------------------===//
// Of no line in particular
//===----------------------------------------------------------------------===//

static LineVerdict only(const Document &Doc, const Profile &P) {
  JoinResult R = join(std::span(&Doc, 1), merge(std::span(&P, 1)), {});
  return R.Gpus.at(0).Lines.at(0);
}

TEST(VerdictRules, WhyNothingWasMeasured) {
  const Document Doc = document({access(14, 12, 4)});
  Profile Ran = profile({measured(14, 49152, 16384)});
  EXPECT_EQ(only(Doc, Ran).Rule, "agrees");
  Profile P = Ran;
  P.Kernels[0].Kernel = P.Launches[0].Kernel = "_Z5otherv";
  P.Lines.clear();
  EXPECT_EQ(only(Doc, P).Rule, "not-run");
  P = Ran;
  P.HasCounters = false;
  P.Lines.clear();
  EXPECT_EQ(only(Doc, P).Rule, "no-counters");
  P.HasCounters = true;
  P.Kernels[0].MeasuredLaunches = 0;
  EXPECT_EQ(only(Doc, P).Rule, "not-counted");
  P = profile({});
  P.Kernels[0].HasLines = false;
  EXPECT_EQ(only(Doc, P).Rule, "no-lines");
  P = Ran;
  P.Lines.push_back(P.Lines[0]);
  P.Lines[1].File = "/elsewhere/vec3d.cu";
  EXPECT_EQ(only(Doc, P).Rule, "same-names");
  P = Ran;
  P.Lines[0].File = "/build/other.cu";
  EXPECT_EQ(only(Doc, P).Rule, "other-sources");
  P = Ran;
  P.Lines[0].Sectors = std::nullopt;
  EXPECT_EQ(only(Doc, P).Rule, "no-count");
  AccessRecord Constant = access(14, std::nullopt, std::nullopt);
  Constant.Space = MemorySpace::Constant;
  EXPECT_EQ(
      only(document({Constant}), profile({measured(30, 4096, 4096)})).Rule,
      "constant");
  P = Ran;
  P.Lines[0].Space = MemorySpace::Generic;
  P.Lines[0].Wavefronts = 8;
  EXPECT_EQ(only(Doc, P).Rule, "both-spaces");
}

TEST(VerdictRules, OfOccupancy) {
  auto ruleOf = [](CheckedLaunch V, bool IsPredicted, bool Registers,
                   bool Shared) {
    return decide(occupancyRules(), OccupancyFacts{.V = V,
                                                   .IsPredicted = IsPredicted,
                                                   .RegistersDiffer = Registers,
                                                   .SharedDiffers = Shared})
        .Name;
  };
  CheckedLaunch V;
  EXPECT_EQ(ruleOf(V, true, false, false), "no-answer");
  V.Launch.BlocksPerSM = 7;
  EXPECT_EQ(ruleOf(V, false, false, false), "no-block");
  EXPECT_EQ(ruleOf(V, true, false, false), "no-number");
  V.PredictedBlocks = 7;
  EXPECT_EQ(ruleOf(V, true, true, true), "equal");
  V.PredictedBlocks = 8;
  EXPECT_EQ(ruleOf(V, true, true, true), "registers");
  V.Launch.ClusterBlocks = 4;
  EXPECT_EQ(ruleOf(V, true, true, true), "clusters");
  V.PredictedBlocks = 7;
  EXPECT_EQ(ruleOf(V, true, true, true), "equal");
  V.PredictedBlocks = 8;
  V.Launch.ClusterBlocks.reset();
  EXPECT_EQ(ruleOf(V, true, false, true), "shared");
  EXPECT_EQ(ruleOf(V, true, false, false), "unequal");
}

TEST(VerdictRules, RegistersOfEveryLaunchAreCompared) {
  Document Doc = document({});
  Profile P = profile({});
  P.Launches.push_back(launch({2, 1, 1}, {256, 1, 1}));
  auto kernelOf = [&] {
    return join(std::span(&Doc, 1), merge(std::span(&P, 1)), {})
        .Gpus.at(0)
        .Kernels.at(0);
  };
  EXPECT_EQ(kernelOf().Registers, Confirmed);
  for (std::size_t I = 0; I != 2; ++I) {
    P.Launches[I].Registers = 40;
    EXPECT_EQ(kernelOf().Registers, Refuted) << I;
    EXPECT_EQ(kernelOf().MeasuredRegisters, 40u) << I;
    P.Launches[I].Registers = 12;
  }
  // The blocks of the launch with others are excused, those of the first not.
  P.Launches[0].BlocksPerSM = P.Launches[1].BlocksPerSM = 5;
  P.Launches[1].Registers = 40;
  std::vector<CheckedLaunch> Launched = kernelOf().Launched;
  ASSERT_EQ(Launched.size(), 2u);
  EXPECT_EQ(Launched[0].Launch.Registers, 40u);
  EXPECT_EQ(Launched[0].Kind, Inconclusive);
  EXPECT_EQ(Launched[1].Kind, Refuted);
}

/// Two files a.cu of one program, of which nobody knows which was predicted.
TEST(VerdictRules, KernelsOfOneNameAreNotToldApart) {
  Document Doc = document({access(14, 12, 4)});
  Doc.Units[0].File = "a.cu";
  Doc.Units[0].Kernels[0].Name = "_ZN12_GLOBAL__N_14funcEv";
  Profile P = profile({});
  P.Kernels = {{"_ZN32_GLOBAL__N__479c501e_4_a_cu_main4funcEv", 0, 1, 1, true}};
  EXPECT_NE(only(Doc, P).Rule, "same-kernels");
  P.Kernels.push_back(
      {"_ZN32_GLOBAL__N__579c501e_4_a_cu_main4funcEv", 0, 1, 1, true});
  EXPECT_EQ(only(Doc, P).Rule, "same-kernels");
  EXPECT_EQ(only(Doc, P).Kind, Inconclusive);
}

//===----------------------------------------------------------------------===//
// The texts of the files
//===----------------------------------------------------------------------===//

static constexpr const char *Digest = "0123456789abcdef";

/// Predictions of a file of 900 bytes, which agree with the profile.
static Document documentOfText() {
  Document Doc = document({access(14, 12, 4)});
  Doc.Units[0].Sources = {{"vec3d.cu", 900, Digest}};
  return Doc;
}

/// What it measures, of a program that was built from texts of these versions.
static Profile profileOfTexts(std::vector<ProfileSource> Built) {
  Profile P = cudalint::profileOf({instruction(0, measured(14, 49152, 16384))});
  P.Sources = std::move(Built);
  return P;
}

static JoinResult joined(const Document &Doc, const Profile &P,
                         std::optional<PresentSource> Present) {
  return join(std::span(&Doc, 1), merge(std::span(&P, 1)), {},
              [=](const std::string &File) {
                return File.ends_with("vec3d.cu") ? Present : std::nullopt;
              });
}

TEST(VerdictRules, OfSources) {
  struct {
    std::vector<ProfileSource> Built;
    std::optional<PresentSource> Present;
    std::string_view Rule; ///< Empty: the text is taken as the same.
    std::string_view Said;
  } const Cases[] = {
      // The sizes of the line table, each with a case one step beside it.
      {{{0, 900, 50}}, {}, {}, {}},
      {{{0, 901, 50}},
       {},
       "other-size",
       "the program was built from a 'vec3d.cu' of 901 bytes, and one of 900 "
       "was analysed"},
      {{{0, 0, 50}}, {}, {}, {}},
      {{{1, 901, 50}}, {}, {}, {}},
      {{{0, 901, 50}, {0, 900, 40}}, {}, {}, {}},
      {{{0, 901, 50}, {0, 899, 40}}, {}, "other-size", {}},
      // The file that is there is the one that was built.
      {{{0, 900, 50}}, PresentSource{{900, 50}, Digest}, {}, {}},
      {{{0, 900, 50}},
       PresentSource{{900, 50}, "another"},
       "other-text",
       "the program was built from 'vec3d.cu' as it is now"},
      {{{0, 900, 50}}, PresentSource{{900, 51}, "another"}, {}, {}},
      {{{0, 900, 0}}, PresentSource{{900, 0}, "another"}, {}, {}},
      {{{0, 900, 50}, {0, 900, 40}},
       PresentSource{{900, 50}, "another"},
       {},
       {}},
      // No line table tells.
      {{}, PresentSource{{900, 50}, Digest}, {}, {}},
      {{},
       PresentSource{{900, 50}, "another"},
       "edited",
       "'vec3d.cu' was edited since it was analysed"},
      {{}, {}, {}, {}},
  };
  const Document Doc = documentOfText();
  for (const auto &Each : Cases) {
    const JoinResult Result =
        joined(Doc, profileOfTexts(Each.Built), Each.Present);
    const GpuVerdict &Gpu = Result.Gpus.at(0);
    const bool IsSame = Each.Rule.empty();
    const VerdictKind Wanted = IsSame ? Confirmed : Inconclusive;
    const std::string_view Rule = IsSame ? "agrees" : Each.Rule;
    EXPECT_EQ(Gpu.Lines.at(0).Rule, Rule);
    EXPECT_EQ(Gpu.Lines.at(0).Kind, Wanted) << Rule;
    EXPECT_EQ(Gpu.Kernels.at(0).Registers, Wanted) << Rule;
    EXPECT_EQ(Gpu.Kernels.at(0).Launched.at(0).Kind, Wanted) << Rule;
    ASSERT_EQ(Result.Problems.size(), IsSame ? 0u : 1u) << Rule;
    if (IsSame)
      continue;
    EXPECT_EQ(Result.Problems[0].Kind, "other-sources");
    EXPECT_TRUE(Result.Problems[0].IsLoss);
    EXPECT_EQ(Result.Problems[0].Message.find(Each.Said), 0u)
        << Result.Problems[0].Message;
  }
}

TEST(VerdictRules, OtherTextRefutesNothing) {
  Document Doc = documentOfText();
  Doc.Units[0].Kernels[0].Accesses[0].PerRequest = 31; // wrong
  Doc.Units[0].Kernels[0].Resources->Registers = 99;
  EXPECT_EQ(joined(Doc, profileOfTexts({{0, 900, 50}}), {}).refuted(), 2u);
  EXPECT_EQ(joined(Doc, profileOfTexts({{0, 901, 50}}), {}).refuted(), 0u);
}

/// `main.cu` is a name that many have: what did not run is not compared.
TEST(VerdictRules, OnlySourcesThatRanAreCompared) {
  Document Doc = documentOfText();
  UnitRecord Test;
  Test.File = "tests/main.cu";
  Test.Sources = {{"tests/main.cu", 55, Digest}};
  Test.Kernels.push_back({.Name = "_Z4testv",
                          .Signature = "test()",
                          .Where = {"tests/main.cu", 1, 0}});
  Doc.Units.push_back(Test);
  Profile P = profileOfTexts({{0, 900, 50}, {2, 999, 50}});
  P.Files.push_back("/build/app/main.cu");
  EXPECT_TRUE(joined(Doc, P, {}).Problems.empty());
  // The kernel ran.
  P.Kernels.push_back({"_Z4testv", 0, 1, 1, true});
  EXPECT_EQ(joined(Doc, P, {}).Problems.size(), 1u);
}

/// The line tables' path is the one that was built; another of that name may
/// stand where the user is.
TEST(VerdictRules, TheFileThatWasBuiltIsLookedAt) {
  const Document Doc = documentOfText();
  const auto problems = [&](const Profile &P, const char *OfBuilt,
                            const char *OfNamed) {
    return join(std::span(&Doc, 1), merge(std::span(&P, 1)), {},
                [=](const std::string &File) -> std::optional<PresentSource> {
                  return PresentSource{{900, 50},
                                       File == "vec3d.cu" ? OfNamed : OfBuilt};
                })
        .Problems.size();
  };
  const Profile Known = profileOfTexts({{0, 900, 50}});
  EXPECT_EQ(problems(Known, Digest, "another"), 0u);
  EXPECT_EQ(problems(Known, "another", Digest), 1u);
  const Profile Unknown = profileOfTexts({});
  EXPECT_EQ(problems(Unknown, Digest, "another"), 0u);
  EXPECT_EQ(problems(Unknown, "another", Digest), 0u);
  EXPECT_EQ(problems(Unknown, "another", "another"), 1u);
}

/// A header of another text concerns the kernels that have accesses there, and
/// no others.
TEST(VerdictRules, OtherTextOfAHeader) {
  Document Doc = documentOfText();
  Doc.Units[0].Sources = {{"other.h", 10, Digest}, {"vec3d.cu", 900, Digest}};
  Profile P = profileOfTexts({{0, 900, 50}, {2, 11, 50}});
  P.Files.push_back("/build/src/other.h");
  JoinResult Result = joined(Doc, P, {});
  EXPECT_EQ(Result.Gpus.at(0).Lines.at(0).Rule, "agrees");
  EXPECT_EQ(Result.Problems.size(), 1u);
  AccessRecord InHeader = access(3, 4, 4);
  InHeader.Where.File = "other.h";
  Doc.Units[0].Kernels[0].Accesses.push_back(InHeader);
  Result = joined(Doc, P, {});
  for (const LineVerdict &V : Result.Gpus.at(0).Lines)
    EXPECT_NE(V.Kind, Confirmed) << V.Where.File;
}

//===----------------------------------------------------------------------===//
// The tables themselves
//===----------------------------------------------------------------------===//

template <class Facts>
static void addNames(std::span<const Rule<Facts>> Rules,
                     std::vector<std::string> &Out) {
  for (const Rule<Facts> &Each : Rules)
    Out.emplace_back(Each.Name);
}

TEST(VerdictRules, EachRuleDecidesSomeProfile) {
  std::set<std::string> Met = {// Of WhyNothingWasMeasured.
                               "not-run", "no-counters", "not-counted",
                               "no-lines", "same-names", "other-sources",
                               "no-count", "constant", "both-spaces",
                               // What sets no line's verdict.
                               "sums-agree", "sums-assumed", "stays-refuted"};
  for (const Case &Each : cases())
    Met.insert({Each.Rule, Each.OldRule});
  std::vector<std::string> Names;
  addNames(lineRules(), Names);
  addNames(sumRules(), Names);
  addNames(absentRules(), Names);
  addNames(movedRules(), Names);
  for (const std::string &Name : Names)
    EXPECT_EQ(Met.count(Name), 1u) << Name;
  addNames(occupancyRules(), Names);
  addNames(sourceRules(), Names);
  std::set<std::string> Once(Names.begin(), Names.end());
  EXPECT_EQ(Once.size(), Names.size()) << "a name stands twice";
}

template <class Facts>
static std::string tableOf(std::span<const Rule<Facts>> Rules) {
  std::string Out = "| rule | premise | test | verdict | evidence |\n"
                    "|---|---|---|---|---|\n";
  for (const Rule<Facts> &Each : Rules) {
    std::string Verdict(nameOf(Each.Verdict));
    std::ranges::replace(Verdict, '_', ' ');
    Out += fmt::format("| {} | {} | {} | {} | {} |\n", Each.Name, Each.Premise,
                       Each.Test, Verdict, Each.Evidence);
  }
  return Out;
}

TEST(VerdictRules, AreThoseOfThePage) {
  std::ifstream In(CUDA_LINT_SOURCE_DIR "/docs/verdicts.md");
  const std::string Page(std::istreambuf_iterator<char>(In), {});
  for (const std::string &Table :
       {tableOf(lineRules()), tableOf(sumRules()), tableOf(absentRules()),
        tableOf(movedRules()), tableOf(occupancyRules()),
        tableOf(sourceRules())})
    EXPECT_NE(Page.find(Table), std::string::npos)
        << "docs/verdicts.md lacks:\n"
        << Table;
  for (const char *Rule : {"`missed`", "`toolkit`", "`same-kernels`"})
    EXPECT_NE(Page.find(Rule), std::string::npos) << Rule;
}

} // namespace VerdictRulesTests
