//===- tests/probe/FakeDriver.h - A driver without a GPU --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A libcuda.so.1 that launches nothing and calls the probe back as the real
/// one would, so that the probe runs where no GPU is. FAKE_GPUS says which GPUs
/// there are: `NVIDIA H200:90,NVIDIA A10:86`.
///
/// With FAKE_LAZY, code is loaded by the first launch in a context, and not
/// with it. What cuFuncLoad does then: `nested`, it loads the code, and CUPTI
/// tells that in whatever callback it is called; `silent`, nothing; `refused`,
/// it is not there.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_PROBE_FAKEDRIVER_H
#define CUDA_LINT_TESTS_PROBE_FAKEDRIVER_H

#include <cstdint>
#include <cuda.h>
#include <vector>

namespace fake {

/// The only kernel: 64 blocks of 128 threads. Instruction 0 loads 4 sectors per
/// request, instruction 16 stores 8.
inline constexpr const char *Kernel = "_Z6stridePKfPf";
inline constexpr unsigned Blocks = 64;
inline constexpr unsigned Threads = 128;

/// The kernels that can be launched: `stride`; a kernel that runs until
/// letWaiterEnd(), whose code says that it may; and one of which a launch that
/// is counted takes more than a second.
enum class Which : std::uint8_t { Stride, Waiter, Huge };
const char *nameOf(Which Kernel);

/// The calls that launch it: cuLaunchKernel, cuLaunch, cuLaunchGrid and
/// cuLaunchGridAsync.
enum class By : std::uint8_t { Kernel, Launch, Grid, GridAsync };

struct Launch {
  Which Kernel = Which::Stride;
  unsigned Blocks = fake::Blocks;
  const char *Name = nullptr; // null: nameOf(Kernel); outlives the program
  CUstream Stream = nullptr;
  bool Fails = false; // the driver refuses it
  By Call = By::Kernel;

  const char *name() const { return Name ? Name : nameOf(Kernel); }
};

/// What CUPTI is told of. \p IsEnter: before the driver does it.
struct Listener {
  virtual void contextMade(CUcontext Context) = 0;
  virtual void contextGone(CUcontext Context) = 0;
  virtual void launch(CUcontext Context, const Launch &What, bool IsEnter) = 0;
  virtual void launchTogether(const std::vector<CUcontext> &Contexts,
                              const Launch &What, bool IsEnter) = 0;
  /// The code of the kernels is loaded, if it is not.
  virtual void load(CUcontext Context, bool InCallback) = 0;
  virtual void setBlockShape(CUcontext Context, unsigned Threads,
                             bool IsEnter) = 0;
  virtual void setSharedSize(CUcontext Context, unsigned Bytes,
                             bool IsEnter) = 0;
  virtual void synchronize(CUcontext Context, bool IsEnter) = 0;
  virtual void profile(bool Starts, bool IsEnter) = 0;
  virtual void unload(CUcontext Context, bool ThenLoads, bool IsEnter) = 0;
  virtual void capture(CUcontext Context, bool Begins, bool IsEnter) = 0;
  virtual void streamGone(CUcontext Context, CUstream Stream) = 0;
  /// \p Executable: null before the call.
  virtual void graphMade(CUcontext Context, CUgraph Graph,
                         CUgraphExec Executable, bool Uploads) = 0;
  virtual void uploadGraph(CUcontext Context, CUgraphExec Graph,
                           bool IsEnter) = 0;
  virtual void graphGone(CUcontext Context, CUgraphExec Executable) = 0;
  virtual void launchGraph(CUcontext Context, CUgraphExec Graph,
                           bool IsEnter) = 0;

protected:
  ~Listener() = default;
};

void listen(Listener *To);
unsigned deviceOf(CUcontext Context);

/// Like cuInit, cuCtxCreate and so on.
void init();
unsigned gpus();
CUcontext makeContext(unsigned Device);
void destroyContext(CUcontext Context);
/// Like cuDevicePrimaryCtxReset: another context of the same handle.
void resetContext(CUcontext Context);
/// cuModuleUnload, of all modules; reload() also loads them again.
void unload(CUcontext Context);
void reload(CUcontext Context);
/// A call of unload() that the driver refuses.
void unloadInVain(CUcontext Context);
bool refusesUnload();
void synchronize(CUcontext Context);
/// cuProfilerStart, or cuProfilerStop.
void profile(bool Starts);

void launch(CUcontext Context, const Launch &What = {});
/// cuFuncSetBlockShape and cuFuncSetSharedSize, of `stride`.
void setBlockShape(CUcontext Context, unsigned Threads);
void setSharedSize(CUcontext Context, unsigned Bytes);
/// cuLaunchCooperativeKernelMultiDevice. A kernel of it waits for the others.
void launchTogether(const std::vector<CUcontext> &Contexts,
                    const Launch &What = {});
void letWaiterEnd();
/// The kernel's handle, and that of its only module.
CUfunction functionOf(const char *Name);
inline CUmodule module() { return reinterpret_cast<CUmodule>(0x200); }
/// A stream of the context, as its handle; such of no context are others.
CUstream streamOf(CUcontext Context);
void startRunning(CUcontext Context);
/// Whether a kernel runs, in \p Context or, without, in any. Counting waits for
/// all of them, while the real one waits for those of its context.
bool isBusy(CUcontext Context = nullptr);

/// What is launched to this stream between the two is recorded, and does not
/// run. endCapture() returns null where somebody has asked about a stream
/// meanwhile, which the real driver forbids.
inline CUstream captureStream() { return reinterpret_cast<CUstream>(0x100); }
void beginCapture(CUcontext Context);
CUgraph endCapture(CUcontext Context);
/// The stream goes, and the capture with it.
void destroyCaptureStream(CUcontext Context);
/// As what allocates does.
void disturbCapture();
CUgraphExec instantiate(CUcontext Context, CUgraph Graph, bool Uploads = false);
void uploadGraph(CUcontext Context, CUgraphExec Graph);
void launchGraph(CUcontext Context, CUgraphExec Graph);
void destroyGraph(CUcontext Context, CUgraphExec Graph);
const std::vector<Launch> &kernelsOf(CUgraphExec Graph);

} // namespace fake

#endif // CUDA_LINT_TESTS_PROBE_FAKEDRIVER_H
