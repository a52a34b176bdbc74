//===- runtime/probe/CodeRange.cpp - Launches of a range ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/CodeRange.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace cudalint::probe {

namespace {
/// The ranges of one thread in one domain.
struct Nest {
  unsigned Depth = 0;
  unsigned Outermost = 0; // of the name: its depth from 1; 0: none
};
// Of a thread, with no destructor: its other objects may launch as they go.
// More domains than these are one.
using Nests = std::array<Nest, 32>;
static_assert(std::is_trivially_destructible_v<Nests>);
} // namespace

static constinit thread_local Nests OfThread = {};

static Nest &nestOf(unsigned Domain) {
  return OfThread[std::min<std::size_t>(Domain, OfThread.size() - 1)];
}

bool CodeRange::isInside() const {
  if (!isChosen())
    return true;
  return IsProfiling || IsOpen ||
         std::ranges::any_of(
             OfThread, [](const Nest &Each) { return Each.Outermost != 0; });
}

int CodeRange::push(unsigned Domain, bool IsNamed) {
  Nest &Its = nestOf(Domain);
  ++Its.Depth;
  if (IsNamed && !Its.Outermost)
    Its.Outermost = Its.Depth;
  return static_cast<int>(Its.Depth) - 1;
}

int CodeRange::pop(unsigned Domain) {
  Nest &Its = nestOf(Domain);
  if (Its.Depth == 0)
    return -1;
  if (Its.Outermost == Its.Depth)
    Its.Outermost = 0;
  --Its.Depth;
  return static_cast<int>(Its.Depth);
}

std::uint64_t CodeRange::start(bool IsNamed) {
  const std::uint64_t Number = ++Begun;
  if (IsNamed) {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Open.size() < MostOpen)
      Open.insert(Number);
    IsOpen = true;
  }
  return Number;
}

void CodeRange::end(std::uint64_t Started) {
  // Most are of other names, and ask for no lock.
  if (!IsOpen)
    return;
  std::lock_guard<std::mutex> Guard(Lock);
  // A program may end what it has not started, or end it twice.
  Open.erase(Started);
  IsOpen = !Open.empty();
}

void CodeRange::profilerStarted() {
  if (isNamed(ProfilerApi))
    IsProfiling = true;
}

void CodeRange::profilerStopped() { IsProfiling = false; }

} // namespace cudalint::probe
