//===- runtime/probe/StallSampler.cpp - CUPTI samples PCs -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/StallSampler.h"

#include "runtime/probe/LockOrder.h"

#include <algorithm>

namespace cudalint::probe {

// Instructions at a time. CUPTI fills the buffer of the configuration between
// two readings when a module goes, and at the end: what does not fit in is
// lost. With 40 reasons, the two take 6 and 1.5 MB for each context.
static constexpr std::size_t ConfiguredPcs = 16384;
static constexpr std::size_t PcsOfRead = 4096;

// CUPTI's own, for what it has decoded: 1 MB without it, which holds some 5500
// instructions. A library of kernels has more.
static constexpr std::size_t ScratchBytes = std::size_t{8} << 20;

// More than any GPU has, so that a wrong answer asks for no memory.
static constexpr std::size_t MostReasons = 512;

void StallSampler::Buffer::make(std::size_t Count, std::size_t ReasonsOfEach) {
  Reasons.assign(Count * ReasonsOfEach, {});
  Pcs.assign(Count, {});
  for (std::size_t I = 0; I != Count; ++I) {
    Pcs[I].size = sizeof Pcs[I];
    Pcs[I].stallReason = Reasons.data() + I * ReasonsOfEach;
  }
  Data = {};
  Data.size = sizeof Data;
  Data.collectNumPcs = Count;
  Data.pPcData = Pcs.data();
}

CUptiResult StallSampler::listReasons() {
  std::size_t Count = 0;
  CUpti_PCSamplingGetNumStallReasonsParams Number = {};
  Number.size = CUpti_PCSamplingGetNumStallReasonsParamsSize;
  Number.ctx = Context;
  Number.numStallReasons = &Count;
  if (auto Error = Cupti.cuptiPCSamplingGetNumStallReasons(&Number))
    return Error;
  if (Count == 0 || Count > MostReasons)
    return CUPTI_ERROR_NOT_SUPPORTED;
  std::vector<char> Text(Count * CUPTI_STALL_REASON_STRING_SIZE);
  std::vector<char *> Words(Count);
  for (std::size_t I = 0; I != Count; ++I)
    Words[I] = Text.data() + I * CUPTI_STALL_REASON_STRING_SIZE;
  Indices.assign(Count, 0);
  CUpti_PCSamplingGetStallReasonsParams List = {};
  List.size = CUpti_PCSamplingGetStallReasonsParamsSize;
  List.ctx = Context;
  List.numStallReasons = Count;
  List.stallReasonIndex = Indices.data();
  List.stallReasons = Words.data();
  if (auto Error = Cupti.cuptiPCSamplingGetStallReasons(&List))
    return Error;
  for (std::size_t I = 0; I != Count; ++I) {
    std::string_view Word(Words[I], CUPTI_STALL_REASON_STRING_SIZE);
    Names[Indices[I]] = Word.substr(0, Word.find('\0'));
  }
  return CUPTI_SUCCESS;
}

CUptiResult StallSampler::configure() {
  if (auto Error = listReasons())
    return Error;
  Configured.make(ConfiguredPcs, Indices.size());
  Own.make(PcsOfRead, Indices.size());

  CUpti_PCSamplingConfigurationInfo Wanted[4] = {};
  Wanted[0].attributeType =
      CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE;
  Wanted[0].attributeData.collectionModeData.collectionMode =
      CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
  Wanted[1].attributeType =
      CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON;
  Wanted[1].attributeData.stallReasonData.stallReasonCount = Indices.size();
  Wanted[1].attributeData.stallReasonData.pStallReasonIndex = Indices.data();
  Wanted[2].attributeType =
      CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER;
  Wanted[2].attributeData.samplingDataBufferData.samplingDataBuffer =
      &Configured.Data;
  Wanted[3].attributeType =
      CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE;
  Wanted[3].attributeData.scratchBufferSizeData.scratchBufferSize =
      ScratchBytes;
  CUpti_PCSamplingConfigurationInfoParams P = {};
  P.size = CUpti_PCSamplingConfigurationInfoParamsSize;
  P.ctx = Context;
  P.numAttributes = std::size(Wanted);
  P.pPCSamplingConfigurationInfo = Wanted;
  return Cupti.cuptiPCSamplingSetConfigurationAttribute(&P);
}

/// CUPTI chooses it by the number of SMs. Samples are right without it.
void StallSampler::askForPeriod() {
  CUpti_PCSamplingConfigurationInfo Asked = {};
  Asked.attributeType =
      CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD;
  CUpti_PCSamplingConfigurationInfoParams P = {};
  P.size = CUpti_PCSamplingConfigurationInfoParamsSize;
  P.ctx = Context;
  P.numAttributes = 1;
  P.pPCSamplingConfigurationInfo = &Asked;
  if (Cupti.cuptiPCSamplingGetConfigurationAttribute(&P) != CUPTI_SUCCESS)
    return;
  // The header allows 5 to 31.
  std::uint32_t Power = Asked.attributeData.samplingPeriodData.samplingPeriod;
  if (Power >= 5 && Power <= 31)
    Period = std::uint64_t{1} << Power;
}

CUptiResult StallSampler::start() {
  expectNoTableLock();
  CUpti_PCSamplingEnableParams P = {};
  P.size = CUpti_PCSamplingEnableParamsSize;
  P.ctx = Context;
  if (auto Error = Cupti.cuptiPCSamplingEnable(&P))
    return Error;
  IsEnabled = true;
  if (auto Error = configure())
    return Error;
  askForPeriod();
  return CUPTI_SUCCESS;
}

void StallSampler::take(const Buffer &From, SamplesRead &Out) const {
  Out.Samples += From.Data.totalSamples;
  Out.Dropped += From.Data.droppedSamples;
  Out.Others += From.Data.nonUsrKernelsTotalSamples;
  std::size_t Count =
      std::min<std::size_t>(From.Data.totalNumPcs, From.Pcs.size());
  for (std::size_t I = 0; I != Count; ++I) {
    const CUpti_PCSamplingPCData &Pc = From.Pcs[I];
    if (!Pc.functionName)
      continue;
    SampledInstruction &To = Out.Instructions.emplace_back();
    To.Module = static_cast<std::uint32_t>(Pc.cubinCrc);
    To.Function = Pc.functionName;
    To.Offset = Pc.pcOffset;
    std::size_t Reasons =
        std::min<std::size_t>(Pc.stallReasonCount, Indices.size());
    for (std::size_t R = 0; R != Reasons; ++R) {
      const CUpti_PCSamplingStallReason &Each = Pc.stallReason[R];
      auto Name = Names.find(Each.pcSamplingStallReasonIndex);
      if (Each.samples && Name != Names.end())
        To.Reasons.push_back({Name->second, Each.samples});
    }
  }
}

CUptiResult StallSampler::read(SamplesRead &Out) {
  expectNoTableLock();
  CUpti_PCSamplingGetDataParams P = {};
  P.size = CUpti_PCSamplingGetDataParamsSize;
  P.ctx = Context;
  P.pcSamplingData = &Own.Data;
  for (;;) {
    Own.Data.totalSamples = Own.Data.droppedSamples = 0;
    Own.Data.totalNumPcs = Own.Data.remainingNumPcs = 0;
    Own.Data.nonUsrKernelsTotalSamples = 0;
    Own.Data.hardwareBufferFull = 0;
    if (auto Error = Cupti.cuptiPCSamplingGetData(&P)) {
      Out.IsHardwareFull = Own.Data.hardwareBufferFull != 0;
      return Error;
    }
    take(Own, Out);
    // What CUPTI put into the other buffer meanwhile is got in this way, too.
    std::size_t Left =
        Own.Data.remainingNumPcs +
        __atomic_load_n(&Configured.Data.totalNumPcs, __ATOMIC_RELAXED);
    if (Own.Data.totalNumPcs == 0 || Left == 0)
      return CUPTI_SUCCESS;
  }
}

CUptiResult StallSampler::stop(SamplesRead &Out) {
  expectNoTableLock();
  CUpti_PCSamplingDisableParams P = {};
  P.size = CUpti_PCSamplingDisableParamsSize;
  P.ctx = Context;
  if (auto Error = Cupti.cuptiPCSamplingDisable(&P))
    return Error;
  IsEnabled = false;
  take(Configured, Out);
  Out.Discarded = Configured.Data.remainingNumPcs;
  return CUPTI_SUCCESS;
}

} // namespace cudalint::probe
