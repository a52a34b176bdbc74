//===- runtime/join/VerdictRules.cpp - Premise, test, verdict -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/VerdictRules.h"

#include "report/Names.h"
#include "runtime/join/LaunchJudge.h"

#include <fmt/format.h>

namespace cudalint {

using enum VerdictKind;

template <CodeEvidence::Widths What>
static bool isOfWidths(const LineFacts &F) {
  return F.Code.What == What;
}

static std::string codeNote(const LineFacts &F) { return F.Code.Words; }

template <class Facts> static bool always(const Facts &) { return true; }

template <class Facts> static std::string nothing(const Facts &) { return {}; }

//===----------------------------------------------------------------------===//
// Lines, per request
//===----------------------------------------------------------------------===//

static constexpr Rule<LineFacts> LineRules[] = {
    {"both-spaces", "the instruction takes any pointer",
     "some lanes touched global, others shared memory", Inconclusive,
     "the counts of both",
     [](const LineFacts &F) { return F.Code.TouchesBoth; },
     [](const LineFacts &) -> std::string {
       return "its instruction takes any pointer, and some lanes touched "
              "global, others shared memory: their requests are counted "
              "together";
     }},
    {"removed", "the code of the line is known",
     "it has no instruction as wide as an access predicted there", Inconclusive,
     "the widths of all instructions of the line",
     isOfWidths<CodeEvidence::Widths::Fewer>, codeNote},
    {"idle", "", "no request was made", NotMeasured,
     "the count of its requests is 0",
     [](const LineFacts &F) { return F.V.Requests && *F.V.Requests == 0; },
     [](const LineFacts &F) -> std::string {
       return F.V.Instructions.value_or(0) == 0
                  ? "it was never executed"
                  : "it was executed without an active lane";
     }},
    {"no-count", "", "the GPU counts no such traffic", NotMeasured,
     "the count is null",
     [](const LineFacts &F) { return !F.V.MeasuredPerRequest; },
     [](const LineFacts &F) {
       return fmt::format("the GPU gave no count of its {}", F.units());
     }},
    {"data", "", "no access has a predicted number", MeasuredOnly,
     "the predictions",
     [](const LineFacts &F) { return F.Unknown == F.Accesses.size(); },
     [](const LineFacts &) -> std::string { return "it depends on data"; }},
    {"some-data", "accesses cannot be told apart",
     "some of them have no predicted number", Inconclusive, "the predictions",
     [](const LineFacts &F) { return F.Unknown != 0; },
     [](const LineFacts &F) {
       return fmt::format("{} of the {} accesses of this line depend on data",
                          F.Unknown, F.Accesses.size());
     }},
    {"agrees",
     "a line, unless its instructions are told apart; or accesses that predict "
     "the same",
     "total and ideal of a request are as predicted", Confirmed,
     "both counters",
     [](const LineFacts &F) {
       // That the mean of a whole kernel agrees says little of its lines.
       return F.agreesAll() &&
              (F.isUniform() || !(F.V.IsWholeKernel || F.Code.IsNoPair));
     },
     [](const LineFacts &F) { return F.Launches.Why; }},
    {"other-blocks", "blocks were launched that nobody predicted", "",
     Inconclusive, "the shapes of the launches",
     [](const LineFacts &F) { return !F.Launches.Holds; },
     [](const LineFacts &F) { return F.Launches.Why + F.ratioNote(); }},
    {"mixture", "accesses predict different numbers and cannot be told apart",
     "total and ideal lie between theirs", Inconclusive,
     "other shares of them give these means",
     [](const LineFacts &F) {
       return !F.isUniform() && F.idealFits() &&
              F.Totals.holds(*F.V.MeasuredPerRequest, F.Allowed);
     },
     [](const LineFacts &F) {
       return fmt::format("its {} accesses have {} each, and {}; what was "
                          "measured can be a mixture of them",
                          F.Accesses.size(), format(F.Totals),
                          F.hasWeights() ? "how often each ran is assumed"
                                         : "how often each ran is not known");
     }},
    {"merged", "the code of the line is known",
     "it has an instruction that is wider than any access predicted there",
     Inconclusive, "the width of that instruction",
     isOfWidths<CodeEvidence::Widths::Wider>, codeNote},
    {"split", "the code of the line is known",
     "it has an instruction that is narrower than some access predicted there",
     Inconclusive, "the width of that instruction",
     isOfWidths<CodeEvidence::Widths::Narrower>, codeNote},
    {"merged-unseen", "the code is not known: an older profile",
     "the ideal is larger than predicted", Inconclusive, "the ideal alone",
     [](const LineFacts &F) {
       return F.Code.What == CodeEvidence::Widths::Unknown && F.idealIsLarger();
     },
     [](const LineFacts &F) {
       return "the compiler merged accesses: " + F.idealNote();
     }},
    {"fewer-lanes", "the prediction is assumed",
     "fewer lanes were active, at least half; the total is lower by no more "
     "than these, and by the ideal as predicted",
     Confirmed, "the count of lanes",
     [](const LineFacts &F) {
       return F.V.Trust == Certainty::Assumed && F.HasIdeals &&
              F.hasFewerLanes() && F.agreesAsRatio();
     },
     [](const LineFacts &F) {
       return fmt::format("{:.2f} times the ideal, as predicted, with {:.1f} "
                          "active lanes instead of {}",
                          *F.V.measuredRatio(), *F.V.MeasuredLanes,
                          format(F.Lanes));
     }},
    {"other-lanes", "the prediction is assumed",
     "other lanes were active than predicted; where these are a part of all "
     "and "
     "there is no loop, the number is at most 1.5 times the predicted one",
     Inconclusive, "the count of lanes",
     [](const LineFacts &F) { return !F.isExact() && F.lanesMayCause(); },
     [](const LineFacts &F) {
       return F.lanesNote() + ": a condition that depends on data" +
              F.ratioNote();
     }},
    {"turns-lanes",
     "the prediction is exact, in a loop, and its requests are not as many as "
     "predicted, or nobody knows of how many",
     "other lanes were active than predicted", Inconclusive,
     "the counts of lanes and requests",
     [](const LineFacts &F) {
       return F.isExact() && F.isInLoop() && !F.hasAllRequests() &&
              F.lanesDiffer();
     },
     [](const LineFacts &F) {
       return F.lanesNote() +
              ": the compiler removed accesses of some turns of the loop" +
              F.ratioNote();
     }},
    {"split-unseen", "the code is not known: an older profile",
     "the ideal is smaller than predicted, and the lanes are not others",
     Inconclusive, "the ideal alone",
     [](const LineFacts &F) {
       return F.Code.What == CodeEvidence::Widths::Unknown && !F.idealFits() &&
              !F.lanesDiffer();
     },
     [](const LineFacts &F) {
       return std::string("the compiler split accesses") +
              (F.V.MeasuredLanes ? "" : ", or fewer lanes were active") + ": " +
              F.idealNote();
     }},
    {"turns",
     "the prediction is exact, one access in a loop, and its requests are not "
     "as many as predicted, or nobody knows of how many",
     "so many requests cannot have the mean that was predicted", Inconclusive,
     "the count of requests",
     [](const LineFacts &F) { return F.isExact() && F.hasOtherTurns(); },
     [](const LineFacts &F) {
       return fmt::format("{} requests cannot have the mean that is predicted "
                          "for the turns of its loop: the compiler removed "
                          "some",
                          *F.V.Requests);
     }},
    {"sizes", "it is assumed that sizes are multiples of 32",
     "the number is one that it has otherwise", Inconclusive,
     "the bounds of the prediction",
     [](const LineFacts &F) { return F.otherSizes().has_value(); },
     [](const LineFacts &F) {
       return fmt::format("it has {} if sizes are no multiples of 32, which is "
                          "assumed",
                          format(*F.otherSizes()));
     }},
    {"refuted", "", "none of the others holds", Refuted, "both counters",
     always<LineFacts>,
     [](const LineFacts &F) {
       return F.lanesDiffer() ? F.lanesNote() : std::string();
     }},
};

std::span<const Rule<LineFacts>> lineRules() { return LineRules; }

//===----------------------------------------------------------------------===//
// Lines, sums over the launches
//===----------------------------------------------------------------------===//

static constexpr Rule<SumFacts> SumRules[] = {
    {"sums-agree", "", "requests and their total are as predicted", Confirmed,
     "both counters", [](const SumFacts &F) { return F.agreesAll(); },
     nothing<SumFacts>},
    // What the branches and turns that it assumes do is not what it is about.
    {"sums-assumed", "the prediction is assumed", "they are not", Inconclusive,
     "its assumptions", [](const SumFacts &F) { return !F.Line.isExact(); },
     nothing<SumFacts>},
    {"sums-refuted", "the prediction is exact", "they are not", Refuted,
     "both counters", always<SumFacts>,
     [](const SumFacts &F) {
       return fmt::format("{} {} in {} requests, predicted were {:.0f} in "
                          "{:.0f}",
                          *F.Line.V.Total, F.Line.units(), *F.Line.V.Requests,
                          F.Total, F.Requests);
     }},
};

std::span<const Rule<SumFacts>> sumRules() { return SumRules; }

//===----------------------------------------------------------------------===//
// Lines of which nothing was measured
//===----------------------------------------------------------------------===//

static std::string absentNote(const AbsentFacts &F, std::string_view Says) {
  std::string Out = fmt::format("no {} {} of this line {}", nameOf(F.Space),
                                nameOf(F.Op), Says);
  if (F.Near)
    Out += fmt::format(" (there is one in line {})", *F.Near);
  return Out;
}

static constexpr Rule<AbsentFacts> AbsentRules[] = {
    {"not-run", "", "the kernel was not launched", NotMeasured,
     "the count of launches",
     [](const AbsentFacts &F) { return F.Kernel.Launches == 0; },
     [](const AbsentFacts &) -> std::string {
       return "the kernel did not run";
     }},
    {"no-counters", "", "nothing was counted", NotMeasured, "the problems",
     [](const AbsentFacts &F) { return !F.HasCounters; },
     [](const AbsentFacts &) -> std::string {
       return "there were no counters";
     }},
    {"not-counted", "", "no launch of the kernel was counted", NotMeasured,
     "the count of measured launches",
     [](const AbsentFacts &F) { return F.Kernel.MeasuredLaunches == 0; },
     [](const AbsentFacts &F) -> std::string {
       return F.Kernel.Uncounted.empty()
                  ? "none of its launches was measured"
                  : fmt::format("none of its launches was counted: {}",
                                whyUncounted(F.Kernel.Uncounted));
     }},
    {"no-lines", "", "the code has no line table", NotMeasured, "the cubin",
     [](const AbsentFacts &F) { return !F.Kernel.HasLines; },
     [](const AbsentFacts &) -> std::string {
       return "the program was built without -lineinfo";
     }},
    {"same-names", "", "several measured files may be the one predicted",
     Inconclusive, "their names",
     [](const AbsentFacts &F) { return !F.Candidates.empty(); },
     [](const AbsentFacts &F) {
       return fmt::format("several measured files are called so: {}",
                          fmt::join(F.Candidates, ", "));
     }},
    {"constant", "", "it loads constant memory", NotMeasured,
     "there is no such counter",
     [](const AbsentFacts &F) { return F.Space == MemorySpace::Constant; },
     [](const AbsentFacts &) -> std::string {
       return "the GPU does not count requests to constant memory";
     }},
    {"not-reached", "the code is known",
     "it has such an instruction, and no warp executed it", NotMeasured,
     "the instructions of the line",
     [](const AbsentFacts &F) { return F.IsInCode; },
     [](const AbsentFacts &) -> std::string {
       return "it was never executed";
     }},
    {"other-sources", "", "no instruction comes from a file of that name",
     Inconclusive, "the line table",
     [](const AbsentFacts &F) { return !F.HasFile; },
     [](const AbsentFacts &F) {
       return fmt::format("no instruction of the kernel that was measured "
                          "comes from a file called {}: the compiler removed "
                          "it, or the program was built from other sources",
                          F.File);
     }},
    {"not-in-code", "the code is known, with all that it calls",
     "it has no such instruction in the line", Inconclusive,
     "all instructions of the kernel",
     [](const AbsentFacts &F) { return F.CodeIsClosed; },
     [](const AbsentFacts &F) {
       return absentNote(F, "is in the code: the compiler removed, merged or "
                            "moved it");
     }},
    {"not-seen", "the code is not known, or it calls other code",
     "nothing of the line was counted", Inconclusive, "the counters alone",
     always<AbsentFacts>,
     [](const AbsentFacts &F) {
       return absentNote(F, "was executed: the compiler removed, merged or "
                            "moved it, or it was not reached");
     }},
};

std::span<const Rule<AbsentFacts>> absentRules() { return AbsentRules; }

//===----------------------------------------------------------------------===//
// Lines that were refuted, beside one of which nothing was executed
//===----------------------------------------------------------------------===//

static constexpr Rule<MovedFacts> MovedRules[] = {
    {"one-of-both",
     "the code has no instruction of an access of the same space and operation "
     "within 16 lines",
     "the number is at most that of both", Inconclusive,
     "all instructions of the kernel",
     [](const MovedFacts &F) {
       return F.IsOfCode && F.isNear() && F.isOfBoth();
     },
     [](const MovedFacts &F) {
       return fmt::format("no {} {} of line {} is in the code: the compiler "
                          "may have merged it with this one",
                          nameOf(F.V.Space), nameOf(F.V.Op),
                          F.Gone.front()->Where.Line);
     }},
    {"one-of-both-unseen",
     "the code is not known, and no such access was executed",
     "the number is at most that of both", Inconclusive, "the counters alone",
     [](const MovedFacts &F) {
       return !F.IsOfCode && F.isNear() && F.isOfBoth();
     },
     [](const MovedFacts &F) {
       return fmt::format("no {} {} of line {} was executed: the compiler may "
                          "have merged it with this one",
                          nameOf(F.V.Space), nameOf(F.V.Op),
                          F.Gone.front()->Where.Line);
     }},
    {"stays-refuted", "", "neither of them holds", Refuted, "both counters",
     always<MovedFacts>, nothing<MovedFacts>},
};

std::span<const Rule<MovedFacts>> movedRules() { return MovedRules; }

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static constexpr Rule<OccupancyFacts> OccupancyRules[] = {
    {"no-answer", "", "the driver gave no answer", NotMeasured, "the driver",
     [](const OccupancyFacts &F) { return !F.V.Launch.BlocksPerSM; },
     [](const OccupancyFacts &) -> std::string {
       return "the driver gave no answer";
     }},
    {"no-block", "", "no prediction is for these blocks", Inconclusive,
     "the shapes of the launches",
     [](const OccupancyFacts &F) { return !F.IsPredicted; },
     [](const OccupancyFacts &F) {
       return fmt::format("no prediction for blocks of {}",
                          formatShape(F.V.Launch.Block));
     }},
    {"no-number", "", "no number was predicted", MeasuredOnly,
     "the predictions",
     [](const OccupancyFacts &F) { return !F.V.PredictedBlocks; },
     [](const OccupancyFacts &) -> std::string {
       return "no number was predicted";
     }},
    {"equal", "", "the blocks are equal", Confirmed, "the driver's answer",
     [](const OccupancyFacts &F) {
       return *F.V.PredictedBlocks == *F.V.Launch.BlocksPerSM;
     },
     nothing<OccupancyFacts>},
    {"clusters", "", "they were launched in clusters", Inconclusive,
     "the attributes of these launches",
     [](const OccupancyFacts &F) {
       return F.V.Launch.ClusterBlocks.has_value();
     },
     [](const OccupancyFacts &F) {
       return fmt::format("it was launched in clusters of {}, which share the "
                          "SMs in another way",
                          *F.V.Launch.ClusterBlocks);
     }},
    {"registers", "", "these launches have other registers than predicted",
     Inconclusive, "the registers of these launches",
     [](const OccupancyFacts &F) { return F.RegistersDiffer; },
     [](const OccupancyFacts &) -> std::string {
       return "the kernel was built with other registers than predicted";
     }},
    {"shared", "", "they have other dynamic shared memory than predicted",
     Inconclusive, "the shared memory of these launches",
     [](const OccupancyFacts &F) { return F.SharedDiffers; },
     [](const OccupancyFacts &) -> std::string {
       return "it was launched with other dynamic shared memory than "
              "predicted";
     }},
    {"unequal", "", "none of the others holds", Refuted, "the driver's answer",
     always<OccupancyFacts>, nothing<OccupancyFacts>},
};

std::span<const Rule<OccupancyFacts>> occupancyRules() {
  return OccupancyRules;
}

//===----------------------------------------------------------------------===//
// The texts of the files
//===----------------------------------------------------------------------===//

static constexpr Rule<TextFacts> SourceRules[] = {
    {"other-size", "the line tables have the size of the file",
     "none of them has that of the text that was analysed", Inconclusive,
     "the line tables", [](const TextFacts &F) { return F.hasOtherSize(); },
     [](const TextFacts &F) {
       return fmt::format("the program was built from a '{}' of {} bytes, and "
                          "one of {} was analysed",
                          F.Analysed.File, F.Built.begin()->Bytes,
                          F.Analysed.Bytes);
     }},
    {"other-text",
     "the file that is there has the size and the time of the line table",
     "its digest is not that of the text that was analysed", Inconclusive,
     "the digests",
     [](const TextFacts &F) {
       return F.isPresentBuilt() && F.isPresentOther();
     },
     [](const TextFacts &F) {
       return fmt::format("the program was built from '{}' as it is now, and "
                          "another text of it was analysed",
                          F.Analysed.File);
     }},
    {"edited", "no line table tells of the file",
     "the digest of the file that is there is not that of the text that was "
     "analysed",
     Inconclusive, "the digests",
     [](const TextFacts &F) { return F.Built.empty() && F.isPresentOther(); },
     [](const TextFacts &F) {
       return fmt::format("'{}' was edited since it was analysed",
                          F.Analysed.File);
     }},
    {"same-text", "", "none of the others holds", MeasuredOnly,
     "size, time and digest, as far as they are known", always<TextFacts>,
     nothing<TextFacts>},
};

std::span<const Rule<TextFacts>> sourceRules() { return SourceRules; }

} // namespace cudalint
