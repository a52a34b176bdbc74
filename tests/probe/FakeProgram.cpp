//===- tests/probe/FakeProgram.cpp - A program without a GPU --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `FakeProgram MODE`: launches the fake driver's kernel three times on each
// GPU, prints bytes that are no text, and ends with 7 or as MODE says.
//
//===----------------------------------------------------------------------===//

#include "tests/probe/FakeCaptures.h"
#include "tests/probe/FakeDriver.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cupti.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static void launchAll(int Count) {
  for (unsigned Device = 0; Device != fake::gpus(); ++Device) {
    CUcontext Context = fake::makeContext(Device);
    for (int I = 0; I != Count; ++I)
      fake::launch(Context);
    fake::synchronize(Context);
    if (Device % 2 == 1)
      fake::destroyContext(Context);
  }
}

/// Four threads launch in one context and wait for it all the time, and make
/// contexts of their own.
static void launchInThreads() {
  CUcontext Shared = fake::makeContext(0);
  std::vector<std::thread> Pool;
  for (int T = 0; T != 4; ++T)
    Pool.emplace_back([Shared] {
      CUcontext Own = fake::makeContext(0);
      for (int I = 0; I != 250; ++I) {
        fake::launch(Shared);
        fake::launch(Own);
        if (I % 10 == 0)
          fake::synchronize(I % 20 ? Shared : Own);
      }
      fake::destroyContext(Own);
    });
  for (std::thread &T : Pool)
    T.join();
  fake::synchronize(Shared);
}

/// The first context is never used. Two launch at once, \p AtOnce, or one
/// alone; then the first of them goes.
static void launchInContexts(bool AtOnce) {
  fake::makeContext(0);
  const auto launchIn = [](CUcontext Context) {
    for (int I = 0; I != 3; ++I)
      fake::launch(Context);
    fake::synchronize(Context);
  };
  CUcontext First = fake::makeContext(0), Second = nullptr;
  launchIn(First);
  if (AtOnce) {
    Second = fake::makeContext(0);
    launchIn(Second);
  }
  fake::destroyContext(First);
  launchIn(Second ? Second : fake::makeContext(0));
  if (AtOnce)
    launchIn(fake::makeContext(0)); // and both stay to the end
}

/// A kernel waits for what another thread does after it has launched others.
static void launchWaiter() {
  CUcontext Context = fake::makeContext(0);
  fake::launch(Context);
  fake::synchronize(Context);
  fake::launch(Context, {fake::Which::Waiter});
  std::thread([Context] {
    for (int I = 0; I != 50; ++I)
      fake::launch(Context);
    fake::letWaiterEnd();
  }).join();
  fake::synchronize(Context);
}

/// Kernels that look as if they waited end by themselves, 5 ms later, and the
/// program launches on without looking.
static void launchAhead() {
  CUcontext Context = fake::makeContext(0);
  std::vector<std::thread> Ends;
  for (int I = 0; I != 12; ++I) {
    fake::launch(Context, {fake::Which::Waiter});
    Ends.emplace_back([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      fake::letWaiterEnd();
    });
  }
  for (std::thread &Each : Ends)
    Each.join();
  fake::synchronize(Context);
}

/// Kernels wait for what is launched after them on another GPU, which is idle.
static void launchWaitersApart() {
  CUcontext First = fake::makeContext(0), Second = fake::makeContext(1);
  for (int I = 0; I != 6; ++I) {
    fake::launch(First, {fake::Which::Waiter});
    fake::launch(Second);
    fake::letWaiterEnd();
  }
  fake::synchronize(First);
}

/// The first kernel waits for what the program does after it has launched
/// another for the first time.
static void launchWaiterFirst() {
  CUcontext Context = fake::makeContext(0);
  fake::launch(Context, {fake::Which::Waiter});
  fake::launch(Context);
  fake::letWaiterEnd();
  fake::synchronize(Context);
}

/// The context of a thread that launches to its own stream goes.
static void launchPerThread() {
  CUcontext Context = fake::makeContext(0);
  fake::launch(Context, {.Stream = CU_STREAM_PER_THREAD});
  fake::destroyContext(Context);
}

/// The child of a fork cannot use the GPU, and tries.
static void forkLate() {
  CUcontext Context = fake::makeContext(0);
  for (int I = 0; I != 3; ++I)
    fake::launch(Context);
  fake::synchronize(Context);
  if (::fork() == 0) {
    // Not before the next snapshot may be written.
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    fake::launch(Context);
    fake::synchronize(Context);
    ::_exit(0);
  }
  ::wait(nullptr);
}

/// A context goes while a kernel in it runs, and reading would wait for that.
static void abandonWaiter(bool ItEndsSoon) {
  CUcontext Context = fake::makeContext(0);
  fake::launch(Context);
  fake::synchronize(Context);
  fake::launch(Context, {fake::Which::Waiter});
  std::thread Other([ItEndsSoon] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (ItEndsSoon)
      fake::letWaiterEnd();
  });
  fake::destroyContext(Context);
  Other.join();
  fake::letWaiterEnd();
}

/// Another thread destroys the context while the program ends.
static void destroyAtEnd() {
  CUcontext Context = fake::makeContext(0);
  for (int I = 0; I != 3; ++I)
    fake::launch(Context);
  fake::synchronize(Context);
  std::thread([Context] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    fake::destroyContext(Context);
  }).detach();
}

/// The code goes before the program ends.
static void unloadAll() {
  CUcontext Context = fake::makeContext(0);
  for (int I = 0; I != 3; ++I)
    fake::launch(Context);
  fake::synchronize(Context);
  fake::unload(Context);
}

/// A thousand launches in a second, those in the second half of another shape.
static void launchMany() {
  CUcontext Context = fake::makeContext(0);
  for (int I = 0; I != 1000; ++I) {
    fake::launch(Context,
                 {.Blocks = I < 500 ? fake::Blocks : 2 * fake::Blocks});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  fake::synchronize(Context);
}

/// Eight launches: two before the ranges, three in them, one in the range of
/// another domain, one in one of the process, and one behind all.
static void launchInRanges(bool ByProfilerApi) {
  CUcontext Context = fake::makeContext(0);
  fake::launch(Context);
  nvtxRangePushA("warm-up");
  fake::launch(Context);
  nvtxRangePop();
  ByProfilerApi ? fake::profile(true) : void(nvtxRangePushA("step"));
  nvtxRangePushA("inner");
  for (int I = 0; I != 3; ++I)
    fake::launch(Context);
  nvtxRangePop();
  ByProfilerApi ? fake::profile(false) : void(nvtxRangePop());

  nvtxDomainHandle_t Domain = nvtxDomainCreateA("ours");
  nvtxEventAttributes_t Event = {};
  Event.version = NVTX_VERSION;
  Event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  Event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  Event.message.registered = nvtxDomainRegisterStringA(Domain, "step");
  nvtxDomainRangePushEx(Domain, &Event);
  fake::launch(Context);
  nvtxDomainRangePop(Domain);
  nvtxRangeId_t Range = nvtxRangeStartW(L"step");
  fake::launch(Context);
  nvtxRangeEnd(Range);
  fake::launch(Context);
  fake::synchronize(Context);
}

/// Ten launches in a second.
static void launchHuge() {
  CUcontext Context = fake::makeContext(0);
  for (int I = 0; I != 10; ++I) {
    fake::launch(Context, {fake::Which::Huge});
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  fake::synchronize(Context);
}

/// The first kernel costs all that is allowed.
static void launchLatecomer() {
  CUcontext Context = fake::makeContext(0);
  fake::launch(Context, {fake::Which::Huge});
  fake::launch(Context);
  fake::synchronize(Context);
}

/// Code or a whole context goes in the middle, and comes again. Nobody waits
/// for the kernels before.
static void launchAround(void (*Act)(CUcontext)) {
  CUcontext Context = fake::makeContext(0);
  for (int I = 0; I != 3; ++I)
    fake::launch(Context);
  Act(Context);
  for (int I = 0; I != 3; ++I)
    fake::launch(Context);
  fake::synchronize(Context);
}

/// Code goes while a kernel runs.
static void unloadUnderWaiter() {
  CUcontext Context = fake::makeContext(0);
  fake::launch(Context);
  fake::launch(Context, {fake::Which::Waiter});
  fake::reload(Context);
  fake::letWaiterEnd();
  fake::launch(Context);
  fake::synchronize(Context);
}

/// Some launches are refused.
static void launchInVain() {
  CUcontext Context = fake::makeContext(0);
  for (int I = 0; I != 6; ++I)
    fake::launch(Context, {.Fails = I % 2 == 1});
  fake::synchronize(Context);
}

/// By the older calls: a block, its shape, and two grids of it. \p Act comes
/// between these. \p IsRefused: before all of them, one without the shape.
static void launchGrids(void (*Act)(CUcontext), bool IsRefused = false) {
  CUcontext Context = fake::makeContext(0);
  if (IsRefused)
    fake::launch(Context, {.Fails = true, .Call = fake::By::Grid});
  fake::setBlockShape(Context, fake::Threads);
  fake::setSharedSize(Context, 256);
  fake::launch(Context, {.Call = fake::By::Launch});
  fake::launch(Context, {.Call = fake::By::Grid});
  Act(Context);
  fake::launch(Context, {.Call = fake::By::GridAsync});
  fake::synchronize(Context);
}

/// Three launches on each GPU, three on all at once, three such of another
/// kernel, and one that the driver refuses.
static void launchTogether() {
  std::vector<CUcontext> Contexts;
  for (unsigned Device = 0; Device != fake::gpus(); ++Device) {
    Contexts.push_back(fake::makeContext(Device));
    for (int I = 0; I != 3; ++I)
      fake::launch(Contexts.back());
    fake::synchronize(Contexts.back());
  }
  for (int I = 0; I != 3; ++I) {
    fake::launchTogether(Contexts);
    fake::launchTogether(Contexts, {.Name = "_Z8togetherPf"});
  }
  fake::launchTogether(Contexts, {.Fails = true});
  for (CUcontext Each : Contexts)
    fake::synchronize(Each);
}

/// On all GPUs at once, while a launch of another thread takes a second where
/// it is counted.
static void launchTogetherMeanwhile() {
  std::vector<CUcontext> Contexts;
  for (unsigned Device = 0; Device != fake::gpus(); ++Device)
    Contexts.push_back(fake::makeContext(Device));
  std::thread Other(
      [&] { fake::launch(Contexts.front(), {fake::Which::Huge}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  fake::launchTogether(Contexts);
  Other.join();
  for (CUcontext Each : Contexts)
    fake::synchronize(Each);
}

/// In KiB.
static long residentMemory() {
  long All = 0, Resident = 0;
  if (std::FILE *In = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(In, "%ld %ld", &All, &Resident) != 2)
      Resident = 0;
    std::fclose(In);
  }
  return Resident * (::sysconf(_SC_PAGESIZE) / 1024);
}

/// A hundred launches of each of a thousand kernels, and one of the known one.
/// The file `grown` tells by how much memory grew in the last nine tenths.
static void launchThousands() {
  CUcontext Context = fake::makeContext(0);
  fake::launch(Context);
  std::vector<std::string> Names;
  for (int I = 0; I != 1000; ++I)
    Names.push_back("_Z6kernel" + std::to_string(I) + "v");
  long Before = 0;
  for (int Turn = 0; Turn != 100; ++Turn) {
    if (Turn == 10)
      Before = residentMemory();
    for (const std::string &Each : Names)
      fake::launch(Context, {.Name = Each.c_str()});
    fake::synchronize(Context);
  }
  if (std::FILE *Out = std::fopen("grown", "w")) {
    std::fprintf(Out, "%ld\n", residentMemory() - Before);
    std::fclose(Out);
  }
}

/// What a program with a profiler of its own does.
static void useCupti(bool Subscribes) {
  void *Library = ::dlopen(std::getenv("FAKE_CUPTI"), RTLD_NOW);
  if (!Library)
    std::_Exit(90);
#define LOOK_UP(Name)                                                          \
  auto *Name##Function =                                                       \
      reinterpret_cast<decltype(&::Name)>(::dlsym(Library, #Name))
  LOOK_UP(cuptiSubscribe);
  LOOK_UP(cuptiActivityRegisterCallbacks);
  LOOK_UP(cuptiActivityEnable);
#undef LOOK_UP
  CUpti_SubscriberHandle Handle = nullptr;
  if (Subscribes)
    cuptiSubscribeFunction(
        &Handle,
        [](void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *) {},
        nullptr);
  else
    cuptiActivityEnableFunction(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  cuptiActivityRegisterCallbacksFunction(
      [](std::uint8_t **Buffer, std::size_t *Size, std::size_t *) {
        static std::uint8_t Bytes[4096];
        *Buffer = Bytes;
        *Size = sizeof Bytes;
      },
      [](CUcontext, std::uint32_t, std::uint8_t *, std::size_t, std::size_t) {
      });
}

/// Launches when the objects of threads are gone: of a static object, and of
/// what was registered after the probe.
static CUcontext Late;
static struct AtEnd {
  ~AtEnd() {
    if (Late)
      fake::launch(Late);
  }
} LaunchesAtEnd;

int main(int Argc, char **Argv) {
  std::string Mode = Argc > 1 ? Argv[1] : "";
  if (Mode == "closed") {
    ::close(STDOUT_FILENO);
    ::close(STDERR_FILENO);
    ::open("data", O_WRONLY | O_CREAT | O_TRUNC, 0666); // is 1 now
    ::open("more", O_WRONLY | O_CREAT | O_TRUNC, 0666); // is 2 now
  }
  if (Mode == "subscribed")
    useCupti(true);
  if (Mode == "fork" && ::fork() != 0)
    ::wait(nullptr);
  fake::init();
  if (Mode == "reopened") {
    ::close(STDERR_FILENO);
    ::open("data", O_WRONLY | O_CREAT | O_TRUNC, 0666); // is 2 now
  }
  if (Mode == "bare")
    ::close_range(0, ~0u, 0);
  if (Mode == "recorded")
    useCupti(false);
  if (Mode == "late") {
    Late = fake::makeContext(0);
    std::atexit([] { fake::launch(Late); });
    for (int I = 0; I != 3; ++I)
      fake::launch(Late);
    fake::synchronize(Late);
  } else if (Mode == "threads")
    launchInThreads();
  else if (Mode == "waiter")
    launchWaiter();
  else if (Mode == "waiter-first")
    launchWaiterFirst();
  else if (Mode == "ahead")
    launchAhead();
  else if (Mode == "waiters-apart")
    launchWaitersApart();
  else if (Mode == "per-thread")
    launchPerThread();
  else if (Mode == "forked")
    forkLate();
  else if (Mode == "abandoned")
    abandonWaiter(false);
  else if (Mode == "abandoned-shortly")
    abandonWaiter(true);
  else if (Mode == "destroyed")
    destroyAtEnd();
  else if (Mode == "unloaded")
    unloadAll();
  else if (Mode == "contexts" || Mode == "contexts-at-once")
    launchInContexts(Mode == "contexts-at-once");
  else if (Mode == "many")
    launchMany();
  else if (Mode == "huge")
    launchHuge();
  else if (Mode == "ranges" || Mode == "profiled")
    launchInRanges(Mode == "profiled");
  else if (Mode == "latecomer")
    launchLatecomer();
  else if (Mode == "reload")
    launchAround(fake::reload);
  else if (Mode == "reset")
    launchAround(fake::resetContext);
  else if (Mode == "unload")
    unloadUnderWaiter();
  else if (Mode == "in-vain")
    launchInVain();
  else if (Mode == "grids")
    launchGrids([](CUcontext) {});
  else if (Mode == "grids-refused")
    launchGrids([](CUcontext) {}, /*IsRefused=*/true);
  else if (Mode == "grids-reloaded")
    launchGrids(fake::reload);
  else if (Mode == "grids-kept")
    launchGrids(fake::unloadInVain);
  else if (Mode == "grids-in-between")
    launchGrids([](CUcontext Context) { fake::launch(Context); });
  else if (Mode == "together")
    launchTogether();
  else if (Mode == "together-meanwhile")
    launchTogetherMeanwhile();
  else if (Mode == "thousands")
    launchThousands();
  else if (!fake::runCapturing(Mode))
    launchAll(3);
  for (int Byte = 0; Byte != 256; ++Byte)
    std::putchar(Byte);
  std::fflush(stdout);
  if (Mode == "_exit" || Mode == "forked")
    ::_exit(0);
  if (Mode == "abort")
    std::abort();
  return 7;
}
