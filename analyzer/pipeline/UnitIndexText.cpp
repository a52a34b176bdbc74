//===- analyzer/pipeline/UnitIndexText.cpp - Indexes as text --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/UnitIndexText.h"

#include "report/JsonCursor.h"
#include "report/Names.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <concepts>
#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>
#include <type_traits>

namespace cudalint {

using Json = nlohmann::json;

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//
// The members of each type, for both directions. Each function binds them all:
// it does not compile when its type has one more.

namespace {
template <typename T, typename U>
concept Is = std::same_as<std::remove_const_t<T>, U>;
} // namespace

/// Calls `Work(Key, Member)` for each of `Key, Member, Key, Member, …`.
static void inPairs(auto &) {}
template <typename T, typename... More>
static void inPairs(auto &Work, const char *Key, T &Member, More &...Rest) {
  Work(Key, Member);
  inPairs(Work, Rest...);
}

static void visit(Is<Location> auto &Of, auto Work) {
  auto &[File, Line, Column] = Of;
  inPairs(Work, "file", File, "line", Line, "column", Column);
}

static void visit(Is<SourceExtent> auto &Of, auto Work) {
  auto &[Begin, End] = Of;
  inPairs(Work, "begin", Begin, "end", End);
}

static void visit(Is<MacroUse> auto &Of, auto Work) {
  auto &[Name, Where] = Of;
  inPairs(Work, "name", Name, "where", Where);
}

static void visit(Is<TextOrigin> auto &Of, auto Work) {
  auto &[Extent, Macros, IncludedFrom] = Of;
  inPairs(Work, "extent", Extent, "macros", Macros, "included_from",
          IncludedFrom);
}

static void visit(Is<SharedMemoryRaise> auto &Of, auto Work) {
  auto &[Bytes, IsLater, Where, MayBeMore] = Of;
  inPairs(Work, "bytes", Bytes, "later", IsLater, "where", Where, "may_be_more",
          MayBeMore);
}

static void visit(Is<LaunchSizes> auto &Of, auto Work) {
  auto &[Grid, Block, Dynamic, Arguments] = Of;
  inPairs(Work, "grid", Grid, "block", Block, "dynamic_shared_bytes", Dynamic,
          "arguments", Arguments);
}

static void visit(Is<Edit> auto &Of, auto Work) {
  auto &[File, Offset, Length, Text] = Of;
  inPairs(Work, "file", File, "offset", Offset, "length", Length, "text", Text);
}

static void visit(Is<EditPoint> auto &Of, auto Work) {
  auto &[File, Offset] = Of;
  inPairs(Work, "file", File, "offset", Offset);
}

static void visit(Is<ExpressionText> auto &Of, auto Work) {
  auto &[Begin, End, Text, IsRepeatable, IsOperand] = Of;
  inPairs(Work, "begin", Begin, "end", End, "text", Text, "repeatable",
          IsRepeatable, "operand", IsOperand);
}

static void visit(Is<BlockCountText> auto &Of, auto Work) {
  auto &[Where, Total] = Of;
  inPairs(Work, "where", Where, "total", Total);
}

static void visit(Is<BlockSizeText> auto &Of, auto Work) {
  auto &[Threads, Sizes, SizesLessOne, Blocks, Totals] = Of;
  inPairs(Work, "threads", Threads, "sizes", Sizes, "sizes_less_one",
          SizesLessOne, "blocks", Blocks, "totals", Totals);
}

static void visit(Is<PairedSizes> auto &Of, auto Work) {
  auto &[Threads, Quotient, Divisor] = Of;
  inPairs(Work, "threads", Threads, "quotient", Quotient, "divisor", Divisor);
}

static void visit(Is<PassedField> auto &Of, auto Work) {
  auto &[Position, Offset, Bits, Value] = Of;
  inPairs(Work, "position", Position, "offset", Offset, "bits", Bits, "value",
          Value);
}

static void visit(Is<Launch> auto &Of, auto Work) {
  auto &[Where, Origin, Kernel, KernelAsWritten, Grid, Block, Usual, IfLarge,
         LargeName, Paired, UsualGrid, UsualGridIsMost, Dynamic, Arguments,
         Fields, Nulls, Offsets, Powers, NotRound, Limits, Multiples,
         BlockSizes, TimesOfBlockSize, Alignments, Source, Unknown, OptIn,
         Raised, Cooperative, NeverRuns, CheckedSizes, CalledAt, OptInCall,
         DynamicSharedText, OtherBlocks, IsRung, HasOwnAllocations,
         HasOneOfStreams, IsRoundedToNone] = Of;
  inPairs(Work, "where", Where, "origin", Origin, "kernel", Kernel,
          "as_written", KernelAsWritten, "grid", Grid, "block", Block, "usual",
          Usual, "if_large", IfLarge, "large_name", LargeName, "paired", Paired,
          "usual_grid", UsualGrid, "usual_grid_is_most", UsualGridIsMost,
          "dynamic_shared_bytes", Dynamic, "arguments", Arguments, "fields",
          Fields, "nulls", Nulls, "offsets", Offsets, "powers", Powers,
          "not_round", NotRound, "limits", Limits, "multiples", Multiples,
          "block_sizes", BlockSizes, "times_of_block_size", TimesOfBlockSize,
          "alignments", Alignments, "source", Source, "unknown", Unknown,
          "opt_in", OptIn, "raised", Raised, "cooperative", Cooperative,
          "never_runs", NeverRuns, "checked_sizes", CheckedSizes, "called_at",
          CalledAt, "opt_in_call", OptInCall, "dynamic_shared_text",
          DynamicSharedText, "other_blocks", OtherBlocks, "rung", IsRung,
          "own_allocations", HasOwnAllocations, "one_of_streams",
          HasOneOfStreams, "rounded_to_none", IsRoundedToNone);
}

static void visit(Is<KernelParameter> auto &Of, auto Work) {
  auto &[Name, Type, What, Bits, IsSigned] = Of;
  inPairs(Work, "name", Name, "type", Type, "kind", What, "bits", Bits,
          "signed", IsSigned);
}

static void visit(Is<KernelDeclaration> auto &Of, auto Work) {
  auto &[Name, Signature, PlainName, Template, TemplateArguments, Where, Origin,
         MaxThreads, MinBlocks, MaxRegisters, BlockSize, ClusterSize,
         Parameters, BoundsPlace, SwapsIndices, Restricts, IsOfFileAlone,
         IsUsedOtherwise, DimensionsUsed] = Of;
  inPairs(Work, "name", Name, "signature", Signature, "plain_name", PlainName,
          "template", Template, "template_arguments", TemplateArguments,
          "where", Where, "origin", Origin, "max_threads", MaxThreads,
          "min_blocks", MinBlocks, "max_registers", MaxRegisters, "block_size",
          BlockSize, "cluster_size", ClusterSize, "parameters", Parameters,
          "bounds_place", BoundsPlace, "swaps_indices", SwapsIndices,
          "restricts", Restricts, "of_file_alone", IsOfFileAlone,
          "used_otherwise", IsUsedOtherwise, "dimensions", DimensionsUsed);
}

static void visit(Is<PlaceStore> auto &Of, auto Work) {
  auto &[Place, Bits, Signed, Number, From] = Of;
  inPairs(Work, "place", Place, "bits", Bits, "signed", Signed, "number",
          Number, "from", From);
}

static void visit(Is<FunctionFacts> auto &Of, auto Work) {
  auto &[Stores, Uses, IsRoot] = Of;
  inPairs(Work, "stores", Stores, "uses", Uses, "root", IsRoot);
}

static void visit(Is<OuterCalls> auto &Of, auto Work) {
  auto &[Met, IsComplete] = Of;
  inPairs(Work, "met", Met, "complete", IsComplete);
}

static void visit(Is<ProgramFacts> auto &Of, auto Work) {
  auto &[Functions, Globals, Defined, Declared, Calls, Pointers, HasMain,
         Complete] = Of;
  inPairs(Work, "functions", Functions, "globals", Globals, "defined", Defined,
          "declared", Declared, "calls", Calls, "pointers", Pointers, "main",
          HasMain, "complete", Complete);
}

static void visit(Is<IndexKey> auto &Of, auto Work) {
  auto &[Tool, Arch, SMs, Folder, Arguments, HasOneFile] = Of;
  inPairs(Work, "tool", Tool, "arch", Arch, "sms", SMs, "folder", Folder,
          "arguments", Arguments, "one_file", HasOneFile);
}

static void visit(Is<UnitIndex> auto &Of, auto Work) {
  auto &[File, Kernels, Launches, OptIns, Program, UnknownPlaces, Launchers] =
      Of;
  inPairs(Work, "file", File, "kernels", Kernels, "launches", Launches,
          "opt_ins", OptIns, "program", Program, "unknown_places",
          UnknownPlaces, "launchers", Launchers);
}

static constexpr KernelParameter::Kind ParameterKinds[] = {
    KernelParameter::Kind::Integer, KernelParameter::Kind::Floating,
    KernelParameter::Kind::Pointer, KernelParameter::Kind::Other};

static std::string_view nameOf(KernelParameter::Kind Kind) {
  switch (Kind) {
  case KernelParameter::Kind::Integer:
    return "integer";
  case KernelParameter::Kind::Floating:
    return "floating";
  case KernelParameter::Kind::Pointer:
    return "pointer";
  case KernelParameter::Kind::Other:
    return "other";
  }
  llvm_unreachable("no such kind");
}

//===----------------------------------------------------------------------===//
// Both directions
//===----------------------------------------------------------------------===//

namespace {
template <typename T>
concept Optional = requires(const T &Value) { Value.has_value(); };
template <typename T>
concept Pair = requires(const T &Value) { Value.first; };
template <typename T>
concept List = requires(const T &Value) { Value.begin(); };
template <typename T>
concept Array = requires { std::tuple_size<T>::value; };
} // namespace

/// A map is an array of pairs, a pair an array of two. What is not UTF-8, as
/// names of files may be, is {"hex": "..."}.
template <typename T> static Json write(const T &Value) {
  if constexpr (std::is_enum_v<T>) {
    return nameOf(Value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return Value;
  } else if constexpr (std::same_as<T, std::string>) {
    if (!llvm::json::isUTF8(Value))
      return Json::object({{"hex", llvm::toHex(Value)}});
    return Value;
  } else if constexpr (Optional<T>) {
    return Value ? write(*Value) : Json();
  } else if constexpr (Pair<T>) {
    return Json::array({write(Value.first), write(Value.second)});
  } else if constexpr (List<T>) {
    Json Out = Json::array();
    for (const auto &Each : Value)
      Out.push_back(write(Each));
    return Out;
  } else {
    Json Out = Json::object();
    visit(Value, [&](const char *Key, const auto &Member) {
      Out[Key] = write(Member);
    });
    return Out;
  }
}

/// What the types promise and their readers rely on.
static void check(const auto &, const JsonCursor &) {}
static void check(const PlaceStore &Store, const JsonCursor &In) {
  if (Store.Bits < 1 || Store.Bits > 64)
    In["bits"].fail("is not from 1 to 64");
}
static void check(const KernelParameter &Parameter, const JsonCursor &In) {
  if (Parameter.What == KernelParameter::Kind::Integer && Parameter.Bits < 1)
    In["bits"].fail("is less than 1");
}
static void check(const Launch &L, const JsonCursor &In) {
  if (!std::ranges::is_sorted(L.CheckedSizes))
    In["checked_sizes"].fail("is not sorted");
  for (const auto &[Position, Dimension] : L.BlockSizes)
    if (Dimension > 2)
      In["block_sizes"].fail("has a dimension above 2");
  for (const auto &[Position, Times] : L.TimesOfBlockSize)
    if (Times < 2 || Times > MostTimesOfBlockSize ||
        !L.BlockSizes.contains(Position))
      In["times_of_block_size"].fail("is no multiple of a size");
  if (L.Paired &&
      (L.Paired->Threads < 1 || L.Paired->Quotient > 2 ||
       L.Paired->Divisor > 2 || L.Paired->Quotient == L.Paired->Divisor))
    In["paired"].fail("is not of two dimensions");
  if (!L.Usual)
    return;
  const JsonCursor Usual = In["usual"], Block = Usual["block"];
  constexpr std::int64_t Least = 32, Most = 1024;
  std::int64_t Threads = 1;
  for (const std::optional<std::int64_t> &Size : L.Usual->Block) {
    if (!Size || *Size < 1 || *Size > Most)
      Block.fail("is not a block of 32 to 1024 threads");
    Threads *= *Size;
  }
  if (Threads < Least || Threads > Most)
    Block.fail("is not a block of 32 to 1024 threads");
}
static void check(const OuterCalls &Calls, const JsonCursor &In) {
  if (Calls.Met.size() > MaxOuterCalls)
    In["met"].fail(fmt::format("has more than {} calls", MaxOuterCalls));
}

/// Throws JsonFault.
template <typename T> static T read(const JsonCursor &In) {
  if constexpr (std::same_as<T, LaunchSource>) {
    return In.word(LaunchSources);
  } else if constexpr (std::same_as<T, KernelParameter::Kind>) {
    return In.word(ParameterKinds);
  } else if constexpr (std::same_as<T, bool>) {
    return In.flag();
  } else if constexpr (std::same_as<T, std::int64_t>) {
    return In.integer();
  } else if constexpr (std::same_as<T, unsigned> ||
                       std::same_as<T, std::uint64_t>) {
    return In.count<T>();
  } else if constexpr (std::same_as<T, std::string>) {
    if (!In.isObject())
      return In.text();
    std::string Bytes;
    if (!llvm::tryGetFromHex(In["hex"].text(), Bytes))
      In["hex"].fail("is not made of hexadecimal digits");
    return Bytes;
  } else if constexpr (Optional<T>) {
    // Only what is written as null is not known.
    if (In.isNull() && !In.isMissing())
      return std::nullopt;
    return read<typename T::value_type>(In);
  } else if constexpr (Pair<T>) {
    return {read<std::remove_const_t<typename T::first_type>>(In.item(0, 2)),
            read<typename T::second_type>(In.item(1, 2))};
  } else if constexpr (Array<T>) {
    T Out;
    for (std::size_t I = 0; I != Out.size(); ++I)
      Out[I] = read<typename T::value_type>(In.item(I, Out.size()));
    return Out;
  } else if constexpr (List<T>) {
    T Out;
    In.each([&](const JsonCursor &Item) {
      Out.insert(Out.end(), read<typename T::value_type>(Item));
    });
    return Out;
  } else {
    T Out;
    visit(Out, [&]<typename M>(const char *Key, M &Member) {
      Member = read<M>(In[Key]);
    });
    check(Out, In);
    return Out;
  }
}

IndexKey indexKey(const CompileJob &Job, const Target &Gpu, bool HasOneFile) {
  return {.Tool = CUDA_LINT_VERSION,
          .Arch = toString(Gpu.Arch->CC),
          .SMs = Gpu.SMs,
          .Folder = Job.Folder,
          .Arguments = Job.Arguments,
          .HasOneFile = HasOneFile};
}

/// For what else an index was made that is of no use for \p Key; or empty.
static std::string otherThan(const IndexKey &Key, const IndexKey &Made) {
  if (Made.Tool != Key.Tool)
    return fmt::format("by cuda-lint {}, and this is {}",
                       Made.Tool.substr(0, 40), Key.Tool);
  if (Made.Arch != Key.Arch)
    return fmt::format("for compute capability {}, not {}",
                       Made.Arch.substr(0, 40), Key.Arch);
  if (Made.SMs != Key.SMs)
    return "for a GPU with another number of SMs";
  if (Made.Folder != Key.Folder)
    return "in another folder";
  if (Made.Arguments != Key.Arguments)
    return "with other arguments of the compiler";
  if (Made.HasOneFile != Key.HasOneFile)
    return Made.HasOneFile ? "for a run of one file, and there are several"
                           : "for a run of several files, and there is one";
  return {};
}

std::string toText(const UnitIndex &Index, const IndexKey &Key) {
  return Json{{"format", UnitIndexFormat},
              {"for", write(Key)},
              {"index", write(Index)}}
             .dump() +
         "\n";
}

llvm::Expected<UnitIndex> readUnitIndex(llvm::StringRef Text,
                                        const IndexKey &Key) {
  auto fail = [](const std::string &Why) {
    return llvm::createStringError(printable(Why));
  };
  try {
    const Json Root = parseJson(Text);
    const JsonCursor In(Root);
    if (const std::string Format = In["format"].text();
        Format != UnitIndexFormat)
      return fail(fmt::format("is an index of format '{}', and this cuda-lint "
                              "reads '{}': make it again with this one",
                              Format.substr(0, 40), UnitIndexFormat));
    if (const std::string Other = otherThan(Key, read<IndexKey>(In["for"]));
        !Other.empty())
      return fail(
          fmt::format("is an index that was made {}: make it again", Other));
    return read<UnitIndex>(In["index"]);
  } catch (const JsonFault &Fault) {
    return fail(fmt::format("is no whole index of a file: {}; make it again",
                            Fault.what()));
  }
}

} // namespace cudalint
