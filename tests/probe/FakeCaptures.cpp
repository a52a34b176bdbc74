//===- tests/probe/FakeCaptures.cpp - Captures and graphs -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/probe/FakeCaptures.h"

#include "tests/probe/FakeDriver.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <thread>

/// The first kernel is launched while a stream is captured.
static void launchUnderCapture() {
  CUcontext Context = fake::makeContext(0);
  fake::beginCapture(Context);
  fake::launch(Context);
  if (!fake::endCapture(Context))
    std::_Exit(91);
  fake::launch(Context);
  fake::synchronize(Context);
}

/// A stream is captured to the end.
static void captureForever() {
  CUcontext Context = fake::makeContext(0);
  fake::beginCapture(Context);
  fake::launch(Context);
}

/// A stream goes while it is captured, and then the context.
static void dropCapture() {
  CUcontext Context = fake::makeContext(0);
  fake::beginCapture(Context);
  fake::destroyCaptureStream(Context);
  fake::launch(Context);
  fake::destroyContext(Context);
}

/// Another context is made while a stream is captured.
static void makeContextUnderCapture() {
  CUcontext First = fake::makeContext(0);
  fake::launch(First);
  fake::beginCapture(First);
  CUcontext Second = fake::makeContext(1);
  if (!fake::endCapture(First))
    std::_Exit(91);
  fake::launch(Second);
  fake::synchronize(First);
  fake::synchronize(Second);
}

/// Two kernels are captured, while another is launched, and run three times as
/// a graph.
static void launchGraphs() {
  CUcontext Context = fake::makeContext(0);
  fake::launch(Context);
  fake::beginCapture(Context);
  fake::launch(Context, {.Stream = fake::captureStream()});
  std::thread([Context] { fake::launch(Context); }).join();
  fake::launch(Context,
               {.Name = "_Z5graphPf", .Stream = fake::captureStream()});
  CUgraph Graph = fake::endCapture(Context);
  if (!Graph)
    std::_Exit(91);
  CUgraphExec Executable = fake::instantiate(Context, Graph);
  for (int I = 0; I != 3; ++I)
    fake::launchGraph(Context, Executable);
  fake::synchronize(Context);
  fake::destroyGraph(Context, Executable);
}

static CUgraph capture(CUcontext Context) {
  fake::beginCapture(Context);
  fake::launch(Context, {.Stream = fake::captureStream()});
  CUgraph Graph = fake::endCapture(Context);
  if (!Graph)
    std::_Exit(91);
  return Graph;
}

/// A graph that is uploaded before it is launched three times.
static void launchUploaded() {
  CUcontext Context = fake::makeContext(0);
  CUgraphExec Executable = fake::instantiate(Context, capture(Context));
  fake::uploadGraph(Context, Executable);
  for (int I = 0; I != 3; ++I)
    fake::launchGraph(Context, Executable);
  fake::synchronize(Context);
  fake::destroyGraph(Context, Executable);
}

/// The same, but the call that makes it uploads it.
static void launchUploadedAtOnce() {
  CUcontext Context = fake::makeContext(0);
  CUgraphExec Executable =
      fake::instantiate(Context, capture(Context), /*Uploads=*/true);
  for (int I = 0; I != 3; ++I)
    fake::launchGraph(Context, Executable);
  fake::synchronize(Context);
  fake::destroyGraph(Context, Executable);
}

/// One thread makes graphs and launches each, and another graph that was made
/// at the beginning, while the other launches what takes a second when it is
/// counted.
static void launchGraphsBeside() {
  CUcontext Context = fake::makeContext(0);
  fake::launch(Context);
  CUgraphExec Old = fake::instantiate(Context, capture(Context));
  std::atomic<bool> Stops = false;
  std::thread Other([&] {
    while (!Stops) {
      fake::launchGraph(Context, Old);
      CUgraphExec Executable = fake::instantiate(Context, capture(Context));
      fake::launchGraph(Context, Executable);
      fake::destroyGraph(Context, Executable);
    }
  });
  for (int I = 0; I != 20; ++I) {
    fake::launch(Context, {fake::Which::Huge});
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  Stops = true;
  Other.join();
  fake::synchronize(Context);
  fake::destroyGraph(Context, Old);
}

bool fake::runCapturing(std::string_view Mode) {
  static const std::map<std::string_view, void (*)()> Modes = {
      {"capture-dropped", dropCapture},
      {"captured-forever", captureForever},
      {"context-under-capture", makeContextUnderCapture},
      {"graphs", launchGraphs},
      {"graphs-beside", launchGraphsBeside},
      {"graphs-uploaded", launchUploaded},
      {"graphs-uploaded-at-once", launchUploadedAtOnce},
      {"under-capture", launchUnderCapture}};
  const auto Found = Modes.find(Mode);
  if (Found == Modes.end())
    return false;
  Found->second();
  return true;
}
