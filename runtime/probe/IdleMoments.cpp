//===- runtime/probe/IdleMoments.cpp - When nothing runs ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/IdleMoments.h"

#include <algorithm>
#include <thread>

namespace cudalint::probe {

using namespace std::chrono_literals;

/// Before somebody who has waited for so long looks again. Most kernels are
/// short, and some are very long.
static void pauseAfter(std::chrono::nanoseconds Waited) {
  if (Waited < 100us)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(
        std::clamp<std::chrono::nanoseconds>(Waited / 16, 20us, 2ms));
}

/// EXPECTS: the gate is closed.
bool IdleMoments::isIdle(CUcontext Context,
                         std::optional<CUstream> Own) noexcept {
  std::optional<std::vector<CUstream>> Streams = Contexts.streamsToAsk(Context);
  if (!Streams)
    return false;
  if (Own)
    Streams->push_back(*Own);
  DriverApi::Current Current(Driver, Context);
  return std::ranges::none_of(
      *Streams, [&](CUstream Each) { return Driver.isBusy(Each); });
}

bool IdleMoments::act(CUcontext Context, std::optional<CUstream> Own,
                      Clock::duration Patience,
                      const std::function<void()> &Act) noexcept {
  auto Start = Clock::now();
  for (;;) {
    // Does not wait for those inside.
    if (Gate.close(0ms)) {
      bool Idle = isIdle(Context, Own);
      if (Idle)
        Act();
      Gate.open();
      if (Idle)
        return true;
    }
    auto Waited = Clock::now() - Start;
    if (Waited >= Patience)
      return false;
    pauseAfter(Waited);
  }
}

void IdleMoments::waitFor(CUcontext Context, CUstream Stream,
                          Clock::duration Patience) noexcept {
  auto Start = Clock::now();
  DriverApi::Current Current(Driver, Context);
  for (auto Waited = Start - Start; Driver.isBusy(Stream) && Waited < Patience;
       Waited = Clock::now() - Start)
    pauseAfter(Waited);
}

} // namespace cudalint::probe
