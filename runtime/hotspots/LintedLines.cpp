//===- runtime/hotspots/LintedLines.cpp - Findings beside counts ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/hotspots/LintedLines.h"

#include "report/FindingGroups.h"
#include "report/Names.h"
#include "runtime/join/ChosenDocument.h"
#include "runtime/join/Names.h"
#include "runtime/join/PredictedKernels.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace cudalint {

using FileMatches = std::map<std::string, FileMatch>;

namespace {
/// A finding, and where its lines are to be looked for.
struct Candidate {
  const Finding *What = nullptr;
  std::size_t Problem = 0;
  bool IsTold = false; ///< The one of its problem that a report tells.
  std::vector<std::string_view> Kernels; ///< As measured; with IsOfKernel.
  bool IsOfKernel = false;
};

/// What a document says of the lines of one GPU.
class LintedGpu {
public:
  LintedGpu(const Document &Doc, const Measurement &Measured,
            const MeasuredGpu &Gpu, const std::map<std::string, OtherSource> &);

  /// Adds to the lines of \p Kernel, which is \p Measured.
  void addTo(HotKernel &Kernel, const MeasuredKernel *Measured);
  LintSummary summary() const {
    return {.Target = Doc.Target.Name,
            .Problems = Problems,
            .AtMeasured = Measured.size()};
  }

private:
  std::vector<LintedFinding> findingsAt(std::span<const MeasuredPlace> Places,
                                        const HotLine *Of,
                                        const HotKernel &Kernel,
                                        const FileMatches &OfKernel);

  const Document &Doc;
  std::vector<std::string> Files; ///< Of which the document speaks.
  FileMatches OfAll;
  std::multimap<unsigned, Candidate> ByLine;
  std::size_t Problems = 0;
  std::set<std::size_t> Measured; ///< Problems that have a line.
};
} // namespace

/// All files of which \p Doc speaks: one that is not about any finding may be
/// the one that was measured.
static std::vector<std::string> filesOf(const Document &Doc) {
  std::set<std::string> Out;
  for (const UnitRecord &Unit : Doc.Units) {
    Out.insert(Unit.File);
    for (const SourceRecord &Each : Unit.Sources)
      Out.insert(Each.File);
    for (const KernelRecord &Kernel : Unit.Kernels) {
      Out.insert(Kernel.Where.File);
      for (const AccessRecord &Access : Kernel.Accesses)
        Out.insert(Access.Where.File);
    }
    for (const Finding &F : Unit.Findings)
      Out.insert(F.Where.File);
  }
  Out.erase("");
  return {Out.begin(), Out.end()};
}

/// The names under which the kernels of \p Doc ran.
static std::map<const KernelRecord *, std::vector<std::string_view>>
namesOf(const Document &Doc, const MeasuredGpu &Gpu) {
  std::vector<std::string> Names;
  for (const MeasuredKernel &Kernel : Gpu.Kernels)
    Names.push_back(Kernel.Name);
  std::map<const KernelRecord *, std::vector<std::string_view>> Out;
  for (const PredictedKernel &Kernel : predictedKernels(Doc))
    for (const std::size_t I : ranAs(Kernel, Gpu, Names))
      for (const KernelRecord *Record : Kernel.Records)
        Out[Record].push_back(Gpu.Kernels[I].Name);
  return Out;
}

LintedGpu::LintedGpu(const Document &Doc, const Measurement &Measured,
                     const MeasuredGpu &Gpu,
                     const std::map<std::string, OtherSource> &Others)
    : Doc(Doc), Files(filesOf(Doc)),
      OfAll(matchFiles(Files, measuredFiles(Measured))) {
  const KernelIndex Index(Doc);
  const auto Names = namesOf(Doc, Gpu);
  for (const FindingGroup &Group : groupFindings(std::span(&Doc, 1), Index)) {
    ++Problems;
    for (const GroupMember &Member : Group.All) {
      const Finding &F = *Member.What;
      const KernelRecord *Kernel = Index.of(F);
      if (F.Where.Line == 0 || Others.contains(F.Where.File) ||
          (Kernel && Others.contains(Kernel->Where.File)))
        continue;
      Candidate Each = {.What = &F,
                        .Problem = Problems,
                        .IsTold = &F == Group.First,
                        .Kernels = {},
                        .IsOfKernel = !F.Kernel.empty()};
      if (const auto Ran = Names.find(Kernel); Ran != Names.end())
        Each.Kernels = Ran->second;
      ByLine.emplace(F.Where.Line, std::move(Each));
    }
  }
}

/// Whether what \p F says can be what \p Line counted.
static bool isAbout(const Finding &F, const HotLine &Line) {
  if (const std::optional<AccessOp> Op = opOf(F.About);
      Op && *Op != Line.Line.Op)
    return false;
  if (!F.Predicted)
    return true;
  for (TrafficUnit Unit : {TrafficUnit::Sectors, TrafficUnit::Wavefronts})
    if (F.Predicted->Metric.starts_with(nameOf(Unit)))
      return Unit == Line.Unit;
  return true;
}

/// One of each problem, the dearest first: the one that is told, if it is at
/// one of \p Places. \p Of: which counts are meant; null: all that is done.
std::vector<LintedFinding>
LintedGpu::findingsAt(std::span<const MeasuredPlace> Places, const HotLine *Of,
                      const HotKernel &Kernel, const FileMatches &OfKernel) {
  std::map<std::size_t, const Candidate *> Found;
  for (const MeasuredPlace &Place : Places) {
    const auto [Begin, End] = ByLine.equal_range(Place.Line);
    for (auto It = Begin; It != End; ++It) {
      const Candidate &Each = It->second;
      if (Each.IsOfKernel &&
          std::ranges::find(Each.Kernels, Kernel.Name) == Each.Kernels.end())
        continue;
      const FileMatches &Matches = Each.IsOfKernel ? OfKernel : OfAll;
      const auto Match = Matches.find(Each.What->Where.File);
      if (Match == Matches.end() || Match->second.File != Place.File)
        continue;
      if (Of && !isAbout(*Each.What, *Of))
        continue;
      auto [Entry, IsNew] = Found.try_emplace(Each.Problem, &Each);
      if (!IsNew && Each.IsTold)
        Entry->second = &Each;
    }
  }
  std::vector<LintedFinding> Out;
  for (const auto &[Problem, Each] : Found) {
    Out.push_back({.What = *Each->What, .Problem = Problem});
    Measured.insert(Problem);
  }
  return Out;
}

/// Where a line may have been written: `__ldg` and its like are functions of
/// the toolkit, which findings know by the lines that call them.
static std::vector<MeasuredPlace> placesOf(const std::string &File,
                                           unsigned Line,
                                           const MeasuredKernel *Measured) {
  const MeasuredPlace Own = {.File = File, .Line = Line};
  if (File.empty() || Line == 0)
    return {};
  if (!Measured || !isToolkitHeader(File))
    return {Own};
  std::set<MeasuredPlace> Out;
  for (const MeasuredInstruction &Each : Measured->Instructions) {
    if (Each.Where != Own)
      continue;
    const auto Call =
        std::ranges::find_if(Each.Frames, [](const MeasuredPlace &Frame) {
          return !isToolkitHeader(Frame.File);
        });
    if (Call != Each.Frames.end())
      Out.insert(*Call);
  }
  return {Out.begin(), Out.end()};
}

void LintedGpu::addTo(HotKernel &Kernel, const MeasuredKernel *Measured) {
  std::vector<std::vector<MeasuredPlace>> Places;
  for (const HotLine &Each : Kernel.Lines)
    Places.push_back(placesOf(Each.Line.File, Each.Line.Line, Measured));
  for (const HotSampledLine &Each : Kernel.Stalls.Lines)
    Places.push_back(placesOf(Each.File, Each.Line, Measured));
  std::set<std::string> Names;
  for (const std::vector<MeasuredPlace> &Several : Places)
    for (const MeasuredPlace &Each : Several)
      Names.emplace(Each.File);
  const FileMatches OfKernel =
      matchFiles(Files, std::vector<std::string>(Names.begin(), Names.end()));
  auto At = Places.begin();
  for (HotLine &Each : Kernel.Lines)
    Each.Findings = findingsAt(*At++, &Each, Kernel, OfKernel);
  for (HotSampledLine &Each : Kernel.Stalls.Lines)
    Each.Findings = findingsAt(*At++, nullptr, Kernel, OfKernel);
}

std::vector<std::string> addFindings(std::span<const Document> Documents,
                                     const Measurement &Measured,
                                     const SourceLookup &Look, Hotspots &To) {
  std::vector<std::string> Notes;
  for (const MeasuredGpu &Gpu : Measured.Gpus) {
    // A host has GPUs that the program does not use.
    if (Gpu.Kernels.empty())
      continue;
    const Document *Doc = documentFor(Documents, Gpu);
    if (!Doc) {
      Notes.push_back(noDocument(Documents, Gpu));
      continue;
    }
    const std::map<std::string, OtherSource> Others =
        otherSources(*Doc, Measured, Look);
    addProblems(Others, "what the linter says of it is not shown", To.Problems);
    LintedGpu Linted(*Doc, Measured, Gpu, Others);
    for (HotGpu &Hot : To.Gpus) {
      if (std::tie(Hot.Name, Hot.ComputeCapability, Hot.SMs) !=
          std::tie(Gpu.Name, Gpu.ComputeCapability, Gpu.SMs))
        continue;
      for (HotKernel &Kernel : Hot.Kernels) {
        const auto Found =
            std::ranges::find(Gpu.Kernels, Kernel.Name, &MeasuredKernel::Name);
        Linted.addTo(Kernel, Found == Gpu.Kernels.end() ? nullptr : &*Found);
      }
      Hot.Lint = Linted.summary();
    }
  }
  return Notes;
}

} // namespace cudalint
