//===- analyzer/checks/LocalArray.cpp - Arrays that registers cannot hold -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LaunchWords.h"
#include "analyzer/model/LittleCost.h"
#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/SharedPlace.h"
#include "report/OccupancyWords.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace cudalint::local_array {
namespace {

class LocalArrayCheck : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "local-array",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds private arrays that live in local memory",
      .Why = R"md(Registers have no index. A private array is kept in registers
only when every index is a constant after the compiler has unrolled the loops;
an index that is read from memory, or that counts a loop of unknown length, puts
the whole array into local memory, which is a part of global memory: each use is
a load or a store that goes through the L1 cache. Constant indices (unrolled
loops, a chain of selects) avoid it, as long as the array takes no more than
about half of a thread's registers; or shared memory with one column for each
thread, where a block has room for them all. A table of constants is copied for each
thread in the same way, unless `static` makes it one for all: 139 us became 29 on an
H200, for one look-up of each of 4,194,304 threads.

What a kernel is passed by value is copied, too, by nvcc, where a loop indexes
it, or a function that is not inlined. 72 bytes for each of 2,162,688 threads took
40 us for eight turns of a loop, in which each lane took its own element; 15 from
a copy that the block has in shared memory, and 74 from a `__grid_constant__`,
where they wait for each other. Where all lanes take the same one, it was 40, 15,
and 14 (`docs/validation/remedies-h200.md`).)md",
      .Bad =
          R"cuda(// ptxas info    : Compiling entry function '_Z4pickPfPKiS_' for 'sm_90'
// ptxas info    : Function properties for _Z4pickPfPKiS_
//     64 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// ptxas info    : Used 16 registers, used 0 barriers, 64 bytes cumulative stack size
__global__ void pick(float *out, const int *index, float *in) {
  float part[16];
  for (int i = 0; i < 16; ++i)
    part[i] = in[i * 1024 + threadIdx.x];
  out[threadIdx.x] = part[index[threadIdx.x] % 16];
}

void run(float *out, const int *index, float *in) {
  pick<<<1024, 256>>>(out, index, in);
}
)cuda",
      .Good =
          R"cuda(// ptxas info    : Compiling entry function '_Z4pickPfPKiS_' for 'sm_90'
// ptxas info    : Function properties for _Z4pickPfPKiS_
//     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// ptxas info    : Used 24 registers, used 0 barriers
__global__ void pick(float *out, const int *index, float *in) {
  float part[16], picked = 0;
  int wanted = index[threadIdx.x] % 16;
  for (int i = 0; i < 16; ++i)
    part[i] = in[i * 1024 + threadIdx.x];
  for (int i = 0; i < 16; ++i)
    picked = i == wanted ? part[i] : picked;
  out[threadIdx.x] = picked;
}

void run(float *out, const int *index, float *in) {
  pick<<<1024, 256>>>(out, index, in);
}
)cuda",
      .Limits = R"md(Silent without the compiler's figures: only the compiler
knows which indices it resolves. An array is reported when the kernel's local
memory has room for it besides spills and what functions such as `sinf` and
`printf` take; an array whose indices all count loops of known length, only when
all such arrays together have. So is what the kernel is passed by value, of which
nvcc makes a copy where a loop, or a function that is not inlined, indexes it:
where there is room for one besides. Shared memory is no remedy where it would cost more than
half of the blocks that are on an SM; where registers have no room either, that is
said in a note, and no remedy. A note too where less than a tenth of the accesses to
local memory are to the array, in the source, if loops that turn nobody knows how
often turn ten times. Silent for arrays that are only passed to
functions.)md",
      .ConfirmedBy = Evidence::LocalSectors,
      .NeedsResources = true};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// Those of which there are copies: all that are indexed so are what \p Room is
/// for. Of more than twice as much, it may be what functions have that are
/// called.
static void addParameters(const KernelModel &K, std::uint64_t Room,
                          std::vector<const LocalArray *> &Out) {
  std::vector<const LocalArray *> Its;
  std::uint64_t Bytes = 0;
  for (const LocalArray &A : K.Traits.LocalArrays)
    if (A.IsParameter) {
      Its.push_back(&A);
      Bytes += A.Bytes;
    }
  if (Bytes <= Room && Room < 2 * Bytes)
    Out.insert(Out.end(), Its.begin(), Its.end());
}

/// The arrays that local memory must hold, by what the compiler reports. Where
/// a function was inlined several times, its copies need not exist at one time:
/// they have one place, and are one array here.
static std::vector<const LocalArray *> confirmed(const KernelModel &K) {
  std::vector<const LocalArray *> Data, All;
  std::uint64_t DataBytes = 0, AllBytes = 0;
  for (const LocalArray &A : K.Traits.LocalArrays) {
    if (A.IsParameter)
      continue;
    const auto Known = std::ranges::find_if(All, [&](const LocalArray *Other) {
      return Other->Where == A.Where && Other->Name == A.Name &&
             Other->Bytes == A.Bytes;
    });
    const bool IsNew = Known == All.end();
    if (!IsNew && (*Known)->IndexIsData >= A.IndexIsData)
      continue;
    if (IsNew) {
      All.push_back(&A);
      AllBytes += A.Bytes;
    } else {
      *Known = &A;
    }
    if (!A.IndexIsData)
      continue;
    Data.push_back(&A);
    DataBytes += A.Bytes;
  }
  // Each spilled word has a place that is stored to at least once.
  const std::uint64_t Local = *K.Resources->LocalBytes;
  const std::uint64_t Arrays =
      Local - std::min(Local, K.Resources->SpillStores.value_or(0));
  if (AllBytes + K.Library.Most <= Arrays)
    addParameters(K, Arrays - AllBytes - K.Library.Most, All);
  else if (DataBytes + K.Library.Least <= Arrays)
    return Data;
  else
    return {};
  return All;
}

static std::uint64_t sizeOf(const LocalArray &A) {
  return A.ArrayBytes.value_or(A.Bytes);
}

/// `the private array 'part' of 64 bytes`
static std::string arrayName(const LocalArray &A) {
  if (A.IsParameter)
    return fmt::format("the parameter '{}' of {}", A.Name,
                       countOf(sizeOf(A), "byte"));
  const char *What = A.IsArray ? "array" : "variable";
  const std::string Size = countOf(sizeOf(A), "byte");
  return A.Name.empty()
             ? fmt::format("a private {} of {}", What, Size)
             : fmt::format("the private {} '{}' of {}", What, A.Name, Size);
}

/// Values that are all alive at once take a register for each word. Those that
/// have no room the compiler spills.
static bool takesAtMost(double Share, std::uint64_t Bytes,
                        const KernelModel &K) {
  constexpr double WordBytes = 4;
  return static_cast<double>(Bytes) <=
         Share * WordBytes * K.Gpu.Arch->RegistersPerThread;
}

static bool fitsRegisters(const KernelModel &K, const LocalArray &A) {
  return takesAtMost(threshold::ShareOfArray, sizeOf(A), K);
}

/// Registers hold it once its loop is unrolled.
static bool isUnrolled(const KernelModel &K, const LocalArray &A) {
  return fitsRegisters(K, A) && !A.IndexIsData && !A.IsOfLibrary;
}

namespace {
/// Where else an array can be.
struct OtherPlaces {
  bool Registers = false;
  SharedPlace Shared;
};
} // namespace

/// \p All are those that local memory holds: what is good for one is done to
/// all of them.
static OtherPlaces placesFor(const KernelModel &K, const LocalArray &A,
                             std::span<const LocalArray *const> All) {
  std::uint64_t Bytes = 0;
  std::size_t Arrays = 0;
  for (const LocalArray *Each : All)
    if (!Each->IsTable && !Each->IsParameter && !isUnrolled(K, *Each)) {
      Bytes += sizeOf(*Each);
      ++Arrays;
    }
  return {.Registers =
              !A.IsOfLibrary && fitsRegisters(K, A) &&
              (!A.IndexIsData || sizeOf(A) <= threshold::BytesToSelectFrom) &&
              takesAtMost(threshold::ShareOfArrays, Bytes, K),
          .Shared = sharedPlace(K, Bytes, Arrays)};
}

/// Empty where there is no other place for it.
static Phrase remedy(const KernelModel &K, const LocalArray &A,
                     const OtherPlaces &Places) {
  // Constant memory takes lanes with other indices one after the other.
  if (A.IsParameter && A.DiffersByLane)
    return {"copy-for-block",
            "copy what is indexed to shared memory, once for each block: each "
            "thread has a copy now",
            {}};
  if (A.IsParameter)
    return K.Gpu.Arch->CC.Major >= 7
               ? Phrase{"grid-constant",
                        "declare it 'const __grid_constant__ {parameter}', "
                        "which is read where it is passed",
                        {{"parameter", A.Name}}}
               : Phrase{"keep-in-constant",
                        "keep what is indexed in a '__constant__' variable",
                        {}};
  if (A.IsTable)
    return {"share-table",
            "declare it 'static const', one for all threads: it holds nothing "
            "but constants",
            {}};
  if (isUnrolled(K, A))
    return {"unroll", "'#pragma unroll' makes the indices constants", {}};
  Phrase Said;
  // Four flags are a word, in which a shift finds one.
  if (A.IndexIsData && A.IsArray && !A.IsOfLibrary &&
      sizeOf(A) <= threshold::BytesOfWord)
    Said = {"keep-in-word",
            "keep its {array_bytes byte} in one integer, and shift out the one "
            "that is asked for",
            {{"array_bytes", sizeOf(A)}}};
  else if (Places.Registers)
    Said = {"constant-indices",
            "make the indices constants (unrolled loops, selects)",
            {}};
  if (Places.Shared.Fits && !Places.Shared.CostsBlocks)
    Said.append(
        " or ",
        {"keep-in-shared",
         fmt::format("keep it in shared memory{}{}{}{}",
                     Places.Shared.Bytes ? ", {block_bytes} a block" : "",
                     Places.Shared.Bytes && Places.Shared.Arrays > 1
                         ? " for {arrays} such arrays"
                         : "",
                     Places.Shared.NeedsOptIn ? " by opt-in" : "",
                     Places.Shared.Why.empty() ? "" : " ({room})"),
         {{"room", Places.Shared.Why},
          {"block_bytes", bytesInWords(Places.Shared.Bytes)},
          {"arrays", Places.Shared.Arrays}}});
  return Said;
}

/// Why it is where it is, if there is no remedy.
static Phrase noOtherPlace(const KernelModel &K, const LocalArray &A,
                           const OtherPlaces &Places) {
  const NamedValue Room = {"room", Places.Shared.Why};
  // Nobody can index the registers of a library's object otherwise, nor those
  // of many words by what only the run knows.
  if (A.IsOfLibrary || (A.IndexIsData && fitsRegisters(K, A)))
    return {"no-other-place",
            Places.Shared.Fits
                ? "in shared memory it would cost most of the blocks ({room})"
                : "shared memory has no room for it ({room})",
            {Room}};
  return {"no-other-place",
          Places.Shared.Fits
              ? "registers have no room for it, and in shared memory it would "
                "cost most of the blocks ({room})"
              : "neither registers nor shared memory have room for it ({room})",
          {Room}};
}

/// Of all of the kernel's, by the largest block that is launched; empty when no
/// block is known.
static std::optional<std::uint64_t> localBytesOnSM(const KernelModel &K) {
  const std::optional<LaunchFit> Block = largestBlock(K);
  if (!Block || Block->OnSM.BlocksPerSM == 0)
    return std::nullopt;
  return *K.Resources->LocalBytes * Block->Demand.Threads *
         Block->OnSM.BlocksPerSM;
}

void LocalArrayCheck::checkKernel(const KernelModel &K,
                                  FindingSink &Out) const {
  // Without the compiler's figures nobody knows what it resolves.
  if (!K.Resources || !K.Resources->LocalBytes)
    return;
  const std::vector<const LocalArray *> All = confirmed(K);
  for (const LocalArray *A : All) {
    Finding &F = Out.report(
        K, *A,
        {"in-local-memory",
         A->IsParameter
             ? "{array} is copied to local memory ({local_bytes byte} of "
               "'{kernel}' on {gpu})"
             : "{array} lives in local memory ({local_bytes byte} of "
               "'{kernel}' on {gpu})",
         {{"array", arrayName(*A)},
          {"array_bytes", sizeOf(*A)},
          {"kernel", shortName(K.Declaration)},
          {"local_bytes", *K.Resources->LocalBytes},
          {"gpu", K.Gpu.Name}}});
    F.Cause = A->IsParameter
                  ? Phrase{"indexed-parameter",
                           "its index here is known only at run time, in a "
                           "loop or a function that is not inlined",
                           {}}
              : A->IndexIsData
                  ? Phrase{"run-time-index",
                           "its index here is known only at run time, and "
                           "registers have no index",
                           {}}
                  : Phrase{"rolled-loop",
                           "the loop that counts its index here is not "
                           "unrolled",
                           {}};
    const OtherPlaces Places = placesFor(K, *A, All);
    F.Remedy = remedy(K, *A, Places);
    if (F.Remedy.isEmpty()) {
      F.Level = Severity::Note; // Nothing to do.
      F.Cause.append(", ", noOtherPlace(K, *A, Places));
      if (const std::optional<std::uint64_t> OnSM = localBytesOnSM(K))
        F.Cause.append(", ", {"local-memory-of-sm",
                              "the threads that an SM holds have {on_sm} of "
                              "local memory",
                              {{"on_sm", bytesInWords(*OnSM)}}});
    }
    setMostOfKernel(F, mostOfArray(K, *A));
  }
}

CUDA_LINT_REGISTER_CHECK(LocalArrayCheck)

} // namespace cudalint::local_array
