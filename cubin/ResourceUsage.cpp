//===- cubin/ResourceUsage.cpp - Registers and their like of a cubin ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/ResourceUsage.h"

#include "cubin/ElfFile.h"
#include "cubin/Instruction.h"

#include <elf.h>
#include <functional>
#include <map>

namespace cudalint::cubin {

/// What precedes static shared memory where a section says that there is such.
static constexpr std::uint64_t ReservedSharedBytes = 1024;

/// The names are those of CUDA's own tools.
enum Attribute : std::uint8_t {
  FrameSize = 0x11,
  RegisterCount = 0x2f,
  NumBarriers = 0x4c,
  Annotations = 0x55, ///< Pairs of a kind, 1: it spills, and an offset.
};

/// How the value of an attribute is written.
enum Format : std::uint8_t { None = 1, Byte = 2, Half = 3, Sized = 4 };

/// Calls \p Take with each attribute of \p Bytes and its value: two bytes, or
/// as many as stand before it. Ends where the bytes make no sense.
static void forEachAttribute(
    std::string_view Bytes,
    const std::function<void(std::uint8_t, std::string_view)> &Take) {
  while (Bytes.size() >= 4) {
    const auto How = static_cast<std::uint8_t>(Bytes[0]);
    const auto Which = static_cast<std::uint8_t>(Bytes[1]);
    std::string_view Value = Bytes.substr(2, 2);
    Bytes.remove_prefix(4);
    if (How < None || How > Sized)
      return;
    if (How == Sized) {
      const std::size_t Size = *readAt<std::uint16_t>(Value, 0);
      if (Size > Bytes.size())
        return;
      Value = Bytes.substr(0, Size);
      Bytes.remove_prefix(Size);
    }
    Take(Which, Value);
  }
}

namespace {

/// Adds up what instructions spill.
class Spills {
public:
  Spills(std::string_view Code, unsigned Architecture)
      : Code(Code), Architecture(Architecture) {}

  void add(std::string_view Pairs) {
    for (std::uint64_t At = 0; At + 8 <= Pairs.size(); At += 8)
      if (*readAt<std::uint32_t>(Pairs, At) == 1)
        addInstruction(*readAt<std::uint32_t>(Pairs, At + 4));
  }

  std::uint64_t Stores = 0, Loads = 0; ///< Bytes.
  bool AreKnown = true;

private:
  void addInstruction(std::uint64_t Offset) {
    const auto Low = readAt<std::uint64_t>(Code, Offset);
    const auto High = readAt<std::uint64_t>(Code, Offset + 8);
    std::uint64_t Bytes = 0;
    if (Low && High)
      for (const MemoryAccess &Each : accessesOf({*Low, *High}, Architecture))
        if (Each.In == Space::Local) {
          Bytes += Each.Bytes;
          (Each.What == Op::Store ? Stores : Loads) += Each.Bytes;
        }
    AreKnown &= Bytes != 0;
  }

  std::string_view Code;
  unsigned Architecture;
};

/// The numbers that .nv.info has of all functions, by their symbols.
struct CommonFigures {
  std::map<std::uint32_t, std::uint32_t> Registers, Frames;
};

} // namespace

static CommonFigures readCommon(const ElfFile &File) {
  CommonFigures Out;
  const auto Info = File.find(".nv.info");
  if (!Info)
    return Out;
  forEachAttribute(File.sections()[*Info].Bytes,
                   [&](std::uint8_t Which, std::string_view Value) {
                     const auto Symbol = readAt<std::uint32_t>(Value, 0);
                     const auto Figure = readAt<std::uint32_t>(Value, 4);
                     if (!Symbol || !Figure)
                       return;
                     if (Which == RegisterCount)
                       Out.Registers[*Symbol] = *Figure;
                     else if (Which == FrameSize)
                       Out.Frames[*Symbol] = *Figure;
                   });
  return Out;
}

static std::optional<std::uint64_t>
figureOf(const std::map<std::uint32_t, std::uint32_t> &Figures,
         std::uint32_t Symbol) {
  const auto Found = Figures.find(Symbol);
  if (Found == Figures.end())
    return std::nullopt;
  return Found->second;
}

static std::uint64_t sharedBytes(const ElfFile &File,
                                 const std::string &Kernel) {
  const auto Shared = File.find(".nv.shared." + Kernel);
  if (!Shared)
    return 0;
  const std::uint64_t Size = File.sections()[*Shared].Size;
  const std::uint64_t Reserved =
      File.find(".nv.shared.reserved.0") ? ReservedSharedBytes : 0;
  return Size > Reserved ? Size - Reserved : 0;
}

/// Barriers and spills, which the section of the kernel has.
static void readOwn(const ElfFile &File, std::string_view Code,
                    ResourceUsage &Out) {
  // Where the loader is told nothing of the kernel, nothing is known.
  const auto Info = File.find(".nv.info." + Out.Kernel);
  if (!Info)
    return;
  Spills Found(Code, architectureOf(File));
  std::uint64_t Barriers = 0;
  bool HasAnnotations = false;
  forEachAttribute(File.sections()[*Info].Bytes,
                   [&](std::uint8_t Which, std::string_view Value) {
                     if (Which == NumBarriers)
                       Barriers = static_cast<std::uint8_t>(Value.front());
                     if (Which != Annotations)
                       return;
                     HasAnnotations = true;
                     Found.add(Value);
                   });
  const bool IsSince13 = File.abiVersion() >= 8;
  if (IsSince13 || Barriers != 0)
    Out.Barriers = Barriers;
  if (Out.LocalBytes == 0u || HasAnnotations || IsSince13)
    if (Found.AreKnown) {
      Out.SpillStores = Found.Stores;
      Out.SpillLoads = Found.Loads;
    }
}

std::vector<ResourceUsage> readResourceUsage(std::string_view Cubin) {
  static constexpr std::string_view TextPrefix = ".text.";
  std::vector<ResourceUsage> Result;
  const ElfFile File(Cubin);
  const auto Table = File.find(".symtab");
  if (architectureOf(File) == 0 || !Table)
    return Result;
  const CommonFigures Common = readCommon(File);
  const std::size_t Count =
      File.sections()[*Table].Bytes.size() / sizeof(Elf64_Sym);
  for (std::uint32_t I = 0; I < Count; ++I) {
    const auto Symbol = File.symbol(*Table, I);
    if (!Symbol || Symbol->Type != STT_FUNC ||
        !(Symbol->Other & ElfFile::EntryFlag) ||
        Symbol->Section >= File.sections().size())
      continue;
    const ElfFile::Section &Code = File.sections()[Symbol->Section];
    ResourceUsage Its;
    Its.Kernel = File.nameOf(*Table, *Symbol);
    if (Code.Name != std::string(TextPrefix) + Its.Kernel)
      continue;
    Its.Registers = figureOf(Common.Registers, I);
    Its.LocalBytes = figureOf(Common.Frames, I);
    Its.SharedBytes = sharedBytes(File, Its.Kernel);
    readOwn(File, Code.Bytes, Its);
    Result.push_back(std::move(Its));
  }
  return Result;
}

} // namespace cudalint::cubin
