//===- analyzer/launch/Launch.h - How kernels are launched ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels and launches as the source states them: plain values, no Clang.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_LAUNCH_H
#define CUDA_LINT_ANALYZER_LAUNCH_LAUNCH_H

#include "analyzer/frontend/ExpressionText.h"
#include "analyzer/launch/ProgramValues.h"
#include "report/Document.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cudalint {

/// What the program makes of the limit of a kernel's dynamic shared memory.
struct SharedMemoryRaise {
  std::int64_t Bytes = 0; ///< The most that any call sets.
  bool IsLater = false;   ///< Every call comes after the launch.
  Location Where;         ///< Of the call that sets the most.
  /// Functions are called that have no body in any file: they may raise it.
  bool MayBeMore = false;

  bool operator==(const SharedMemoryRaise &) const = default;
};

/// What a launch is given, where it is known.
struct LaunchSizes {
  Extent Grid;
  Extent Block;
  std::optional<std::int64_t> DynamicSharedBytes;
  std::vector<std::optional<std::int64_t>> Arguments; ///< As in Launch.

  auto operator<=>(const LaunchSizes &) const = default;
};

/// Two sizes of a block of which neither is known, `threads / n` and n: a block
/// has so many threads in both of them, as far as n divides it.
struct PairedSizes {
  std::int64_t Threads = 0;
  std::uint64_t Quotient = 0; ///< The dimension, 0 to 2, of `threads / n`.
  std::uint64_t Divisor = 1;  ///< And of n.

  auto operator<=>(const PairedSizes &) const = default;
};

/// A number of blocks, and the threads that they have in all.
struct BlockCountText {
  Edit Where;
  std::int64_t Total = 0;

  auto operator<=>(const BlockCountText &) const = default;
};

/// Where the threads of a block are written as a number, for blocks of another
/// size: all of these are written then, and the kernels that are launched with
/// it do the same. The edits write nothing yet.
struct BlockSizeText {
  std::int64_t Threads = 0;       ///< As it is.
  std::vector<Edit> Sizes;        ///< The number of threads.
  std::vector<Edit> SizesLessOne; ///< One less, as in `(n + 127) / 128`.
  std::vector<BlockCountText> Blocks;
  /// Threads of grids, which have to stay: a multiple of the size each.
  std::vector<std::int64_t> Totals;

  bool operator==(const BlockSizeText &) const = default;
};

/// One shape of one launch. A launch in a helper function that is called with
/// two different block sizes gives two of these.
inline constexpr std::uint64_t MostTimesOfBlockSize = 64;

struct Launch {
  Location Where;     ///< Of the launch expression, or of the option's user.
  TextOrigin Origin;  ///< Of the launch expression.
  std::string Kernel; ///< Linkage name; empty when it cannot be told.
  /// The name as written, for launches of kernels that are declared only and
  /// for `--launch`: joins launches with kernels of another file.
  std::string KernelAsWritten;
  Extent Grid;
  Extent Block;
  /// Where Block is not known, the sizes on the path on which nothing is read
  /// from outside: 256 for `argc > 1 ? atoi(argv[1]) : 256`. A good assumption
  /// to state, never a fact. Its Block is known and has 32 to 1024 threads.
  std::optional<LaunchSizes> Usual;
  /// Where Block is not known, the sizes if what bounds it is large, 128 for
  /// `min(n, 128)`: a Usual of that Block is an assumption on that.
  std::optional<LaunchSizes> IfLarge;
  std::string LargeName;             ///< What that is: "'n'".
  std::optional<PairedSizes> Paired; ///< Where Block is not known for that.
  /// Where Grid is not known and Block is, or Usual, the same of the grid. The
  /// grid of a launch whose Source is Usual is known if this is empty.
  std::optional<Extent> UsualGrid;
  /// Whatever input is, there are no more blocks than in that: `min(n, 26)`.
  bool UsualGridIsMost = false;
  std::optional<std::int64_t> DynamicSharedBytes;
  /// Values of the kernel's parameters, by position, where they are known
  /// integers (or booleans, enumerators) at this launch.
  std::vector<std::optional<std::int64_t>> Arguments;
  /// What is known in those that are objects, in their order.
  std::vector<PassedField> Fields;
  /// Positions of null pointers.
  std::set<unsigned> Nulls;
  /// Positions of other pointers that are moved, `p + 3`; with the bytes,
  /// modulo 256, that they are behind what is not known: above 0.
  std::map<unsigned, std::uint64_t> Offsets;
  /// Positions of those that are not known, but powers of two: `1 << n`.
  std::set<unsigned> Powers;
  /// Positions of those that are not known, and no round sizes: one number
  /// after the other, as a loop around the launch counts, or checked on the way
  /// here to be no multiple of 32, or so many more or fewer than another size.
  std::set<unsigned> NotRound;
  /// Positions of those that are not known, but checked on each way here: with
  /// what they are at most, and with a power of two that divides them.
  std::map<unsigned, std::int64_t> Limits;
  std::map<unsigned, std::uint64_t> Multiples;
  /// Positions of those that are not known, but a size of the block, which is
  /// not known either; with its dimension, 0 to 2.
  std::map<unsigned, std::uint64_t> BlockSizes;
  /// Of these, those that are a multiple of the size, 2 or more times: `n` of
  /// `k<<<1, n / 2>>>(p, n)`.
  std::map<unsigned, std::uint64_t> TimesOfBlockSize;
  /// What pointers are aligned to, by position, that the program moves by what
  /// is not known.
  std::map<unsigned, std::uint64_t> Alignments;
  LaunchSource Source = LaunchSource::Launch;
  /// What is not known and on what it depends: "block.x depends on 'argc'".
  std::vector<std::string> Unknown;
  /// True when cudaFuncAttributeMaxDynamicSharedMemorySize is set for this
  /// kernel anywhere in the translation unit; launchesOf() adds the others.
  bool SharedMemoryOptIn = false;
  /// That in numbers; empty where some call or its size is not known, or some
  /// call may come before or after.
  std::optional<SharedMemoryRaise> Raised;
  bool Cooperative = false;
  /// Constants rule out every path to it: `if (false)`, a case that is not
  /// taken, code behind a return.
  bool NeverRuns = false;
  /// Of its sizes, and its threads per block, those that the program compares
  /// on the way here with what is not known: mostly a limit that it asks the
  /// device for. Sorted.
  std::vector<std::int64_t> CheckedSizes;
  /// The call in another file by which it is shaped; no file: by none.
  Location CalledAt;
  /// A statement before it that raises the limit of dynamic shared memory to
  /// what it asks for; none where it asks for no more than every kernel gets,
  /// or where such a statement cannot be written.
  std::optional<Edit> OptInCall;
  /// The third of its four sizes, where it is written as such.
  std::optional<ExpressionText> DynamicSharedText;
  /// How it is written with other blocks; none where that is not known, or
  /// where the kernel may do something else then.
  std::optional<BlockSizeText> OtherBlocks;
  /// Something that is not known equals the number of its threads on the way
  /// here: `case 16: k<<<n, 16>>>(p)`, one rung of a ladder.
  bool IsRung = false;
  /// Each pointer that it passes is null or leads into memory that was
  /// allocated for it alone, among those that it passes.
  bool HasOwnAllocations = false;
  /// Its stream is one of several, `streams[i]`: what is launched into the
  /// others may run at the same time.
  bool HasOneOfStreams = false;
  /// A size of its grid that is 0 is written as a quotient that rounds down.
  bool IsRoundedToNone = false;

  bool isChecked(std::int64_t Size) const {
    return std::ranges::binary_search(CheckedSizes, Size);
  }

  bool operator==(const Launch &) const = default;
};

/// What a launch passes by position.
struct KernelParameter {
  enum class Kind : std::uint8_t {
    Integer, ///< Also a boolean, a character or an enumeration.
    Floating,
    Pointer, ///< Also a reference.
    Other,   ///< A struct, which is passed by value.
  };

  std::string Name; ///< Empty when it has none.
  std::string Type; ///< As in the signature: `unsigned int`.
  Kind What = Kind::Other;
  unsigned Bits = 0; ///< Of an integer, at least 1.
  bool IsSigned = false;

  bool operator==(const KernelParameter &) const = default;
};

/// A `__global__` function: a plain one or one instantiation of a template.
struct KernelDeclaration {
  std::string Name;      ///< Linkage name on the device.
  std::string Signature; ///< `func(vec3d *, float *)`, with template arguments.
  std::string PlainName; ///< `ns::func`: qualified, without arguments.
  std::string Template = {}; ///< `ns::func`, of which it is one; or empty.
  std::vector<std::string> TemplateArguments = {};
  Location Where;
  TextOrigin Origin = {};                   ///< Of its name.
  std::optional<std::int64_t> MaxThreads;   ///< First of __launch_bounds__.
  std::optional<std::int64_t> MinBlocks;    ///< Second of __launch_bounds__.
  std::optional<std::int64_t> MaxRegisters; ///< Of __maxnreg__.
  Extent BlockSize;                         ///< `__block_size__`, when given.
  /// Blocks of a cluster: `__cluster_dims__`, when given.
  std::optional<Extent> ClusterSize;
  std::vector<KernelParameter> Parameters;
  /// Inserts nothing where `__launch_bounds__(N) ` would go; none where that is
  /// no text of the user's.
  std::optional<Edit> BoundsPlace = std::nullopt;
  /// Writes threadIdx.y for threadIdx.x and the reverse. In blocks that are
  /// square all is computed as before, by other lanes. None where they cannot
  /// all be written, or where it could matter which lane computes what.
  std::vector<Edit> SwapsIndices = {};
  /// Writes `__restrict__` before the names of its pointers. With pointers into
  /// different allocations, all is computed as before. None where they cannot
  /// all be written, or where the kernel may come to memory in other ways.
  std::vector<Edit> Restricts = {};
  /// No other file can launch it.
  bool IsOfFileAlone = false;
  /// The file names it for more than launches by the host, or may, as there are
  /// errors: it may run in shapes that are in no list of launches.
  bool IsUsedOtherwise = false;
  /// The highest dimension of threadIdx or blockDim that its body names, or a
  /// function of the user's that it calls: a hint for an assumed block shape.
  unsigned DimensionsUsed = 1;

  bool operator==(const KernelDeclaration &) const = default;
};

/// All that one file of a run tells the others; what has to do with several
/// files reads nothing else of them. toText() writes it down.
struct UnitIndex {
  std::string File;                       ///< As the job names it.
  std::vector<KernelDeclaration> Kernels; ///< Defined ones, in source order.
  std::vector<Launch> Launches;           ///< In source order.
  /// Linkage names of kernels for which the unit sets
  /// cudaFuncAttributeMaxDynamicSharedMemorySize, defined here or not; an empty
  /// name for a kernel that cannot be told.
  std::set<std::string> SharedMemoryOptIns;
  ProgramFacts Program;
  /// Places of the program of which launches may depend and that were not in
  /// the ProgramValues at hand.
  std::set<std::string> UnknownPlaces;
  /// Functions that lead to launches, by the names that files share.
  std::set<std::string> Launchers;

  bool operator==(const UnitIndex &) const = default;
};

/// What the AST of one translation unit says about kernels and launches.
struct LaunchFacts : UnitIndex {
  /// Kernel templates that have a definition and no instantiation.
  std::vector<KernelDeclaration> UninstantiatedTemplates;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_LAUNCH_H
