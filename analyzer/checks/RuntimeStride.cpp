//===- analyzer/checks/RuntimeStride.cpp - Strides that the run decides --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/checks/StrideConditions.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/GroupRemedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

namespace cudalint::runtime_stride {
static constexpr CheckOption LeastCost = {
    "runtime-stride.LeastRatio", threshold::WorthAnEdit, 1, 32,
    "sectors or wavefronts per request, as a multiple of the ideal, from which "
    "on a value of the stride is bad"};

static constexpr CheckOption Options[] = {LeastCost};

namespace {

class RuntimeStrides : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "runtime-stride",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "says for which values of a run-time stride a request is bad",
      .Why = R"md(In `a[threadIdx.x * pitch]` the distance between two lanes is
a number that only the run knows, but what it costs is decided: in shared memory
by `pitch % 32`, of words at a pitch in halves by `pitch % 64`, in global memory
by how soon the lanes leave each other's sector. The condition is computed from
the request, value by value.

A power of two has few values. Where the program says that something is one
(`1 << n`, also in a launch), or uses it as only a power of two is used (`tid &
(n - 1)`, `n` halved in a loop; then the message says `if n is a power of two`),
the kernel is evaluated for each of them, from 1 to 32768 and as far as shared
arrays reach, with all that depends on it: which lanes take part, how often
loops turn.

It is a warning when every value but 0 and 1 is bad: a stride that is written
out is hardly ever 1. Everything else is a note, because a good value may be
what the program uses; it is given once for each symbol of a kernel. A parameter
that bounds nothing and is a factor of one index among others that have factors
of their own, as in `in[i0 * s0 + i1 * s1]`, is 1 in nearly every program, or as
many bytes as an element has: that note says `unless s0 is 1`, and `-v` shows
it.

In shared memory all warps of the block are looked at: there are conflicts where
any of them has some. A block of `c / n` times `n` threads is evaluated with
each power of two for `n`.)md",
      .Bad = R"cuda(__global__ void column(float *out, const float *in, int n) {
  out[threadIdx.x] = in[threadIdx.x * n];
}

void run(float *out, const float *in, int n) {
  column<<<1024, 128>>>(out, in, n);
}
)cuda",
      .Good = R"cuda(__global__ void row(float *out, const float *in, int n) {
  out[threadIdx.x] = in[n * 128 + threadIdx.x];
}

void run(float *out, const float *in, int n) {
  row<<<1024, 128>>>(out, in, n);
}
)cuda",
      .Limits =
          R"md(One symbol at a time: silent for `tid * a * b`, where the
stride is loaded from memory, where a stride has no name, and in shared memory
where lanes that are near have parts of one word, as of bytes. In global memory
the values 0 to 32 are looked at, and the array is taken to be aligned to 256
bytes. A stride that a launch gives as a number is no run-time stride.)md",
      .ConfirmedBy = Evidence::GlobalSectorsPerRequest,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

/// What is true of one access for the values of its symbol.
struct Statement {
  std::string Symbol; ///< May be empty.
  Phrase What;        ///< The whole of it; or empty, with When.
  std::string When;   ///< `if and only if pitch is even`, `unless n is 1`.
  Phrase Remedy;
  double Worst = 0;
  double Ideal = 0;
  Severity Level = Severity::Note;
  bool IsLikely = true; ///< Else the good values are as likely.
  /// It is a factor of addresses and nothing else, and a good value the usual
  /// one: that another is bad is no news.
  bool IsGeneral = false;
};

} // namespace

/// What the source calls the distance, for formulas.
static std::string symbolOf(const Access &A) {
  const std::string &Symbol = A.Stride->Symbol;
  // What is more than a name would run into the comparison.
  return Symbol.find(' ') == std::string::npos ? Symbol : "'" + Symbol + "'";
}

/// Something is taken for granted of another size, which may decide as well.
static bool restsOnOthers(const Access &A) {
  const std::string Own = fmt::format("'{}'", A.Stride->Symbol);
  return A.Stride->RestsOnOthers ||
         std::ranges::any_of(A.Assumptions, [&](const Assumption &Each) {
           return (Each.Kind == AssumptionKind::LargeSize ||
                   Each.Kind == AssumptionKind::RoundSize) &&
                  Each.About != Own;
         });
}

/// It is taken to be a multiple of 32, as the assumptions say.
static bool isTakenRound(const Access &A, std::string_view Symbol) {
  return std::ranges::any_of(
      A.Assumptions, [Own = fmt::format("'{}'", Symbol)](const Assumption &Of) {
        return Of.Kind == AssumptionKind::RoundSize && Of.About == Own;
      });
}

/// It is taken to be large or round.
static bool isAssumed(const Access &A, std::string_view Symbol) {
  return std::ranges::any_of(
      A.Assumptions, [Own = fmt::format("'{}'", Symbol)](const Assumption &Of) {
        return Of.About == Own && (Of.Kind == AssumptionKind::RoundSize ||
                                   Of.Kind == AssumptionKind::LargeSize);
      });
}

/// `PerRequest` holds wavefronts by the remainder of the symbol.
static std::optional<Statement>
sharedStatement(const Architecture &Arch, const Access &A, double LeastRatio) {
  const std::vector<double> &V = A.Stride->PerRequest;
  if (V.empty())
    return std::nullopt;
  const std::string Symbol = symbolOf(A);
  Statement S = {.Symbol = A.Stride->Symbol};
  const double Least = *std::min_element(V.begin(), V.end());
  // Fewer lanes may need fewer.
  S.Ideal = std::min(
      Least, std::max({1.0, A.Bytes / 4.0,
                       static_cast<double>(idealWavefronts(Arch, A.Bytes))}));
  S.Worst = *std::max_element(V.begin(), V.end());
  std::vector<bool> Bad, IsWorst;
  for (const double X : V) {
    Bad.push_back(X >= LeastRatio * S.Ideal);
    IsWorst.push_back(X == S.Worst);
  }
  const auto Count = std::count(Bad.begin(), Bad.end(), true);
  if (Count == 0)
    return std::nullopt;
  if (static_cast<std::size_t>(Count) == V.size()) {
    S.When = fmt::format("whatever {} is, {} wavefronts at least", Symbol,
                         number(Least));
    S.Level = Severity::Warning;
    return S;
  }
  const bool IsPart = restsOnOthers(A);
  S.When = residueCondition(
      Symbol, Bad, IsPart ? ConditionReach::Part : ConditionReach::Whole);
  // How bad it gets, where that is not the whole of the bad values.
  if (Bad == IsWorst)
    S.When += fmt::format(", with {} wavefronts instead of {}", number(S.Worst),
                          number(S.Ideal));
  else
    S.When += fmt::format(
        ", with up to {} wavefronts instead of {}{}", number(S.Worst),
        number(S.Ideal),
        std::count(IsWorst.begin(), IsWorst.end(), true) == 1
            ? fmt::format(" when {} % {} == {}", Symbol, V.size(),
                          std::find(IsWorst.begin(), IsWorst.end(), true) -
                              IsWorst.begin())
            : "");
  // Under other sizes, other strides may be the good ones. What is no row, as
  // a part of the array for each thread, is as long as the program needs it.
  if (IsPart || !A.Stride->IsOfRows)
    return S;
  S.Remedy = {"choose-stride",
              "let the rows of the array be of {choice}, give it the room for "
              "them, and move what lies behind it",
              {{"choice", goodResidue(Bad)}}};
  return S;
}

/// `PerRequest` holds sectors for the values 0 to 32 of the symbol; the ideal
/// is that of the prediction, which is for a large value.
static std::optional<Statement>
globalStatement(const KernelModel &K, const Access &A, double LeastRatio) {
  const std::vector<double> &V = A.Stride->PerRequest;
  if (V.size() < 33 || !A.Predicted)
    return std::nullopt;
  const std::string Symbol = symbolOf(A);
  Statement S = {.Symbol = A.Stride->Symbol};
  S.Ideal = A.Predicted->Ideal;
  // A value that would misalign it is none that the program has.
  const auto Element = static_cast<std::int64_t>(std::bit_floor(A.Bytes));
  for (std::size_t I = 0; I != V.size(); ++I)
    if (A.Stride->BytesPerUnit * static_cast<std::int64_t>(I) % Element == 0)
      S.Worst = std::max(S.Worst, V[I]);
  if (S.Worst < LeastRatio * S.Ideal)
    return std::nullopt;
  // By multiples of that many: a distance in bytes is one of whole elements.
  const std::int64_t Step =
      A.Stride->BytesPerUnit == 0
          ? 1
          : Element / std::gcd(Element, A.Stride->BytesPerUnit);
  std::vector<bool> Bad;
  for (std::size_t I = 0; I < V.size(); I += static_cast<std::size_t>(Step))
    Bad.push_back(V[I] >= LeastRatio * S.Ideal);
  const auto FirstBad = std::find(Bad.begin(), Bad.end(), true);
  if (FirstBad == Bad.end())
    return std::nullopt;
  // All but small ones are bad: of these, such as are assumed are told.
  if (std::find(FirstBad, Bad.end(), false) == Bad.end() &&
      isTakenRound(A, A.Stride->Symbol))
    S.Worst = V.back();
  if (std::find(Bad.begin() + 1, Bad.end(), false) == Bad.end()) {
    // Where it is bad for any, but the number is for what is assumed of it.
    if (!isAssumed(A, A.Stride->Symbol))
      S.When = fmt::format("whatever {} is", Symbol);
    S.Level = Severity::Warning;
  } else if (std::find(FirstBad, Bad.end(), false) == Bad.end()) {
    const auto From = FirstBad - Bad.begin();
    // With one block along a row there is nothing beside what it has.
    S.When = From > 2 ? fmt::format("unless {} < {}", Symbol, From * Step)
             : Step > 1 && ownsPartOfSector(A)
                 ? fmt::format("when {} > {}", Symbol, Step)
                 : fmt::format("unless {} is {}", Symbol, Step);
    // A step that bounds nothing is as likely to be the good one.
    S.IsLikely = From > 2 || A.Stride->IsBound;
    S.IsGeneral = !S.IsLikely && !A.Stride->IsOfRows;
    S.Level = From <= 2 && S.IsLikely ? Severity::Warning : Severity::Note;
  } else if (const unsigned D = Step == 1 ? neededAlignment(Bad) : 0) {
    S.When = fmt::format("unless {} % {} == 0", Symbol, D);
    S.Remedy = {"pad-stride",
                "pad {symbol} to a multiple of {multiple}",
                {{"symbol", Symbol}, {"multiple", D}}};
  } else {
    return std::nullopt; // Nothing short is true of it.
  }
  if (S.Level == Severity::Warning)
    S.Remedy = sideBySideRemedy(K, A);
  return S;
}

/// For an access whose cost depends on a power of two.
static std::optional<Statement>
powerStatement(const Architecture &Arch, const Access &A, double LeastRatio) {
  // What is bad anyway is the business of other checks.
  if (A.Predicted && A.Predicted->PerRequest >=
                         LeastRatio * std::max(A.Predicted->Ideal, 1e-9))
    return std::nullopt;
  // What is taken for granted, as that it is a multiple of 32, holds.
  CostByPower By = *A.ByPower;
  if (isTakenRound(A, By.Symbol))
    std::erase_if(By.Values, [](const PowerCost &Each) {
      return Each.Power < static_cast<std::int64_t>(WarpSize);
    });
  std::vector<bool> Bad;
  const PowerCost *Worst = nullptr;
  bool IsEqual = true, IsElseIdeal = true;
  unsigned Ways = 0;
  for (const PowerCost &Each : By.Values) {
    Bad.push_back(Each.PerRequest >= LeastRatio * Each.Ideal);
    if (!Bad.back()) {
      IsElseIdeal &= Each.PerRequest <= Each.Ideal;
      continue;
    }
    IsEqual &= !Worst || Each.PerRequest == Worst->PerRequest;
    Ways = std::max(Ways, Each.Ways);
    if (!Worst || Each.PerRequest > Worst->PerRequest ||
        (Each.PerRequest == Worst->PerRequest && Each.Ideal < Worst->Ideal))
      Worst = &Each;
  }
  if (!Worst)
    return std::nullopt;
  const bool AreAllBad = std::ranges::count(Bad, false) == 0;
  const char *UpTo = IsEqual ? "" : "up to ";
  Statement S = {.Symbol = By.Symbol,
                 .Worst = Worst->PerRequest,
                 .Ideal = Worst->Ideal,
                 .Level = Severity::Note}; // Nothing is known that helps.
  const bool IsShared = A.Space == MemorySpace::Shared;
  if (IsShared && Ways > 1)
    S.What = {"conflicts-of-powers",
              fmt::format("{{access}} has {}{{ways}}-way bank conflicts "
                          "{{when}}{}",
                          UpTo,
                          AreAllBad     ? ""
                          : IsElseIdeal ? ", else none"
                                        : ", else few"),
              {{"access", name(A)}, {"ways", Ways}}};
  else
    S.What = {"traffic-of-powers",
              fmt::format("{{access}} {} {}{{traffic}} {{unit}} per request, "
                          "ideal {{ideal}}, {{when}}",
                          IsShared ? "takes" : "touches", UpTo),
              {{"access", name(A)},
               {"traffic", S.Worst},
               {"unit", IsShared ? "wavefronts" : globalUnit(Arch)},
               {"ideal", S.Ideal}}};
  S.What.Values.emplace_back("when", whenBad(By, Bad));
  S.What.Values.emplace_back("symbol", By.Symbol);
  if (!By.IsProved)
    S.What.Text += ", if {symbol} is a power of two";
  return S;
}

static Phrase whatIsBad(const Architecture &Arch, const Access &A,
                        const Statement &S) {
  if (!S.What.isEmpty())
    return S.What;
  if (A.Space == MemorySpace::Shared)
    return {"conflicts-of-stride",
            "{access} has bank conflicts {when}",
            {{"access", name(A)}, {"when", S.When}, {"symbol", symbolOf(A)}}};
  if (S.When.empty())
    return {"traffic-of-any-stride",
            "{access} touches up to {traffic} {unit} per request, ideal "
            "{ideal}",
            {{"access", name(A)},
             {"traffic", S.Worst},
             {"unit", globalUnit(Arch)},
             {"ideal", S.Ideal},
             {"symbol", symbolOf(A)}}};
  // The condition comes first: what is behind it is left out where lines are
  // short.
  return {S.IsGeneral ? "traffic-of-general-stride" : "traffic-of-stride",
          S.IsGeneral ? "{access} touches up to {traffic} {unit} per request "
                        "{when}, ideal {ideal}"
                      : "{access} touches up to {traffic} {unit} per request, "
                        "ideal {ideal}, {when}",
          {{"access", name(A)},
           {"traffic", S.Worst},
           {"unit", globalUnit(Arch)},
           {"ideal", S.Ideal},
           {"when", S.When},
           {"symbol", symbolOf(A)}}};
}

static Phrase causeOf(const Access &A, const Statement &S) {
  if (!S.What.isEmpty() || A.Space == MemorySpace::Shared)
    return {};
  Phrase Cause = {"run-time-stride",
                  "neighbouring lanes are {bytes byte} times {symbol} apart",
                  {{"bytes", A.Stride->BytesPerUnit}, {"symbol", symbolOf(A)}}};
  if (A.Stride->RowLanes > 1) {
    Cause.Text = "rows of {row_lanes} lanes are {bytes byte} times {symbol} "
                 "apart";
    Cause.Values.emplace_back("row_lanes", A.Stride->RowLanes);
  }
  return Cause;
}

void RuntimeStrides::checkKernel(const KernelModel &K, FindingSink &Out) const {
  struct Entry {
    const Access *A;
    Statement What;
  };
  std::vector<Entry> Entries;
  std::map<std::tuple<Location, AccessOp>, bool> Places;
  for (const Access &A : K.Accesses) {
    if ((!A.Stride && !A.ByPower) ||
        !Places.try_emplace({A.UserWhere, A.Op}, true).second)
      continue;
    std::optional<Statement> S;
    const double Least = Out.value(LeastCost);
    if (A.Space == MemorySpace::Shared)
      S = A.ByPower ? powerStatement(*K.Gpu.Arch, A, Least)
                    : sharedStatement(*K.Gpu.Arch, A, Least);
    else if (A.Space == MemorySpace::Global)
      S = A.ByPower ? powerStatement(*K.Gpu.Arch, A, Least)
                    : globalStatement(K, A, Least);
    // Nobody can do anything about what has no name.
    if (!S || S->Symbol.empty() ||
        (!S->IsLikely && S->Symbol.find(' ') != std::string::npos))
      continue;
    Entries.push_back({&A, *S});
  }
  for (const Entry &E : Entries) {
    Finding &F = Out.report(K, *E.A, whatIsBad(*K.Gpu.Arch, *E.A, E.What));
    F.Cause = causeOf(*E.A, E.What);
    F.Remedy = E.What.Remedy;
    if (!E.A->IsOfFewThreads)
      F.Level = E.What.Level;
    if (E.A->Predicted && E.What.IsLikely)
      F.Predicted = predicted(E.A->Space == MemorySpace::Shared
                                  ? Evidence::SharedWavefrontsPerRequest
                                  : Info.ConfirmedBy,
                              *K.Gpu.Arch, E.A->Predicted->PerRequest,
                              E.A->Predicted->Ideal);
  }
}

CUDA_LINT_REGISTER_CHECK(RuntimeStrides)

} // namespace cudalint::runtime_stride
