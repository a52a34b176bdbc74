//===- report/FindingGroups.h - What is one problem ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_FINDINGGROUPS_H
#define CUDA_LINT_REPORT_FINDINGGROUPS_H

#include "report/Document.h"
#include "report/Finding.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cudalint {

/// The kernels that the findings of documents are about. Kernels of different
/// files may share a name: static ones, or those of several programs.
class KernelIndex {
public:
  explicit KernelIndex(std::span<const Document> Documents);
  explicit KernelIndex(const Document &Doc) : KernelIndex(std::span(&Doc, 1)) {}

  /// Null where the finding is about none, or none that its file holds.
  const KernelRecord *of(const Finding &F) const;

private:
  std::unordered_map<const Finding *, const KernelRecord *> Kernels;
};

/// The variable that an access is to: `tile` of `store to 'tile[y][x].v'`. Of
/// what has no such name, all that the source calls it; empty for no access.
std::string objectOf(const Finding &F);

/// The calls through which its place was inlined, innermost first; without
/// those of the library's function that is called there.
std::span<const Location> callsAround(const Finding &F);

/// The file that was linted: its own, or the one through which its header was
/// reached.
std::string_view mainFileOf(const Finding &F);

/// A finding, and for which target it was found.
struct GroupMember {
  const Finding *What = nullptr;
  const Document *In = nullptr;
};

/// Findings that are one problem: what mends one of them mends them all.
struct FindingGroup {
  /// The one that is told: the gravest, of these the dearest.
  const Finding *First = nullptr;
  std::vector<GroupMember> All; ///< In the order of the documents.

  /// The document of the told one.
  const Document *home() const;

  /// What all of them assume, and what the told one assumes besides.
  std::pair<std::vector<std::string>, std::vector<std::string>>
  assumptions() const;

  /// `4 to 8 wavefronts per request`, where what is told for one target differs
  /// by more than is printed; else empty.
  std::string range() const;

  /// Of all its accesses in the kernel of the told one, for its target; and
  /// OfProgram and InAll of those in all kernels.
  std::optional<Waste> wasted() const;

  /// Of all its accesses in each of its kernels, for that target: the kernel of
  /// the told one first. Empty if wasted() is.
  std::vector<Waste> wastedByKernel() const;

  /// By which it stands among others, as rankOf().
  double rank() const;

  /// Whether less than a tenth of what the kernel moves is wasted, as far as
  /// one knows: hardly worth a change. The bound is chosen.
  bool isMinor() const;

  /// Whether that is so as soon as the loops turn often of which nobody knows
  /// how often: it is not in them.
  bool isMinorIfLoopsTurn() const;

  /// Whether nobody knows what helps, and it is no large part of what the
  /// kernel moves, or only if something is large, or if data is random. The
  /// bound is chosen.
  bool isWithoutRemedy() const;
};

/// Whether its number holds for some values alone of what only the run knows,
/// and these no likelier than others: a share would be of a program that need
/// not be.
bool holdsForSomeValues(const Finding &F);

/// All findings, the dearest problem first: errors before others, then what may
/// make results wrong, notes last, what wastes as much by its place.
///
/// One problem are findings of one check with the same cause and remedy
/// - of one object of a kernel: `.x` and `.y`, a load and a store;
/// - at one place: of several kernels, call sites or inclusions;
/// - of instantiations of one template, and of several launches of a kernel or
///   a template, whatever the numbers are;
/// - of a group of accesses, each of which has the remedy of the first;
/// - of kernels of one file that call their object the same;
/// - for several targets.
/// Numbers of a remedy that are relative to the object, as a pitch, and places
/// may differ in instantiations.
std::vector<FindingGroup> groupFindings(std::span<const Document> Documents,
                                        const KernelIndex &Kernels);

/// Fills in Finding::Group. A problem that is minor, or has a known share of a
/// kernel and no remedy, is no warning: its findings become notes.
void addGroups(std::span<Document> Documents);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_FINDINGGROUPS_H
