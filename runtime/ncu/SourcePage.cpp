//===- runtime/ncu/SourcePage.cpp - What ncu counted by line --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/ncu/SourcePage.h"

#include "runtime/join/Names.h"
#include "runtime/ncu/ExportLine.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>

namespace cudalint::ncu {

//===----------------------------------------------------------------------===//
// Opcodes
//===----------------------------------------------------------------------===//

std::vector<OpcodeAccess> accessesOf(std::string_view Opcode) {
  using enum MemorySpace;
  using enum AccessOp;
  if (Opcode == "LDGSTS") // From global to shared memory.
    return {{Global, Load}, {Shared, Store}};
  struct Row {
    std::string_view Name;
    OpcodeAccess Access;
  };
  static constexpr Row Rows[] = {
      {"ATOM", {Generic, Atomic}}, {"ATOMG", {Global, Atomic}},
      {"ATOMS", {Shared, Atomic}}, {"LD", {Generic, Load}},
      {"LDG", {Global, Load}},     {"LDGMC", {Global, Load}},
      {"LDL", {Local, Load}},      {"LDS", {Shared, Load}},
      {"LDSM", {Shared, Load}},    {"RED", {Global, Atomic}},
      {"REDG", {Global, Atomic}},  {"ST", {Generic, Store}},
      {"STG", {Global, Store}},    {"STL", {Local, Store}},
      {"STS", {Shared, Store}},    {"STSM", {Shared, Store}}};
  const auto *Found = std::ranges::find(Rows, Opcode, &Row::Name);
  if (Found == std::end(Rows))
    return {};
  return {Found->Access};
}

/// `LDG` of `      @!P0 LDG.E.CONSTANT R5, desc[UR4][R4.64]`.
static std::string_view opcodeOf(std::string_view Text) {
  auto trim = [&] {
    Text.remove_prefix(std::min(Text.find_first_not_of(" \t{"), Text.size()));
  };
  trim();
  if (Text.starts_with('@')) {
    Text.remove_prefix(std::min(Text.find(' '), Text.size()));
    trim();
  }
  return Text.substr(0, Text.find_first_of(". ,;\t"));
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// What a column is called by any version: without case, blanks, a leading `#`
/// and `memory_`, so that `L1 Wavefronts Shared` is
/// `memory_l1_wavefronts_shared`.
static std::string keyOf(std::string_view Name) {
  std::string Out;
  for (char C : Name)
    if ((C >= '0' && C <= '9') || (C >= 'a' && C <= 'z'))
      Out += C;
    else if (C >= 'A' && C <= 'Z')
      Out += static_cast<char>(C - 'A' + 'a');
  if (Out.starts_with("memory"))
    Out.erase(0, 6);
  return Out;
}

namespace {
enum Column : std::uint8_t {
  Address,
  Sass,
  LineNo,
  Executed,
  Threads,
  Lanes,
  GlobalSectors,
  IdealGlobalSectors,
  LocalSectors,
  Wavefronts,
  IdealWavefronts,
  TagRequests,
  Bits,
  NumberOfColumns
};

struct ColumnName {
  Column What;
  std::string_view Key;
};
// Those of a version together; the first that is there counts.
constexpr ColumnName Names[] = {
    {Address, "address"},
    {LineNo, "lineno"},
    {LineNo, "line"},
    {Executed, "instructionsexecuted"},
    {Executed, "instexecuted"},
    {Threads, "threadinstructionsexecuted"},
    {Threads, "threadinstexecuted"},
    {Lanes, "predicatedonthreadinstructionsexecuted"},
    {Lanes, "threadinstexecutedtrue"},
    {GlobalSectors, "l2theoreticalsectorsglobal"},
    {IdealGlobalSectors, "l2theoreticalsectorsglobalideal"},
    {LocalSectors, "l2theoreticalsectorslocal"},
    {Wavefronts, "l1wavefrontsshared"},
    {IdealWavefronts, "l1wavefrontssharedideal"},
    {TagRequests, "l1tagrequestsglobal"},
    {Bits, "accesssize"}};

struct Header {
  std::size_t Columns = 0; ///< 0: none was seen yet.
  std::optional<std::size_t> At[NumberOfColumns];
  std::string Label[NumberOfColumns];
};
} // namespace

static bool isHeader(const std::vector<std::string_view> &Fields) {
  for (std::size_t I = 0; I != std::min<std::size_t>(Fields.size(), 4); ++I)
    if (keyOf(Fields[I]) == "address")
      return true;
  return false;
}

static Header readHeader(const std::vector<std::string_view> &Fields,
                         std::size_t Number) {
  Header Out = {.Columns = Fields.size()};
  for (std::size_t I = 0; I != Fields.size(); ++I) {
    const std::string Key = keyOf(Fields[I]);
    // Of two columns of that name, the second has the instruction.
    if (Key == "source") {
      Out.At[Sass] = I;
      Out.Label[Sass] = "Source";
    }
    for (const ColumnName &Each : Names)
      if (Key == Each.Key && !Out.At[Each.What]) {
        Out.At[Each.What] = I;
        Out.Label[Each.What] = Fields[I].substr(0, 80);
      }
  }
  const std::pair<Column, const char *> Needed[] = {
      {Address, "Address"},
      {Sass, "Source"},
      {Executed, "Instructions Executed"}};
  for (auto [What, Name] : Needed)
    if (!Out.At[What])
      throw Fault(Number,
                  fmt::format("there is no column '{}': collect the section "
                              "SourceCounters, and export --page source",
                              Name));
  return Out;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
/// Reads row by row what stands in the page.
class Reader {
public:
  explicit Reader(std::string_view Text) : Text(Text), All(Text) {}

  SourcePage read() {
    while (std::optional<std::string_view> Line = All.next())
      readLine(*Line);
    if (All.number() != 0 && All.isOpen() && Out.Launches.empty())
      throw Fault(All.number(), "the file ends here: was it cut off?");
    endLaunch();
    if (!Out.HasLines)
      dropRepeated();
    return std::move(Out);
  }

private:
  void readLine(std::string_view Line);
  void readInstruction(const std::vector<std::string_view> &Fields);
  void beginFile(std::string_view Path);
  void beginLaunch(std::string_view Kernel);
  void endLaunch();
  void dropRepeated();
  std::optional<std::string_view>
  field(const std::vector<std::string_view> &Fields, Column What) const;
  Count count(const std::vector<std::string_view> &Fields, Column What) const;

  std::string_view Text;
  Lines All;
  Header Head;
  SourcePage Out;
  std::optional<SourceLaunch> Launch;
  /// Of Launch: where an address is in Instructions.
  std::map<std::uint64_t, std::size_t> Known;
  std::set<std::string, std::less<>> Files; ///< Of Launch.
  std::string File;
  unsigned LineNumber = 0;
  const char *Begin = nullptr; ///< Of the block, and of all of them.
  std::vector<std::string_view> Blocks;
};
} // namespace

std::optional<std::string_view>
Reader::field(const std::vector<std::string_view> &Fields, Column What) const {
  if (!Head.At[What] || *Head.At[What] >= Fields.size())
    return std::nullopt;
  return Fields[*Head.At[What]];
}

Count Reader::count(const std::vector<std::string_view> &Fields,
                    Column What) const {
  const auto Field = field(Fields, What);
  return Field ? countOf(*Field, Head.Label[What], All.number()) : std::nullopt;
}

void Reader::endLaunch() {
  if (!Launch)
    return;
  if (Begin)
    Blocks.emplace_back(
        Begin, static_cast<std::size_t>(Text.data() + Text.size() - Begin));
  Out.Launches.push_back(std::move(*Launch));
  Launch.reset();
  Known.clear();
  Files.clear();
}

void Reader::beginLaunch(std::string_view Kernel) {
  endLaunch();
  Launch = SourceLaunch{.Kernel = std::string(Kernel), .Instructions = {}};
  Head = {};
  LineNumber = 0;
}

/// A launch has each of its files once.
void Reader::beginFile(std::string_view Path) {
  Out.HasLines = true;
  File = Path;
  Head = {};
  LineNumber = 0;
}

void Reader::readInstruction(const std::vector<std::string_view> &Fields) {
  const std::string_view Sass = field(Fields, Column::Sass).value_or("");
  std::string_view Digits = field(Fields, Address).value_or("");
  if (!Digits.starts_with("0x"))
    return; // The sums of a line, or a gap between its instructions.
  Digits.remove_prefix(2);
  Instruction New = {.File = File, .Line = LineNumber};
  auto [Stop, Code] = std::from_chars(
      Digits.data(), Digits.data() + Digits.size(), New.Address, 16);
  if (Code != std::errc() || Stop != Digits.data() + Digits.size())
    throw Fault(All.number(),
                fmt::format("'0x{}' is no address", Digits.substr(0, 40)));
  New.Opcode = opcodeOf(Sass);
  if (accessesOf(New.Opcode).empty())
    return;
  New.Executed = count(Fields, Executed);
  New.Threads = count(Fields, Threads);
  New.Lanes = count(Fields, Lanes);
  New.GlobalSectors = count(Fields, GlobalSectors);
  New.IdealGlobalSectors = count(Fields, IdealGlobalSectors);
  New.LocalSectors = count(Fields, LocalSectors);
  New.Wavefronts = count(Fields, Wavefronts);
  New.IdealWavefronts = count(Fields, IdealWavefronts);
  New.TagRequests = count(Fields, TagRequests);
  New.Bits = count(Fields, Bits);
  if (New.Executed == Count(0))
    return;
  auto [Entry, IsNew] =
      Known.try_emplace(New.Address, Launch->Instructions.size());
  if (IsNew) {
    Launch->Instructions.push_back(std::move(New));
    return;
  }
  // Inline assembly of a header of the toolkit, as __ldg() is, stands below the
  // line that calls it, too.
  Instruction &Old = Launch->Instructions[Entry->second];
  if (!isToolkitHeader(Old.File) || isToolkitHeader(New.File))
    return;
  Old.File = New.File;
  Old.Line = New.Line;
}

void Reader::readLine(std::string_view Line) {
  if (Line.starts_with("==ERROR=="))
    throw Fault(All.number(), "ncu could not export this: " +
                                  std::string(Line.substr(9, 200)));
  const bool IsQuoted = Line.starts_with('"');
  // Words of ncu and of a program that ran under it.
  if (Line.empty() || Line.starts_with("==") ||
      (!IsQuoted && !Launch && !isSourceHead(Line)))
    return;
  if (IsQuoted && All.isOpen() && !Line.ends_with('"') && !Line.ends_with(','))
    throw Fault(All.number(), "the line has no end: the file was cut off");
  if (isSourceHead(Line)) {
    const std::vector<std::string_view> Fields = fieldsOf(Line, All.number());
    if (Fields.size() < 2 || Fields[1].empty())
      throw Fault(All.number(),
                  fmt::format("'{}' has no value", Fields[0].substr(0, 40)));
    if (Fields[0] == "File Path" || Fields[0] == "File Name") {
      beginFile(Fields[1]);
      return;
    }
    // A file that is repeated is one of the next launch.
    const bool IsSame = Out.HasLines && Launch && Launch->Kernel == Fields[1] &&
                        !Files.contains(File);
    if (!IsSame)
      beginLaunch(Fields[1]);
    Files.insert(File);
    Begin = nullptr;
    return;
  }
  if (!Launch)
    return; // Of the view of sources alone, which has no counts.
  if (Head.Columns == 0) {
    const std::vector<std::string_view> Fields = fieldsOf(Line, All.number());
    if (!isHeader(Fields))
      throw Fault(All.number(), "the names of the columns should stand here");
    Head = readHeader(Fields, All.number());
    Begin = Line.data();
    return;
  }
  if (!IsQuoted && Line.find(',') == Line.npos)
    return; // Words of the program.
  const std::vector<std::string_view> Fields =
      fieldsOf(Line, All.number(), Head.Columns);
  if (Fields.size() != Head.Columns)
    throw Fault(All.number(),
                fmt::format("{} of {} fields: the file was cut off, or edited",
                            Fields.size(), Head.Columns));
  if (const auto Number = field(Fields, LineNo); Number && !Number->empty()) {
    const Count Value = countOf(*Number, "Line No", All.number());
    LineNumber =
        Value && *Value <= UINT32_MAX ? static_cast<unsigned>(*Value) : 0;
  }
  readInstruction(Fields);
}

/// ncu 2025.3 printed each block of some reports twice. That these are not two
/// launches with equal counts is told by all of them being so.
void Reader::dropRepeated() {
  const std::size_t Number = Out.Launches.size();
  if (Number < 2 || Number % 2 != 0 || Blocks.size() != Number)
    return;
  auto textOf = [&](std::size_t I) {
    const char *End =
        I + 1 != Number ? Blocks[I + 1].data() : Text.data() + Text.size();
    // Without the line of the next name.
    std::string_view Block(Blocks[I].data(),
                           static_cast<std::size_t>(End - Blocks[I].data()));
    return Block.substr(0, Block.find("\n\"Kernel Name\""));
  };
  for (std::size_t I = 0; I != Number; I += 2) {
    std::string_view A = textOf(I), B = textOf(I + 1);
    while (A.ends_with('\n'))
      A.remove_suffix(1);
    while (B.ends_with('\n'))
      B.remove_suffix(1);
    if (A != B || Out.Launches[I].Kernel != Out.Launches[I + 1].Kernel)
      return;
  }
  for (std::size_t I = 1; I < Number / 2; ++I)
    Out.Launches[I] = std::move(Out.Launches[2 * I]);
  Out.Launches.resize(Number / 2);
}

bool isSourceHead(std::string_view Line) {
  if (Line.starts_with('"'))
    Line.remove_prefix(1);
  for (std::string_view Each :
       {"Kernel Name", "Function Name", "File Path", "File Name"})
    if (Line.starts_with(Each)) {
      const std::string_view Rest = Line.substr(Each.size());
      return Rest.starts_with("\",\"") || Rest.starts_with(",");
    }
  return false;
}

SourcePage readSourcePage(std::string_view Text) { return Reader(Text).read(); }

} // namespace cudalint::ncu
