//===- analyzer/resources/LogChoice.cpp - A kernel in build logs ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/LogChoice.h"

#include "report/TerminalText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace cudalint {

namespace {
/// An entry and the log that it stands in.
struct Candidate {
  const PtxasEntry *Entry = nullptr;
  const NamedLog *Log = nullptr;

  const ResourceRecord &record() const { return Entry->Record; }
};
} // namespace

using Candidates = std::vector<Candidate>;

static Candidates
candidatesOf(std::span<const NamedLog> Logs, std::string_view LinkageName,
             const std::function<bool(std::string_view)> &IsNamed) {
  Candidates Result;
  for (const NamedLog &Log : Logs)
    for (const PtxasEntry *Entry : Log.Log.entriesOf(LinkageName))
      Result.push_back({Entry, &Log});
  if (!Result.empty())
    return Result;
  // Some builds print names as the user writes them.
  for (const NamedLog &Log : Logs)
    for (const PtxasEntry *Entry : Log.Log.entries())
      if (!std::string_view(Entry->Kernel).starts_with("_Z") &&
          IsNamed(Entry->Kernel))
        Result.push_back({Entry, &Log});
  return Result;
}

/// Keeps those whose code runs on \p CC as it is.
static Candidates forArchitecture(const Candidates &All, ComputeCapability CC,
                                  std::optional<ComputeCapability> &Chosen) {
  Chosen.reset();
  for (const Candidate &C : All) {
    const std::optional<ComputeCapability> &Of = C.Entry->CC;
    if (!Of || Of->Major != CC.Major || Of->Minor > CC.Minor ||
        (*Of != CC && C.Entry->Specific))
      continue;
    Chosen = std::max(Chosen, Of);
  }
  Candidates Result;
  for (const Candidate &C : All)
    if (C.Entry->CC == Chosen && (Chosen == CC || !C.Entry->Specific))
      Result.push_back(C);
  return Result;
}

/// How nvcc puts a source into the names of what is local to it: `_4_x_cu_`.
static std::string markOf(std::string Name) {
  for (char &C : Name)
    if (!llvm::isAlnum(C))
      C = '_';
  return fmt::format("_{}_{}_", Name.size(), Name);
}

/// Keeps those of the source \p File, unless the log tells of none.
static Candidates ofSource(const Candidates &All, const std::string &File) {
  std::string Name = std::filesystem::path(File).filename().string();
  std::string Mark = markOf(Name);
  auto isMarked = [&](const Candidate &C) {
    return C.Entry->Kernel.find(Mark) != std::string::npos;
  };
  Candidates Result;
  llvm::copy_if(All, std::back_inserter(Result), isMarked);
  if (!Result.empty())
    return Result;
  llvm::copy_if(All, std::back_inserter(Result),
                [&](const Candidate &C) { return C.Entry->File == Name; });
  return Result.empty() ? All : Result;
}

/// Takes out those of other sources, where the commands of the log do not name
/// \p File at all: a template, or a static kernel, may differ there.
static Candidates takeForeign(Candidates &All, const std::string &File) {
  const std::string Name = std::filesystem::path(File).filename().string();
  const std::string Mark = markOf(Name);
  Candidates Foreign;
  llvm::erase_if(All, [&](const Candidate &C) {
    const bool IsForeign = !C.Entry->File.empty() && C.Entry->File != Name &&
                           C.Log->Log.leavesOut(Name) &&
                           C.Entry->Kernel.find(Mark) == std::string::npos;
    if (IsForeign)
      Foreign.push_back(C);
    return IsForeign;
  });
  return Foreign;
}

/// What all agree on.
static std::optional<std::uint64_t>
common(const Candidates &All,
       std::optional<std::uint64_t> ResourceRecord::*Field) {
  std::optional<std::uint64_t> First;
  if (!All.empty())
    First = All.front().record().*Field;
  for (const Candidate &C : All)
    if (C.record().*Field != First)
      return std::nullopt;
  return First;
}

static ResourceRecord commonRecord(const Candidates &Compiled,
                                   const Candidates &Linked) {
  // nvlink counts all that a kernel calls, but says nothing of spills.
  const Candidates &Best = Linked.empty() ? Compiled : Linked;
  ResourceRecord Result;
  Result.Registers = common(Best, &ResourceRecord::Registers);
  Result.SharedBytes = common(Best, &ResourceRecord::SharedBytes);
  Result.LocalBytes = common(Best, &ResourceRecord::LocalBytes);
  Result.Barriers = common(Best, &ResourceRecord::Barriers);
  if (!Result.Barriers)
    Result.Barriers = common(Compiled, &ResourceRecord::Barriers);
  Result.SpillStores = common(Compiled, &ResourceRecord::SpillStores);
  Result.SpillLoads = common(Compiled, &ResourceRecord::SpillLoads);
  Result.Source = "log";
  return Result;
}

/// `32 registers (build.log:4), 40 registers (build.log:90)`
static std::string registersOf(const Candidates &All) {
  std::set<std::uint64_t> Said;
  std::string Result;
  for (const Candidate &C : All)
    if (C.record().Registers && Said.insert(*C.record().Registers).second)
      Result +=
          fmt::format("{}{} registers ({}:{})", Result.empty() ? "" : ", ",
                      *C.record().Registers, C.Log->Name, C.Entry->Line);
  return Result;
}

/// Why an entry has no registers.
static std::string noteOfCutOff(const Candidate &C, const std::string &Kernel) {
  const std::optional<LogLine> &Strange = C.Log->Log.firstStrange();
  if (Strange && Strange->Number > C.Entry->Line)
    return fmt::format(
        "{}:{}: the log was read, but this wording of ptxas is not known: "
        "'{}': the registers of kernel '{}' are not known; give --registers, "
        "and please report the line",
        C.Log->Name, Strange->Number, printable(Strange->Text), Kernel);
  return fmt::format(
      "{}:{}: the log breaks off within kernel '{}', or mixes the output of "
      "several compilations: its registers are not known; build again with "
      "one job, or give --registers",
      C.Log->Name, C.Entry->Line, Kernel);
}

/// What a line does not say that the end of the log cuts off.
static std::string noteOfCutLine(const Candidates &All,
                                 const std::string &Kernel) {
  for (const Candidate &C : All)
    if (C.Entry->IsCut)
      return fmt::format(
          "{}:{}: the log ends inside the line of the registers of kernel "
          "'{}': its local memory is not known, and its shared memory is taken "
          "from the source; keep the whole output of the build",
          C.Log->Name, C.Entry->Line, Kernel);
  return {};
}

ResourceAnswer
chooseFromLogs(std::span<const NamedLog> Logs, std::string_view LinkageName,
               const std::string &File, ComputeCapability CC,
               const std::function<bool(std::string_view)> &IsNamed) {
  ResourceAnswer Answer;
  std::string Kernel = llvm::demangle(LinkageName);
  Candidates All = candidatesOf(Logs, LinkageName, IsNamed);
  if (All.empty()) {
    Answer.Note = fmt::format(
        "{}: kernel '{}' is not in {}: its registers are not known; give "
        "--registers, or --ptxas=nvcc to compile what the log leaves out",
        File, Kernel, Logs.size() == 1 ? Logs.front().Name : "the ptxas logs");
    return Answer;
  }

  if (const Candidates Foreign = takeForeign(All, File); All.empty()) {
    const Candidate &C = Foreign.front();
    Answer.Note = fmt::format(
        "{}:{}: kernel '{}' was compiled from {}, and the commands of the log "
        "do not name {}, where it may take other registers: they are not "
        "known; give the log of a build of that file, or --registers",
        C.Log->Name, C.Entry->Line, Kernel, printable(C.Entry->File), File);
    return Answer;
  }

  std::optional<ComputeCapability> Chosen;
  Candidates Fit = forArchitecture(All, CC, Chosen);
  if (Fit.empty()) {
    std::set<std::string> Names;
    for (const Candidate &C : All)
      if (C.Entry->CC)
        Names.insert(toString(*C.Entry->CC));
    Answer.Note = fmt::format(
        "the ptxas log holds figures for compute capability {}, none that "
        "runs on {}: registers are not known there; build for it as well, or "
        "give --registers",
        fmt::join(Names, ", "), toString(CC));
    return Answer;
  }

  Candidates Compiled, Linked, CutOff;
  // Linked figures name no source, but for kernels that are local to one.
  Candidates OfLinker;
  for (const Candidate &C : Fit)
    if (C.Entry->Linked)
      OfLinker.push_back(C);
  llvm::erase_if(Fit, [](const Candidate &C) { return C.Entry->Linked; });
  for (const Candidates &Chosen :
       {ofSource(Fit, File), ofSource(OfLinker, File)})
    for (const Candidate &C : Chosen) {
      if (!C.record().Registers)
        CutOff.push_back(C);
      else
        (C.Entry->Linked ? Linked : Compiled).push_back(C);
    }
  if (Compiled.empty() && Linked.empty()) {
    Answer.Note = noteOfCutOff(CutOff.front(), Kernel);
    return Answer;
  }
  Answer.Record = commonRecord(Compiled, Linked);
  if (!Answer.Record->Registers)
    Answer.Note = fmt::format(
        "{}: kernel '{}' was compiled several times with different figures: "
        "{}; it is not known which counts: give the log of one build, with "
        "its commands, which name the sources, or --registers",
        File, Kernel, registersOf(Linked.empty() ? Compiled : Linked));
  else if (std::string Cut =
               noteOfCutLine(Linked.empty() ? Compiled : Linked, Kernel);
           !Cut.empty())
    Answer.Note = std::move(Cut);
  else if (!Chosen)
    Answer.Note = "the ptxas log does not say for which architecture some "
                  "figures are; they are taken for every target";
  else if (Chosen != CC)
    Answer.Note = fmt::format(
        "the ptxas log holds no figures for compute capability {}; those of "
        "{} are taken, whose code runs there too",
        toString(CC), toString(*Chosen));
  return Answer;
}

} // namespace cudalint
