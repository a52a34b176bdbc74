//===- report/Names.cpp - The words for enumerations ----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Names.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <iterator>

namespace cudalint {

std::string_view nameOf(MemorySpace Space) {
  switch (Space) {
  case MemorySpace::Global:
    return "global";
  case MemorySpace::Shared:
    return "shared";
  case MemorySpace::Local:
    return "local";
  case MemorySpace::Constant:
    return "constant";
  case MemorySpace::Generic:
    return "generic";
  }
  return {};
}

std::string_view nameOf(AccessOp Op) {
  switch (Op) {
  case AccessOp::Load:
    return "load";
  case AccessOp::Store:
    return "store";
  case AccessOp::Atomic:
    return "atomic";
  }
  return {};
}

std::string_view nameOf(AssumptionKind Kind) {
  switch (Kind) {
  case AssumptionKind::Model:
    return "model";
  case AssumptionKind::Compiler:
    return "compiler";
  case AssumptionKind::Alignment:
    return "alignment";
  case AssumptionKind::AnyOffset:
    return "any-offset";
  case AssumptionKind::LargeSize:
    return "large-size";
  case AssumptionKind::RoundSize:
    return "round-size";
  case AssumptionKind::Program:
    return "program";
  }
  return {};
}

std::string accessInWords(AccessOp Op, std::string_view Name) {
  if (Name.empty())
    return std::string(nameOf(Op));
  const std::string_view Towards = Op == AccessOp::Load    ? "of"
                                   : Op == AccessOp::Store ? "to"
                                                           : "on";
  return fmt::format("{} {} '{}'", nameOf(Op), Towards, Name);
}

std::optional<AccessOp> opOf(const Subject &About) {
  switch (About.Kind) {
  case SubjectKind::Load:
    return AccessOp::Load;
  case SubjectKind::Store:
    return AccessOp::Store;
  case SubjectKind::Atomic:
    return AccessOp::Atomic;
  case SubjectKind::Kernel:
  case SubjectKind::Launch:
  case SubjectKind::Variable:
  case SubjectKind::Literal:
  case SubjectKind::Call:
    return std::nullopt;
  }
  return std::nullopt;
}

std::string_view nameOf(TrafficUnit Unit) {
  switch (Unit) {
  case TrafficUnit::Sectors:
    return "sectors";
  case TrafficUnit::Wavefronts:
    return "wavefronts";
  case TrafficUnit::Addresses:
    return "addresses";
  }
  return {};
}

std::string_view nameOf(Resource What) {
  switch (What) {
  case Resource::Issue:
    return "issue";
  case Resource::Half:
    return "half";
  case Resource::Float:
    return "float";
  case Resource::Double:
    return "double";
  case Resource::Shared:
    return "shared";
  case Resource::L1:
    return "l1";
  case Resource::L2:
    return "l2";
  case Resource::Dram:
    return "dram";
  }
  return {};
}

std::string_view nameOf(LaunchSource Source) {
  switch (Source) {
  case LaunchSource::Launch:
    return "launch";
  case LaunchSource::LaunchBounds:
    return "launch_bounds";
  case LaunchSource::User:
    return "user";
  case LaunchSource::Usual:
    return "usual";
  case LaunchSource::Profile:
    return "profile";
  case LaunchSource::Assumed:
    return "assumed";
  }
  return {};
}

std::string_view nameOf(Certainty Trust) {
  switch (Trust) {
  case Certainty::Exact:
    return "exact";
  case Certainty::Assumed:
    return "assumed";
  case Certainty::Random:
    return "random";
  case Certainty::Unknown:
    return "unknown";
  }
  return {};
}

std::string_view nameOf(UnknownCause Cause) {
  switch (Cause) {
  case UnknownCause::LoadedData:
    return "loaded_data";
  case UnknownCause::LoadedLanes:
    return "loaded_lanes";
  case UnknownCause::SharedWrites:
    return "memory";
  case UnknownCause::PrivateArray:
    return "private_array";
  case UnknownCause::LoopBound:
    return "loop_bound";
  case UnknownCause::PointerMerge:
    return "pointer_merge";
  case UnknownCause::RunTimeValue:
    return "run_time_value";
  case UnknownCause::Blocks:
    return "blocks";
  case UnknownCause::OtherBlock:
    return "other_block";
  case UnknownCause::UnseenCode:
    return "unseen_code";
  case UnknownCause::FloatingPoint:
    return "floating_point";
  case UnknownCause::AtomicLoop:
    return "atomic_loop";
  case UnknownCause::ConstantSpace:
    return "constant_memory";
  case UnknownCause::Unmatched:
    return "unmatched";
  case UnknownCause::NotModelled:
    return "not_modelled";
  }
  return {};
}

std::string_view nameOf(Severity Level) {
  switch (Level) {
  case Severity::Note:
    return "note";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  return {};
}

std::string_view nameOf(UnitStatus Status) {
  switch (Status) {
  case UnitStatus::Ok:
    return "ok";
  case UnitStatus::Partial:
    return "partial";
  case UnitStatus::Failed:
    return "failed";
  }
  return {};
}

std::string_view nameOf(Silencer By) {
  switch (By) {
  case Silencer::Comment:
    return "comment";
  case Silencer::Baseline:
    return "baseline";
  }
  return {};
}

std::string_view nameOf(ErrorKind Kind) {
  switch (Kind) {
  case ErrorKind::Source:
    return "source";
  case ErrorKind::Parse:
    return "parse";
  case ErrorKind::Evaluation:
    return "evaluation";
  }
  return {};
}

std::string_view nameOf(SubjectKind Kind) {
  switch (Kind) {
  case SubjectKind::Kernel:
    return "kernel";
  case SubjectKind::Launch:
    return "launch";
  case SubjectKind::Load:
    return "load";
  case SubjectKind::Store:
    return "store";
  case SubjectKind::Atomic:
    return "atomic";
  case SubjectKind::Variable:
    return "variable";
  case SubjectKind::Literal:
    return "literal";
  case SubjectKind::Call:
    return "call";
  }
  return {};
}

std::string_view nameOf(FixSafety Safety) {
  switch (Safety) {
  case FixSafety::Safe:
    return "safe";
  case FixSafety::Rounding:
    return "rounding";
  case FixSafety::Layout:
    return "layout";
  case FixSafety::Advice:
    return "advice";
  }
  return {};
}

/// Whether only qualifiers follow the parameters: `Rest` is what does.
static bool endsSignature(std::string_view Rest) {
  static constexpr std::string_view Words[] = {" ", "&", "const", "volatile",
                                               "noexcept"};
  while (!Rest.empty() && !Rest.starts_with(" [")) {
    const auto *Word = std::ranges::find_if(
        Words, [&](std::string_view W) { return Rest.starts_with(W); });
    if (Word == std::end(Words))
      return false;
    Rest.remove_prefix(Word->size());
  }
  return true;
}

std::string_view withoutParameters(std::string_view Signature) {
  // The bracket that the last one closes: parameters may hold others.
  int Depth = 0;
  const std::size_t End = Signature.rfind(')');
  if (End == Signature.npos || !endsSignature(Signature.substr(End + 1)))
    return Signature;
  for (std::size_t I = Signature.size(); I-- > 0;) {
    Depth += Signature[I] == ')';
    Depth -= Signature[I] == '(';
    if (Depth == 0 && Signature[I] == '(' && I != 0)
      return Signature.substr(0, I);
  }
  return Signature;
}

std::string_view withFewerScopes(std::string_view Name, std::size_t Most) {
  static constexpr std::string_view Unnamed = "(anonymous namespace)";
  while (Name.size() > Most) {
    std::size_t Scope = Name.starts_with(Unnamed) ? Unnamed.size() : 0;
    while (Scope < Name.size() &&
           (std::isalnum(static_cast<unsigned char>(Name[Scope])) ||
            Name[Scope] == '_'))
      ++Scope;
    if (Scope == 0 || !Name.substr(Scope).starts_with("::"))
      break;
    Name.remove_prefix(Scope + 2);
  }
  return Name;
}

} // namespace cudalint
