//===- cubin/KernelCode.cpp - The memory instructions of kernels ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/KernelCode.h"

#include "cubin/ElfFile.h"

#include <algorithm>
#include <array>
#include <elf.h>
#include <set>

namespace cudalint::cubin {

static constexpr std::string_view TextPrefix = ".text.";

/// Frames of one cubin. Behind them an instruction has its innermost alone, as
/// a table of a few bytes can say the same long chain of each instruction.
static constexpr std::size_t MostFrames = 4 << 20;

/// Names of symbols, beside as many bytes as the file has. Those behind are
/// empty.
static constexpr std::size_t MostNameBytes = 64 << 20;

namespace {
/// Where a function begins in a section.
struct Start {
  std::uint64_t Offset;
  std::string_view Name;
  bool IsKernel;
};

/// The instructions of one section, and what the file says of them.
struct Section {
  std::uint32_t Number;
  std::string_view Name; // without prefix
  std::string_view Bytes;
  std::vector<Start> Starts; // by offset
  /// Of indirect branches, by their offset, and of calls to other sections.
  std::map<std::uint64_t, std::vector<std::uint64_t>> Targets;
  std::map<std::uint64_t, std::string_view> Callees;
};

/// Reads the functions of one file.
class Reader {
public:
  explicit Reader(std::string_view Bytes) : File(Bytes), Lines(File) {}

  CodeOrReason read();

private:
  std::string_view symbolName(std::uint32_t Table,
                              const ElfFile::Symbol &Symbol);
  void readSymbols();
  void readRelocations();
  void readIndirectBranches();
  void readFunction(const Section &In, std::uint64_t Begin, std::uint64_t End,
                    const Start &What);
  void readInstruction(const Section &In, std::uint64_t Offset, FunctionCode &F,
                       ControlFlow &Flow);
  void readFlow(const Section &In, std::uint64_t Offset, Encoding E,
                FunctionCode &F, ControlFlow &Flow);
  void addCall(const Section &In, std::uint64_t Offset, Encoding E,
               std::optional<std::uint64_t> Target, FunctionCode &F);
  std::vector<Frame> framesOf(const Section &In, std::uint64_t Offset);

  ElfFile File;
  LineTable Lines;
  std::map<std::uint32_t, Section> Sections;
  std::size_t FrameCount = 0;
  std::size_t NameBytes = 0; ///< That were looked at.
  Code Out;
};
} // namespace

//===----------------------------------------------------------------------===//
// What the file says of the code
//===----------------------------------------------------------------------===//

/// ptxas calls the copy for a kernel `$kernel$function`.
static std::string_view withoutKernel(std::string_view Name,
                                      std::string_view Kernel) {
  if (Name.size() > Kernel.size() + 2 && Name[0] == '$' &&
      Name.substr(1, Kernel.size()) == Kernel && Name[Kernel.size() + 1] == '$')
    return Name.substr(Kernel.size() + 2);
  return Name;
}

std::string_view Reader::symbolName(std::uint32_t Table,
                                    const ElfFile::Symbol &Symbol) {
  // In a file that is made so, each of many names ends where all of it does.
  constexpr std::size_t OfABrokenOne = 1 << 16;
  if (NameBytes > File.size() + MostNameBytes)
    return {};
  std::string_view Name = File.nameOf(Table, Symbol);
  NameBytes += Name.empty() ? OfABrokenOne : Name.size();
  return Name;
}

void Reader::readSymbols() {
  for (std::uint32_t Table = 0; Table != File.sections().size(); ++Table) {
    if (File.sections()[Table].Type != SHT_SYMTAB)
      continue;
    std::size_t Count = File.sections()[Table].Bytes.size() / sizeof(Elf64_Sym);
    for (std::uint32_t I = 0; I != Count; ++I) {
      auto Symbol = File.symbol(Table, I);
      if (!Symbol || Symbol->Type != STT_FUNC)
        continue;
      auto In = Sections.find(Symbol->Section);
      if (In == Sections.end() || Symbol->Value % InstructionBytes != 0 ||
          Symbol->Value >= In->second.Bytes.size())
        continue;
      In->second.Starts.push_back(
          {Symbol->Value,
           withoutKernel(symbolName(Table, *Symbol), In->second.Name),
           (Symbol->Other & ElfFile::EntryFlag) != 0});
    }
    break; // There is one; more would be the same bytes over and over.
  }
  for (auto &[Number, In] : Sections) {
    auto &Starts = In.Starts;
    std::stable_sort(
        Starts.begin(), Starts.end(),
        [](const Start &A, const Start &B) { return A.Offset < B.Offset; });
    Starts.erase(std::unique(Starts.begin(), Starts.end(),
                             [](const Start &A, const Start &B) {
                               return A.Offset == B.Offset;
                             }),
                 Starts.end());
    if (Starts.empty() || Starts[0].Offset != 0)
      Starts.insert(Starts.begin(), {0, In.Name, false});
  }
}

void Reader::readRelocations() {
  std::set<std::pair<std::uint32_t, std::uint32_t>> Seen;
  for (const ElfFile::Section &S : File.sections()) {
    if (S.Type != SHT_RELA && S.Type != SHT_REL)
      continue;
    auto In = Sections.find(S.Info);
    // One of each type: more would be the same bytes over and over.
    if (In == Sections.end() || !Seen.insert({S.Info, S.Type}).second)
      continue;
    std::size_t Size =
        S.Type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    for (std::uint64_t At = 0; S.Bytes.size() - At >= Size; At += Size) {
      // One without addend begins like one with.
      auto Each = readAt<Elf64_Rel>(S.Bytes, At);
      auto Symbol = File.symbol(
          S.Link, static_cast<std::uint32_t>(ELF64_R_SYM(Each->r_info)));
      if (Symbol && Symbol->Type == STT_FUNC)
        In->second.Callees[Each->r_offset] = symbolName(S.Link, *Symbol);
    }
  }
}

/// `.nv.info.KERNEL` is a list of attributes: a format, a name, and two bytes
/// or, of format 4, as many as these say. EIATTR_INDIRECT_BRANCH_TARGETS holds
/// for each branch its offset, a zero, the number of targets and these.
void Reader::readIndirectBranches() {
  constexpr std::uint8_t SizedFormat = 4, IndirectBranchTargets = 0x34;
  for (auto &[Number, In] : Sections) {
    auto Info = File.find(".nv.info." + std::string(In.Name));
    if (!Info)
      continue;
    std::string_view Bytes = File.sections()[*Info].Bytes;
    for (std::uint64_t At = 0; At + 4 <= Bytes.size();) {
      auto Format = *readAt<std::uint8_t>(Bytes, At);
      auto Name = *readAt<std::uint8_t>(Bytes, At + 1);
      std::uint64_t Size = *readAt<std::uint16_t>(Bytes, At + 2);
      At += 4;
      if (Format != SizedFormat)
        continue;
      std::string_view Value = Bytes.substr(std::min(At, Bytes.size()), Size);
      At += Size;
      if (Name != IndirectBranchTargets)
        continue;
      for (std::uint64_t I = 0; I + 12 <= Value.size();) {
        auto &Targets = In.Targets[*readAt<std::uint32_t>(Value, I)];
        std::uint64_t Count = *readAt<std::uint32_t>(Value, I + 8);
        I += 12;
        for (; Count != 0 && I + 4 <= Value.size(); --Count, I += 4)
          Targets.push_back(*readAt<std::uint32_t>(Value, I));
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

std::vector<Frame> Reader::framesOf(const Section &In, std::uint64_t Offset) {
  std::vector<Frame> Frames;
  if (FrameCount < MostFrames)
    Frames = Lines.frames(In.Number, Offset);
  else if (auto Place = Lines.find(In.Number, Offset))
    Frames.push_back(*Place);
  FrameCount += Frames.size();
  return Frames;
}

void Reader::addCall(const Section &In, std::uint64_t Offset, Encoding E,
                     std::optional<std::uint64_t> Target, FunctionCode &F) {
  Call &C = F.Calls.emplace_back();
  C.Offset = Offset;
  C.Predicated = isPredicated(E);
  C.Frames = framesOf(In, Offset);
  if (auto Found = In.Callees.find(Offset); Found != In.Callees.end())
    C.Callee = Found->second;
  if (!C.Callee.empty() || !Target)
    return;
  auto Found = std::lower_bound(
      In.Starts.begin(), In.Starts.end(), *Target,
      [](const Start &Each, std::uint64_t At) { return Each.Offset < At; });
  if (Found != In.Starts.end() && Found->Offset == *Target)
    C.Callee = Found->Name;
}

void Reader::readFlow(const Section &In, std::uint64_t Offset, Encoding E,
                      FunctionCode &F, ControlFlow &Flow) {
  auto At = static_cast<std::uint32_t>((Offset - F.Begin) / InstructionBytes);
  auto jump = [&](std::uint64_t Target) {
    if (Target >= F.Begin && Target < F.End &&
        (Target - F.Begin) % InstructionBytes == 0)
      Flow.Jumps.push_back({At, static_cast<std::uint32_t>((Target - F.Begin) /
                                                           InstructionBytes)});
    else
      F.HasUnknownBranches = true;
  };
  cubin::Flow Next = flowOf(E, Out.Architecture);
  std::uint64_t Target =
      Offset + InstructionBytes + static_cast<std::uint64_t>(Next.Target);
  switch (Next.What) {
  case cubin::Flow::Kind::Next:
    break;
  case cubin::Flow::Kind::Branch:
    // Behind the code stands a branch to itself, which nothing reaches.
    if (Target != Offset || Next.FallsThrough)
      jump(Target);
    break;
  case cubin::Flow::Kind::Indirect: {
    auto Found = In.Targets.find(Offset);
    F.HasUnknownBranches |= Found == In.Targets.end();
    if (Found != In.Targets.end())
      for (std::uint64_t Each : Found->second)
        jump(Each);
    break;
  }
  case cubin::Flow::Kind::Call:
    addCall(In, Offset, E, Target, F);
    break;
  case cubin::Flow::Kind::CallPointer:
    addCall(In, Offset, E, std::nullopt, F);
    break;
  }
  if (!Next.FallsThrough)
    Flow.Ends.push_back(At);
  if (Next.MayEnd)
    Flow.Exits.push_back(At);
}

/// Whether it computes with doubles, or converts one type of floating-point
/// numbers to another.
static bool isOfDoubles(std::string_view Name) {
  static constexpr std::array<std::string_view, 6> Names = {
      "DADD", "DFMA", "DMMA", "DMUL", "DSETP", "F2F"};
  return std::ranges::find(Names, Name) != Names.end();
}

void Reader::readInstruction(const Section &In, std::uint64_t Offset,
                             FunctionCode &F, ControlFlow &Flow) {
  Encoding E = {*readAt<std::uint64_t>(In.Bytes, Offset),
                *readAt<std::uint64_t>(In.Bytes, Offset + 8)};
  ++F.Instructions;
  std::string_view Name = nameOf(E, Out.Architecture);
  F.Doubles += isOfDoubles(Name);
  if (Name.empty())
    ++F.UnknownOpcodes[static_cast<unsigned>(E.Low & 0xfff)];
  if (!Out.HasLines)
    Out.HasLines = Lines.find(In.Number, Offset).has_value();
  readFlow(In, Offset, E, F, Flow);
  std::vector<MemoryAccess> Accesses = accessesOf(E, Out.Architecture);
  // ptxas puts loads that never happen between asynchronous copies.
  if (Accesses.empty() || isNever(E))
    return;
  std::vector<Frame> Frames = framesOf(In, Offset);
  for (const MemoryAccess &Each : Accesses)
    F.Memory.push_back({.Offset = Offset,
                        .Access = Each,
                        .Opcode = Name,
                        .Predicated = isPredicated(E),
                        .Loop = std::nullopt,
                        .LoopDepth = 0,
                        .IsInEachTurn = false,
                        .Block = 0,
                        .Frames = Frames,
                        .Shown = Lines.find(In.Number, Offset)});
}

void Reader::readFunction(const Section &In, std::uint64_t Begin,
                          std::uint64_t End, const Start &What) {
  FunctionCode &F = Out.Functions.emplace_back();
  F.Name = What.Name;
  F.Section = In.Name;
  F.IsKernel = What.IsKernel;
  F.Begin = Begin;
  F.End = End;
  ControlFlow Flow;
  Flow.Size = static_cast<std::uint32_t>((End - Begin) / InstructionBytes);
  for (std::uint64_t At = Begin; At != End; At += InstructionBytes)
    readInstruction(In, At, F, Flow);

  LoopNest Nest = findLoops(Flow);
  F.Loops = std::move(Nest.Loops);
  for (Loop &Each : F.Loops) {
    Each.Start = Begin + Each.Start * InstructionBytes;
    Each.End = Begin + Each.End * InstructionBytes;
  }
  auto place = [&](auto &Item) {
    const std::size_t At = (Item.Offset - Begin) / InstructionBytes;
    Item.IsInEachTurn = Nest.IsInEachTurn[At] && !F.HasUnknownBranches;
    unsigned Number = Nest.Innermost[At];
    if (Number == LoopNest::None)
      return;
    Item.Loop = Number;
    Item.LoopDepth = F.Loops[Number].Depth;
  };
  for (MemoryInstruction &Each : F.Memory) {
    place(Each);
    Each.Block =
        Begin + Nest.BlockOf[(Each.Offset - Begin) / InstructionBytes] *
                    InstructionBytes;
  }
  for (Call &Each : F.Calls)
    place(Each);
}

CodeOrReason Reader::read() {
  if (File.sections().empty())
    return {std::nullopt, "not an ELF file of 64 bits"};
  if (File.machine() != EM_CUDA)
    return {std::nullopt, "an ELF file, but not of a GPU"};
  Out.Architecture = architectureOf(File);
  if (Out.Architecture < 70)
    return {std::nullopt, "code of compute capability below 7.0, whose "
                          "instructions are of another form"};
  std::size_t Bytes = 0;
  for (std::uint32_t I = 0; I != File.sections().size(); ++I) {
    const ElfFile::Section &S = File.sections()[I];
    if (!S.Name.starts_with(TextPrefix))
      continue;
    // Sections of a broken file can be the same bytes, over and over.
    Bytes += S.Bytes.size();
    if (Bytes > File.size())
      return {std::nullopt, "its sections overlap"};
    Sections[I] = {I, S.Name.substr(TextPrefix.size()), S.Bytes, {}, {}, {}};
  }
  readSymbols();
  readRelocations();
  readIndirectBranches();
  for (const auto &[Number, In] : Sections) {
    std::uint64_t Size = In.Bytes.size() / InstructionBytes * InstructionBytes;
    for (std::size_t I = 0; I != In.Starts.size(); ++I) {
      std::uint64_t End =
          I + 1 == In.Starts.size() ? Size : In.Starts[I + 1].Offset;
      readFunction(In, In.Starts[I].Offset, std::min(End, Size), In.Starts[I]);
    }
  }
  Out.HasUnknownLines = Lines.hasUnknown();
  Out.Names = Lines.strings();
  return {std::move(Out), {}};
}

CodeOrReason readCode(std::string_view Cubin) { return Reader(Cubin).read(); }

} // namespace cudalint::cubin
