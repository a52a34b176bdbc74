//===- analyzer/frontend/Diagnostics.cpp - Clang's errors, kept -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/Diagnostics.h"

#include "clang/Basic/DiagnosticAST.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"

using namespace clang;

namespace cudalint {

/// As many as Clang prints before it gives up; what follows is mostly a
/// consequence of these.
static constexpr std::size_t PrintedErrors = 20;

/// Errors that nvcc does not make and that spoil no device code: Clang wants
/// `%%globaltimer` in assembly where nvcc takes `%globaltimer` as well, and
/// gcc, which compiles nvcc's host code, initialises arrays of variable length.
static bool isFineWithNvcc(unsigned Diagnostic) {
  return Diagnostic == diag::err_asm_invalid_escape ||
         Diagnostic == diag::err_variable_object_no_init;
}

ErrorCollector::ErrorCollector(std::string File, DiagnosticOptions &Options)
    : File(std::move(File)), Stream(Text), Printer(Stream, Options) {
  Stream.enable_colors(Options.ShowColors);
}

void ErrorCollector::BeginSourceFile(const LangOptions &Language,
                                     const Preprocessor *PP) {
  Printer.BeginSourceFile(Language, PP);
}

void ErrorCollector::EndSourceFile() { Printer.EndSourceFile(); }

/// Clang tries a file that it cannot open in several ways, and then says that
/// there is none, too.
bool ErrorCollector::isSaidAgain(const Diagnostic &Info) const {
  return (Info.getID() == diag::err_pp_file_not_found ||
          Info.getID() == diag::err_cannot_open_file) &&
         ClosedAt.isValid() && Info.getLocation() == ClosedAt;
}

bool missesHeader(const std::vector<Problem> &Problems) {
  return llvm::any_of(Problems, [](const Problem &Each) {
    return Each.Diagnostic == diag::err_pp_file_not_found;
  });
}

/// The header that is not there, for an error that says so.
static std::string missingHeaderOf(const Diagnostic &Info) {
  if (Info.getID() != diag::err_pp_file_not_found || Info.getNumArgs() == 0)
    return {};
  switch (Info.getArgKind(0)) {
  case DiagnosticsEngine::ak_std_string:
    return Info.getArgStdStr(0);
  case DiagnosticsEngine::ak_c_string:
    return Info.getArgCStr(0);
  default:
    return {};
  }
}

void ErrorCollector::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                      const Diagnostic &Info) {
  // The driver warns before -w is read.
  if (Level != DiagnosticsEngine::Note)
    InIgnored = Level < DiagnosticsEngine::Error ||
                isFineWithNvcc(Info.getID()) || isSaidAgain(Info);
  if (InIgnored)
    return;
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  if (Info.getID() == diag::err_cannot_open_file)
    ClosedAt = Info.getLocation();
  if (Level >= DiagnosticsEngine::Error) {
    llvm::SmallString<128> Message;
    Info.FormatDiagnostic(Message);
    ErrorRecord Record{.Where = {.File = File},
                       .Message = Message.str().str(),
                       .MissingHeader = missingHeaderOf(Info)};
    if (Info.hasSourceManager() && Info.getLocation().isValid()) {
      const SourceManager &Sources = Info.getSourceManager();
      Problems.push_back(
          {Info.getID(), Sources.getExpansionLoc(Info.getLocation())});
      PresumedLoc Place = Sources.getPresumedLoc(Info.getLocation());
      if (Place.isValid())
        Record.Where = {.File = Place.getFilename(),
                        .Line = Place.getLine(),
                        .Column = Place.getColumn()};
    }
    Errors.push_back(std::move(Record));
    // We let the parse go on behind a missing header; to the reader it is what
    // Clang always calls it.
    if (Info.getID() == diag::err_pp_file_not_found)
      Level = DiagnosticsEngine::Fatal;
  }
  // What a missing header would have declared is not told of again and again.
  IsConsequence = Level == DiagnosticsEngine::Note
                      ? IsConsequence
                      : HasRemedy && Level == DiagnosticsEngine::Error;
  if (IsConsequence) {
    Consequences += Level == DiagnosticsEngine::Error;
    return;
  }
  if (Errors.size() - Consequences > PrintedErrors)
    return;
  Printer.HandleDiagnostic(Level, Info);
  if (Info.getID() != diag::err_pp_file_not_found || HasRemedy)
    return;
  // Once: one folder often holds what the others miss.
  HasRemedy = true;
  const Location &Where = Errors.back().Where;
  Stream << Where.File << ':' << Where.Line << ':' << Where.Column
         << ": note: add its folder: -- -IDIR\n";
}

std::string ErrorCollector::takeText() {
  const std::size_t Own = Errors.size() - Consequences;
  if (Own > PrintedErrors)
    Stream << (Own - PrintedErrors) << " more errors not shown\n";
  if (Consequences)
    Stream << File << ": note: " << Consequences
           << (Consequences == 1 ? " error" : " errors")
           << " behind the missing header not shown\n";
  Stream.flush();
  return std::move(Text);
}

} // namespace cudalint
