//===- cubin/LineTable.cpp - Code to lines of source ----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/LineTable.h"

#include <algorithm>
#include <climits>
#include <elf.h>

namespace cudalint::cubin {

namespace {
/// Reads from the front of bytes. Behind their end all is 0, and it has failed.
class BytesReader {
public:
  explicit BytesReader(std::string_view Bytes, std::uint64_t At = 0)
      : Bytes(Bytes), At(At) {
    Failed = At > Bytes.size();
  }

  bool done() const { return Failed || At == Bytes.size(); }
  bool failed() const { return Failed; }
  std::uint64_t at() const { return At; }

  template <class T> T number() {
    auto Value = readAt<T>(Bytes, At);
    if (Failed || !Value) {
      Failed = true;
      return 0;
    }
    At += sizeof(T);
    return *Value;
  }

  std::uint64_t uleb() {
    std::uint64_t Value = 0;
    for (unsigned Shift = 0;; Shift += 7) {
      auto Byte = number<std::uint8_t>();
      if (Shift < 64)
        Value |= std::uint64_t{Byte & 0x7fu} << Shift;
      if (!(Byte & 0x80))
        return Value;
    }
  }

  std::int64_t sleb() {
    std::uint64_t Value = 0;
    unsigned Shift = 0;
    std::uint8_t Byte = 0;
    do {
      Byte = number<std::uint8_t>();
      if (Shift < 64)
        Value |= std::uint64_t{Byte & 0x7fu} << Shift;
      Shift += 7;
    } while (Byte & 0x80);
    if (Shift < 64 && (Byte & 0x40))
      Value |= ~std::uint64_t{0} << Shift;
    return static_cast<std::int64_t>(Value);
  }

  std::string_view string() {
    auto Text = stringAt(Bytes, At);
    if (Failed || !Text) {
      Failed = true;
      return {};
    }
    At += Text->size() + 1;
    return *Text;
  }

  /// The next \p Size bytes.
  BytesReader part(std::uint64_t Size) {
    if (Failed || Size > Bytes.size() - At) {
      Failed = true;
      return BytesReader({});
    }
    BytesReader Out(Bytes.substr(0, At + Size), At);
    At += Size;
    return Out;
  }

private:
  std::string_view Bytes;
  std::uint64_t At;
  bool Failed;
};

/// The paths and names of one cubin; those behind them are unknown.
static constexpr std::size_t MostTextBytes = 64 << 20;

/// Of code of 256 MiB, each instruction with a row of its own.
static constexpr std::size_t MostRows = 16 << 20;

/// The address that is written at an offset of .debug_line.
using Relocations = std::map<std::uint64_t, ElfFile::Symbol>;
} // namespace

/// Adds what the first section of \p Type says of section \p Target. There is
/// one of each type; more would be the same bytes over and over.
static void addRelocations(const ElfFile &File, std::uint32_t Target,
                           std::uint32_t Type, Relocations &Out) {
  for (const ElfFile::Section &S : File.sections()) {
    if (S.Type != Type || S.Info != Target)
      continue;
    std::size_t Size =
        Type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    for (std::uint64_t At = 0; S.Bytes.size() - At >= Size; At += Size) {
      // One without addend begins like one with.
      auto Each = readAt<Elf64_Rel>(S.Bytes, At);
      auto Symbol = File.symbol(
          S.Link, static_cast<std::uint32_t>(ELF64_R_SYM(Each->r_info)));
      if (!Symbol || Symbol->Section == SHN_UNDEF)
        continue;
      if (Type == SHT_RELA)
        Symbol->Value += static_cast<std::uint64_t>(
            readAt<Elf64_Rela>(S.Bytes, At)->r_addend);
      Out[Each->r_offset] = *Symbol;
    }
    return;
  }
}

/// Without `.` and `..`, which compilers leave in: `/a/../b.cu` is `/b.cu`.
static std::string normal(std::string_view Path) {
  std::vector<std::string_view> Parts;
  for (std::size_t At = 0; At < Path.size();) {
    std::size_t End = std::min(Path.find('/', At), Path.size());
    std::string_view Part = Path.substr(At, End - At);
    At = End + 1;
    if (Part.empty() || Part == ".")
      continue;
    if (Part == ".." && !Parts.empty() && Parts.back() != "..")
      Parts.pop_back();
    else if (Part != ".." || Path[0] != '/')
      Parts.push_back(Part);
  }
  std::string Out;
  for (std::string_view Part : Parts) {
    if (!Out.empty() || Path[0] == '/')
      Out += '/';
    Out += Part;
  }
  return Out;
}

/// One unit of the table: a header, and a program whose steps make rows.
class LineTable::Program {
public:
  Program(LineTable &Table, const Relocations &Addresses,
          std::string_view Names)
      : Table(Table), Addresses(Addresses), Names(Names) {}

  /// False: it is not understood.
  bool read(BytesReader In, bool Is64) {
    auto Version = In.number<std::uint16_t>();
    if (Version < 2 || Version > 4)
      return false;
    std::uint64_t Size =
        Is64 ? In.number<std::uint64_t>() : In.number<std::uint32_t>();
    BytesReader Header = In.part(Size);
    Step = Header.number<std::uint8_t>();
    if (Version == 4)
      Header.number<std::uint8_t>(); // of VLIW machines
    Header.number<std::uint8_t>();   // is_stmt
    LineBase = Header.number<std::int8_t>();
    LineRange = Header.number<std::uint8_t>();
    OpcodeBase = Header.number<std::uint8_t>();
    for (unsigned I = 1; I < OpcodeBase; ++I)
      Arguments[I] = Header.number<std::uint8_t>();
    if (Header.failed() || LineRange == 0 || OpcodeBase == 0)
      return false;
    readFiles(Header);
    if (Header.failed())
      return false;
    begin();
    while (!In.done())
      step(In);
    return !In.failed() && !IsWrong;
  }

private:
  void readFiles(BytesReader &In) {
    std::vector<std::string_view> Folders = {""};
    for (std::string_view Name = In.string(); !Name.empty(); Name = In.string())
      Folders.push_back(Name);
    FileIndex.assign(1, None);
    while (!In.failed()) {
      std::string_view Name = In.string();
      if (Name.empty())
        return;
      addFile(In, Name, Folders);
    }
  }

  void addFile(BytesReader &In, std::string_view Name,
               const std::vector<std::string_view> &Folders) {
    std::uint64_t Folder = In.uleb();
    const std::uint64_t Modified = In.uleb();
    const FileVersion Version = {.Bytes = In.uleb(), .Modified = Modified};
    std::string Path(Name);
    if (Path[0] != '/' && Folder < Folders.size() && !Folders[Folder].empty())
      Path = std::string(Folders[Folder]) + "/" + Path;
    // Many files of one long folder are more than all of the cubin.
    if (Path.size() > PATH_MAX)
      Path.clear();
    FileIndex.push_back(static_cast<std::uint32_t>(Table.Files.size()));
    Table.Files.push_back(keep(normal(Path)));
    Table.Versions.push_back(Version);
  }

  std::string_view keep(std::string Text) {
    if (Table.TextBytes > MostTextBytes)
      Text.clear();
    Table.TextBytes += Text.size();
    return Table.Text->emplace_back(std::move(Text));
  }

  void begin() {
    Section.reset();
    Address = Column = 0;
    File = Line = 1;
    Call = Function = None;
    Sequence.clear();
    CallOfRow.clear();
  }

  void emit(std::uint32_t OfFile) {
    // An address without a section is of no code that could be found.
    if (!Section)
      return;
    if (++Table.RowCount > MostRows) {
      IsWrong = true;
      return;
    }
    Place At = {OfFile, static_cast<std::uint32_t>(Line),
                static_cast<std::uint32_t>(Column), Call, Function};
    Table.Rows[*Section].push_back({Address, At});
    Sequence.push_back(At);
  }

  void emit() {
    bool IsKnown = File < FileIndex.size() && Line > 0 && Line <= UINT32_MAX;
    emit(IsKnown ? FileIndex[File] : None);
  }

  void step(BytesReader &In) {
    auto Opcode = In.number<std::uint8_t>();
    if (Opcode >= OpcodeBase) {
      unsigned Adjusted = Opcode - OpcodeBase;
      Address += std::uint64_t{Adjusted / LineRange} * Step;
      Line += static_cast<std::uint64_t>(
          LineBase + static_cast<int>(Adjusted % LineRange));
      emit();
      return;
    }
    switch (Opcode) {
    case 0:
      extended(In);
      return;
    case 1: // DW_LNS_copy
      emit();
      return;
    case 2: // DW_LNS_advance_pc
      Address += In.uleb() * Step;
      return;
    case 3: // DW_LNS_advance_line
      Line += static_cast<std::uint64_t>(In.sleb());
      return;
    case 4: // DW_LNS_set_file
      File = In.uleb();
      return;
    case 5: // DW_LNS_set_column
      Column = In.uleb();
      return;
    case 8: // DW_LNS_const_add_pc
      Address += std::uint64_t{(255u - OpcodeBase) / LineRange} * Step;
      return;
    case 9: // DW_LNS_fixed_advance_pc
      Address += In.number<std::uint16_t>();
      return;
    default: // what does not matter here
      for (unsigned I = 0; I != Arguments[Opcode]; ++I)
        In.uleb();
    }
  }

  /// From here on, code was inlined at row \p Number, from 1, of this sequence,
  /// which stands before it; 0: it was not.
  void setCall(std::uint64_t Number) {
    Call = None;
    if (Number == 0)
      return;
    if (Number > Sequence.size()) {
      IsWrong |= Section.has_value();
      return;
    }
    auto [At, New] = CallOfRow.try_emplace(
        Number, static_cast<std::uint32_t>(Table.Calls.size()));
    if (New)
      Table.Calls.push_back(Sequence[Number - 1]);
    Call = At->second;
  }

  /// The function is called what stands at \p Offset of .debug_str.
  void setFunction(std::uint64_t Offset) {
    auto [At, New] = Table.FunctionAt.try_emplace(
        Offset, static_cast<std::uint32_t>(Table.Functions.size()));
    if (New)
      Table.Functions.push_back(
          keep(std::string(stringAt(Names, Offset).value_or(""))));
    Function = At->second;
  }

  void extended(BytesReader &In) {
    BytesReader Body = In.part(In.uleb());
    if (Body.done())
      return;
    switch (Body.number<std::uint8_t>()) {
    case 1: // DW_LNE_end_sequence
      emit(None);
      begin();
      return;
    case 2: { // DW_LNE_set_address
      auto Found = Addresses.find(Body.at());
      Address = Body.number<std::uint64_t>();
      Section.reset();
      if (Found == Addresses.end() || Body.failed())
        return;
      Section = Found->second.Section;
      Address += Found->second.Value;
      return;
    }
    case 0x90: // NVIDIA's DW_LNE_inlined_call
      setCall(Body.uleb());
      if (Call == None)
        Function = None;
      else
        setFunction(Body.uleb());
      return;
    case 0x91: // NVIDIA's DW_LNE_set_function_name
      setFunction(Body.uleb());
      return;
    default:
      return;
    }
  }

  LineTable &Table;
  const Relocations &Addresses;
  std::string_view Names; // .debug_str
  unsigned Step = 1, LineRange = 1, OpcodeBase = 1;
  int LineBase = 0;
  std::uint8_t Arguments[256] = {};
  std::vector<std::uint32_t> FileIndex; // from the unit's numbers
  std::optional<std::uint32_t> Section;
  std::uint64_t Address = 0, File = 1, Line = 1, Column = 0;
  std::uint32_t Call = None, Function = None;
  std::vector<Place> Sequence;                      // its rows until here
  std::map<std::uint64_t, std::uint32_t> CallOfRow; // to Table.Calls
  bool IsWrong = false;
};

LineTable::LineTable(const ElfFile &File) {
  auto Number = File.find(".debug_line");
  if (!Number)
    return;
  std::string_view Names;
  if (auto Text = File.find(".debug_str"))
    Names = File.sections()[*Text].Bytes;
  Relocations Addresses;
  addRelocations(File, *Number, SHT_REL, Addresses);
  addRelocations(File, *Number, SHT_RELA, Addresses);
  BytesReader In(File.sections()[*Number].Bytes);
  while (!In.done()) {
    std::uint64_t Size = In.number<std::uint32_t>();
    bool Is64 = Size == 0xffffffff;
    if (Is64)
      Size = In.number<std::uint64_t>();
    Unknown |= !Program(*this, Addresses, Names).read(In.part(Size), Is64);
  }
  Unknown |= In.failed();
  // Of rows that begin where another does, the last is the innermost place.
  for (auto &[Section, Of] : Rows)
    std::stable_sort(Of.begin(), Of.end(), [](const Row &A, const Row &B) {
      return A.Address < B.Address;
    });
}

std::span<const LineTable::Row> LineTable::rowsAt(std::uint32_t Section,
                                                  std::uint64_t Offset) const {
  auto Found = Rows.find(Section);
  if (Found == Rows.end())
    return {};
  const std::vector<Row> &All = Found->second;
  auto After = std::ranges::upper_bound(All, Offset, {}, &Row::Address);
  if (After == All.begin())
    return {};
  auto First = std::ranges::lower_bound(All, std::prev(After)->Address, {},
                                        &Row::Address);
  // What stands before an end is of the code before it.
  const auto Ends = [](const Row &R) { return R.At.File == None; };
  const auto End = std::find_if(std::reverse_iterator(After),
                                std::reverse_iterator(First), Ends);
  return {End.base(), After};
}

Frame LineTable::frame(const Place &At) const {
  return {Files[At.File], At.Line, At.Column,
          At.Function == None ? std::string_view() : Functions[At.Function],
          Versions[At.File]};
}

std::optional<Frame> LineTable::find(std::uint32_t Section,
                                     std::uint64_t Offset) const {
  const std::span<const Row> At = rowsAt(Section, Offset);
  if (At.empty())
    return std::nullopt;
  return frame(At.front().At);
}

std::vector<Frame> LineTable::frames(std::uint32_t Section,
                                     std::uint64_t Offset) const {
  std::vector<Frame> Out;
  const std::span<const Row> Rows = rowsAt(Section, Offset);
  const Place *At = Rows.empty() ? nullptr : &Rows.back().At;
  while (At && At->File != None && Out.size() != MostFrames) {
    Out.push_back(frame(*At));
    At = At->Call == None ? nullptr : &Calls[At->Call];
  }
  return Out;
}

} // namespace cudalint::cubin
