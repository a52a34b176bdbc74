//===- analyzer/frontend/Diagnostics.h - Clang's errors, kept ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Keeps the errors of one parse twice: as records for the JSON result, and as
/// the text that Clang would have printed.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_DIAGNOSTICS_H
#define CUDA_LINT_ANALYZER_FRONTEND_DIAGNOSTICS_H

#include "analyzer/frontend/Repairs.h"
#include "report/Document.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace cudalint {

/// Whether one of them is a header that is not there.
bool missesHeader(const std::vector<Problem> &Problems);

class ErrorCollector : public clang::DiagnosticConsumer {
public:
  /// `File` is named by errors that have no place.
  ErrorCollector(std::string File, clang::DiagnosticOptions &Options);

  void BeginSourceFile(const clang::LangOptions &Language,
                       const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  std::vector<ErrorRecord> takeErrors() { return std::move(Errors); }
  /// The same errors, for use while the sources are still loaded.
  const std::vector<Problem> &problems() const { return Problems; }
  /// Some file that is there could not be opened.
  bool metClosedFile() const { return ClosedAt.isValid(); }
  /// The text of the first errors; says how many more there are.
  std::string takeText();

private:
  bool isSaidAgain(const clang::Diagnostic &Info) const;

  std::string File;
  std::string Text;
  llvm::raw_string_ostream Stream;
  clang::TextDiagnosticPrinter Printer;
  std::vector<ErrorRecord> Errors;
  std::vector<Problem> Problems;
  clang::SourceLocation ClosedAt; ///< Where such a file was asked for last.
  bool InIgnored = false;       ///< Notes of an error that was ignored follow.
  bool HasRemedy = false;       ///< What to do about missing headers was said.
  std::size_t Consequences = 0; ///< Errors behind that, which are not printed.
  bool IsConsequence = false;   ///< Notes of such an error follow.
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_DIAGNOSTICS_H
