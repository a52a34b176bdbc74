//===- cubin/Cubin.cpp - Finds an instruction in a cubin ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/Cubin.h"

#include <elf.h>
#include <set>

namespace cudalint::cubin {

const Cubin::Contents &Cubin::contents() const {
  if (!Read)
    Read.emplace(Bytes);
  return *Read;
}

static std::optional<std::uint32_t> findCode(const ElfFile &File,
                                             std::string_view Function) {
  return File.find(".text." + std::string(Function));
}

bool Cubin::has(std::string_view Function) const {
  return findCode(contents().File, Function).has_value();
}

std::optional<std::uint64_t> Cubin::word(std::string_view Function,
                                         std::uint64_t Offset) const {
  const Contents &C = contents();
  auto Section = findCode(C.File, Function);
  if (!Section)
    return std::nullopt;
  return readAt<std::uint64_t>(C.File.sections()[*Section].Bytes, Offset);
}

/// Bits 77 to 80 of a load: weak 0, constant 4, strong among the threads of the
/// block 5, of the GPU 7, of the system 10. Read off what ptxas 13.0 makes of
/// `ld.volatile`, `ld.relaxed.sys` and `ld.acquire.gpu` for sm_80 to sm_120.
static bool readsOthers(Encoding E) {
  static constexpr std::uint64_t GenericLoad = 0x980, GlobalLoad = 0x981;
  static constexpr std::uint64_t OfGpu = 7, OfSystem = 10;
  static constexpr std::uint64_t NoRegister = 255;
  std::uint64_t Opcode = E.Low & 0xfff, Order = E.High >> 13 & 0xf;
  if (Opcode == GenericLoad || Opcode == GlobalLoad)
    return Order == OfGpu || Order == OfSystem;
  for (const MemoryAccess &Access : accessesOf(E, 90)) // of any: see there
    if (Access.What == Op::Atomic && Access.In != Space::Shared)
      return (E.Low >> 16 & 0xff) != NoRegister;
  return false;
}

bool Cubin::mayWait(std::string_view Function) const {
  const Contents &C = contents();
  auto Section = findCode(C.File, Function);
  if (!Section)
    return false;
  std::string_view Bytes = C.File.sections()[*Section].Bytes;
  // A jump back closes a loop: is there such an instruction in between?
  std::optional<std::uint64_t> Last;
  for (std::uint64_t At = 0; At + InstructionBytes <= Bytes.size();
       At += InstructionBytes) {
    Encoding E = {readAt<std::uint64_t>(Bytes, At).value_or(0),
                  readAt<std::uint64_t>(Bytes, At + 8).value_or(0)};
    if (readsOthers(E))
      Last = At;
    Flow Next = flowOf(E, 90);
    if (Next.What == Flow::Kind::Branch && Next.Target < 0 && Last &&
        static_cast<std::int64_t>(*Last) >=
            static_cast<std::int64_t>(At + InstructionBytes) + Next.Target)
      return true;
  }
  return false;
}

/// Where a relocation of \p Section names code of another one.
static std::set<std::uint64_t> callsElsewhere(const ElfFile &File,
                                              std::uint32_t Section) {
  std::set<std::uint64_t> Out;
  const std::string Name(File.sections()[Section].Name);
  for (const char *Prefix : {".rel", ".rela"}) {
    auto Found = File.find(Prefix + Name);
    if (!Found)
      continue;
    const ElfFile::Section &S = File.sections()[*Found];
    if (S.Info != Section || (S.Type != SHT_RELA && S.Type != SHT_REL))
      continue;
    std::size_t Size =
        S.Type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    // One without addend begins like one with.
    for (std::uint64_t At = 0; S.Bytes.size() - At >= Size; At += Size) {
      auto Each = readAt<Elf64_Rel>(S.Bytes, At);
      auto Symbol = File.symbol(
          S.Link, static_cast<std::uint32_t>(ELF64_R_SYM(Each->r_info)));
      if (!Symbol || Symbol->Section != Section)
        Out.insert(Each->r_offset);
    }
  }
  return Out;
}

/// Whether \p Call, at \p At of code of \p Size bytes, leaves it.
static bool leavesSection(const Flow &Call, std::uint64_t At,
                          std::uint64_t Size,
                          const std::set<std::uint64_t> &Elsewhere) {
  if (Call.What != Flow::Kind::Call)
    return Call.What == Flow::Kind::CallPointer;
  // A call to the next instruction is one that the linker will complete.
  return Elsewhere.contains(At) || Call.Target == 0 ||
         At + InstructionBytes + static_cast<std::uint64_t>(Call.Target) >=
             Size;
}

std::size_t Cubin::codeBytes(std::string_view Function) const {
  const ElfFile &File = contents().File;
  const auto Section = findCode(File, Function);
  if (!Section)
    return 0;
  const std::string_view Own = File.sections()[*Section].Bytes;
  const unsigned Architecture = architectureOf(File);
  const std::set<std::uint64_t> Elsewhere = callsElsewhere(File, *Section);
  bool CallsOthers = false;
  for (std::uint64_t At = 0;
       At + InstructionBytes <= Own.size() && !CallsOthers;
       At += InstructionBytes)
    CallsOthers = leavesSection(flowOf({*readAt<std::uint64_t>(Own, At),
                                        *readAt<std::uint64_t>(Own, At + 8)},
                                       Architecture),
                                At, Own.size(), Elsewhere);
  std::size_t Out = Own.size();
  static constexpr std::string_view Code = ".text.";
  if (CallsOthers)
    for (const ElfFile::Section &Each : File.sections())
      // Kernels have parameters.
      if (Each.Name.starts_with(Code) &&
          !File.find(".nv.constant0." +
                     std::string(Each.Name.substr(Code.size()))))
        Out += Each.Bytes.size();
  return Out;
}

std::optional<FunctionAccesses> Cubin::accesses(std::string_view Function,
                                                std::size_t Most) const {
  const Contents &C = contents();
  auto Section = findCode(C.File, Function);
  unsigned Architecture = architectureOf(C.File);
  if (!Section || Architecture < 70) // Instructions had another form.
    return std::nullopt;
  std::string_view Bytes = C.File.sections()[*Section].Bytes;
  const std::set<std::uint64_t> Elsewhere = callsElsewhere(C.File, *Section);
  FunctionAccesses Out;
  for (std::uint64_t At = 0; At + InstructionBytes <= Bytes.size();
       At += InstructionBytes) {
    Encoding E = {*readAt<std::uint64_t>(Bytes, At),
                  *readAt<std::uint64_t>(Bytes, At + 8)};
    const Flow Next = flowOf(E, Architecture);
    Out.CallsOthers |= leavesSection(Next, At, Bytes.size(), Elsewhere);
    if (isNever(E))
      continue;
    const std::vector<MemoryAccess> Accesses = accessesOf(E, Architecture);
    if (Accesses.empty())
      continue;
    std::vector<Frame> Frames = C.Lines.frames(*Section, At);
    if (Frames.size() > CodeAccess::MostFrames)
      Frames.resize(CodeAccess::MostFrames);
    for (const MemoryAccess &Each : Accesses) {
      if (Out.Accesses.size() == Most)
        return std::nullopt;
      Out.Accesses.push_back({.Offset = At,
                              .Access = Each,
                              .Opcode = nameOf(E, Architecture),
                              .Shown = C.Lines.find(*Section, At),
                              .Frames = Frames});
    }
  }
  return Out;
}

std::optional<Frame> Cubin::line(std::string_view Function,
                                 std::uint64_t Offset) const {
  const Contents &C = contents();
  auto Section = findCode(C.File, Function);
  if (!Section)
    return std::nullopt;
  return C.Lines.find(*Section, Offset);
}

} // namespace cudalint::cubin
