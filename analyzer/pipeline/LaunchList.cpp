//===- analyzer/pipeline/LaunchList.cpp - What --launches-from holds ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/LaunchList.h"

#include "hardware/Architecture.h"
#include "report/InputFile.h"
#include "report/JsonItems.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace cudalint {

static constexpr const char *ListSchema = "cuda-lint-launches/1";
static constexpr const char *ProfileSchema = "cuda-lint-profile/1";

//===----------------------------------------------------------------------===//
// One launch
//===----------------------------------------------------------------------===//

/// Reads `64`, `[64]`, `[64, 2]` or `[64, 2, 1]`, each from 1 to \p Most.
static std::array<std::int64_t, 3>
readShape(const JsonCursor &In, const std::array<std::uint64_t, 3> &Most) {
  std::array<std::int64_t, 3> Shape = {1, 1, 1};
  std::size_t Next = 0;
  const auto add = [&](const JsonCursor &Size) {
    if (Next == 3)
      In.fail("has more than 3 dimensions");
    const std::int64_t Value = Size.integer();
    if (Value < 1 || static_cast<std::uint64_t>(Value) > Most[Next])
      Size.fail(fmt::format("is {}; a GPU takes 1 to {} as {}", Value,
                            Most[Next], "xyz"[Next]));
    Shape[Next++] = Value;
  };
  if (!In.isArray())
    add(In);
  else
    In.each(add);
  if (Next == 0)
    In.fail("has no dimension");
  return Shape;
}

static ListedArgument readArgument(const JsonCursor &In) {
  if (In.isNull())
    return {};
  if (In.isFlag())
    return {.Integer = In.flag()};
  if (In.isFraction())
    return {.IsFraction = true};
  if (!In.isNumber())
    In.fail("is no number, true, false or null");
  return {.Integer = In.integer()};
}

static ListedShape readLaunch(const JsonCursor &In) {
  // The limits of a launch are those of all GPUs from compute capability 3.0
  // on; what one of them cannot run is for invalid-launch to say.
  const Architecture &Gpu = architectures().back();
  ListedShape Out;
  const JsonCursor Block = In["block"];
  Out.Block = readShape(Block, {Gpu.BlockX, Gpu.BlockY, Gpu.BlockZ});
  // None is larger than 1024: no overflow.
  const std::int64_t Threads = Out.Block[0] * Out.Block[1] * Out.Block[2];
  if (Threads > Gpu.ThreadsPerBlock)
    Block.fail(fmt::format("has {} threads; a GPU takes up to {}", Threads,
                           Gpu.ThreadsPerBlock));
  if (const JsonCursor Grid = In["grid"]; !Grid.isNull())
    std::ranges::copy(readShape(Grid, {Gpu.GridX, Gpu.GridY, Gpu.GridZ}),
                      Out.Grid.begin());
  const JsonCursor Dynamic = In["dynamic_shared_bytes"];
  // None, as in <<<grid, block>>>. A null says that it is not known.
  if (Dynamic.isMissing())
    Out.DynamicSharedBytes = 0;
  else
    Out.DynamicSharedBytes = Dynamic.countOrNull<std::uint32_t>();
  Out.Arguments = In["arguments"].allOrNull(readArgument);
  return Out;
}

/// Says which member of a launch means nothing; empty when all do.
static std::string unknownMember(const JsonCursor &In) {
  std::string Unknown;
  In.eachKey([&](const std::string &Key) {
    for (const char *Known : {"kernel", "grid", "block", "dynamic_shared_bytes",
                              "arguments", "count"})
      if (Key == Known)
        return;
    if (Unknown.empty())
      Unknown = fmt::format("{}: has '{}', which is not known here; a launch "
                            "has kernel, grid, block, dynamic_shared_bytes, "
                            "arguments and count",
                            In.pointer(), Key.substr(0, 40));
  });
  return Unknown;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

namespace {
/// Merges launches as they come, from one file after the other.
class Collector {
public:
  /// Reads the text of \p File. Throws JsonFault.
  void read(std::string_view Text, std::string File);
  std::vector<ListedKernel> finish();

private:
  struct Tally {
    std::uint64_t Count = 0;
    std::size_t Order = 0;     ///< Of the first launch.
    std::size_t FirstFile = 0; ///< Its file, and the way to it there.
    std::string Place;
    std::size_t LastFile = 0;
    bool WasRun = false;
  };
  struct Kernel {
    std::size_t Order = 0;
    std::map<ListedShape, Tally> Launches;
    bool MayBeMore = false;
  };

  /// Different launches of all kernels, from which on fewer of each are told
  /// apart.
  static constexpr std::size_t Many = 1 << 18;

  void take(const JsonCursor &Item);
  void endFile(const nlohmann::json &Root);

  std::map<std::string, Kernel> Kernels;
  std::size_t Different = 0;      ///< Launches in Kernels.
  std::size_t Taken = 0;          ///< Launches that were read.
  std::vector<std::string> Files; ///< The last is being read.
  /// What is wrong with the first launch of this file that has more members
  /// than a list may have. A profile has.
  std::string Unknown;
};
} // namespace

void Collector::take(const JsonCursor &Item) {
  std::string Name = Item["kernel"].text();
  if (Name.find_first_not_of(" \t\r\n") == Name.npos)
    Item["kernel"].fail("is empty");
  if (Name.size() > MostNameBytes)
    Item["kernel"].fail(fmt::format("is longer than {} bytes", MostNameBytes));
  if (Unknown.empty())
    Unknown = unknownMember(Item);
  ListedShape Shape = readLaunch(Item);
  const std::uint64_t Count = Item["count"].countOrNull().value_or(1);
  if (Count == 0)
    Item["count"].fail("is 0; leave out what is not launched");

  const std::size_t Order = Taken++;
  auto [Entry, IsNewKernel] = Kernels.try_emplace(std::move(Name));
  Kernel &Of = Entry->second;
  if (IsNewKernel)
    Of.Order = Order;
  if (Kernels.size() > MostListedKernels)
    Item["kernel"].fail(fmt::format("is one more than the {} kernels that are "
                                    "read",
                                    MostListedKernels));
  auto Known = Of.Launches.find(Shape);
  if (Known == Of.Launches.end()) {
    if (Of.Launches.size() >=
        (Different < Many ? MostTrackedLaunches : MostListedLaunches)) {
      Of.MayBeMore = true;
      return;
    }
    ++Different;
    Known = Of.Launches.emplace(std::move(Shape), Tally()).first;
    Known->second.Order = Order;
    Known->second.FirstFile = Files.size() - 1;
    Known->second.Place = Item.pointer();
  }
  Tally &Same = Known->second;
  if (__builtin_add_overflow(Same.Count, Count, &Same.Count))
    Same.Count = UINT64_MAX;
  Same.LastFile = Files.size() - 1;
}

void Collector::endFile(const nlohmann::json &Root) {
  const JsonCursor In(Root);
  bool IsProfile = false;
  if (In.isObject()) {
    const JsonCursor Schema = In["schema"];
    if (Schema.isMissing())
      Schema.fail(fmt::format("is missing; write \"schema\": \"{}\", or the "
                              "list alone",
                              ListSchema));
    const std::string Name = Schema.text();
    IsProfile = Name == ProfileSchema;
    if (!IsProfile && Name != ListSchema)
      Schema.fail(
          fmt::format("is '{}'; launches are in a '{}', which cuda-lint "
                      "confirm --save-profile writes, or a '{}'",
                      Name.substr(0, 40), ProfileSchema, ListSchema));
    In["launches"].each([](const JsonCursor &) {});
  } else if (!In.isArray()) {
    In.fail("is no list of launches, and no object with one");
  }
  if (!IsProfile && !Unknown.empty())
    throw JsonFault(Unknown);
  Unknown.clear();
  if (!IsProfile)
    return;
  for (auto &[Name, Of] : Kernels)
    for (auto &[Shape, Each] : Of.Launches)
      Each.WasRun |= Each.LastFile == Files.size() - 1;
}

void Collector::read(std::string_view Text, std::string File) {
  Files.push_back(std::move(File));
  static constexpr const char *Kept[] = {"schema"};
  endFile(readJsonItems(Text, {.Name = "launches", .Kept = Kept},
                        [&](const JsonCursor &Item) { take(Item); }));
}

std::vector<ListedKernel> Collector::finish() {
  std::vector<std::pair<std::size_t, ListedKernel>> Sorted;
  for (auto &[Name, Of] : Kernels) {
    ListedKernel Out{.Name = Name,
                     .Launches = {},
                     .Different = Of.Launches.size(),
                     .MayBeMore = Of.MayBeMore};
    std::vector<std::pair<const ListedShape *, Tally *>> Launches;
    for (auto &[Shape, Each] : Of.Launches)
      Launches.emplace_back(&Shape, &Each);
    std::ranges::sort(Launches, [](const auto &A, const auto &B) {
      return std::tie(B.second->Count, A.second->Order) <
             std::tie(A.second->Count, B.second->Order);
    });
    Launches.resize(std::min(Launches.size(), MostListedLaunches));
    for (const auto &[Shape, Each] : Launches) {
      Out.Launches.push_back(
          {.Shape = *Shape,
           .Count = Each->Count,
           .Place =
               fmt::format("'{}': {}", Files[Each->FirstFile], Each->Place),
           .WasRun = Each->WasRun});
      Out.WasRun |= Each->WasRun;
    }
    Sorted.emplace_back(Of.Order, std::move(Out));
  }
  std::ranges::sort(Sorted, {}, [](const auto &Each) { return Each.first; });
  std::vector<ListedKernel> Result;
  for (auto &[Order, Each] : Sorted)
    Result.push_back(std::move(Each));
  return Result;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static LaunchListRead failed(std::string Error) {
  return {.Value = {}, .Error = printable(Error)};
}

LaunchListRead readLaunchList(const std::string &Path) {
  std::string Error;
  const std::vector<std::string> Files = jsonFilesOf(Path, Error);
  if (!Error.empty())
    return failed(Error);
  if (Files.empty())
    return failed(fmt::format("the folder '{}' holds no profile: there is no "
                              "file *.json",
                              Path));
  Collector Launches;
  for (const std::string &File : Files) {
    const std::optional<std::string> Text =
        readWholeFile(File, JsonLimits().Bytes, Error);
    if (!Text)
      return failed(Error);
    try {
      Launches.read(*Text, File);
    } catch (const JsonFault &Fault) {
      return failed(fmt::format("'{}': {}", File, Fault.what()));
    }
  }
  return {.Value = {.File = Path, .Kernels = Launches.finish()}, .Error = {}};
}

LaunchListRead parseLaunchList(std::string_view Text) {
  Collector Launches;
  try {
    Launches.read(Text, "text");
  } catch (const JsonFault &Fault) {
    return failed(Fault.what());
  }
  return {.Value = {.File = "text", .Kernels = Launches.finish()}, .Error = {}};
}

} // namespace cudalint
