//===- runtime/ncu/NcuReport.cpp - A report of Nsight Compute -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/ncu/NcuReport.h"

#include "runtime/ncu/ExportLine.h"
#include "runtime/ncu/RawPage.h"
#include "runtime/ncu/SourcePage.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace cudalint {

using namespace ncu;

namespace {
struct Pages {
  std::vector<RawLaunch> Raw;
  std::vector<SourcePage> Sources;
};
} // namespace

static const char *const HowToExport =
    "export 'ncu --import FILE --csv --print-kernel-base mangled --page source "
    "--print-source cuda,sass' of a report with the section SourceCounters, "
    "and '--page raw'";

/// Throws Fault.
static void readPage(const NcuPage &In, Pages &Out) {
  Lines All(In.Text);
  while (std::optional<std::string_view> Line = All.next()) {
    if (isRawHead(*Line)) {
      std::vector<RawLaunch> Read = readRawPage(In.Text);
      std::ranges::move(Read, std::back_inserter(Out.Raw));
      return;
    }
    if (Line->find("No lineinfo available") != Line->npos)
      throw Fault(All.number(),
                  "its kernels have no line numbers: export '--page source "
                  "--print-source sass', or build with -lineinfo");
    if (isSourceHead(*Line) || Line->starts_with("==ERROR==")) {
      SourcePage Read = readSourcePage(In.Text);
      if (Read.Launches.empty())
        throw Fault(All.number(),
                    std::string("the page has no counts; ") + HowToExport);
      Out.Sources.push_back(std::move(Read));
      return;
    }
  }
  throw Fault(1, std::string("neither a source page nor a raw page of ncu; ") +
                     HowToExport);
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

/// How often it had an active lane: always where no predicate switched one off.
/// Otherwise ncu has no such count, and:
///
///   shared, up to 32 bits a lane   the ideal is one wavefront for each; of
///                                  LDGSTS for its half in global memory, too
///   global                         at most one for each line of 128 bytes:
///                                  errs high where a request touches several
///   all others                     not known
static Count requestsOf(const Instruction &In, OpcodeAccess Access) {
  if (In.Lanes == Count(0))
    return 0;
  if (!In.Lanes || !In.Executed)
    return std::nullopt;
  if (In.Lanes == In.Threads)
    return In.Executed;
  if (In.Bits && *In.Bits <= 32 &&
      (In.Opcode == "LDS" || In.Opcode == "STS" || In.Opcode == "LDGSTS"))
    return In.IdealWavefronts;
  if (Access.Space == MemorySpace::Global && In.TagRequests)
    return std::min(*In.Executed, *In.TagRequests);
  return std::nullopt;
}

static ProfileLine lineOf(const std::string &Kernel, unsigned Device,
                          const Instruction &In, OpcodeAccess Access) {
  ProfileLine Out = {.Kernel = Kernel,
                     .Device = Device,
                     .File = In.File,
                     .Line = In.Line,
                     .Space = Access.Space,
                     .Op = Access.Op,
                     .Instructions = In.Executed,
                     .Requests = requestsOf(In, Access),
                     .Lanes = In.Lanes};
  switch (Access.Space) {
  case MemorySpace::Local:
    Out.Sectors = In.LocalSectors;
    break;
  case MemorySpace::Generic:
    Out.Wavefronts = In.Wavefronts;
    Out.IdealWavefronts = In.IdealWavefronts;
    [[fallthrough]];
  case MemorySpace::Global:
    Out.Sectors = In.GlobalSectors;
    Out.IdealSectors = In.IdealGlobalSectors;
    break;
  case MemorySpace::Shared:
    Out.Wavefronts = In.Wavefronts;
    Out.IdealWavefronts = In.IdealWavefronts;
    break;
  case MemorySpace::Constant:
    break;
  }
  return Out;
}

namespace {
using LineKey = std::tuple<std::string, unsigned, std::string, unsigned,
                           MemorySpace, AccessOp>;

struct KernelSums {
  std::uint64_t Launches = 0;
  bool HasLines = false;
};
} // namespace

static void addLine(std::map<LineKey, ProfileLine> &Lines,
                    const ProfileLine &In) {
  auto [Entry, IsNew] = Lines.try_emplace(
      {In.Kernel, In.Device, In.File, In.Line, In.Space, In.Op}, In);
  if (IsNew)
    return;
  ProfileLine &To = Entry->second;
  for (Count ProfileLine::*Each :
       {&ProfileLine::Instructions, &ProfileLine::Requests, &ProfileLine::Lanes,
        &ProfileLine::Sectors, &ProfileLine::IdealSectors,
        &ProfileLine::Wavefronts, &ProfileLine::IdealWavefronts})
    To.*Each = sum(To.*Each, In.*Each);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// The devices of the launches of a kernel, in their order.
class DevicesOf {
public:
  explicit DevicesOf(const std::vector<RawLaunch> &Raw) {
    for (const RawLaunch &Each : Raw)
      ByKernel[Each.Launch.Kernel].push_back(Each.Device.Index);
  }
  /// Of launch \p Index of \p Kernel; the first where more were counted than
  /// the raw page has.
  unsigned of(const std::string &Kernel, std::uint64_t Index) const {
    auto Found = ByKernel.find(Kernel);
    if (Found == ByKernel.end())
      return 0;
    return Index < Found->second.size() ? Found->second[Index]
                                        : Found->second.front();
  }

private:
  std::map<std::string, std::vector<unsigned>> ByKernel;
};
} // namespace

static bool isDemangled(const std::string &Kernel) {
  return Kernel.find_first_of("( <:") != std::string::npos;
}

static void addProblems(const Pages &In, const std::set<std::string> &Counted,
                        Profile &Out) {
  if (std::ranges::any_of(Out.Kernels, [](const ProfileKernel &Each) {
        return isDemangled(Each.Kernel);
      }))
    Out.Problems.push_back(
        {"demangled-names",
         "names of kernels are not as the linker has them, so that no "
         "prediction is of them: export with --print-kernel-base mangled"});
  std::set<std::string> Without;
  for (const RawLaunch &Each : In.Raw)
    if (!Counted.contains(Each.Launch.Kernel))
      Without.insert(Each.Launch.Kernel);
  if (!In.Sources.empty() && !Without.empty())
    Out.Problems.push_back(
        {"not-in-source-page",
         fmt::format("{} of the raw page {} no counts in the source page, "
                     "which has none of kernels without line numbers: export "
                     "--print-source sass, too",
                     *Without.begin() +
                         (Without.size() > 1
                              ? fmt::format(" and {} more", Without.size() - 1)
                              : std::string()),
                     Without.size() > 1 ? "have" : "has"),
         true});
}

static Profile assemble(const Pages &In) {
  Profile Out = {.End = "exit", .HasCounters = !In.Sources.empty()};
  const DevicesOf Devices(In.Raw);
  using KernelKey = std::pair<std::string, unsigned>;
  std::map<KernelKey, KernelSums> Counted;
  std::map<LineKey, ProfileLine> Lines;
  std::set<std::string> Done; // Of pages before.
  // Those with lines first.
  for (bool HasLines : {true, false})
    for (const SourcePage &Page : In.Sources) {
      if (Page.HasLines != HasLines)
        continue;
      std::map<std::string, std::uint64_t> Launches;
      for (const SourceLaunch &Launch : Page.Launches) {
        if (Done.contains(Launch.Kernel))
          continue;
        const unsigned Device =
            Devices.of(Launch.Kernel, Launches[Launch.Kernel]++);
        KernelSums &Sums = Counted[{Launch.Kernel, Device}];
        ++Sums.Launches;
        Sums.HasLines = HasLines;
        for (const Instruction &Each : Launch.Instructions)
          for (OpcodeAccess Access : accessesOf(Each.Opcode))
            addLine(Lines, lineOf(Launch.Kernel, Device, Each, Access));
      }
      for (const auto &[Kernel, Number] : Launches)
        Done.insert(Kernel);
    }

  std::map<KernelKey, std::uint64_t> Launched, Threads;
  std::map<unsigned, ProfileDevice> ByIndex;
  for (const RawLaunch &Each : In.Raw) {
    const KernelKey Key = {Each.Launch.Kernel, Each.Device.Index};
    const Shape &Grid = Each.Launch.Grid, &Block = Each.Launch.Block;
    ++Launched[Key];
    std::uint64_t Its = 1;
    for (std::size_t I = 0; I != 3; ++I)
      Its = product(product(Its, Grid[I]), Block[I]);
    Threads[Key] = sum(Threads[Key], Its);
    ByIndex.try_emplace(Each.Device.Index, Each.Device);
    Out.Launches.push_back(Each.Launch);
  }
  for (auto &[Index, Device] : ByIndex)
    Out.Devices.push_back(Device);
  for (const auto &[Key, Sums] : Counted)
    Launched.try_emplace(Key, 0);
  for (const auto &[Key, Number] : Launched) {
    const auto Found = Counted.find(Key);
    const KernelSums Sums =
        Found == Counted.end() ? KernelSums() : Found->second;
    ProfileKernel Kernel = {.Kernel = Key.first,
                            .Device = Key.second,
                            .Launches = std::max(Number, Sums.Launches),
                            .MeasuredLaunches = Sums.Launches,
                            .HasLines = Sums.HasLines};
    Kernel.Threads = Threads[Key];
    if (Sums.Launches == Number)
      Kernel.MeasuredThreads = Kernel.Threads;
    Out.Kernels.push_back(std::move(Kernel));
  }
  for (auto &[Key, Line] : Lines)
    Out.Lines.push_back(std::move(Line));
  addProblems(In, Done, Out);
  return Out;
}

NcuRead readNcu(std::span<const NcuPage> In) {
  NcuRead Out;
  Pages Read;
  for (const NcuPage &Page : In) {
    try {
      readPage(Page, Read);
    } catch (const Fault &Why) {
      Out.Errors.push_back(fmt::format("'{}', {}", Page.Name, Why.what()));
    }
  }
  if (!Read.Raw.empty() || !Read.Sources.empty())
    Out.Value = assemble(Read);
  return Out;
}

} // namespace cudalint
