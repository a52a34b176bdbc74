//===- runtime/probe/LaunchBook.cpp - What is launched, how often ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/LaunchBook.h"

#include <algorithm>

namespace cudalint::probe {

// The cache only saves time, so it may be thrown away when it is full.
static constexpr std::size_t MostCached = 16384;

// Calls whose records are waited for. CUPTI hands them over by the megabyte:
// some thousands.
static constexpr std::size_t MostAwaited = std::size_t{1} << 20;

// To measure a launch as a whole takes 14 ms on an H200, whatever it does.
static constexpr std::uint64_t MostRangesOfShape = 32;

// So many launches of a kernel that may wait for others have to end by
// themselves before one is counted. Chosen: one may end by chance.
static constexpr unsigned EnoughEnds = 3;

// Where programs launch ahead of the GPU, nobody sees a kernel end: that is
// waited for, so long, and so often. Chosen: what was queued before it has to
// end, too, and one that does wait for others is not worth more.
static constexpr std::chrono::milliseconds EndPatience{50};
static constexpr unsigned MostWatched = 6;
static constexpr unsigned WatchedInVain = MostWatched / 2;

// A kernel of so few threads, whose code could not be loaded before its first
// launch, may be one that waits: a warp is enough for that.
static constexpr std::uint64_t ThreadsOfWaiter = 32;

//===----------------------------------------------------------------------===//
// Kernels and shapes
//===----------------------------------------------------------------------===//

std::size_t LaunchBook::CacheHash::operator()(const CacheKey &Key) const {
  std::size_t Hash = 0;
  auto Mix = [&](std::size_t Value) {
    Hash = (Hash ^ Value) * 0x9e3779b97f4a7c15u;
    Hash ^= Hash >> 29;
  };
  Mix(reinterpret_cast<std::size_t>(Key.Context));
  Mix(reinterpret_cast<std::size_t>(Key.Name));
  Mix(reinterpret_cast<std::size_t>(Key.Shape.Function));
  for (unsigned Value : Key.Shape.Grid)
    Mix(Value);
  for (unsigned Value : Key.Shape.Block)
    Mix(Value);
  Mix(Key.Shape.DynamicSharedBytes);
  return Hash;
}

LaunchTarget LaunchBook::target(CUcontext Context, unsigned Device,
                                const char *Name, const LaunchShape &Shape,
                                bool &IsNew) {
  IsNew = false;
  CacheKey Key = {Context, Name, Shape};
  {
    std::lock_guard Lock(Mutex);
    if (auto Found = Cache.find(Key); Found != Cache.end())
      return Found->second;
  }
  LaunchKey Launch = {Name ? Name : "", Device, Shape.Grid, Shape.Block,
                      Shape.DynamicSharedBytes};
  bool IsWanted = Set.Kernels.matches(Launch.Kernel);

  std::lock_guard Lock(Mutex);
  LaunchTarget Out;
  Out.Kernel = &Table.kernel({Launch.Kernel, Device});
  Out.Kernel->Wanted = IsWanted;
  if (Out.Kernel->Name.empty())
    Out.Kernel->Name = Launch.Kernel;
  const bool HasBlock = Shape.Block[0] != 0;
  Out.Row = HasBlock ? Table.row(Launch) : nullptr;
  Out.Threads = HasBlock;
  for (std::size_t I = 0; I != 3; ++I)
    Out.Threads *= std::uint64_t{Shape.Grid[I]} * Shape.Block[I];
  if (Out.Row && !Out.Row->IsKnown) {
    Out.Row->IsKnown = true;
    Out.Row->Number = Out.Kernel->Shapes++;
  }
  IsNew = Out.Row && !Out.Row->Resources;
  if (Cache.size() >= MostCached)
    Cache.clear();
  Cache.emplace(Key, Out);
  return Out;
}

void LaunchBook::setResources(const LaunchTarget &Target,
                              const LaunchResources &Its) {
  std::lock_guard Lock(Mutex);
  if (Target.Row)
    Target.Row->Resources = Its;
}

void LaunchBook::forgetNames() {
  std::lock_guard Lock(Mutex);
  Cache.clear();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

bool LaunchBook::isPastSkipped(std::span<const LaunchTarget> Targets) {
  std::lock_guard Lock(Mutex);
  bool IsPast = Targets.empty();
  for (const LaunchTarget &Each : Targets)
    if (Each.Kernel->Skipped == Set.Skip)
      IsPast = true;
    else
      ++Each.Kernel->Skipped;
  return IsPast;
}

/// Nodes of a graph can be switched off, and ask for no record then.
static bool owesRecord(const LaunchCall &Call, const LaunchTable::Kernel &K) {
  return Call.IsTimed && !Call.IsGraph && K.Wanted;
}

void LaunchBook::launching(const LaunchCall &Call,
                           std::span<const LaunchTarget> Targets) {
  const std::uint64_t Mine = Started.fetch_add(1) + 1;
  std::lock_guard Lock(Mutex);
  if (Call.IsSelected && Set.selects() && Call.IsTimed && !Targets.empty()) {
    // A call that launches on several GPUs comes once for each.
    Awaited[Call.Correlation] += Targets.size();
    // Of a record that never comes, nobody is told.
    if (Awaited.size() > MostAwaited) {
      Awaited.erase(Awaited.begin());
      Problems.add(loss("times-dropped",
                        "the times of some launches came too late, and are "
                        "missing; measure a shorter run"));
    }
  }
  for (const LaunchTarget &Each : Targets) {
    LaunchTable::Kernel &K = *Each.Kernel;
    if (K.MayWait.value_or(false) && !Call.IsGraph)
      LastSuspect = {&K, Call.Context, Mine};
    if (!Call.IsSelected)
      continue;
    ++K.Launches;
    K.RecordsOwed += owesRecord(Call, K);
    K.Threads += Each.Threads;
    if (Call.IsCounted) {
      ++K.Measured;
      K.MeasuredThreads += Each.Threads;
      ++K.Unread;
      K.UnreadThreads += Each.Threads;
      Sums &Its = Unread[Call.Context][&K];
      ++Its.Launches;
      Its.Threads += Each.Threads;
    }
    // The last cause is told, but of graphs: they are one only where it runs in
    // nothing else.
    if (Call.Otherwise != Uncounted::No &&
        (K.Why == Uncounted::No || !Call.IsGraph))
      K.Why = Call.Otherwise;
    if (Each.Row)
      ++Each.Row->Count;
  }
}

void LaunchBook::failed(const LaunchCall &Call,
                        std::span<const LaunchTarget> Targets) {
  if (!Call.IsSelected)
    return;
  std::lock_guard Lock(Mutex);
  Awaited.erase(Call.Correlation);
  auto OfContext = Unread.find(Call.Context);
  for (const LaunchTarget &Each : Targets) {
    LaunchTable::Kernel &K = *Each.Kernel;
    --K.Launches;
    K.RecordsOwed -= owesRecord(Call, K);
    K.Threads -= Each.Threads;
    if (Call.IsCounted) {
      --K.Measured;
      K.MeasuredThreads -= Each.Threads;
    }
    if (Call.IsCounted && OfContext != Unread.end()) {
      --K.Unread;
      K.UnreadThreads -= Each.Threads;
      Sums &Its = OfContext->second[&K];
      --Its.Launches;
      Its.Threads -= Each.Threads;
    }
    if (Each.Row)
      --Each.Row->Count;
  }
}

bool LaunchBook::isWanted(const LaunchTarget &Target) const {
  std::lock_guard Lock(Mutex);
  return Target.Kernel->Wanted;
}

void LaunchBook::ran(const LaunchKey &Key, std::uint64_t Nanoseconds,
                     std::uint32_t Correlation) {
  std::lock_guard Lock(Mutex);
  if (Set.selects()) {
    auto Found = Awaited.find(Correlation);
    if (Found == Awaited.end())
      return;
    if (--Found->second == 0)
      Awaited.erase(Found);
  }
  if (LaunchTable::Kernel *K = Table.find({Key.Kernel, Key.Device}))
    ++K->Records;
  if (LaunchTable::Row *Row = Table.row(Key))
    Row->Times.add(Nanoseconds);
}

//===----------------------------------------------------------------------===//
// Which are counted
//===----------------------------------------------------------------------===//

bool LaunchBook::isDue(const LaunchTarget &Target) {
  auto Elapsed = Clock::now() - Begin;
  std::lock_guard Lock(Mutex);
  LaunchTable::Kernel &K = *Target.Kernel;
  if (!K.Wanted)
    return false;
  if (Plan.isResting(Elapsed)) {
    if (K.Why == Uncounted::No || K.Why == Uncounted::Graph)
      K.Why = Uncounted::Busy;
    return false;
  }
  if (mayWaitForLater(Target)) {
    K.Why = Uncounted::Waits;
    return false;
  }
  return Plan.isDue(K, Target.Row, Target.Threads, Elapsed);
}

/// Whether the kernel may wait for what is launched after it. While it is
/// counted, CUPTI has the first launch of each other kernel wait for it.
/// EXPECTS: the lock is held.
bool LaunchBook::mayWaitForLater(const LaunchTarget &Target) {
  LaunchTable::Kernel &K = *Target.Kernel;
  if (K.EndedAlone >= EnoughEnds)
    return false;
  if (!K.MayWait) {
    K.MayWait = Modules.mayWait(K.Name);
    K.CodeBytes = Modules.codeBytes(K.Name);
  }
  return K.MayWait.value_or(Target.Threads <= ThreadsOfWaiter &&
                            K.Launches == 0);
}

bool LaunchBook::needsCode(const LaunchTarget &Target) const {
  std::lock_guard Lock(Mutex);
  const LaunchTable::Kernel &K = *Target.Kernel;
  // The first launch has loaded it.
  return K.Wanted && K.Launches == 0 && !K.MayWait && !Modules.mayWait(K.Name);
}

bool LaunchBook::mayWait(const LaunchTarget &Target) const {
  std::lock_guard Lock(Mutex);
  return Modules.mayWait(Target.Kernel->Name).value_or(false);
}

void LaunchBook::switchedOn(Clock::duration Cost) {
  std::lock_guard Lock(Mutex);
  Plan.switchedOn(Cost);
}

void LaunchBook::counted(const LaunchTarget &Target, const CountedLaunch &Its) {
  std::lock_guard Lock(Mutex);
  Plan.counted(*Target.Kernel, Target.Row, Target.Threads, Its);
}

void LaunchBook::foundBusy(const LaunchTarget &Target, Clock::duration Waited) {
  auto Elapsed = Clock::now() - Begin;
  std::lock_guard Lock(Mutex);
  Plan.foundBusy(*Target.Kernel, Waited, Elapsed);
}

void LaunchBook::spend(Clock::duration Cost) {
  std::lock_guard Lock(Mutex);
  Plan.spend(Cost);
}

std::optional<LaunchBook::Suspect> LaunchBook::suspect() const {
  const auto Elapsed = Clock::now() - Begin;
  std::lock_guard Lock(Mutex);
  const LaunchTable::Kernel *K = LastSuspect.Kernel;
  if (!K || Started.load() != LastSuspect.Number || K->EndedAlone >= EnoughEnds)
    return std::nullopt;
  const bool IsWatched = K->Wanted && K->Watched < MostWatched &&
                         Plan.affords(EndPatience, Elapsed);
  Suspect Out = LastSuspect;
  Out.Patience = IsWatched ? EndPatience : Clock::duration::zero();
  return Out;
}

void LaunchBook::judge(const Suspect &Its, bool HasEnded,
                       Clock::duration Waited) {
  std::lock_guard Lock(Mutex);
  Plan.spend(Waited);
  if (Its.Patience != Clock::duration::zero())
    Its.Kernel->Watched += HasEnded ? 1 : WatchedInVain;
  // Another thread may have launched meanwhile.
  if (HasEnded && Started.load() == Its.Number)
    ++Its.Kernel->EndedAlone;
  if (LastSuspect.Number == Its.Number)
    LastSuspect = {};
}

void LaunchBook::countsEnded(CUcontext Context, bool AreRead) {
  std::lock_guard Lock(Mutex);
  auto Found = Unread.find(Context);
  if (Found == Unread.end())
    return;
  for (const auto &[Kernel, Its] : Found->second)
    if (AreRead) {
      Kernel->Unread -= Its.Launches;
      Kernel->UnreadThreads -= Its.Threads;
    }
  Found->second.clear();
}

void LaunchBook::contextGone(CUcontext Context) {
  std::lock_guard Lock(Mutex);
  if (LastSuspect.Context == Context)
    LastSuspect = {};
  Unread.erase(Context);
  Cache.clear();
}

//===----------------------------------------------------------------------===//
// Those that are measured as a whole
//===----------------------------------------------------------------------===//

bool LaunchBook::wantsRange(std::span<const LaunchTarget> Targets) const {
  std::lock_guard Lock(Mutex);
  return std::ranges::any_of(Targets, [&](const LaunchTarget &Each) {
    if (!Each.Kernel->Wanted)
      return false;
    if (Set.Launches)
      return Each.Kernel->Ranged < *Set.Launches;
    return Each.Row && Each.Row->Ranged < MostRangesOfShape;
  });
}

void LaunchBook::ranged(const LaunchTarget &Target) {
  std::lock_guard Lock(Mutex);
  ++Target.Kernel->Ranged;
  if (Target.Row)
    ++Target.Row->Ranged;
}

void LaunchBook::addFigures(std::span<LaunchTable::Row *const> Rows,
                            std::span<const RangeFigures> Figures) {
  std::lock_guard Lock(Mutex);
  for (std::size_t I = 0; I != Rows.size(); ++I)
    if (Rows[I])
      Rows[I]->Ranges.add(Figures[I]);
}

//===----------------------------------------------------------------------===//
// The profile
//===----------------------------------------------------------------------===//

void LaunchBook::summarize(Profile &Out) const {
  std::lock_guard Lock(Mutex);
  Table.summarize(Out);
}

bool LaunchBook::isAllUnwanted(const Profile &P) const {
  std::lock_guard Lock(Mutex);
  return std::ranges::all_of(P.Kernels, [&](const auto &Each) {
    const LaunchTable::Kernel *Its = Table.find(Each.first);
    return Each.second.Launches == 0 || (Its && !Its->Wanted);
  });
}

void LaunchBook::eraseUnwanted(Profile &P) const {
  std::lock_guard Lock(Mutex);
  auto IsUnwanted = [&](const std::string &Kernel, unsigned Device) {
    const LaunchTable::Kernel *Found = Table.find({Kernel, Device});
    return Found && !Found->Wanted;
  };
  std::erase_if(P.Lines, [&](const auto &Each) {
    return IsUnwanted(Each.first.Kernel, Each.first.Device);
  });
  std::erase_if(P.Code, [&](const FunctionRows &Each) {
    return IsUnwanted(Each.Kernel, Each.Device);
  });
  std::erase_if(P.Stalls, [&](const auto &Each) {
    return IsUnwanted(Each.first.Kernel, Each.first.Device);
  });
  std::erase_if(P.Branches, [&](const auto &Each) {
    return IsUnwanted(Each.first.Kernel, Each.first.Device);
  });
}

} // namespace cudalint::probe
