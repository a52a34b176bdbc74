//===- analyzer/pipeline/LaunchAssignment.cpp - Whose launches ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/LaunchAssignment.h"

#include "analyzer/pipeline/KernelNames.h"
#include "analyzer/pipeline/LaunchShapes.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <set>
#include <tuple>
#include <unordered_map>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Says why \p Value cannot be passed for \p To; empty when it can.
static std::string whyNotPassed(const ListedArgument &Value,
                                const KernelParameter &To) {
  using Kind = KernelParameter::Kind;
  if (!Value.Integer && !Value.IsFraction)
    return {};
  switch (To.What) {
  case Kind::Floating:
    return {};
  case Kind::Pointer:
  case Kind::Other:
    return fmt::format("is a number, and the parameter is '{}'; write null",
                       To.Type);
  case Kind::Integer:
    break;
  }
  if (Value.IsFraction)
    return fmt::format("is not written as a whole number, and the parameter is "
                       "'{}'",
                       To.Type);
  const std::int64_t Number = *Value.Integer;
  std::int64_t Least = 0, Most = INT64_MAX;
  if (To.IsSigned)
    Least = To.Bits >= 64 ? INT64_MIN : -(std::int64_t(1) << (To.Bits - 1));
  if (To.Bits < 64)
    Most = (std::int64_t(1) << (To.Bits - To.IsSigned)) - 1;
  if (Number >= Least && Number <= Most)
    return {};
  return fmt::format("is {}, and the parameter is '{}', from {} to {}", Number,
                     To.Type, Least, Most);
}

/// The same of all arguments of \p Listed.
static std::string whyNotTaken(const ListedLaunch &Listed,
                               const KernelDeclaration &Kernel) {
  const std::vector<ListedArgument> &Given = Listed.Shape.Arguments;
  if (Given.size() > Kernel.Parameters.size())
    return fmt::format("{}/arguments: has {} items, and '{}' takes {}",
                       Listed.Place, Given.size(), Kernel.Signature,
                       Kernel.Parameters.size());
  for (std::size_t I = 0; I != Given.size(); ++I)
    if (std::string Why = whyNotPassed(Given[I], Kernel.Parameters[I]);
        !Why.empty())
      return fmt::format("{}/arguments/{}: {} ('{}')", Listed.Place, I, Why,
                         Kernel.Signature);
  return {};
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
/// Finds kernels by their names: a list may hold as many as it likes.
class KernelPlaces {
public:
  explicit KernelPlaces(std::span<const KernelDeclaration> Kernels) {
    for (const KernelDeclaration &Each : Kernels) {
      if (Each.Name.empty() || !Seen.insert(Each.Name).second)
        continue;
      const KernelNames Names = namesOf(Each);
      for (unsigned Rank = 0; Rank != NameRank::Count; ++Rank)
        ByName[Rank][Names[Rank]].push_back(&Each);
    }
  }

  /// Those that have \p Name in the most exact sense in which any has.
  std::span<const KernelDeclaration *const>
  find(const std::string &Name) const {
    const std::string Comparable = comparableName(Name);
    for (unsigned Rank = 0; Rank != NameRank::Count; ++Rank)
      if (auto Found =
              ByName[Rank].find(Rank == NameRank::Linkage ? Name : Comparable);
          Found != ByName[Rank].end())
        return Found->second;
    return {};
  }

private:
  std::set<std::string_view> Seen;
  std::unordered_map<std::string, std::vector<const KernelDeclaration *>>
      ByName[NameRank::Count];
};
} // namespace

static std::string
signatures(std::span<const KernelDeclaration *const> Kernels) {
  static constexpr std::size_t Most = 4;
  std::vector<std::string> Names;
  for (const KernelDeclaration *Each :
       Kernels.first(std::min(Kernels.size(), Most)))
    Names.push_back(fmt::format("'{}'", Each->Signature));
  std::string Text = fmt::format("{}", fmt::join(Names, ", "));
  if (Kernels.size() > Most)
    Text += fmt::format(" and {} more", Kernels.size() - Most);
  return Text;
}

static void assign(const ListedKernel &Listed, const KernelDeclaration &Kernel,
                   LaunchAssignment &Out) {
  for (const ListedLaunch &Each : Listed.Launches)
    if (Out.Error.empty())
      Out.Error = printable(whyNotTaken(Each, Kernel));
  AssignedLaunches &Of = Out.Kernels[Kernel.Name];
  Of.Different += Listed.Different;
  Of.MayBeMore |= Listed.MayBeMore;
  for (const ListedLaunch &Each : Listed.Launches) {
    auto Same = std::ranges::find_if(Of.Launches, [&](const ListedLaunch &L) {
      return L.Shape == Each.Shape;
    });
    if (Same == Of.Launches.end()) {
      Of.Launches.push_back(Each);
      continue;
    }
    --Of.Different;
    Same->WasRun |= Each.WasRun;
    if (__builtin_add_overflow(Same->Count, Each.Count, &Same->Count))
      Same->Count = UINT64_MAX;
  }
  // The same kernel under another name, of which there are very many.
  std::ranges::stable_sort(Of.Launches, std::ranges::greater(),
                           &ListedLaunch::Count);
  Of.Launches.resize(std::min(Of.Launches.size(), MostListedLaunches));
}

LaunchAssignment assignLaunches(const LaunchList &List,
                                std::span<const KernelDeclaration> Kernels) {
  LaunchAssignment Out;
  Out.File = List.File;
  const KernelPlaces Index(Kernels);
  std::vector<std::string> FromElsewhere;
  for (const ListedKernel &Listed : List.Kernels) {
    const auto Found = Index.find(Listed.Name);
    if (Found.empty()) {
      (Listed.WasRun ? FromElsewhere : Out.Unmatched).push_back(Listed.Name);
      continue;
    }
    const bool IsOneTemplate =
        std::ranges::all_of(Found, [&](const KernelDeclaration *Each) {
          return isSamePlace(Each->Where, Found.front()->Where);
        });
    if (!IsOneTemplate) {
      Out.Error = printable(fmt::format(
          "{}/kernel: '{}' may be {}; write the signature, or the name that "
          "the linker sees",
          Listed.Launches.front().Place, Listed.Name, signatures(Found)));
      return Out;
    }
    if (Found.size() > 1 && Out.Notes.size() < MostTemplateNotes)
      Out.Notes.push_back(fmt::format(
          "'{}' in '{}' is taken for each of the {} instantiations {}",
          Listed.Name, List.File, Found.size(), signatures(Found)));
    for (const KernelDeclaration *Each : Found)
      assign(Listed, *Each, Out);
    if (!Out.Error.empty())
      return Out;
  }
  if (Out.Kernels.empty())
    Out.Unmatched.insert(Out.Unmatched.end(), FromElsewhere.begin(),
                         FromElsewhere.end());
  return Out;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

template <typename T, typename U>
static bool mayBeEqual(const std::optional<T> &A, const std::optional<U> &B) {
  return !A || !B || *A == *B;
}

/// Whether the launch \p Found in the source may be that of \p Listed.
static bool mayBe(const Launch &Found, const ListedShape &Listed,
                  const KernelDeclaration &Kernel) {
  if (Found.NeverRuns ||
      !mayBeEqual(Found.DynamicSharedBytes, Listed.DynamicSharedBytes))
    return false;
  for (unsigned I = 0; I != 3; ++I)
    if (!mayBeEqual(Found.Grid[I], Listed.Grid[I]) ||
        !mayBeEqual(Found.Block[I], std::optional(Listed.Block[I])))
      return false;
  for (std::size_t I = 0;
       I != Listed.Arguments.size() && I != Found.Arguments.size() &&
       I != Kernel.Parameters.size();
       ++I)
    if (Kernel.Parameters[I].What == KernelParameter::Kind::Integer &&
        !mayBeEqual(Found.Arguments[I], Listed.Arguments[I].Integer))
      return false;
  return true;
}

/// What all of \p Launches say; empty where they differ.
template <typename Function>
static auto common(std::span<const Launch *const> Launches, Function Of)
    -> decltype(Of(*Launches.front())) {
  if (Launches.empty())
    return std::nullopt;
  auto First = Of(*Launches.front());
  for (const Launch *Each : Launches)
    if (Of(*Each) != First)
      return std::nullopt;
  return First;
}

/// A recording has no addresses: where pointers are, the source says. Where its
/// launches differ, they are aligned to what all of them are.
static void setPointers(std::span<const Launch *const> Candidates, Launch &L) {
  if (const auto Its = common(Candidates, [](const Launch &Each) {
        return std::optional(
            std::tuple(Each.Fields, Each.Nulls, Each.Offsets, Each.Alignments));
      })) {
    std::tie(L.Fields, L.Nulls, L.Offsets, L.Alignments) = *Its;
    return;
  }
  const auto addAlignment = [&](unsigned Position, std::uint64_t Bytes) {
    const auto [At, IsNew] = L.Alignments.try_emplace(Position, Bytes);
    At->second = std::min(At->second, Bytes);
  };
  for (const Launch *Each : Candidates) {
    for (const auto &[Position, Bytes] : Each->Alignments)
      addAlignment(Position, Bytes);
    for (const auto &[Position, Bytes] : Each->Offsets)
      addAlignment(Position, std::uint64_t(1) << std::countr_zero(Bytes));
  }
}

static Launch launchOf(const ListedLaunch &Listed,
                       const KernelDeclaration &Kernel,
                       std::span<const Launch> Found) {
  std::vector<const Launch *> Candidates;
  for (const Launch &Each : Found)
    if (mayBe(Each, Listed.Shape, Kernel))
      Candidates.push_back(&Each);

  Launch L;
  L.Source = LaunchSource::Profile;
  L.Where = common(Candidates, [](const Launch &Each) {
              return std::optional(Each.Where);
            }).value_or(Kernel.Where);
  L.Origin = common(Candidates, [](const Launch &Each) {
               return std::optional(Each.Origin);
             }).value_or(Kernel.Origin);
  L.Kernel = Kernel.Name;
  L.Grid = Listed.Shape.Grid;
  std::ranges::copy(Listed.Shape.Block, L.Block.begin());
  L.DynamicSharedBytes = Listed.Shape.DynamicSharedBytes;
  L.Cooperative = !Candidates.empty() &&
                  std::ranges::all_of(Candidates, &Launch::Cooperative);
  L.HasOwnAllocations =
      !Found.empty() && std::ranges::all_of(Found, &Launch::HasOwnAllocations);
  L.SharedMemoryOptIn = std::ranges::any_of(Found, &Launch::SharedMemoryOptIn);
  if (Listed.WasRun) // Somebody has raised the limit if that was needed.
    L.SharedMemoryOptIn |= L.DynamicSharedBytes.value_or(0) > 0;
  else
    L.Raised =
        common(Candidates, [](const Launch &Each) { return Each.Raised; });
  setPointers(Candidates, L);
  for (std::size_t I = 0; I != Kernel.Parameters.size(); ++I) {
    std::optional<std::int64_t> Value;
    if (I < Listed.Shape.Arguments.size() &&
        Kernel.Parameters[I].What == KernelParameter::Kind::Integer)
      Value = Listed.Shape.Arguments[I].Integer;
    if (!Value)
      Value = common(Candidates, [I](const Launch &Each) {
        return I < Each.Arguments.size() ? Each.Arguments[I] : std::nullopt;
      });
    L.Arguments.push_back(Value);
  }
  return L;
}

std::vector<Launch> launchesOfList(const KernelDeclaration &Kernel,
                                   std::span<const Launch> Found,
                                   const AssignedLaunches &Listed) {
  std::vector<Launch> Result;
  for (const ListedLaunch &Each : Listed.Launches)
    Result.push_back(launchOf(Each, Kernel, Found));
  return Result;
}

std::string leftOut(const AssignedLaunches &Listed, const std::string &File,
                    std::size_t MostEvaluated) {
  if (Listed.Different <= MostEvaluated)
    return {};
  std::string Text =
      fmt::format("'{}' has {}{} different launches of this kernel: ", File,
                  Listed.MayBeMore ? "more than " : "", Listed.Different);
  if (Listed.Launches.size() < Listed.Different || Listed.MayBeMore)
    Text += fmt::format("the {} most frequent are judged, and ",
                        Listed.Launches.size());
  return Text + fmt::format("its accesses are evaluated for no more than {}",
                            MostEvaluated);
}

} // namespace cudalint
