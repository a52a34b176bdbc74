//===- analyzer/checks/Check.h - The interface of a check -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A check is one file in analyzer/checks: its declaration, which is also its
/// only documentation, and its code. `scripts/new-check NAME` writes one.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_CHECKS_CHECK_H
#define CUDA_LINT_ANALYZER_CHECKS_CHECK_H

#include "analyzer/checks/Evidence.h"
#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/model/KernelModel.h"
#include "report/Document.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace cudalint {

/// How far a check may be trusted before anyone has tuned it to their code.
enum class Maturity : std::uint8_t {
  Stable,       ///< No false alarm is known.
  Experimental, ///< Off unless it is named in --checks.
};

/// The number of a finding, under the name that the measured value of \p
/// Counter has: one for which there is one.
Prediction predicted(Evidence Counter, const Architecture &Arch, double Value,
                     std::optional<double> Ideal);

/// A number by which a check decides and that users may set: `CheckOptions` of
/// their configuration.
struct CheckOption {
  std::string_view Name; ///< `register-spill.WarningBytes`
  double Default = 0, Least = 0, Most = 0;
  /// What it counts, and what it decides: no sentence, no full stop.
  std::string_view Meaning;
};

/// What is set of them, by their names.
using OptionValues = std::map<std::string, double, std::less<>>;

/// Declaration and documentation of a check; the same text is printed by
/// `cuda-lint explain`, listed by `list-checks` and tested by linting `Bad`,
/// which must fire this check only, and `Good`, which must be silent.
struct CheckInfo {
  std::string_view Name; ///< Kebab case; says what is wrong.
  Maturity Level = Maturity::Stable;
  Severity Default = Severity::Warning; ///< Of most of its findings.
  std::string_view Summary; ///< One sentence, lower case, no full stop.
  std::string_view Why;     ///< Markdown.
  std::string_view Bad;     ///< A complete CUDA file that it fires on.
  std::string_view Good;    ///< The same, mended.
  std::string_view Limits;  ///< What it does not see; when it is silent.
  Evidence ConfirmedBy = Evidence::None;
  /// Says nothing, or less, without the compiler's figures: selecting it is a
  /// reason to run the compiler.
  bool NeedsResources = false;
  /// Looks at KernelModel::Trials.
  bool TriesRegisters = false;
  /// checkSource() goes by names that a header may define otherwise: says
  /// nothing of a file that misses one.
  bool NeedsHeaders = false;
  /// A check that tells more of the same launch, where both have a finding;
  /// empty for none. See dropRepeated().
  std::string_view YieldsTo = {};
  std::span<const CheckOption> Options = {};
};

/// Takes findings. Fills in what every finding of a kernel has in common, and
/// what it is about, by which it is known again.
class FindingSink {
public:
  /// \p Values, which outlives the sink, may be null: nothing is set.
  FindingSink(const CheckInfo &Info, std::vector<Finding> &Out,
              const OptionValues *Values = nullptr)
      : Info(Info), Out(Out), Values(Values), First(Out.size()) {}
  FindingSink(const FindingSink &) = delete;
  FindingSink &operator=(const FindingSink &) = delete;
  /// The check is through: its findings are complete.
  ~FindingSink();

  /// What holds of an option of the check: the user's value, or the default.
  double value(const CheckOption &Option) const;

  /// Adds a finding with the check's name and default severity, at the
  /// declaration of the kernel, and gives it back to be completed. The
  /// reference holds until the next report.
  Finding &report(const KernelModel &Kernel, Phrase What);

  /// The same at a launch of it, or at its declaration where the launch has no
  /// place.
  Finding &report(const KernelModel &Kernel, const Launch &L, Phrase What);

  /// The same at one of its accesses, from which certainty, assumptions and how
  /// often it is made come, too.
  Finding &report(const KernelModel &Kernel, const Access &A, Phrase What);

  /// The same where a private array of it is accessed.
  Finding &report(const KernelModel &Kernel, const LocalArray &Array,
                  Phrase What);

  /// The same at code of it that is no access: what, and as it is written.
  Finding &report(const KernelModel &Kernel, const CodePlace &Place,
                  SubjectKind What, std::string Name, Phrase Said);

  /// The same of what a check found in the source.
  Finding &report(SourcePlace Place, Subject About, Phrase What);

private:
  Finding &add(const KernelModel &Kernel, Location Where, TextOrigin Origin,
               Phrase What);

  const CheckInfo &Info;
  std::vector<Finding> &Out;
  const OptionValues *Values;
  const std::size_t First; ///< Of the findings in Out that are the check's.
};

/// One object serves all kernels and files of a run, several at a time: it has
/// no state, and what it calls is const.
class Check {
public:
  virtual ~Check() = default;
  virtual const CheckInfo &info() const = 0;

  /// Called once per kernel.
  virtual void checkKernel(const KernelModel &Kernel, FindingSink &Out) const;

  /// Called once per file while its AST is alive; `Gpu` is the target.
  virtual void checkSource(const clang::ASTContext &Context, const Target &Gpu,
                           FindingSink &Out) const;

  /// The most of \p Kernel's time that a finding of checkSource() may cost it,
  /// from 0 to 1; empty: what it is about is not in the kernel, or that is not
  /// known.
  virtual std::optional<double> mostOf(const KernelModel &Kernel,
                                       const Finding &Found) const;

  /// Whether the machine code of \p Kernels, which are all of the file, shows
  /// that a finding of checkSource() is none.
  virtual bool isRefuted(std::span<const KernelModel *const> Kernels,
                         const Finding &Found) const;
};

RuleRecord ruleOf(const CheckInfo &Info);

/// All checks, sorted by name. Made anew for every run; checks hold no state.
std::vector<std::unique_ptr<Check>> makeChecks();

/// The one global of the program: checks enter it before main.
struct CheckRegistration {
  explicit CheckRegistration(std::unique_ptr<Check> (*Make)());
};
#define CUDA_LINT_REGISTER_CHECK(Class)                                        \
  static const ::cudalint::CheckRegistration Class##Registration{              \
      []() -> std::unique_ptr<::cudalint::Check> {                             \
        return std::make_unique<Class>();                                      \
      }};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_CHECKS_CHECK_H
