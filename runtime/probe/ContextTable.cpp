//===- runtime/probe/ContextTable.cpp - Contexts and their streams --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/ContextTable.h"

namespace cudalint::probe {

void ContextTable::add(CUcontext Context, unsigned Index, Device Its) {
  std::lock_guard Lock(Mutex);
  Contexts[Context] = {.Device = Index};
  Devices.try_emplace(Index, std::move(Its));
}

void ContextTable::remove(CUcontext Context) {
  std::lock_guard Lock(Mutex);
  auto Found = Contexts.find(Context);
  if (Found == Contexts.end())
    return;
  for (CUstream Each : Found->second.Streams)
    Captures.erase(Each);
  Contexts.erase(Found);
}

std::optional<unsigned> ContextTable::deviceOf(CUcontext Context) const {
  std::lock_guard Lock(Mutex);
  auto Found = Contexts.find(Context);
  if (Found == Contexts.end())
    return std::nullopt;
  return Found->second.Device;
}

std::map<unsigned, Device> ContextTable::devices() const {
  std::lock_guard Lock(Mutex);
  return Devices;
}

void ContextTable::streamCreated(CUcontext Context, CUstream Stream) {
  std::lock_guard Lock(Mutex);
  if (auto Found = Contexts.find(Context); Found != Contexts.end())
    Found->second.Streams.insert(Stream);
}

void ContextTable::streamDestroyed(CUcontext Context, CUstream Stream) {
  std::lock_guard Lock(Mutex);
  Captures.erase(Stream);
  if (auto Found = Contexts.find(Context); Found != Contexts.end())
    Found->second.Streams.erase(Stream);
}

void ContextTable::launching(CUcontext Context, CUstream Stream,
                             bool IsWaitedFor) {
  std::lock_guard Lock(Mutex);
  // Each thread has another stream of that name.
  bool IsOfThread = Stream == CU_STREAM_PER_THREAD;
  if (!FirstStream)
    FirstStream = Stream;
  HasMoreStreams |= IsOfThread || *FirstStream != Stream;
  if (auto Found = Contexts.find(Context); Found != Contexts.end())
    Found->second.MayRunUnseen |= IsOfThread && !IsWaitedFor;
}

bool ContextTable::isOnlyStream(CUstream Stream) const {
  std::lock_guard Lock(Mutex);
  return FirstStream == Stream && !HasMoreStreams;
}

void ContextTable::mayRunUnseen(CUcontext Context) {
  std::lock_guard Lock(Mutex);
  if (auto Found = Contexts.find(Context); Found != Contexts.end())
    Found->second.MayRunUnseen = true;
}

void ContextTable::waitedForAll(CUcontext Context) {
  std::lock_guard Lock(Mutex);
  if (auto Found = Contexts.find(Context); Found != Contexts.end())
    Found->second.MayRunUnseen = false;
}

void ContextTable::captureBegan(CUstream Stream) {
  std::lock_guard Lock(Mutex);
  ++Captures[Stream];
}

void ContextTable::captureEnded(CUstream Stream) {
  std::lock_guard Lock(Mutex);
  if (auto Found = Captures.find(Stream);
      Found != Captures.end() && --Found->second == 0)
    Captures.erase(Found);
}

bool ContextTable::isCapturing() const {
  std::lock_guard Lock(Mutex);
  return !Captures.empty();
}

std::optional<std::vector<CUstream>>
ContextTable::streamsToAsk(CUcontext Context) const {
  std::lock_guard Lock(Mutex);
  auto Found = Contexts.find(Context);
  // To ask about a stream would end the capture of another.
  if (Found == Contexts.end() || Found->second.MayRunUnseen ||
      !Captures.empty())
    return std::nullopt;
  std::vector<CUstream> Out = {CU_STREAM_LEGACY};
  const std::set<CUstream> &All = Found->second.Streams;
  Out.insert(Out.end(), All.begin(), All.end());
  return Out;
}

} // namespace cudalint::probe
