//===- report/page/ProblemCards.cpp - Problems of the page ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/page/ProblemCards.h"

#include "report/FindingWords.h"
#include "report/Names.h"
#include "report/NaturalOrder.h"
#include "report/SourceRegion.h"
#include "report/page/HtmlSource.h"
#include "report/page/HtmlText.h"
#include "report/page/LaneMaps.h"
#include "report/page/MeasuredText.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace cudalint {

const MeasuredLine *ProblemCards::measured(const ReportedProblem &P) const {
  const Document *Home = P.Group->home();
  return Home ? measuredOf(Measured, Home->Target, *P.Told,
                           Known.kernels().of(*P.Told))
              : nullptr;
}

/// The share that is wasted, as a bar: the width of a rectangle, as the page
/// has no styles but its own.
static std::string bar(const FindingGroup &G) {
  const std::string Share = shareOf(G);
  if (Share.empty())
    return "<span class=cost></span>";
  const std::optional<Waste> W = G.wasted();
  const double Part = W->OfKernel.value_or(W->Estimate.value_or(0));
  return fmt::format(
      "<span class=cost><svg aria-hidden=true><rect width={:.0f}% "
      "height=6 /></svg>{}</span>",
      100 * std::clamp(Part, 0.0, 1.0), html(Share));
}

std::string ProblemCards::summary(const ReportedProblem &P,
                                  std::size_t Rank) const {
  const Finding &F = *P.Told;
  const std::string Kernel = shortName(F, Known.kernels().of(F));
  const MeasuredLine *Line = measured(P);
  return fmt::format(
      "<summary><span class=rank>{}</span>{}<h3>{}</h3><span class=meta><span "
      "class=\"level {}\">{}</span> <span class=place>{}</span>{} <span "
      "class=check>{}</span>{}</span></summary>\n",
      Rank, bar(*P.Group), htmlWithNames(briefWhat(F)), nameOf(F.Level),
      nameOf(F.Level), placeText(P.Where, Places),
      Kernel.empty() ? "" : fmt::format(" <code>{}</code>", html(Kernel)),
      html(F.Check), Line ? " " + verdictBadge(Line->Verdict) : "");
}

/// `32 on h200, 16 on sm_10`: for which targets, in the order of the documents.
static std::string targetsOf(const FindingGroup &G) {
  std::vector<std::pair<const Document *, std::string>> Targets;
  for (const GroupMember &M : G.All) {
    const auto At =
        std::ranges::find(Targets, M.In, &decltype(Targets)::value_type::first);
    std::string Value =
        M.What->Predicted ? figure(M.What->Predicted->Value) : std::string();
    if (At == Targets.end())
      Targets.emplace_back(M.In, std::move(Value));
    else if (M.What->Where == G.First->Where) // Of the place that is told.
      At->second = std::move(Value);
  }
  std::string Out;
  for (const auto &[In, Value] : Targets)
    Out +=
        fmt::format("{}{}{}", Out.empty() ? "" : ", ",
                    Value.empty() ? "" : Value + " on ", html(In->Target.Name));
  return Out;
}

/// `1,056 wavefronts per block become 64`
static std::string effectOf(const RemedyEffect &E) {
  std::string Unit = E.Unit;
  std::ranges::replace(Unit, '_', ' ');
  std::string Out = fmt::format("{} {} become {}", figure(E.Before), html(Unit),
                                figure(E.After));
  if (E.MoreSharedBytes)
    Out += fmt::format(", for {} of shared memory",
                       countOf(E.MoreSharedBytes, "more byte"));
  if (E.BlocksPerSMBefore && E.BlocksPerSMAfter)
    Out += *E.BlocksPerSMBefore == *E.BlocksPerSMAfter
               ? fmt::format("; {} of an SM as before",
                             countOf(*E.BlocksPerSMAfter, "block"))
               : fmt::format("; {} blocks of an SM instead of {}",
                             *E.BlocksPerSMAfter, *E.BlocksPerSMBefore);
  return Out;
}

std::string ProblemCards::numbers(const ReportedProblem &P) const {
  const Finding &F = *P.Told;
  std::string Out = "<dl class=facts>";
  if (F.Predicted && std::isfinite(F.Predicted->Value)) {
    std::string Unit = F.Predicted->Metric;
    std::ranges::replace(Unit, '_', ' ');
    std::string Value =
        fmt::format("{} {}", figure(F.Predicted->Value), html(Unit));
    if (F.Predicted->Ideal)
      Value += fmt::format(", ideal {}", figure(*F.Predicted->Ideal));
    addFact(Out, "predicted", Value);
  }
  if (const MeasuredLine *Line = measured(P)) {
    std::string Value =
        measuredInWords(*Line) + ": " + verdictBadge(Line->Verdict);
    if (!Line->Why.empty())
      Value += ", " + htmlWithNames(Line->Why);
    addFact(Out, "measured", Value);
  }
  if (const std::string Range = P.Group->range(); !Range.empty())
    addFact(Out, "of all its places", html(Range));
  if (const ShareWords Share = shareInWords(*P.Group, Known.kernels());
      Share.isOfCost())
    addFact(Out, "cost", htmlWithNames(Share.Text));
  if (F.Executions)
    addFact(Out, "made",
            figure(*F.Executions) + (*F.Executions == 1 ? " time" : " times") +
                " by a warp");
  if (F.Effect)
    addFact(Out, "with the remedy", effectOf(*F.Effect));
  if (F.Others)
    addFact(Out, "so do",
            fmt::format("{} more access{} of this kernel", F.Others,
                        F.Others == 1 ? "" : "es"));
  if (HasTargets)
    addFact(Out, "targets", targetsOf(*P.Group));
  addFact(Out, "certainty", std::string(nameOf(F.Trust)));
  const KernelRecord *Kernel = Known.kernels().of(F);
  if (const std::string Name = kernelOf(F, Known.kernels()); !Name.empty()) {
    const std::string Anchor = Kernels.anchorOf(P.Group->home(), Kernel);
    addFact(Out, "kernel",
            Anchor.empty() ? fmt::format("<code>{}</code>", html(Name))
                           : fmt::format("<a href=\"#{}\"><code>{}</code></a>",
                                         Anchor, html(Name)));
  }
  return Out + "</dl>\n";
}

std::string ProblemCards::calls(const Finding &F) const {
  std::string Out;
  const auto say = [&](std::string_view How, const Location &Where) {
    if (!Where.File.empty())
      Out += fmt::format("<li>{} {}</li>\n", How, placeText(Where, Places));
  };
  for (const Location &Each : F.InlinedAt)
    say("called at", Each);
  for (const MacroUse &Each : F.Macros)
    Out += fmt::format("<li>through the macro <code>{}</code> {}</li>\n",
                       html(Each.Name), placeText(Each.Where, Places));
  for (const Location &Each : F.IncludedFrom)
    say("included at", Each);
  return Out.empty() ? Out : fmt::format("<ul class=calls>{}</ul>\n", Out);
}

std::string ProblemCards::otherPlaces(const ReportedProblem &P) {
  static constexpr std::size_t MostPlaces = 20;
  const auto less = [](const Location &A, const Location &B) {
    return isNaturallyLess(A, B);
  };
  std::map<Location, const Finding *, decltype(less)> Others(less);
  for (const GroupMember &M : P.Group->All)
    if (const Location &L = M.What->Where;
        L.Line && (L.Line != P.Where.Line || L.File != P.Where.File))
      Others.try_emplace({L.File, L.Line, 0}, M.What);
  if (Others.empty())
    return {};
  std::string Out;
  std::size_t Count = 0;
  for (const auto &[Where, F] : Others) {
    if (++Count > MostPlaces)
      break;
    Out += fmt::format("<li><span class=place>{}</span> {}</li>\n",
                       placeText(Where, Places),
                       sourceLine(Sources, Where.File, regionOf(*F)));
  }
  if (Others.size() > MostPlaces)
    Out += fmt::format("<li>and {} more</li>\n", Others.size() - MostPlaces);
  return fmt::format("<h4>The same at {}</h4>\n<ul class=places>{}</ul>\n",
                     countOf(Others.size(), "other place"), Out);
}

static std::string_view safetyOf(FixSafety Safety) {
  switch (Safety) {
  case FixSafety::Safe:
    return "changes nothing but the cost";
  case FixSafety::Rounding:
    return "may change the last bits of floating-point results";
  case FixSafety::Layout:
    return "may change sizes, or what the host sees";
  case FixSafety::Advice:
    return "has no edits";
  }
  return {};
}

std::string ProblemCards::fixes(const Finding &F) {
  std::string Out;
  for (const Fix &Each : F.Fixes) {
    Out += fmt::format("<p>{} <span class=key>({})</span></p>\n",
                       htmlWithNames(Each.Description), safetyOf(Each.Safety));
    for (const Edit &Change : Each.Edits)
      Out += editedLines(Sources, Change);
  }
  return Out;
}

std::string ProblemCards::card(const ReportedProblem &P, std::size_t Rank) {
  const Finding &F = *P.Told;
  const std::string File = pathIn(Places, P.Where.File).Name;
  std::string Body;
  if (!F.Cause.isEmpty())
    Body += fmt::format("<p>{}</p>\n", htmlWithNames(inWords(F.Cause)));
  Body += sourceExcerpt(Sources, P.Where.File, File,
                        F.Where == P.Where ? regionOf(F) : regionOf(P.Where));
  Body += calls(F);
  Body += numbers(P);
  if (const Document *Home = P.Group->home())
    Body += laneMaps(F, Home->Target, Drawings);
  const std::string Fixes = fixes(F);
  if (!F.Remedy.isEmpty() || !Fixes.empty())
    Body += fmt::format(
        "<h4>Remedy</h4>\n{}{}",
        F.Remedy.isEmpty()
            ? ""
            : fmt::format("<p>{}</p>\n", htmlWithNames(inWords(F.Remedy))),
        Fixes);
  if (!F.Assumptions.empty()) {
    Body += "<h4>Assumed</h4>\n<ul>";
    for (const Assumption &Each : F.Assumptions)
      Body += fmt::format("<li>{}</li>\n", htmlWithNames(Each.Text));
    Body += "</ul>\n";
  }
  Body += otherPlaces(P);
  Body += fmt::format("<p class=more><a href=\"#check-{0}\">about {0}</a></p>",
                      html(F.Check));
  return fmt::format(
      "<li><details class=problem id=p{} data-file=\"{}\">{}<div class=body>{}"
      "</div></details></li>\n",
      Rank, html(File), summary(P, Rank), Body);
}

} // namespace cudalint
