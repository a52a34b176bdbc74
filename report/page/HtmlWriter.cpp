//===- report/page/HtmlWriter.cpp - Findings as a page --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/page/HtmlWriter.h"

#include "report/Coverage.h"
#include "report/Names.h"
#include "report/NaturalOrder.h"
#include "report/ReportedProblems.h"
#include "report/page/HtmlMarkdown.h"
#include "report/page/HtmlText.h"
#include "report/page/KernelCards.h"
#include "report/page/MeasuredText.h"
#include "report/page/PageAssets.h"
#include "report/page/ProblemCards.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace cudalint {

namespace {
class Page {
public:
  Page(std::span<const Document> Documents, const ReportPlaces &Places,
       const SourceText &Source, std::span<const Measurements> Measured)
      : Documents(Documents), Places(Places), Measured(Measured),
        Known(Documents), Kernels(Documents, Places, Measured, Drawings),
        Cards(Known, Kernels, Places, Source, Measured, Drawings,
              Documents.size() > 1) {
    for (const ReportedProblem &P : Known.problems())
      ++Count[static_cast<std::size_t>(P.Told->Level)];
  }

  std::string text();

private:
  std::string head() const;
  std::string title() const;
  std::string facts() const;
  std::string toolbar() const;
  std::string options(std::string_view Id, std::string_view Label,
                      const std::vector<std::string> &Names) const;
  std::string errors() const;
  std::string problems();
  std::string missed() const;
  std::string kernels() const;
  std::string checks() const;
  std::string remarks() const;

  std::span<const Document> Documents;
  const ReportPlaces &Places;
  std::span<const Measurements> Measured;
  const ReportedProblems Known;
  Symbols Drawings;
  const KernelCards Kernels;
  ProblemCards Cards;
  std::array<std::size_t, 3> Count = {}; ///< Of problems, by severity.
};
} // namespace

/// The dearest first.
static constexpr Severity Levels[] = {Severity::Error, Severity::Warning,
                                      Severity::Note};

std::string Page::title() const {
  std::string Out;
  for (const Severity Level : Levels)
    if (const std::size_t N = Count[static_cast<std::size_t>(Level)])
      Out += (Out.empty() ? "" : ", ") + countOf(N, nameOf(Level));
  return Out.empty() ? "no findings" : Out;
}

/// Nothing is loaded, and nothing runs or styles but what is below: whatever
/// gets into the page as text stays text.
std::string Page::head() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
      "style-src '{}'; script-src '{}'; base-uri 'none'; form-action "
      "'none'\">\n<meta name=viewport content=\"width=device-width, "
      "initial-scale=1\">\n<meta name=color-scheme content=\"light dark\">\n"
      "<title>cuda-lint: {}</title>\n<style>{}</style>\n</head>\n",
      PageStyleHash, PageScriptHash, title(), PageStyle);
}

std::string Page::facts() const {
  std::string Out;
  const auto say = [&](const std::string &Text) {
    if (!Text.empty())
      Out += fmt::format("<li>{}</li>\n", Text);
  };
  for (const Document &Doc : Documents) {
    std::string Target = html(Doc.Target.Name);
    if (!Doc.Target.ComputeCapability.empty())
      Target += fmt::format(", compute capability {}",
                            html(Doc.Target.ComputeCapability));
    if (Doc.Target.SMs)
      Target += ", " + countOf(*Doc.Target.SMs, "SM");
    say(fmt::format("{}: {} in {}", Target, html(coverageOf(Doc)),
                    countOf(Doc.Units.size(), "file")));
  }
  for (const Measurements &Gpu : Measured) {
    std::map<std::string, std::size_t> Verdicts;
    for (const MeasuredLine &Each : Gpu.Lines)
      ++Verdicts[verdictInWords(Each.Verdict)];
    std::string Said;
    for (const auto &[Verdict, Times] : Verdicts)
      Said += fmt::format("{}{} {}", Said.empty() ? "" : ", ",
                          countOf(Times, "line"), Verdict);
    say(fmt::format("measured on {}: {}", html(Gpu.Gpu),
                    Said.empty() ? "nothing" : Said));
  }
  return fmt::format("<ul class=summary>{}</ul>\n", Out);
}

std::string Page::options(std::string_view Id, std::string_view Label,
                          const std::vector<std::string> &Names) const {
  std::string Out =
      fmt::format("<label><span>{1}</span><select id={0} name={0}><option "
                  "value=\"\">all</option>",
                  Id, Label);
  for (const std::string &Name : Names)
    Out += fmt::format("<option>{}</option>", html(Name));
  return Out + "</select></label>\n";
}

/// Without the script there is nothing that it could do.
std::string Page::toolbar() const {
  std::set<std::string> Checks;
  std::vector<std::string> Files;
  for (const ReportedProblem &P : Known.problems()) {
    Checks.insert(P.Told->Check);
    Files.push_back(pathIn(Places, P.Where.File).Name);
  }
  std::ranges::sort(Files, [](const std::string &A, const std::string &B) {
    return isNaturallyLess(A, B);
  });
  const auto Repeated = std::ranges::unique(Files);
  Files.erase(Repeated.begin(), Repeated.end());
  std::string Out =
      "<form id=filters role=search hidden>\n<label class=q><span>search"
      "</span><input id=q name=q type=search autocomplete=off spellcheck=false "
      "aria-keyshortcuts=\"/\"></label>\n<fieldset><legend>level</legend>";
  for (const Severity Level : Levels)
    Out += fmt::format(
        "<label class=\"toggle {0}\"><input type=checkbox "
        "name=level value={0} checked>{1}</label>",
        nameOf(Level),
        countOf(Count[static_cast<std::size_t>(Level)], nameOf(Level)));
  Out += "</fieldset>\n";
  Out += options("check", "check", {Checks.begin(), Checks.end()});
  Out += options("file", "file", Files);
  return Out + "<button type=reset id=all>show all</button>\n</form>\n<p "
               "id=shown role=status aria-live=polite></p>\n";
}

std::string Page::errors() const {
  if (Known.errors().empty())
    return {};
  std::string Out;
  for (const ReportedError &Each : Known.errors())
    Out +=
        fmt::format("<li><span class=place>{}{}</span> {}</li>\n",
                    html(pathIn(Places, Each.Where.File).Name),
                    Each.Where.Line ? fmt::format(":{}", Each.Where.Line) : "",
                    htmlWithNames(Each.Message));
  return fmt::format("<section id=errors aria-labelledby=errors-h><h2 "
                     "id=errors-h>Not analysed, or not all of it</h2>\n<ul>{}"
                     "</ul></section>\n",
                     Out);
}

std::string Page::problems() {
  std::string Out = "<section aria-labelledby=problems-h><h2 id=problems-h>"
                    "Problems, the dearest first</h2>\n";
  if (Known.problems().empty())
    return Out + "<p>Nothing was found.</p></section>\n";
  Out += toolbar() + "<ol id=problems>\n";
  std::size_t Rank = 0;
  for (const ReportedProblem &P : Known.problems())
    Out += Cards.card(P, ++Rank);
  return Out + "</ol></section>\n";
}

/// What counters found bad and nothing was predicted of.
std::string Page::missed() const {
  std::string Out;
  for (const Measurements &Gpu : Measured)
    for (const MeasuredLine &Each : Gpu.Lines)
      if (Each.Verdict == "missed")
        Out += fmt::format(
            "<li><span class=place>{}{}</span> <code>{}</code>: a {} of {} "
            "memory takes {}</li>\n",
            html(pathIn(Places, Each.Where.File).Name),
            Each.Where.Line ? fmt::format(":{}", Each.Where.Line) : "",
            html(Each.Kernel), nameOf(Each.Op), nameOf(Each.Space),
            measuredInWords(Each));
  return Out.empty()
             ? Out
             : fmt::format("<section aria-labelledby=missed-h><h2 id=missed-h>"
                           "Measured, and not predicted</h2>\n<ul>{}</ul>"
                           "</section>\n",
                           Out);
}

std::string Page::kernels() const {
  if (Kernels.isEmpty())
    return {};
  return fmt::format("<section aria-labelledby=kernels-h><h2 id=kernels-h>"
                     "Kernels</h2>\n{}</section>\n",
                     Kernels.text());
}

/// Of the checks that found something, by name.
std::string Page::checks() const {
  std::map<std::string, const RuleRecord *> Rules;
  for (const ReportedProblem &P : Known.problems())
    Rules.try_emplace(P.Told->Check, nullptr);
  for (const Document &Doc : Documents)
    for (const RuleRecord &Rule : Doc.Rules)
      if (const auto At = Rules.find(Rule.Name); At != Rules.end())
        At->second = &Rule;
  if (Rules.empty())
    return {};
  std::string Out;
  for (const auto &[Name, Rule] : Rules) {
    Out += fmt::format("<details class=rule id=\"check-{0}\"><summary><h3>{0}"
                       "</h3>",
                       html(Name));
    if (!Rule) { // Of an earlier version.
      Out += fmt::format("</summary><p>See <code>cuda-lint explain {}</code>."
                         "</p></details>\n",
                         html(Name));
      continue;
    }
    Out += fmt::format("<span class=meta>{}</span></summary>\n",
                       html(Rule->Summary));
    Out += htmlOfMarkdown(Rule->Why);
    const auto code = [&](std::string_view Title, const std::string &Text) {
      if (Text.empty())
        return;
      Out += fmt::format("<h4>{}</h4>\n<pre class=src tabindex=0 role=group "
                         "aria-label=\"{}\">",
                         Title, Title);
      for (std::size_t At = 0; At < Text.size();) {
        const std::size_t End = std::min(Text.find('\n', At), Text.size());
        Out += html(Text.substr(At, End - At)) + '\n';
        At = End + 1;
      }
      Out += "</pre>\n";
    };
    code("An example", Rule->Bad);
    code("The same, mended", Rule->Good);
    if (!Rule->Limits.empty())
      Out += "<h4>Limits</h4>\n" + htmlOfMarkdown(Rule->Limits);
    if (!Rule->Proof.empty())
      Out += "<h4>Proof</h4>\n" + htmlOfMarkdown(Rule->Proof);
    Out += "</details>\n";
  }
  return fmt::format("<section aria-labelledby=checks-h><h2 id=checks-h>Checks"
                     "</h2>\n{}</section>\n",
                     Out);
}

/// What is not told, and what was not looked for.
std::string Page::remarks() const {
  std::size_t Silenced = 0;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      Silenced += Unit.Silenced.size();
  std::string Out;
  if (Silenced)
    Out += fmt::format("<li>{} silenced, by comments or a baseline</li>\n",
                       countOf(Silenced, "finding"));
  for (const SkippedCheck &Each : skippedChecks(Documents))
    Out += fmt::format("<li>{} <code>{}</code>: {}</li>\n",
                       Each.InPart ? "looked for in part:" : "not looked for:",
                       html(Each.Name), htmlWithNames(Each.Why));
  return Out.empty()
             ? Out
             : fmt::format("<section aria-labelledby=rest-h><h2 id=rest-h>"
                           "Not told</h2>\n<ul>{}</ul></section>\n",
                           Out);
}

std::string Page::text() {
  std::string Out = head();
  Out += fmt::format("<body>\n<header><h1>cuda-lint <span>{}</span></h1>{}"
                     "<button type=button id=theme hidden>theme</button>"
                     "</header>\n<main>\n",
                     title(), facts());
  Out += errors() + problems() + missed() + kernels() + checks() + remarks();
  Out += Drawings.text();
  Out += fmt::format(
      "</main>\n<footer><p>cuda-lint {}</p><p id=keys hidden><kbd>/</kbd> "
      "search, <kbd>j</kbd> <kbd>k</kbd> next and previous problem, "
      "<kbd>Enter</kbd> opens it, <kbd>Esc</kbd> closes it or shows all</p>"
      "</footer>\n<script>{}</script>\n</body>\n</html>\n",
      Documents.empty() ? "" : html(Documents.front().ToolVersion), PageScript);
  return Out;
}

std::string toHtml(std::span<const Document> Documents,
                   const ReportPlaces &Places, const SourceText &Source,
                   std::span<const Measurements> Measured) {
  return Page(Documents, Places, Source, Measured).text();
}

} // namespace cudalint
