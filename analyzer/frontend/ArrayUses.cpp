//===- analyzer/frontend/ArrayUses.cpp - How arrays are used --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/ArrayUses.h"

#include "analyzer/frontend/ArrayUseFinder.h"
#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/SteadyText.h"
#include "analyzer/frontend/UnseenUses.h"
#include "analyzer/frontend/WrittenNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <utility>

using namespace clang;

namespace cudalint {

/// Whether the line begins with `#`: a macro may write what is there anywhere.
static bool isInDirective(const SourceManager &Sources, SourceLocation Where) {
  const StringRef Text = Sources.getBufferData(Sources.getFileID(Where))
                             .take_front(Sources.getFileOffset(Where));
  return Text.substr(Text.rfind('\n') + 1).ltrim().starts_with("#");
}

/// The function that \p Variable is declared in, which an `extern` array is no
/// member of; null: in none.
static const FunctionDecl *functionOf(const ValueDecl &Variable) {
  return dyn_cast<FunctionDecl>(Variable.getLexicalDeclContext());
}

/// Where arrays of kernels are named. In another kernel, a name is for other
/// memory; a function that is none may be called with this one's.
static std::set<SourceLocation> placesOfKernels(const FoundUses &Uses) {
  std::set<SourceLocation> Result, Others;
  for (const auto &[Declared, Variable] : Uses.Variables) {
    const FunctionDecl *Function = functionOf(*Variable);
    std::set<SourceLocation> &To =
        Function && Function->hasAttr<CUDAGlobalAttr>() ? Result : Others;
    To.insert(Declared);
    if (const auto Names = Uses.Named.find(Declared); Names != Uses.Named.end())
      To.insert(Names->second.begin(), Names->second.end());
  }
  for (SourceLocation Each : Others)
    Result.erase(Each);
  return Result;
}

/// Looks for \p Variable, an array or a pointer into one, in the text of its
/// function, or of all files: the preprocessor may have left out what another
/// build compiles.
static void lookInText(const ASTContext &Context, const ValueDecl &Variable,
                       const std::set<SourceLocation> &OfKernels,
                       FoundUses &Uses) {
  const SourceLocation Declared = Variable.getLocation();
  const std::set<SourceLocation> &Known = Uses.Named[Declared];
  const SourceManager &Sources = Context.getSourceManager();
  const auto Look = [&](StringRef Name, SourceLocation Where,
                        bool IsSubscripted) {
    if (Name != Variable.getName() || Where == Sources.getFileLoc(Declared) ||
        Known.contains(Where) || isMember(Sources, Where))
      return;
    (IsSubscripted ? Uses.Unwritten : Uses.Otherwise)
        .insert(Uses.arrayAt(Variable));
  };
  const FunctionDecl *Function = functionOf(Variable);
  if (Function)
    forEachName(Context, Function->getSourceRange(),
                [&](StringRef Name, SourceLocation Where, bool IsSubscripted) {
                  Look(Name, Where, IsSubscripted);
                  // Of what is included, something may be left out, too.
                  if (Name.starts_with("include") &&
                      isInDirective(Sources, Where))
                    Uses.Unwritten.insert(Uses.arrayAt(Variable));
                });
  if (isa<FunctionDecl>(Variable.getDeclContext()))
    return;
  // `extern __shared__ float s[]` is the same memory in each function, which
  // has to declare it: `s[`. Else its name may be that of anything there.
  const auto LookElsewhere = [&](StringRef Name, SourceLocation Where,
                                 bool IsSubscripted) {
    if (!Function || (Name == Variable.getName() &&
                      (IsSubscripted || isInDirective(Sources, Where)) &&
                      !OfKernels.contains(Where)))
      Look(Name, Where, IsSubscripted);
  };
  forEachUserFile(Sources, [&](FileID File) {
    forEachName(Context, rangeOf(Context, File), LookElsewhere);
  });
}

namespace {
/// What says that the text of an array is not all that there is to it.
class TextDoubts {
public:
  TextDoubts(const ASTContext &Context, const FoundUses &Uses)
      : Context(Context), Sources(Context.getSourceManager()), Uses(Uses),
        Text(Context), Unseen(unseenUses(Context)) {}

  /// Of one that is subscripted.
  bool mayBeMore(SourceLocation Array) const {
    bool IsDynamic = false;
    for (const auto &[Declared, Variable] : Uses.Variables)
      if (Uses.arrayAt(*Variable) == Array) {
        IsDynamic |=
            Declared == Array && Variable->getType()->isIncompleteArrayType();
        if (!isInOneFile(Array, Declared) || isInMacro(*Variable))
          return true;
      }
    if (IsDynamic && (Unseen.OfDynamicMemory || Uses.Exposed.contains(Array) ||
                      hasOtherName(Array)))
      return true;
    const bool IsCarved = Uses.Offsets.contains(Array);
    return (IsDynamic || IsCarved) &&
           (Unseen.InAssembler || Text.asksForTarget() ||
            Text.includesByCondition() || !areSteady(Array));
  }

private:
  /// Whether each place of the array that names the variable is in one text,
  /// which is read once: else an edit is also one of something else.
  bool isInOneFile(SourceLocation Array, SourceLocation Declared) const {
    const FileID File = Sources.getFileID(Sources.getFileLoc(Array));
    const FileEntry *Entry = Sources.getFileEntryForID(File);
    unsigned Count = 0;
    forEachUserFile(Sources, [&](FileID Each) {
      Count += Sources.getFileEntryForID(Each) == Entry;
    });
    const auto isThere = [&](SourceLocation Where) {
      return Sources.getFileID(Sources.getFileLoc(Where)) == File;
    };
    const auto Named = Uses.Named.find(Declared);
    // What a header declares for all, another file may use.
    const auto Its = Uses.Variables.find(Array);
    if (!Sources.isInMainFile(Sources.getFileLoc(Array)) &&
        (Its == Uses.Variables.end() || !functionOf(*Its->second)))
      return false;
    return Count == 1 && isThere(Declared) &&
           (Named == Uses.Named.end() ||
            std::ranges::all_of(Named->second, isThere));
  }
  /// Whether what runs with the memory may declare it once more, also where it
  /// never does with these constants. Each kernel has memory of its own.
  bool hasOtherName(SourceLocation Array) const {
    const auto Its = Uses.Variables.find(Array);
    const FunctionDecl *Here =
        Its == Uses.Variables.end() ? nullptr : functionOf(*Its->second);
    return std::ranges::any_of(Uses.Dynamic, [&](const ValueDecl *Each) {
      const FunctionDecl *There = functionOf(*Each);
      return Each->getLocation() != Array && There &&
             (!There->hasAttr<CUDAGlobalAttr>() ||
              (Here && There->getLocation() == Here->getLocation()));
    });
  }
  /// A macro may write it in what is left out.
  bool isInMacro(const ValueDecl &Variable) const {
    return Variable.getIdentifier() &&
           isa<FunctionDecl>(Variable.getLexicalDeclContext()) &&
           Text.mayBeWrittenByMacro(Variable.getName());
  }
  /// Whether what is known of its numbers is so for all who compile them.
  bool areSteady(SourceLocation Array) const {
    const auto isSteady = [&](const Expr *Each) {
      return Text.isSteady(*Each);
    };
    const auto Numbers = Uses.Numbers.find(Array);
    if (Numbers != Uses.Numbers.end() &&
        !std::ranges::all_of(Numbers->second, isSteady))
      return false;
    for (const auto &[Declared, Variable] : Uses.Variables) {
      const FunctionDecl *Function = functionOf(*Variable);
      if (Uses.arrayAt(*Variable) != Array || !Function)
        continue;
      const auto Given = Uses.Instances.find(Function->getLocation());
      if (Given != Uses.Instances.end() &&
          !std::ranges::all_of(Given->second, isSteady))
        return false;
      const auto Made = Uses.ExplicitInstances.find(Function->getLocation());
      if (Made != Uses.ExplicitInstances.end() &&
          !std::ranges::all_of(Made->second, [&](SourceLocation Each) {
            return Text.isSteadyUpToSemicolon(Each);
          }))
        return false;
      if (!isSeen(*Function))
        return false;
    }
    return true;
  }
  /// Whether code that is compiled says all that is written about it: its
  /// launches, and which instances it has.
  bool isSeen(const FunctionDecl &Function) const {
    if (!Function.getIdentifier())
      return true;
    bool Result = !Text.mayBeWrittenByMacro(Function.getName());
    forEachUserFile(Sources, [&](FileID File) {
      forEachName(Context, rangeOf(Context, File),
                  [&](StringRef Name, SourceLocation Where, bool) {
                    Result &= Name != Function.getName() ||
                              Uses.Functions.contains(Where) ||
                              isMember(Sources, Where);
                  });
    });
    return Result;
  }

  const ASTContext &Context;
  const SourceManager &Sources;
  const FoundUses &Uses;
  const SteadyText Text;
  const UnseenUses Unseen;
};
} // namespace

template <typename Text>
static std::shared_ptr<const std::vector<Text>> kept(std::vector<Text> All) {
  return std::make_shared<const std::vector<Text>>(std::move(All));
}

ArrayUses::ArrayUses(ASTContext &Context)
    : IsWhole(!Context.getDiagnostics().hasErrorOccurred()) {
  FoundUses Uses = findUses(Context);
  const std::set<SourceLocation> OfKernels = placesOfKernels(Uses);
  for (const auto &[Declared, Variable] : Uses.Variables)
    if (!Uses.Otherwise.contains(Uses.arrayAt(*Variable)) &&
        Variable->getIdentifier())
      lookInText(Context, *Variable, OfKernels, Uses);
  if (!Uses.Subscripts.empty()) {
    TextDoubts Doubts(Context, Uses);
    for (const auto &[Declared, Subscripts] : Uses.Subscripts)
      if (Doubts.mayBeMore(Declared))
        Uses.Unwritten.insert(Declared);
  }
  Otherwise = std::move(Uses.Otherwise);
  const auto areKnown = [&](SourceLocation Declared) {
    return !Otherwise.contains(Declared) && !Uses.Unwritten.contains(Declared);
  };
  for (auto &[Declared, Subscripts] : Uses.Subscripts)
    if (areKnown(Declared))
      Written.emplace(Declared, kept(std::move(Subscripts)));
  for (auto &[Declared, Offsets] : Uses.Offsets)
    if (Written.contains(Declared))
      Begins.emplace(Declared, kept(std::move(Offsets)));
  if (IsWhole)
    for (const auto &[Pointer, Array] : Uses.Carved)
      if (Begins.contains(Array->getLocation()))
        Carved[Pointer] = Array;
}

bool ArrayUses::isOnlySubscripted(const ValueDecl &Array) const {
  return IsWhole && !Otherwise.contains(Array.getLocation());
}

std::shared_ptr<const std::vector<SubscriptText>>
ArrayUses::subscriptsOf(const ValueDecl &Array) const {
  const auto Found = Written.find(Array.getLocation());
  return Found == Written.end() ? nullptr : Found->second;
}

std::shared_ptr<const std::vector<OffsetText>>
ArrayUses::offsetsOf(const ValueDecl &Array) const {
  const auto Found = Begins.find(Array.getLocation());
  return Found == Begins.end() ? nullptr : Found->second;
}

const DeclaratorDecl *ArrayUses::carvedBy(const ValueDecl &Pointer) const {
  return Carved.lookup(&Pointer);
}

} // namespace cudalint
