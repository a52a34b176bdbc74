//===- analyzer/resources/CompiledKernels.cpp - Code read back ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/CompiledKernels.h"

#include "cubin/KernelCode.h"

#include <algorithm>
#include <set>

namespace cudalint {

static MemorySpace spaceOf(cubin::Space S) {
  switch (S) {
  case cubin::Space::Global:
    return MemorySpace::Global;
  case cubin::Space::Shared:
    return MemorySpace::Shared;
  case cubin::Space::Local:
    return MemorySpace::Local;
  case cubin::Space::Generic:
    return MemorySpace::Generic;
  }
  return MemorySpace::Generic;
}

static AccessOp opOf(cubin::Op O) {
  switch (O) {
  case cubin::Op::Load:
    return AccessOp::Load;
  case cubin::Op::Store:
    return AccessOp::Store;
  case cubin::Op::Atomic:
    return AccessOp::Atomic;
  }
  return AccessOp::Load;
}

/// `LDS.128`: the opcode as nvdisasm names it and, unless it is 32, the width
/// in bits.
static std::string nameOf(const cubin::MemoryInstruction &I) {
  std::string Name(I.Opcode);
  switch (I.Access.Bytes) {
  case 1:
    return Name + ".8";
  case 2:
    return Name + ".16";
  case 8:
    return Name + ".64";
  case 16:
    return Name + ".128";
  case 32:
    return Name + ".256";
  default:
    return Name;
  }
}

/// Each lane of ldmatrix and stmatrix gives the address of a row.
static bool isMatrix(const cubin::MemoryInstruction &I) {
  return I.Opcode.starts_with("LDSM") || I.Opcode.starts_with("STSM");
}

static void addFrames(const std::vector<cubin::Frame> &Frames,
                      const PrivateNames &Names, std::vector<Location> &Out) {
  for (const cubin::Frame &Each : Frames)
    Out.push_back({.File = realName(Names, Each.File), .Line = Each.Line});
}

/// Where they begin, innermost first, those of the caller last.
static std::vector<std::uint64_t>
loopsAround(const cubin::FunctionCode &F, std::optional<unsigned> Innermost,
            const std::vector<std::uint64_t> &OfCaller) {
  std::vector<std::uint64_t> Result;
  for (; Innermost; Innermost = F.Loops[*Innermost].Parent)
    Result.push_back(F.Loops[*Innermost].Start);
  Result.insert(Result.end(), OfCaller.begin(), OfCaller.end());
  return Result;
}

namespace {

/// Where an instruction is, through all calls; as in MachineInstruction.
struct CodePlace {
  std::vector<Location> Frames; ///< Those of system headers, too.
  std::vector<std::uint64_t> Loops;
  unsigned CopyOfLoop = 0;
  bool IsInEachTurn = true, IsInEachRun = true;
};

/// Collects the instructions of a kernel and of the functions that it calls.
class Collection {
public:
  Collection(const cubin::Code &Code, const PrivateNames &Names)
      : Code(Code), Names(Names) {}

  /// False: not everything is known.
  bool add(const cubin::FunctionCode &F, const CodePlace &Caller) {
    if (!F.UnknownOpcodes.empty() || !Entered.insert(&F).second)
      return false;
    const unsigned Copy = Copies++;
    HasDoubles |= F.Doubles != 0;
    for (const cubin::MemoryInstruction &I : F.Memory) {
      MachineInstruction M;
      M.Name = nameOf(I);
      M.Offset = I.Offset;
      M.Op = opOf(I.Access.What);
      M.Space = spaceOf(I.Access.In);
      M.Bytes = isMatrix(I) ? 16 : I.Access.Bytes;
      M.AddressOffset = I.Access.Offset;
      M.Predicated = I.Predicated;
      CodePlace Place = placeOf(I, F, Copy, Caller);
      if (Frames > MostFrames)
        return false;
      M.Loops = std::move(Place.Loops);
      M.IsInEachTurn = Place.IsInEachTurn;
      M.IsInEachRun = Place.IsInEachRun;
      M.Block = I.Block;
      M.Copy = Copy;
      M.CopyOfLoop = Place.CopyOfLoop;
      if (I.Shown)
        M.Where = {.File = realName(Names, I.Shown->File),
                   .Line = I.Shown->Line};
      M.Frames = std::move(Place.Frames);
      Memory.push_back(std::move(M));
    }
    for (const cubin::Call &Each : F.Calls) {
      const cubin::FunctionCode *Callee = find(Each.Callee, F.Section);
      // What the toolkit computes, such as a division, accesses nothing.
      if (!Callee)
        continue;
      CodePlace Place = placeOf(Each, F, Copy, Caller);
      Place.IsInEachTurn &= !Each.Predicated;
      Place.IsInEachRun &= !Each.Predicated;
      if (Frames > MostFrames || !add(*Callee, Place))
        return false;
    }
    Entered.erase(&F);
    return true;
  }

  std::vector<MachineInstruction> Memory;
  bool HasDoubles = false;

private:
  /// Of a memory instruction or a call in a copy of \p F.
  template <typename Instruction>
  CodePlace placeOf(const Instruction &I, const cubin::FunctionCode &F,
                    unsigned Copy, const CodePlace &Caller) {
    CodePlace Out;
    addFrames(I.Frames, Names, Out.Frames);
    Out.Frames.insert(Out.Frames.end(), Caller.Frames.begin(),
                      Caller.Frames.end());
    Frames += 1 + Out.Frames.size();
    Out.Loops = loopsAround(F, I.Loop, Caller.Loops);
    Out.CopyOfLoop = I.Loop ? Copy : Caller.CopyOfLoop;
    Out.IsInEachTurn = I.IsInEachTurn && (I.Loop || Caller.IsInEachTurn);
    Out.IsInEachRun = I.IsInEachTurn && Caller.IsInEachRun;
    // Of a function that is called, the arguments may say that a loop turns.
    const bool IsKernel = Copy == 0;
    for (std::optional<unsigned> L = I.Loop; L && IsKernel;
         L = F.Loops[*L].Parent)
      Out.IsInEachRun &= F.Loops[*L].IsInEachTurn;
    return Out;
  }

  /// The copy in \p Section or, of code that may be linked with other code, the
  /// function in a section of its own; null: neither.
  const cubin::FunctionCode *find(std::string_view Name,
                                  std::string_view Section) const {
    const cubin::FunctionCode *Alone = nullptr;
    for (const cubin::FunctionCode &Each : Code.Functions) {
      if (Each.Name != Name || Name.empty())
        continue;
      if (Each.Section == Section)
        return &Each;
      if (Each.Section == Name)
        Alone = &Each;
    }
    return Alone;
  }

  const cubin::Code &Code;
  const PrivateNames &Names;
  std::set<const cubin::FunctionCode *> Entered; ///< To end at recursion.
  unsigned Copies = 0; ///< Of functions, the kernel first.
  /// Of all places, and one more for each. Where each level calls the next one
  /// twice, a few lines are more copies than memory holds.
  static constexpr std::size_t MostFrames = 1 << 20;
  std::size_t Frames = 0;
};

} // namespace

std::vector<KernelInstructions> readInstructions(std::string_view Cubin,
                                                 ComputeCapability CC,
                                                 const PrivateNames &Names) {
  std::vector<KernelInstructions> Result;
  const cubin::CodeOrReason Read = cubin::readCode(Cubin);
  if (!Read || !Read.Value->HasLines)
    return Result;
  for (const cubin::FunctionCode &F : Read.Value->Functions) {
    if (!F.IsKernel)
      continue;
    Collection All(*Read.Value, Names);
    if (All.add(F, {}))
      Result.push_back({F.Name, CC, std::move(All.Memory), All.HasDoubles});
  }
  return Result;
}

} // namespace cudalint
