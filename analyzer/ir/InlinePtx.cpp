//===- analyzer/ir/InlinePtx.cpp - Memory instructions in asm -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/InlinePtx.h"

#include <charconv>

namespace cudalint {

static std::string_view trimmed(std::string_view S) {
  constexpr std::string_view Space = " \t\r\n";
  std::size_t First = S.find_first_not_of(Space);
  if (First == std::string_view::npos)
    return {};
  return S.substr(First, S.find_last_not_of(Space) - First + 1);
}

/// The one instruction of a template, without braces and the semicolon; empty
/// when there are several.
static std::string_view singleInstruction(std::string_view T) {
  T = trimmed(T);
  if (T.starts_with('{') && T.ends_with('}'))
    T = trimmed(T.substr(1, T.size() - 2));
  if (T.ends_with(';'))
    T = trimmed(T.substr(0, T.size() - 1));
  if (T.find(';') != std::string_view::npos)
    return {};
  return T;
}

/// N of `$N` or `${N}`, with which `T` begins.
static std::optional<unsigned> operandAt(std::string_view T) {
  if (!T.starts_with('$'))
    return std::nullopt;
  T.remove_prefix(T.starts_with("${") ? 2 : 1);
  unsigned N = 0;
  const auto [End, Error] = std::from_chars(T.data(), T.data() + T.size(), N);
  return Error == std::errc() ? std::optional(N) : std::nullopt;
}

/// N of the `K`-th `[$N` in `T`.
static std::optional<unsigned> addressOperand(std::string_view T, unsigned K) {
  for (std::size_t At = 0; (At = T.find('[', At)) != std::string_view::npos;
       ++At) {
    if (K--)
      continue;
    return operandAt(trimmed(T.substr(At + 1)));
  }
  return std::nullopt;
}

/// Bytes of `.u32`, `.v4` and the like in a mnemonic; 0 when none is named.
static unsigned accessBytes(std::string_view Mnemonic) {
  unsigned Bits = 0, Vector = 1;
  for (std::size_t At = 0; At < Mnemonic.size();) {
    std::size_t Dot = Mnemonic.find('.', At + 1);
    std::string_view Part = Mnemonic.substr(
        At + 1,
        (Dot == std::string_view::npos ? Mnemonic.size() : Dot) - At - 1);
    At = Dot == std::string_view::npos ? Mnemonic.size() : Dot;
    if (Part == "v2" || Part == "v4" || Part == "v8") {
      Vector = Part[1] - '0';
      continue;
    }
    if (Part == "bf16" || Part == "f16")
      Bits = 16;
    else if (Part == "f16x2" || Part == "bf16x2")
      Bits = 32;
    else if (Part.size() > 1 &&
             std::string_view("usbf").find(Part[0]) != std::string_view::npos) {
      unsigned N = 0;
      auto [End, Error] =
          std::from_chars(Part.data() + 1, Part.data() + Part.size(), N);
      if (Error == std::errc() && End == Part.data() + Part.size())
        Bits = N;
    }
  }
  return Bits * Vector / 8;
}

/// ldmatrix.sync.aligned.m8n8.x4[.trans][.shared[::cta]].b16: rows of 16 bytes.
/// Matrices of other shapes and types are left alone.
static std::vector<PtxAccess>
matrixAccess(std::string_view T, std::string_view Suffixes, bool IsLoad) {
  auto Names = [&](std::string_view What) {
    return Suffixes.find(What) != std::string_view::npos;
  };
  if (!Names(".m8n8.") || !Suffixes.ends_with(".b16"))
    return {};
  auto Operand = addressOperand(T, 0);
  const unsigned Matrices = Names(".x1.")   ? 1
                            : Names(".x2.") ? 2
                            : Names(".x4.") ? 4
                                            : 0;
  if (!Operand || !Matrices)
    return {};
  return {{.Op = IsLoad ? AccessOp::Load : AccessOp::Store,
           .Space = MemorySpace::Shared,
           .Bytes = 16,
           .AddressOperand = *Operand,
           .Matrices = Matrices}};
}

/// What a cp.async copies: behind both addresses, a literal or an operand.
static std::optional<unsigned>
copySize(std::string_view T,
         const std::function<std::optional<unsigned>(unsigned)> &Constant) {
  const std::size_t Comma = T.find(',', T.find(']', T.find(']') + 1));
  if (Comma == std::string_view::npos)
    return std::nullopt;
  const std::string_view Size = trimmed(T.substr(Comma + 1));
  unsigned N = 0;
  const auto [End, Error] =
      std::from_chars(Size.data(), Size.data() + Size.size(), N);
  if (Error == std::errc())
    return N;
  const std::optional<unsigned> Operand = operandAt(Size);
  return Operand && Constant ? Constant(*Operand) : std::nullopt;
}

std::vector<PtxAccess> parseInlinePtx(
    std::string_view Template,
    const std::function<std::optional<unsigned>(unsigned)> &Constant) {
  std::string_view T = singleInstruction(Template);
  // Nothing need stand between it and its operands: `.b16{$0}`.
  std::size_t Space = T.find_first_of(" \t\r\n{[");
  if (T.empty() || Space == std::string_view::npos || T.starts_with('@'))
    return {};
  std::string_view Mnemonic = T.substr(0, Space);
  std::size_t Dot = Mnemonic.find('.');
  std::string_view Name = Mnemonic.substr(0, Dot);
  std::string_view Suffixes =
      Dot == std::string_view::npos ? std::string_view() : Mnemonic.substr(Dot);

  if (Mnemonic.starts_with("cp.async.ca.shared") ||
      Mnemonic.starts_with("cp.async.cg.shared")) {
    auto Shared = addressOperand(T, 0), Global = addressOperand(T, 1);
    const std::optional<unsigned> Bytes = copySize(T, Constant);
    if (!Shared || !Global || !Bytes)
      return {};
    return {{AccessOp::Load, MemorySpace::Global, *Bytes, *Global, 0},
            {AccessOp::Store, MemorySpace::Shared, *Bytes, *Shared, 0}};
  }

  if (Name == "ldmatrix" || Name == "stmatrix")
    return matrixAccess(T, Suffixes, Name == "ldmatrix");

  PtxAccess A;
  if (Name == "ld" || Name == "ldu")
    A.Op = AccessOp::Load;
  else if (Name == "st")
    A.Op = AccessOp::Store;
  else if (Name == "red" || Name == "atom")
    A.Op = AccessOp::Atomic;
  else
    return {};
  auto Names = [&](std::string_view What) {
    return Suffixes.find(What) != std::string_view::npos;
  };
  if (Names(".global"))
    A.Space = MemorySpace::Global;
  else if (Names(".shared"))
    A.Space = MemorySpace::Shared;
  else if (Names(".local"))
    A.Space = MemorySpace::Local;
  else if (Names(".const") || Names(".param"))
    return {};
  A.Bytes = accessBytes(Suffixes);
  if (Names(".cas"))
    A.Atomic = AtomicForm::CompareAndSwap;
  else if (Names(".exch"))
    A.Atomic = AtomicForm::Exchange;
  else if (Names(".f16") || Names(".bf16") || Names(".f32") || Names(".f64"))
    A.Atomic = AtomicForm::FloatingPoint;
  auto Operand = addressOperand(T, 0);
  if (!A.Bytes || A.Bytes > 32 || !Operand)
    return {};
  A.AddressOperand = *Operand;
  return {A};
}

//===----------------------------------------------------------------------===//
// Several instructions
//===----------------------------------------------------------------------===//

/// The statements of a template, without those that declare registers.
static std::vector<std::string_view> statementsOf(std::string_view T) {
  T = trimmed(T);
  if (T.starts_with('{') && T.ends_with('}'))
    T = trimmed(T.substr(1, T.size() - 2));
  std::vector<std::string_view> Result;
  while (!T.empty()) {
    const std::size_t End = std::min(T.find(';'), T.size());
    const std::string_view Each = trimmed(T.substr(0, End));
    if (!Each.empty() && !Each.starts_with(".reg"))
      Result.push_back(Each);
    T.remove_prefix(std::min(End + 1, T.size()));
  }
  return Result;
}

/// `a` and `b` of `name a, b`; empty where \p T is no such instruction.
static std::vector<std::string_view> operandsOf(std::string_view T,
                                                std::string_view Name) {
  if (!T.starts_with(Name))
    return {};
  T.remove_prefix(Name.size());
  if (T.empty() || (T.front() != ' ' && T.front() != '\t'))
    return {};
  std::vector<std::string_view> Result;
  while (true) {
    const std::size_t Comma = std::min(T.find(','), T.size());
    Result.push_back(trimmed(T.substr(0, Comma)));
    if (Comma == T.size())
      return Result;
    T.remove_prefix(Comma + 1);
  }
}

std::optional<unsigned> sharedAddressOperand(std::string_view Template) {
  const std::vector<std::string_view> All = statementsOf(Template);
  if (All.empty() || All.size() > 2)
    return std::nullopt;
  const auto To = operandsOf(All[0], "cvta.to.shared.u64");
  if (To.size() != 2)
    return std::nullopt;
  std::string_view Result = To[0];
  if (All.size() == 2) {
    const auto Short = operandsOf(All[1], "cvt.u32.u64");
    if (Short.size() != 2 || Short[1] != To[0])
      return std::nullopt;
    Result = Short[0];
  }
  return operandAt(Result) == 0u ? operandAt(To[1]) : std::nullopt;
}

std::optional<PredicatedPtx> predicatedInstruction(std::string_view Template) {
  const std::vector<std::string_view> All = statementsOf(Template);
  if (All.size() != 2 || !All[1].starts_with('@'))
    return std::nullopt;
  std::vector<std::string_view> Test;
  for (const std::string_view Name :
       {"setp.ne.b32", "setp.ne.u32", "setp.ne.s32"})
    if (Test.empty())
      Test = operandsOf(All[0], Name);
  if (Test.size() != 3 || Test[0].empty() || Test[2] != "0")
    return std::nullopt;
  const std::optional<unsigned> Condition = operandAt(Test[1]);
  std::string_view Guarded = All[1].substr(1);
  if (!Condition || !Guarded.starts_with(Test[0]))
    return std::nullopt;
  Guarded.remove_prefix(Test[0].size());
  if (Guarded.empty() || trimmed(Guarded).size() == Guarded.size())
    return std::nullopt; // A longer name, or nothing.
  return PredicatedPtx{*Condition, std::string(trimmed(Guarded)) + ';'};
}

std::string_view specialRegister(std::string_view Template) {
  std::string_view T = singleInstruction(Template);
  if (!T.starts_with("mov.u32") && !T.starts_with("mov.b32") &&
      !T.starts_with("mov.s32"))
    return {};
  std::size_t Percent = T.find("%%");
  std::size_t Skip = 2;
  if (Percent == std::string_view::npos) {
    Percent = T.find('%');
    Skip = 1;
  }
  if (Percent == std::string_view::npos)
    return {};
  return trimmed(T.substr(Percent + Skip));
}

} // namespace cudalint
