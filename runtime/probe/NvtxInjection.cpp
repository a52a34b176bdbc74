//===- runtime/probe/NvtxInjection.cpp - Where NVTX calls us --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// NVTX, which programs have in themselves, loads the library that
/// NVTX_INJECTION64_PATH names and gives it its table of functions: the probe
/// once more, where a range of the program was chosen.
///
//===----------------------------------------------------------------------===//

#include "runtime/probe/Injection.h"

// The interface for tools, without what programs take into themselves.
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#include <atomic>
#include <cwchar>
#include <mutex>
#include <string>
#include <vector>

namespace cudalint::probe {

static bool isNamed(const char *Text) {
  return Text && chosenRange().isNamed(Text);
}

static bool isNamed(const wchar_t *Text) {
  if (!Text)
    return false;
  // What is chosen is bytes: what is more than ASCII is not compared.
  std::string Narrow;
  for (; *Text; ++Text)
    Narrow += *Text > 0 && *Text < 128 ? static_cast<char>(*Text) : '\x01';
  return chosenRange().isNamed(Narrow);
}

namespace {
/// What a handle of a string stands for: whether it is the name.
using Registered = std::uintptr_t;
} // namespace

/// Handles are numbers that nobody follows: 1 for a string that is another, 2
/// for the name.
static nvtxStringHandle_t handleOf(bool IsNamed) {
  return reinterpret_cast<nvtxStringHandle_t>(Registered{1} + IsNamed);
}

static bool isNamed(const nvtxEventAttributes_t *Attributes) {
  if (!Attributes)
    return false;
  switch (Attributes->messageType) {
  case NVTX_MESSAGE_TYPE_ASCII:
    return isNamed(Attributes->message.ascii);
  case NVTX_MESSAGE_TYPE_UNICODE:
    return isNamed(Attributes->message.unicode);
  case NVTX_MESSAGE_TYPE_REGISTERED:
    return Attributes->message.registered == handleOf(true);
  default:
    return false;
  }
}

/// Handles of domains are numbers from 1; 0 is the default domain.
static unsigned numberOf(nvtxDomainHandle_t Domain) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(Domain));
}

static nvtxDomainHandle_t makeDomain() {
  static std::atomic<std::uintptr_t> Last = 0;
  return reinterpret_cast<nvtxDomainHandle_t>(++Last);
}

// What the table holds, in the words of NVTX.
static int NVTX_API rangePushA(const char *Name) {
  return chosenRange().push(0, isNamed(Name));
}
static int NVTX_API rangePushW(const wchar_t *Name) {
  return chosenRange().push(0, isNamed(Name));
}
static int NVTX_API rangePushEx(const nvtxEventAttributes_t *Event) {
  return chosenRange().push(0, isNamed(Event));
}
static int NVTX_API rangePop() { return chosenRange().pop(0); }
static nvtxRangeId_t NVTX_API rangeStartA(const char *Name) {
  return chosenRange().start(isNamed(Name));
}
static nvtxRangeId_t NVTX_API rangeStartW(const wchar_t *Name) {
  return chosenRange().start(isNamed(Name));
}
static nvtxRangeId_t NVTX_API rangeStartEx(const nvtxEventAttributes_t *Event) {
  return chosenRange().start(isNamed(Event));
}
static void NVTX_API rangeEnd(nvtxRangeId_t Id) { chosenRange().end(Id); }
static int NVTX_API domainPush(nvtxDomainHandle_t Domain,
                               const nvtxEventAttributes_t *Event) {
  return chosenRange().push(numberOf(Domain), isNamed(Event));
}
static int NVTX_API domainPop(nvtxDomainHandle_t Domain) {
  return chosenRange().pop(numberOf(Domain));
}
static nvtxRangeId_t NVTX_API domainStart(nvtxDomainHandle_t,
                                          const nvtxEventAttributes_t *Event) {
  return chosenRange().start(isNamed(Event));
}
static void NVTX_API domainEnd(nvtxDomainHandle_t, nvtxRangeId_t Id) {
  chosenRange().end(Id);
}
static nvtxStringHandle_t NVTX_API registerA(nvtxDomainHandle_t,
                                             const char *Text) {
  return handleOf(isNamed(Text));
}
static nvtxStringHandle_t NVTX_API registerW(nvtxDomainHandle_t,
                                             const wchar_t *Text) {
  return handleOf(isNamed(Text));
}
static nvtxDomainHandle_t NVTX_API domainCreateA(const char *) {
  return makeDomain();
}
static nvtxDomainHandle_t NVTX_API domainCreateW(const wchar_t *) {
  return makeDomain();
}

namespace {
struct Entry {
  unsigned Id;
  NvtxFunctionPointer Function;
};
} // namespace

template <typename Function> static Entry entry(unsigned Id, Function *Its) {
  return {Id, reinterpret_cast<NvtxFunctionPointer>(Its)};
}

/// Puts \p Entries into the table of a module; what it has no place for, a
/// program of an older NVTX cannot call.
static void fill(const NvtxExportTableCallbacks &Callbacks,
                 NvtxCallbackModule Module, const std::vector<Entry> &Entries) {
  NvtxFunctionTable Table = nullptr;
  unsigned Size = 0;
  if (!Callbacks.GetModuleFunctionTable(Module, &Table, &Size) || !Table)
    return;
  for (const Entry &Each : Entries)
    if (Each.Id < Size && Table[Each.Id])
      *Table[Each.Id] = Each.Function;
}

static bool inject(NvtxGetExportTableFunc_t GetTable) {
  if (!GetTable || !chosenRange().isChosen())
    return false;
  const auto *Callbacks = static_cast<const NvtxExportTableCallbacks *>(
      GetTable(NVTX_ETID_CALLBACKS));
  if (!Callbacks || Callbacks->struct_size < sizeof *Callbacks ||
      !Callbacks->GetModuleFunctionTable)
    return false;
  fill(*Callbacks, NVTX_CB_MODULE_CORE,
       {entry(NVTX_CBID_CORE_RangePushA, rangePushA),
        entry(NVTX_CBID_CORE_RangePushW, rangePushW),
        entry(NVTX_CBID_CORE_RangePushEx, rangePushEx),
        entry(NVTX_CBID_CORE_RangePop, rangePop),
        entry(NVTX_CBID_CORE_RangeStartA, rangeStartA),
        entry(NVTX_CBID_CORE_RangeStartW, rangeStartW),
        entry(NVTX_CBID_CORE_RangeStartEx, rangeStartEx),
        entry(NVTX_CBID_CORE_RangeEnd, rangeEnd)});
  fill(*Callbacks, NVTX_CB_MODULE_CORE2,
       {entry(NVTX_CBID_CORE2_DomainRangePushEx, domainPush),
        entry(NVTX_CBID_CORE2_DomainRangePop, domainPop),
        entry(NVTX_CBID_CORE2_DomainRangeStartEx, domainStart),
        entry(NVTX_CBID_CORE2_DomainRangeEnd, domainEnd),
        entry(NVTX_CBID_CORE2_DomainRegisterStringA, registerA),
        entry(NVTX_CBID_CORE2_DomainRegisterStringW, registerW),
        entry(NVTX_CBID_CORE2_DomainCreateA, domainCreateA),
        entry(NVTX_CBID_CORE2_DomainCreateW, domainCreateW)});
  return true;
}

} // namespace cudalint::probe

/// What NVTX calls. 0 leaves its functions as they are: they do nothing.
extern "C" __attribute__((visibility("default"))) int
InitializeInjectionNvtx2(NvtxGetExportTableFunc_t GetTable) {
  return cudalint::probe::inject(GetTable);
}
