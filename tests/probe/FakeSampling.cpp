//===- tests/probe/FakeSampling.cpp - PC sampling made up -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each launch of `stride` has 17 samples in each module. At the load, 4 of
/// `wait`, in one of which the scheduler issued nothing, and 2 of `selected`;
/// at the store, 10 of `long_scoreboard`, 9 of them so, and one of `selected`.
/// One more is in a kernel of the driver.
///
/// FAKE_SAMPLES has CUPTI do what a real one may: `late`, nothing is decoded
/// before the end; `full`, the hardware has no room; `early`, a context is not
/// ready before its first module is loaded. FAKE_PCS is how many instructions
/// it hands over at a time, and FAKE_DROPPED_SAMPLES what it drops. There is
/// one more of each of FAKE_STRANGERS functions whose code nobody has. Two
/// contexts of one GPU at once have no samples.
///
//===----------------------------------------------------------------------===//

#include "tests/probe/FakeSampling.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cupti_pcsampling.h>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {
struct Seen {
  std::uint64_t Offset;
  std::size_t Reason; // of Reasons
  std::uint32_t Samples;
};
struct Session {
  bool IsEnabled = false;
  CUpti_PCSamplingData *Configured = nullptr;
  std::uint64_t Launches = 0; // not handed over
  std::size_t Given = 0;      // instructions of these that are
  std::uint64_t Dropped = 0;
  bool IsBroken = false; // Another context of the GPU was enabled beside it.
};
} // namespace

static constexpr const char *Reasons[] = {
    "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
    "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued",
    "smsp__pcsamp_warps_issue_stalled_selected",
    "smsp__pcsamp_warps_issue_stalled_selected_not_issued",
    "smsp__pcsamp_warps_issue_stalled_wait",
    "smsp__pcsamp_warps_issue_stalled_wait_not_issued"};
// Numbers are no indices of the list.
static constexpr std::uint32_t FirstNumber = 20;
static constexpr Seen OfLaunch[] = {{0, 4, 4},   {0, 5, 1},  {0, 2, 2},
                                    {16, 0, 10}, {16, 1, 9}, {16, 2, 1}};
static constexpr std::uint64_t Offsets[] = {0, 16};
static constexpr std::uint64_t SamplesOfLaunch = 17;

static std::mutex Mutex;

static std::map<CUcontext, Session> &sessions() {
  static auto *All = new std::map<CUcontext, Session>;
  return *All;
}
static std::set<CUcontext> &ready() {
  static auto *All = new std::set<CUcontext>;
  return *All;
}

static bool does(const char *What) {
  const char *Text = std::getenv("FAKE_SAMPLES");
  return Text && std::strcmp(Text, What) == 0;
}

static std::uint64_t number(const char *Variable, std::uint64_t Otherwise) {
  const char *Text = std::getenv(Variable);
  return Text ? std::strtoull(Text, nullptr, 10) : Otherwise;
}

void fake::contextIsReady(CUcontext Context) {
  std::lock_guard<std::mutex> Lock(Mutex);
  ready().insert(Context);
}

void fake::sampleLaunch(CUcontext Context) {
  std::lock_guard<std::mutex> Lock(Mutex);
  if (auto Found = sessions().find(Context);
      Found != sessions().end() && Found->second.IsEnabled)
    ++Found->second.Launches;
}

/// They come behind all modules.
static std::vector<std::string> &strangers() {
  static auto *All = [] {
    auto *Out = new std::vector<std::string>;
    for (std::uint64_t I = 0; I != number("FAKE_STRANGERS", 0); ++I)
      Out->push_back("_Z8stranger" + std::to_string(I) + "v");
    return Out;
  }();
  return *All;
}

/// Fills \p Out with what it has room for. EXPECTS: Mutex is held.
static void handOver(Session &S, CUpti_PCSamplingData &Out) {
  std::vector<std::uint64_t> Modules = fake::moduleNumbers();
  const std::size_t Known = std::size(Offsets) * Modules.size();
  std::size_t All = S.Launches ? Known + strangers().size() : 0;
  std::size_t Room = std::min<std::size_t>(
      Out.collectNumPcs, number("FAKE_PCS", Out.collectNumPcs));
  std::size_t Count = std::min(Room, All - S.Given);
  Out.totalSamples = Out.droppedSamples = Out.nonUsrKernelsTotalSamples = 0;
  if (S.Given == 0 && All) {
    Out.droppedSamples = std::exchange(S.Dropped, 0);
    Out.nonUsrKernelsTotalSamples = S.Launches;
    Out.totalSamples = S.Launches * (SamplesOfLaunch * Modules.size() + 1) +
                       Out.droppedSamples;
  }
  for (std::size_t I = 0; I != Count; ++I) {
    CUpti_PCSamplingPCData &Pc = Out.pPcData[I];
    std::size_t At = S.Given + I;
    if (At >= Known) {
      Pc.functionName = strangers()[At - Known].data();
      Pc.pcOffset = 0;
      Pc.stallReasonCount = 1;
      Pc.stallReason[0] = {FirstNumber, 1};
      continue;
    }
    Pc.cubinCrc = Modules[At / std::size(Offsets)];
    Pc.pcOffset = Offsets[At % std::size(Offsets)];
    static char Name[] = "_Z6stridePKfPf";
    Pc.functionName = Name;
    Pc.stallReasonCount = 0;
    for (const Seen &Each : OfLaunch)
      if (Each.Offset == Pc.pcOffset)
        Pc.stallReason[Pc.stallReasonCount++] = {
            static_cast<std::uint32_t>(FirstNumber + Each.Reason),
            static_cast<std::uint32_t>(Each.Samples * S.Launches)};
  }
  S.Given += Count;
  Out.totalNumPcs = Count;
  Out.remainingNumPcs = All - S.Given;
  if (Out.remainingNumPcs == 0)
    S.Launches = S.Given = 0;
}

extern "C" {

#define FAKE_FAILURE(Context)                                                  \
  if (CUptiResult Result = fake::failureOf(__func__, fake::deviceOf(Context))) \
  return Result

CUptiResult cuptiPCSamplingEnable(CUpti_PCSamplingEnableParams *P) {
  FAKE_FAILURE(P->ctx);
  fake::disturbCapture();
  std::lock_guard<std::mutex> Lock(Mutex);
  if (does("early") && !ready().contains(P->ctx))
    return CUPTI_ERROR_INVALID_CONTEXT;
  Session &S = sessions()[P->ctx];
  if (S.IsEnabled)
    return CUPTI_ERROR_INVALID_OPERATION;
  S = {};
  S.IsEnabled = true;
  for (auto &[Context, Other] : sessions())
    if (Context != P->ctx && Other.IsEnabled &&
        fake::deviceOf(Context) == fake::deviceOf(P->ctx))
      Other.IsBroken = S.IsBroken = true;
  S.Dropped = number("FAKE_DROPPED_SAMPLES", 0);
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiPCSamplingGetNumStallReasons(CUpti_PCSamplingGetNumStallReasonsParams *P) {
  FAKE_FAILURE(P->ctx);
  *P->numStallReasons = std::size(Reasons);
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiPCSamplingGetStallReasons(CUpti_PCSamplingGetStallReasonsParams *P) {
  FAKE_FAILURE(P->ctx);
  if (P->numStallReasons != std::size(Reasons))
    return CUPTI_ERROR_INVALID_PARAMETER;
  for (std::size_t I = 0; I != std::size(Reasons); ++I) {
    P->stallReasonIndex[I] = static_cast<std::uint32_t>(FirstNumber + I);
    std::strcpy(P->stallReasons[I], Reasons[I]);
  }
  return CUPTI_SUCCESS;
}

CUptiResult cuptiPCSamplingSetConfigurationAttribute(
    CUpti_PCSamplingConfigurationInfoParams *P) {
  FAKE_FAILURE(P->ctx);
  std::lock_guard<std::mutex> Lock(Mutex);
  Session &S = sessions()[P->ctx];
  bool IsContinuous = false;
  for (std::size_t I = 0; I != P->numAttributes; ++I) {
    const auto &Each = P->pPCSamplingConfigurationInfo[I];
    if (Each.attributeType ==
        CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE)
      IsContinuous = Each.attributeData.collectionModeData.collectionMode ==
                     CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
    if (Each.attributeType ==
        CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER)
      S.Configured = static_cast<CUpti_PCSamplingData *>(
          Each.attributeData.samplingDataBufferData.samplingDataBuffer);
  }
  if (!S.IsEnabled || !IsContinuous || !S.Configured ||
      S.Configured->size != sizeof(CUpti_PCSamplingData))
    return CUPTI_ERROR_INVALID_OPERATION;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiPCSamplingGetConfigurationAttribute(
    CUpti_PCSamplingConfigurationInfoParams *P) {
  FAKE_FAILURE(P->ctx);
  P->pPCSamplingConfigurationInfo[0]
      .attributeData.samplingPeriodData.samplingPeriod = 10;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiPCSamplingGetData(CUpti_PCSamplingGetDataParams *P) {
  FAKE_FAILURE(P->ctx);
  auto &Out = *static_cast<CUpti_PCSamplingData *>(P->pcSamplingData);
  std::lock_guard<std::mutex> Lock(Mutex);
  Session &S = sessions()[P->ctx];
  if (!S.IsEnabled)
    return CUPTI_ERROR_INVALID_OPERATION;
  if (S.IsBroken)
    return CUPTI_ERROR_UNKNOWN;
  if (does("full")) {
    Out.hardwareBufferFull = 1;
    return CUPTI_ERROR_OUT_OF_MEMORY;
  }
  Out.totalNumPcs = Out.remainingNumPcs = 0;
  if (!does("late"))
    handOver(S, Out);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiPCSamplingDisable(CUpti_PCSamplingDisableParams *P) {
  FAKE_FAILURE(P->ctx);
  std::lock_guard<std::mutex> Lock(Mutex);
  Session &S = sessions()[P->ctx];
  if (!std::exchange(S.IsEnabled, false))
    return CUPTI_ERROR_INVALID_OPERATION;
  if (S.IsBroken)
    return CUPTI_ERROR_UNKNOWN;
  if (S.Configured)
    handOver(S, *S.Configured);
  return CUPTI_SUCCESS;
}
}
