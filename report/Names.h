//===- report/Names.h - The words for enumerations ---------------*- C++ -*===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the values of the enumerations are called in every format: JSON, text
/// and documentation.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_NAMES_H
#define CUDA_LINT_REPORT_NAMES_H

#include "report/Document.h"

#include <optional>
#include <string>
#include <string_view>

namespace cudalint {

std::string_view nameOf(MemorySpace Space);
std::string_view nameOf(AccessOp Op);
std::string_view nameOf(TrafficUnit Unit);
std::string_view nameOf(Resource What);
std::string_view nameOf(LaunchSource Source);
std::string_view nameOf(Certainty Trust);
std::string_view nameOf(UnknownCause Cause);
std::string_view nameOf(Severity Level);
std::string_view nameOf(UnitStatus Status);
std::string_view nameOf(ErrorKind Kind);
std::string_view nameOf(Silencer By);
std::string_view nameOf(FixSafety Safety);
std::string_view nameOf(SubjectKind Kind);
std::string_view nameOf(AssumptionKind Kind);

/// `store to 'tile'`; `store` of what has no name.
std::string accessInWords(AccessOp Op, std::string_view Name);

/// Nothing where it is no access.
std::optional<AccessOp> opOf(const Subject &About);

/// For readers, which look for the one of a name.
inline constexpr MemorySpace MemorySpaces[] = {
    MemorySpace::Global, MemorySpace::Shared, MemorySpace::Local,
    MemorySpace::Constant, MemorySpace::Generic};
inline constexpr AccessOp AccessOps[] = {AccessOp::Load, AccessOp::Store,
                                         AccessOp::Atomic};
inline constexpr FixSafety FixSafeties[] = {
    FixSafety::Safe, FixSafety::Rounding, FixSafety::Layout, FixSafety::Advice};
inline constexpr LaunchSource LaunchSources[] = {
    LaunchSource::Launch,  LaunchSource::LaunchBounds, LaunchSource::User,
    LaunchSource::Profile, LaunchSource::Usual,        LaunchSource::Assumed};

/// `func<3>` of `func<3>(int (*)[2])`: a signature without its parameters.
/// What has none, as `(anonymous namespace)::func`, is given back whole.
std::string_view withoutParameters(std::string_view Signature);

/// `func<3>` of `of::scopes::func<3>`: a name without as many of the scopes
/// that it begins with as have to go so that \p Most bytes are left, or without
/// all of them. An expression is given back whole.
std::string_view withFewerScopes(std::string_view Name, std::size_t Most);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_NAMES_H
