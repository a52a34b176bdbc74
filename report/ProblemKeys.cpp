//===- report/ProblemKeys.cpp - In what findings agree --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/ProblemKeys.h"

#include "report/SourceAssertions.h"

#include "report/Judgement.h"
#include "report/Names.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <span>
#include <string_view>
#include <variant>

namespace cudalint {

static std::string_view textOf(const Phrase &Said, std::string_view Name) {
  const NamedValue *Found = Said.find(Name);
  const auto *Text = Found ? std::get_if<std::string>(&Found->What) : nullptr;
  return Text ? std::string_view(*Text) : std::string_view();
}

/// Values that tell where something is, count from the object on, or say what
/// is gained: they may differ where the remedy is the same.
static bool isRelative(const NamedValue &V) {
  static constexpr std::array Names = {
      "accesses",     "after",        "before",         "boundary",
      "dimensions",   "free",         "leader",         "line",
      "more_bytes",   "pad_elements", "percent_more",   "pitch",
      "percent_used", "piece_bytes",  "pitch_now",      "requests",
      "room",         "run",          "type",           "requests_then",
      "unit",         "vector_bytes", "vector_elements"};
  return std::ranges::find(Names, std::string_view(V.Name)) != Names.end();
}

namespace {
/// Fields with separators that no text holds.
class Key {
public:
  explicit Key(std::string_view Kind) { add(Kind); }

  template <typename... Parts> Key &add(const Parts &...Values) {
    (addOne(Values), ...);
    return *this;
  }
  Key &addIdOf(const Phrase &P) { return add(P.Id); }
  /// But for the numbers that are relative to the object.
  Key &addRemedy(const Phrase &P) {
    add(P.Id);
    for (const NamedValue &Each : P.Values)
      if (!isRelative(Each))
        addOne(Each);
    return *this;
  }

  std::string Text;

private:
  void addOne(const auto &Part) {
    fmt::format_to(std::back_inserter(Text), "{}{}", Part, '\0');
  }
  void addOne(const NamedValue &V) {
    std::visit([&](const auto &Value) { add(V.Name, Value); }, V.What);
  }
  void addOne(const Location &L) { add(plainPath(L.File), L.Line, L.Column); }
  void addOne(std::span<const Location> Places) {
    for (const Location &Each : Places)
      addOne(Each);
  }
  /// Without values, the text is all that tells phrases apart.
  void addOne(const Phrase &P) {
    add(P.Id, P.Text);
    for (const NamedValue &Each : P.Values)
      addOne(Each);
  }
};

/// The keys of one finding.
class ProblemKeys {
public:
  ProblemKeys(const Finding &F, const UnitRecord &Unit,
              const KernelRecord *Kernel)
      : F(F), Unit(Unit), Kernel(Kernel), Object(objectOf(F)) {}

  std::vector<std::string> all() const;
  /// The same for all targets; several findings of one may share it.
  std::string ofTargets() const;
  /// Of an access that has the remedy of another one, and of that one.
  std::string ofLeader() const;

private:
  /// What findings of all kinds must agree in.
  Key begin(std::string_view Kind) const {
    Key K(Kind);
    K.add(F.Check, F.Level == Severity::Error, F.Trust == Certainty::Random,
          F.What.Id, F.Fixes.empty(), metric());
    return K;
  }
  /// What is lost in shared memory is another problem than what is in global.
  std::string_view metric() const {
    return F.Predicted ? std::string_view(F.Predicted->Metric) : "";
  }
  bool isOfLaunch() const;

  std::string atPlace() const;
  std::string ofLine() const;
  std::string ofCall() const;
  std::string ofIndex() const;
  std::string ofOperations() const;
  std::string ofObject() const;
  std::string ofTemplate() const;
  std::string ofLaunches() const;
  std::string ofShape() const;
  std::string ofRows() const;
  std::string ofStride() const;
  std::string ofMapping() const;
  std::string ofPointers() const;
  std::string ofFunction() const;
  std::string ofArrays() const;
  std::string ofBarrier() const;
  std::string ofFile() const;
  std::string ofSource() const;

  const Finding &F;
  const UnitRecord &Unit;
  const KernelRecord *Kernel;
  std::string Object;
};
} // namespace

/// One place that says the same, in whatever kernel.
std::string ProblemKeys::atPlace() const {
  Key K = begin("place");
  K.add(F.Where, F.Cause, F.Remedy, F.Others, Object);
  if (!F.Predicted || !opOf(F.About))
    return K.add(F.What).Text;
  return K.add(F.Predicted->Value, F.Predicted->Ideal.value_or(-1)).Text;
}

/// A line is mended once: whatever each kernel, instance and launch that comes
/// to it loses there, and whatever would help each of them most.
std::string ProblemKeys::ofLine() const {
  if (!Kernel || F.Where.File.empty())
    return {};
  Key K("line");
  K.add(F.Check, F.Level == Severity::Error, F.Trust == Certainty::Random,
        metric());
  K.add(plainPath(F.Where.File), F.Where.Line, isOfLaunch());
  // What a function is called with, it calls by one name; the callers do not.
  return K.add(callsAround(F).empty() ? Object : std::string()).Text;
}

/// What is wrong at one call, whichever instance of a function it is to.
std::string ProblemKeys::ofCall() const {
  const std::span<const Location> Calls = callsAround(F);
  if (!Kernel || Calls.empty() || !opOf(F.About))
    return {};
  Key K = begin("call");
  K.add(Kernel->Where, Calls.front(), F.About.Variable);
  return K.addIdOf(F.Cause).addRemedy(F.Remedy).Text;
}

/// What one index of a kernel costs, whatever arrays it is into, unless each of
/// these is to be changed.
std::string ProblemKeys::ofIndex() const {
  if (!Kernel || !opOf(F.About) || F.Cause.isEmpty() || !F.Predicted ||
      F.Effect || !textOf(F.Remedy, "array").empty() ||
      !textOf(F.Remedy, "struct").empty())
    return {};
  Key K = begin("index");
  K.add(Unit.File, F.Kernel, F.Cause).addIdOf(F.Remedy);
  return K.add(F.Predicted->Value, F.Predicted->Ideal.value_or(-1)).Text;
}

/// What the expressions of one function compute; quotients and remainders,
/// those of one file: they are of one type out of one habit.
std::string ProblemKeys::ofOperations() const {
  if (!Kernel || F.About.Kind != SubjectKind::Call || F.About.Function.empty())
    return {};
  Key K("operations");
  K.add(F.Check, F.Level == Severity::Error);
  K.add(plainPath(F.Where.File));
  if (F.What.Id != "division")
    K.add(F.About.Function);
  return K.addIdOf(F.Remedy).Text;
}

/// Accesses to one variable of one kernel. The name that a function that was
/// inlined has for it is good for that call alone; where it has none but that
/// of a parameter, all that the call does is one thing.
std::string ProblemKeys::ofObject() const {
  if (!Kernel || !opOf(F.About))
    return {};
  Key K = begin("object");
  K.add(Unit.File, F.Kernel, F.Remedy);
  // What was tried was tried on all accesses to its object, or of the kernel,
  // whatever is wrong with each.
  if (F.Effect && F.Effect->Object.empty())
    return K.Text;
  // So it is of an array in shared memory.
  const bool IsOfArray =
      F.Wasted && F.Wasted->Unit == "wavefronts" && !F.About.Object.empty();
  if (!F.Effect && !IsOfArray)
    K.add(F.Cause);
  if (!F.About.Object.empty() || callsAround(F).empty())
    return Object.empty() ? std::string() : K.add(Object).Text;
  // What is called by a parameter's name alone may be any part of one thing.
  const bool IsPart = F.About.Name != F.About.Variable;
  return K.add(IsPart ? F.About.Variable : std::string(), callsAround(F)).Text;
}

std::string ProblemKeys::ofTemplate() const {
  if (!Kernel || Kernel->Template.empty() || isOfLaunch())
    return {};
  Key K = begin("template");
  // Each instance has its own lanes, and so another cause.
  K.add(F.Where, Kernel->Where).addRemedy(F.Remedy);
  return K.add(callsAround(F), F.Others == 0).Text;
}

/// Said of a launch, or of what the compiler made of the kernel.
bool ProblemKeys::isOfLaunch() const {
  return Kernel && (F.About.Kind == SubjectKind::Kernel ||
                    F.About.Kind == SubjectKind::Launch);
}

/// Instantiations of one template have their launches in one ladder.
std::string ProblemKeys::ofLaunches() const {
  if (!isOfLaunch())
    return {};
  Key K = begin("launches");
  K.add(Unit.File, plainPath(F.Where.File), Kernel->Where);
  if (Kernel->Template.empty())
    K.add(F.Kernel);
  return K.addIdOf(F.Cause).addIdOf(F.Remedy).Text;
}

/// Launches of one file of which the same is said, of whatever kernels, and
/// with no cause in these: one constant has their shape.
std::string ProblemKeys::ofShape() const {
  if (F.About.Kind != SubjectKind::Launch || !F.Cause.isEmpty())
    return {};
  Key K = begin("shape");
  return K.add(plainPath(F.Where.File), F.What, F.Remedy).Text;
}

/// What a kernel, or any instance of it, accesses at the distance that one size
/// of the run is.
std::string ProblemKeys::ofStride() const {
  const std::string_view Symbol = textOf(F.What, "symbol");
  if (!Kernel || Symbol.empty())
    return {};
  Key K = begin("stride");
  return K.add(Unit.File, Kernel->Where, Symbol).addIdOf(F.Remedy).Text;
}

/// Which elements the threads of a kernel take: that is one decision, whatever
/// arrays they are of.
std::string ProblemKeys::ofMapping() const {
  static constexpr std::array Remedies = {
      "columns-by-lanes",    "neighbours-in-a-row", "row-per-warp",
      "step-over-all-lanes", "swap-thread-roles",   "tile-for-rows",
      "unroll-to-vectors"};
  if (!Kernel || std::ranges::find(Remedies, F.Remedy.Id) == Remedies.end())
    return {};
  Key K = begin("mapping");
  return K.add(Unit.File, F.Kernel).addIdOf(F.Remedy).Text;
}

/// What the compiler cannot know of a kernel's pointers: it is promised once.
std::string ProblemKeys::ofPointers() const {
  if (!Kernel || F.Remedy.Id != "restrict")
    return {};
  Key K("pointers");
  return K.add(F.Check, Unit.File, Kernel->Where).Text;
}

/// What is wrong with several statements of one function.
std::string ProblemKeys::ofFunction() const {
  if (!F.Kernel.empty() || F.About.Function.empty())
    return {};
  Key K = begin("function");
  K.add(plainPath(F.Where.File), F.About.Function, textOf(F.What, "name"));
  return K.addIdOf(F.Cause).addIdOf(F.Remedy).Text;
}

/// Private arrays of one function, which one decision puts where they are: how
/// far its loops are unrolled.
std::string ProblemKeys::ofArrays() const {
  if (!Kernel || F.What.Id != "in-local-memory")
    return {};
  Key K = begin("arrays");
  K.add(Unit.File, F.Kernel, callsAround(F));
  return K.addIdOf(F.Cause).Text;
}

/// Whatever arrays of a kernel begin their rows at the wrong place: one number
/// is the length of all of them.
std::string ProblemKeys::ofRows() const {
  static constexpr std::array Remedies = {"align-blocks", "align-rows",
                                          "pad-rows-to"};
  if (!Kernel || std::ranges::find(Remedies, F.Remedy.Id) == Remedies.end())
    return {};
  Key K = begin("rows");
  return K.add(Unit.File, F.Kernel, F.Remedy).Text;
}

/// Accesses that one barrier puts in order, whatever arrays they are to.
std::string ProblemKeys::ofBarrier() const {
  const NamedValue *Before = F.What.find("barrier_before");
  if (!Kernel || !Before)
    return {};
  Key K = begin("barrier");
  return K.add(Unit.File, F.Kernel, *Before).Text;
}

/// Kernels of one file that do the same to what they call the same.
std::string ProblemKeys::ofFile() const {
  if (!Kernel || Object.empty() || !F.InlinedAt.empty() || !F.Predicted ||
      plainPath(F.Where.File) != plainPath(Kernel->Where.File))
    return {};
  Key K = begin("file");
  K.add(plainPath(F.Where.File), Object, F.Cause, F.Remedy);
  K.add(F.Predicted->Value, F.Predicted->Ideal.value_or(-1));
  return K.Text;
}

/// What is said of the source, not of a kernel.
std::string ProblemKeys::ofSource() const {
  if (!F.Kernel.empty() || Object.empty())
    return {};
  Key K = begin("source");
  K.add(plainPath(F.Where.File), F.What, F.Cause, F.Remedy);
  return K.Text;
}

bool followsAnother(const Finding &F) { return F.Remedy.Id == "as-of-group"; }

std::string ProblemKeys::ofLeader() const {
  const std::string_view Access = textOf(F.What, "access");
  if (!Kernel || Access.empty())
    return {};
  Key K("leader");
  K.add(F.Check, Unit.File, F.Kernel, plainPath(F.Where.File));
  if (!followsAnother(F))
    return K.add(static_cast<double>(F.Where.Line), Access).Text;
  const std::optional<double> Line = F.Remedy.number("line");
  if (!Line)
    return {};
  return K.add(*Line, textOf(F.Remedy, "leader")).Text;
}

std::vector<std::string> ProblemKeys::all() const {
  std::vector<std::string> Keys = {atPlace()};
  // Each promise is one.
  if (F.Check == ExpectationCheck)
    return Keys;
  for (std::string Each :
       {ofLine(), ofCall(), ofIndex(), ofOperations(), ofObject(), ofTemplate(),
        ofLaunches(), ofShape(), ofRows(), ofStride(), ofMapping(),
        ofPointers(), ofFunction(), ofArrays(), ofBarrier(), ofFile(),
        ofSource()})
    if (!Each.empty())
      Keys.push_back(std::move(Each));
  return Keys;
}

std::string ProblemKeys::ofTargets() const {
  if (std::string Line = ofLine(); !Line.empty())
    return Line;
  Key K = begin("targets");
  K.add(Unit.File, F.Kernel, F.Where, callsAround(F), Object);
  return K.addIdOf(F.Cause).addIdOf(F.Remedy).Text;
}

std::vector<std::string> problemKeys(const Finding &F, const UnitRecord &Unit,
                                     const KernelRecord *Kernel) {
  return ProblemKeys(F, Unit, Kernel).all();
}

std::string keyOfTargets(const Finding &F, const UnitRecord &Unit,
                         const KernelRecord *Kernel) {
  return ProblemKeys(F, Unit, Kernel).ofTargets();
}

std::string keyOfLeader(const Finding &F, const UnitRecord &Unit,
                        const KernelRecord *Kernel) {
  return ProblemKeys(F, Unit, Kernel).ofLeader();
}

} // namespace cudalint
