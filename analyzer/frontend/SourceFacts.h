//===- analyzer/frontend/SourceFacts.h - What the user wrote at a place ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The IR says what is accessed, the AST how the user wrote it: the variable,
/// the struct and its field, the declared shape of a shared array. Joined by
/// file, line and column, which both halves share.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_SOURCEFACTS_H
#define CUDA_LINT_ANALYZER_FRONTEND_SOURCEFACTS_H

#include "analyzer/frontend/ExpressionText.h"
#include "report/Finding.h"

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace cudalint {

/// A field of a struct that is an element of an array: `data[i].x`.
struct FieldFact {
  std::string Struct; ///< As written: `vec3d`.
  std::uint64_t StructBytes = 0;
  std::uint64_t StructAlign = 0;
  std::string Field;
  std::uint64_t FieldOffset = 0; ///< Bytes from the start of the struct.
  std::uint64_t FieldBytes = 0;
  Location StructWhere;
  /// Where `__align__(N) ` goes; empty File when the struct is not the user's
  /// (a system header) or comes from a macro.
  EditPoint AlignPoint;
  /// All edits of the file that keep the fields in arrays of their own, by
  /// which it does the same; null where that is not known. One object for one
  /// struct, so that facts are equal where these are.
  std::shared_ptr<const std::vector<Edit>> Apart = nullptr;
  /// Its bytes are laid down elsewhere, as FixedLayouts has it, or come as mere
  /// bytes: no advice can move its fields.
  bool IsFixed = false;
  /// The class of the field copies by code of its own, which knows nothing of
  /// the alignment of the struct around it.
  bool CopiesItself = false;
  /// The struct is declared in a system header.
  bool IsOfSystem = false;

  auto operator<=>(const FieldFact &) const = default;
};

/// What is known of an index that may lead to what is in front of a pointer:
/// `b[-1]` of `float *b = s + 32`.
enum class IndexSign {
  NeverNegative, ///< By its form: `threadIdx.y * 32 + threadIdx.x`.
  Signed,
  Unsigned, ///< It may have wrapped: `threadIdx.x - 1`.
};

/// `tile[i][j]` as it is written, for an edit of its indices.
struct SubscriptText {
  /// Between its brackets; outermost first.
  std::vector<ExpressionText> Indices;
  /// Of the index of a pointer that begins behind the array. What is in front
  /// of an array is nobody's.
  IndexSign Sign = IndexSign::NeverNegative;

  auto operator<=>(const SubscriptText &) const = default;
};

/// `1024` of `float *b = s + 1024`, in elements, for an edit of where a pointer
/// begins.
struct OffsetText {
  ExpressionText Text;
  std::uint64_t Divisor = 1; ///< Divides it, whatever it comes to; 0: it is 0.
  /// Of one that is added to another, and that may lead back. Never Signed: a
  /// quotient without remainder is rounded nowhere.
  IndexSign Sign = IndexSign::NeverNegative;

  auto operator<=>(const OffsetText &) const = default;
};

/// The declared shape of an array, outermost dimension first:
/// `__shared__ float tile[32][33]` has dimensions {32, 33} and element bytes 4.
/// `extern __shared__ float s[]` has the single dimension 0.
struct ArrayFact {
  std::vector<std::uint64_t> Dimensions;
  std::uint64_t ElementBytes = 0;
  Location Where;
  /// Just behind the innermost dimension's expression, where ` + 1` pads a
  /// row; empty File when that is no plain text of the user's.
  EditPoint PadPoint;
  /// The innermost dimension's expression, where PadPoint is behind it.
  std::optional<ExpressionText> Extent = std::nullopt;
  /// All that the translation unit does with it, where that is to subscript it
  /// in all dimensions, or pointers that Offsets is about, each time in plain
  /// text of the user's; else null. One object for one declaration, so that
  /// facts are equal where these are.
  std::shared_ptr<const std::vector<SubscriptText>> Subscripts = nullptr;
  /// Of a flat array with Subscripts, into which local pointers lead that begin
  /// somewhere in it and stay there, `float *b = s + 1024`, and are only
  /// subscripted: where they begin. Null where there is no such pointer.
  std::shared_ptr<const std::vector<OffsetText>> Offsets = nullptr;
  /// A variable of each thread that constants initialise and nothing changes:
  /// `static const` before it changes nothing but where it is.
  bool IsTable = false;

  auto operator<=>(const ArrayFact &) const = default;
};

/// What is written where memory is accessed.
struct AccessFact {
  std::string Text;   ///< The lvalue: `data[tid].x`; shortened when long.
  std::string Object; ///< Its base variable: `data`; empty when there is none.
  /// Directly behind it: 2 of `tile[y][x].v`, and of what is at the address of
  /// that, `*(float4 *)&tile[y][x]`.
  unsigned Subscripts = 0;
  /// The last subscript but one is a constant and the last is not: `tile[0][i]`
  /// may be meant to run over rows, where `tile[0][i & 31]` cannot. Or the last
  /// is so many more as a row is long: `tile[y][32 + x]`.
  bool MayLeaveRow = false;
  /// Then, which row that is, from 0, of the RowsOfPlane among which the
  /// constant subscripts just before the last choose: of all that the array has
  /// where no outer subscript is anything else. Empty: there is none.
  std::optional<std::int64_t> FixedRow;
  std::int64_t RowsOfPlane = 0;
  std::uint64_t Bytes = 0; ///< Of its type; 0: not known.
  std::uint64_t Align = 0; ///< Likewise.
  bool IsScalar = false;   ///< Of its type: a number, or a pointer.
  bool IsOfSystem = false; ///< Of its type: a struct of a system header.
  /// Of a load: what it loads is assigned to shared memory as it is.
  bool GoesToShared = false;
  TextOrigin Origin; ///< Of the lvalue.
  /// Where that is another line than that of the access: that of its index, to
  /// which nvcc gives the instruction. 0: it is not, or not known.
  unsigned IndexLine = 0;
  std::optional<FieldFact> Field;
  /// Where the type is a struct, which is copied as a whole: that, as the field
  /// without a name that it is of itself.
  std::optional<FieldFact> Whole = std::nullopt;
  std::optional<ArrayFact> Array;
  /// Of what is at the address of an element, `*(float4 *)&tile[y][x]`: the
  /// array that has as many dimensions as there are Subscripts.
  std::optional<ArrayFact> Addressed = std::nullopt;
  /// Where Object is a pointer that Offsets of an array is about: that array.
  std::optional<ArrayFact> CarvedFrom = std::nullopt;

  auto operator<=>(const AccessFact &) const = default;
};

/// All device-side lvalues of the user's code in one translation unit, by the
/// place that debug information gives to the instruction: for a plain
/// assignment, a store stands at its operator. An access inside a function of a
/// system header, such as atomicAdd(), stands at the user's call of it, as load
/// and as store.
struct SourceFacts {
  /// Where a macro accesses several things at the one place of its expansion,
  /// the fact has only the origin.
  std::map<Location, AccessFact> Loads;
  std::map<Location, AccessFact> Stores;

  /// Instantiations of a template share their places but not their types, and
  /// functions of a header that is included twice share theirs. Where facts
  /// differ, they stand here, by the linkage name that the instruction's
  /// DISubprogram has, and the fact above has what they have in common.
  using Variants = std::map<std::pair<Location, std::string>, AccessFact>;
  Variants LoadVariants;
  Variants StoreVariants;

  /// By its absolute path, what Clang calls a file: `./kernel.h`.
  std::map<std::string, std::string> FileNames;

  /// Another compiler's name for a file, in Clang's words where Clang read it.
  std::string nameOf(const std::string &Path) const;

  /// Whether it is a system header, of each file that Clang read, by its name:
  /// from -isystem and the like, or by a pragma of its own.
  std::map<std::string, bool> Files;
  /// Absolute paths of the folders that hold such headers.
  std::set<std::string> SystemFolders;

  /// Whether it is a header that Clang brings along, or what cuda-lint puts in
  /// front of a file; not one of the user's that only lies in such a folder.
  bool isOfClang(const std::string &File) const;

  /// Whether a message does not point into `File`: one of these, a header that
  /// Clang brings along, or one that another compiler read in such a folder.
  bool isSystem(const std::string &File) const;

  /// The fact for an instruction of `Function`; null when there is none.
  const AccessFact *findLoad(const Location &Where,
                             const std::string &Function) const;
  const AccessFact *findStore(const Location &Where,
                              const std::string &Function) const;
};

SourceFacts collectSourceFacts(clang::ASTContext &Context);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_SOURCEFACTS_H
