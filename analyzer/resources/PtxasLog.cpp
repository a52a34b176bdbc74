//===- analyzer/resources/PtxasLog.cpp - Reads ptxas -v -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/PtxasLog.h"

#include "analyzer/resources/PtxasWords.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace cudalint {

/// Longer lines are noise; what ptxas prints is a kernel's name long.
static constexpr std::size_t MaxLine = 1 << 16;
/// A kernel is not compiled from more sources than this.
static constexpr std::size_t MaxVariants = 64;
static constexpr std::size_t MaxDoubtful = 256;
static constexpr std::size_t MaxSources = 1 << 16;
static constexpr std::uint64_t MaxRegisters = 255;
/// More bytes than this no kernel can have: the line is not ptxas'.
static constexpr std::uint64_t MaxBytes = std::uint64_t(1) << 32;

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

void PtxasLog::read(std::string_view Bytes) {
  while (!Bytes.empty()) {
    std::size_t End = Bytes.find('\n');
    std::string_view Piece = Bytes.substr(0, End);
    if (!SkipsLine && Partial.size() + Piece.size() > MaxLine) {
      SkipsLine = true;
      Partial.clear();
    }
    if (!SkipsLine)
      Partial += Piece;
    if (End == std::string_view::npos)
      return;
    ++Number;
    if (!SkipsLine)
      readLine(Partial);
    SkipsLine = false;
    Partial.clear();
    Bytes.remove_prefix(End + 1);
  }
}

/// nvlink of CUDA 13 names no architecture. Where all that was compiled is for
/// one, so is what it links.
void PtxasLog::settleLinked() {
  std::optional<ComputeCapability> Only;
  for (const PtxasEntry *Each : entries()) {
    if (Each->Linked)
      continue;
    if (!Each->CC || (Only && *Each->CC != *Only))
      return;
    Only = Each->CC;
  }
  for (auto &[Name, Variants] : ByKernel)
    for (PtxasEntry &Entry : Variants)
      if (Entry.Linked && !Entry.CC)
        Entry.CC = Only;
}

void PtxasLog::finish() {
  if (!Partial.empty()) {
    ++Number;
    IsUnended = true;
    readLine(Partial);
    Partial.clear();
  }
  close();
  flush();
  settleLinked();
  if (SourcesAreMixed)
    for (auto &[Name, Variants] : ByKernel)
      for (PtxasEntry &Entry : Variants)
        Entry.File.clear();
}

void PtxasLog::readLine(std::string_view Line) {
  std::string Clean;
  if (Line.find('\x1b') != std::string_view::npos) {
    Clean = withoutEscapes(Line);
    Line = Clean;
  }
  if (auto Text = behind("ptxas", Line)) {
    HasOutput = SourceHasOutput = true;
    if (!readPtxas(*Text))
      noteStrange(Line);
  } else if (auto Text = behind("nvlink", Line)) {
    HasOutput = true;
    if (!readNvlink(*Text))
      noteStrange(Line);
  } else if (Line.find(" bytes stack frame") != std::string_view::npos) {
    readFrame(Line);
  } else {
    noteSource(Line);
    if (mayBeOutput(Line))
      noteStrange(Line);
  }
}

void PtxasLog::noteStrange(std::string_view Line) {
  static constexpr std::size_t MaxShown = 200;
  if (!Strange)
    Strange = {.Number = Number,
               .Text = std::string(trimmed(Line).substr(0, MaxShown))};
}

bool PtxasLog::readPtxas(std::string_view Text) {
  static constexpr std::string_view Compiling = "Compiling entry function '";
  static constexpr std::string_view Properties = "Function properties for ";
  if (Text.starts_with(Compiling)) {
    Text.remove_prefix(Compiling.size());
    // Before CUDA 4 no architecture followed.
    static constexpr std::string_view For = "' for '";
    std::size_t End = Text.rfind(For);
    if (End != std::string_view::npos)
      begin(Text.substr(0, End), Text.substr(End + For.size()), false);
    else
      begin(Text.substr(0, Text.rfind('\'')), "", false);
  } else if (Text.starts_with(Properties)) {
    PropertiesOf = trimmed(Text.substr(Properties.size()));
    if (PropertiesOf.size() > 1 && PropertiesOf.front() == '\'')
      PropertiesOf = PropertiesOf.substr(1, PropertiesOf.rfind('\'') - 1);
  } else if (Text.starts_with("Used ")) {
    return readUsed(Text);
  } else {
    return saysNothingOfKernels(Text);
  }
  return true;
}

/// `Function properties for 'k': (target: sm_52)`, then
/// `used 30 registers, 0 stack, 0 bytes smem, 0 bytes lmem (target: sm_52)`.
bool PtxasLog::readNvlink(std::string_view Text) {
  static constexpr std::string_view Properties = "Function properties for '";
  static constexpr std::string_view Target = "(target: ";
  std::string_view Arch;
  if (std::size_t At = Text.rfind(Target); At != std::string_view::npos) {
    Arch = Text.substr(At + Target.size());
    Text = trimmed(Text.substr(0, At));
  }
  if (Text.starts_with(Properties)) {
    Text.remove_prefix(Properties.size());
    begin(Text.substr(0, Text.rfind('\'')), Arch, true);
    return true;
  }
  if (Text.starts_with("used "))
    return !Open || !Open->Linked || readUsed(Text);
  return saysNothingOfKernels(Text);
}

/// Remembers which source the lines that follow may be about.
void PtxasLog::noteSource(std::string_view Line) {
  static constexpr std::string_view Suffix = ".cu";
  std::string Found;
  bool AreSeveral = false;
  for (std::size_t At = Line.find(Suffix); At != std::string_view::npos;
       At = Line.find(Suffix, At + 1)) {
    std::size_t End = At + Suffix.size();
    if (End < Line.size() &&
        (std::isalnum(static_cast<unsigned char>(Line[End])) ||
         Line[End] == '_'))
      continue; // .cuh, .cubin, .cudafe1.cpp
    std::size_t Start = Line.find_last_of(" \t/\\\"'=:[(", At);
    Start = Start == std::string_view::npos ? 0 : Start + 1;
    std::string_view Name = Line.substr(Start, End - Start);
    if (Name == Suffix)
      continue;
    // A message: `a.cu(3): warning`, `a.cu:3:9: warning`.
    if (End == Line.size() || (Line[End] != '(' && Line[End] != ':'))
      if (Sources.size() <= MaxSources)
        Sources.emplace(Name);
    if (!Found.empty() && Found != Name) {
      AreSeveral = true;
      continue;
    }
    Found = Name;
  }
  if (AreSeveral) {
    Source.clear(); // Any of them.
    SourceHasOutput = true;
    return;
  }
  if (Found.empty() || Found == Source)
    return;
  SourcesAreMixed |= !SourceHasOutput;
  Source = std::move(Found);
  SourceHasOutput = false;
}

bool PtxasLog::leavesOut(std::string_view File) const {
  return File.ends_with(".cu") && !Sources.empty() &&
         Sources.size() <= MaxSources && !Sources.contains(File);
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

void PtxasLog::begin(std::string_view Kernel, std::string_view Arch,
                     bool Linked) {
  if (Open) // Its registers did not come: cut off, or mixed with this one.
    Doubtful.push_back(std::move(*Open));
  Open.reset();
  PropertiesOf.clear();
  if (Kernel.empty())
    return;
  PtxasEntry Entry;
  Entry.Kernel = Kernel;
  Entry.CC = readArchitecture(Arch, Entry.Specific);
  Entry.Linked = Linked;
  Entry.File = Linked ? "" : Source;
  Entry.Line = Number;
  Open = std::move(Entry);
}

void PtxasLog::readFrame(std::string_view Line) {
  if (!Open || PropertiesOf != Open->Kernel)
    return; // Of a device function that was not inlined.
  PropertiesOf.clear();
  auto valueBefore = [&](std::string_view Words) {
    std::size_t End = Line.find(Words);
    if (End == std::string_view::npos || End == 0)
      return std::optional<std::uint64_t>();
    std::size_t Start = Line.find_last_not_of("0123456789", End - 1);
    Start = Start == std::string_view::npos ? 0 : Start + 1;
    std::string_view Digits = Line.substr(Start, End - Start);
    return consumeNumber(Digits, MaxBytes);
  };
  Open->Record.LocalBytes = valueBefore(" bytes stack frame");
  Open->Record.SpillStores = valueBefore(" bytes spill stores");
  Open->Record.SpillLoads = valueBefore(" bytes spill loads");
}

/// `Used 10 registers, used 1 barriers, 8 bytes cumulative stack size, 20 bytes
/// smem, 380 bytes cmem[0]`: what is 0 may be left out, but not the registers.
/// In a line that is cut off, or broken by another, that would be unknown.
bool PtxasLog::readUsed(std::string_view Text) {
  if (!Open) {
    // Registers of nobody: the lines of two compilations are mixed.
    for (PtxasEntry &Entry : Doubtful)
      Entry.Record = ResourceRecord();
    flush();
    return true;
  }
  ResourceRecord &Record = Open->Record;
  std::optional<std::uint64_t> Shared;
  bool IsWhole = !IsUnended; ///< All that counts has been read.
  bool IsBroken = false;     ///< Holds what ptxas does not write.
  auto atLeast = [](std::optional<std::uint64_t> &Known,
                    std::optional<std::uint64_t> More) {
    Known = std::max(Known, More); // Empty is less than any.
  };
  while (!Text.empty()) {
    std::size_t Comma = Text.find(',');
    std::string_view Clause = trimmed(Text.substr(0, Comma));
    Text.remove_prefix(Comma == std::string_view::npos ? Text.size()
                                                       : Comma + 1);
    if (Clause.starts_with("Used ") || Clause.starts_with("used "))
      Clause.remove_prefix(5);
    std::string_view Words = Clause;
    std::optional<std::uint64_t> Value = consumeNumber(Words, MaxBytes);
    Words = trimmed(Words);
    if (Words == "registers" || Words == "register") {
      if (Value && *Value <= MaxRegisters)
        Record.Registers = Value;
    } else if (Words == "barriers" || Words == "barrier") {
      Record.Barriers = Value;
    } else if (Words == "bytes smem") {
      Shared = Value;
      IsWhole = true; // No stack and no shared memory follow.
    } else if (Words == "bytes cumulative stack size" ||
               Words == "bytes lmem" || Words == "stack") {
      atLeast(Record.LocalBytes, Value);
    } else if (Words.starts_with("bytes cmem[") && Words.ends_with("]")) {
      // Constant memory comes behind shared memory.
      IsWhole = true;
    } else if (Words != "textures" && Words != "samplers" &&
               Words != "surfaces") {
      IsBroken = true;
    }
  }
  const bool IsUnderstood = Record.Registers.has_value();
  if (IsWhole && !IsBroken && !Shared)
    Shared = 0;
  if (IsUnderstood)
    Record.SharedBytes = Shared;
  if (IsUnended && !IsWhole) {
    Open->IsCut = true;
    // Of the frame alone, without that of what it calls.
    Record.LocalBytes.reset();
  }
  close();
  return IsUnderstood;
}

/// Takes what is known of the open kernel; nothing, where the log breaks off.
void PtxasLog::close() {
  if (!Open)
    return;
  PtxasEntry Entry = std::move(*Open);
  Open.reset();
  if (Doubtful.empty())
    return add(std::move(Entry));
  Doubtful.push_back(std::move(Entry));
  if (Doubtful.size() > MaxDoubtful)
    flush();
}

void PtxasLog::flush() {
  std::vector<PtxasEntry> Entries;
  Entries.swap(Doubtful);
  for (PtxasEntry &Entry : Entries)
    add(std::move(Entry));
}

static auto figuresOf(const PtxasEntry &E) {
  const ResourceRecord &R = E.Record;
  return std::tie(E.Kernel, E.CC, E.Specific, E.Linked, E.File, R.Registers,
                  R.SharedBytes, R.LocalBytes, R.SpillStores, R.SpillLoads,
                  R.Barriers);
}

void PtxasLog::add(PtxasEntry Entry) {
  std::vector<PtxasEntry> &Variants =
      ByKernel[comparableKernelName(Entry.Kernel)];
  for (const PtxasEntry &Known : Variants)
    if (figuresOf(Known) == figuresOf(Entry))
      return;
  if (Variants.size() < MaxVariants)
    Variants.push_back(std::move(Entry));
}

std::vector<const PtxasEntry *>
PtxasLog::entriesOf(std::string_view Kernel) const {
  std::vector<const PtxasEntry *> Result;
  auto Found = ByKernel.find(comparableKernelName(Kernel));
  if (Found != ByKernel.end())
    for (const PtxasEntry &Entry : Found->second)
      Result.push_back(&Entry);
  return Result;
}

std::vector<const PtxasEntry *> PtxasLog::entries() const {
  std::vector<const PtxasEntry *> Result;
  for (const auto &[Name, Variants] : ByKernel)
    for (const PtxasEntry &Entry : Variants)
      Result.push_back(&Entry);
  return Result;
}

} // namespace cudalint
