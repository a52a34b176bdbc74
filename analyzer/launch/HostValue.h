//===- analyzer/launch/HostValue.h - What host code computes ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A value of host code: a constant, or an expression over symbols that stand
/// for what is not known. `dim3(threads)` stays an expression over `threads`,
/// so that `case 256:` of a later `switch (threads)` makes it a constant.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_HOSTVALUE_H
#define CUDA_LINT_ANALYZER_LAUNCH_HOSTVALUE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/FoldingSet.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class FunctionDecl;
class LambdaExpr;
} // namespace clang

namespace cudalint {

/// The arithmetic type of a value on the host.
struct NumberType {
  enum Family : std::uint8_t { None, Integer, Real };
  Family Kind = None;
  std::uint8_t Width = 0; ///< Bits: 1 (bool) to 64; 32 or 64 for Real.
  bool Signed = false;

  explicit operator bool() const { return Kind != None; }
  bool operator==(const NumberType &) const = default;
};

inline constexpr NumberType Boolean{NumberType::Integer, 1, false};
/// Of a pointer that is compared with null.
inline constexpr NumberType PointerBits{NumberType::Integer, 64, false};

enum class Operator : std::uint8_t {
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  ShiftLeft,
  ShiftRight,
  And,
  Or,
  Xor,
  Less,
  LessEqual,
  Equal,
  Minimum, ///< Of integers: what a comparison and a choice come to.
  Maximum,
  Negate,
  Complement,
  LogicalNot,
  Convert,
  Choose, ///< condition, then, else
  Ceil,
  Floor,
  Truncate,
  Round,
  SquareRoot,
  Absolute,
  Log2,
  Power,
};

/// Names a part of an object: a field's declaration or an array index.
using PartKey = std::uint64_t;
inline PartKey indexKey(std::uint64_t Index) { return Index * 2 + 1; }
inline PartKey fieldKey(const void *Field) {
  return reinterpret_cast<PartKey>(Field);
}
inline bool isIndex(PartKey Key) { return Key & 1; }

/// An object (a variable or a temporary, by its declaration or expression) or
/// a part of it.
struct Place {
  const void *Object = nullptr;
  std::vector<PartKey> Path;
  bool Exact = true; ///< False: somewhere inside of it.
};

struct Number;
class ValueNode;
/// Equal values are the same pointer. Never null.
using Value = const ValueNode *;

class ValueNode : public llvm::FoldingSetNode {
public:
  enum Kind : std::uint8_t {
    Number,
    Symbol,    ///< Not known; Name says what it is.
    Function,  ///< Entity is the FunctionDecl.
    Lambda,    ///< Entity is the LambdaExpr, Keys and Operands its captures.
    Address,   ///< Entity and Keys are the Place.
    Aggregate, ///< Keys and Operands; the last operand is all the rest.
    Part,      ///< Keys[0] of Operands[0], which is not known.
    Operation,
  };
  Kind Tag = Symbol;
  Operator Code = Operator::Add;
  NumberType Type;        ///< Of a Number, and of the result of an Operation.
  NumberType From;        ///< Of the operand of a Convert.
  std::uint64_t Bits = 0; ///< An integer, extended to 64 bits; or a double.
  unsigned Size = 1;      ///< Nodes below, with repetition.
  const void *Entity = nullptr;
  std::vector<PartKey> Keys;
  std::vector<Value> Operands;
  std::string Name;
  Value Before = nullptr; ///< Of a Symbol: what it took the place of, or null.

  void Profile(llvm::FoldingSetNodeID &ID) const;

  bool isNumber() const { return Tag == Number; }
  bool isInteger() const {
    return Tag == Number && Type.Kind == NumberType::Integer;
  }
  bool isSymbolic() const { return Tag == Symbol || Tag == Part; }
  bool isExtremum() const; ///< A Minimum or a Maximum.
  /// Of a Number of any type.
  bool isZero() const;
  double real() const;
  const clang::FunctionDecl *function() const;
  Place place() const;
};

/// What is known of values beyond themselves: inside `case 256:`.
using Knowledge = llvm::DenseMap<Value, Value>;

/// Makes values, each once, and folds what is constant as C++ does; what C++
/// leaves undefined is not known.
class ValueFactory {
public:
  Value integer(NumberType Type, std::uint64_t Bits);
  Value real(NumberType Type, double Real);
  Value boolean(bool Truth);
  /// A new symbol, different from all others; `Before` is what was known until
  /// something unknown happened to it, if anything was.
  Value symbol(std::string Name, Value Before = nullptr);
  /// A new symbol: what leads to memory that was allocated for it.
  Value allocation(std::string Name);
  /// A new symbol: a pointer of which it is not known where in an allocation
  /// it leads.
  Value misplaced(std::string Name);
  bool isMisplaced(Value Pointer) const;
  /// Notes that \p Symbol is one number after the other, as long as the loop is
  /// run that counts it.
  void noteCounter(Value Symbol) { Counters.insert(Symbol); }
  void dropCounter(Value Symbol) { Counters.erase(Symbol); }
  /// Whether \p V is such a symbol, or a constant away from one.
  bool isCounter(Value V) const;
  /// The allocation that a pointer leads into, `p + 3`; null: not known.
  Value allocationOf(Value Pointer) const;
  Value function(const clang::FunctionDecl *Function);
  Value address(const Place &Where);
  Value lambda(const clang::LambdaExpr *Lambda, std::vector<PartKey> Keys,
               std::vector<Value> Captures);

  using Parts = std::vector<std::pair<PartKey, Value>>;
  /// `Rest` stands for the parts that are not listed.
  Value aggregate(Parts Listed, Value Rest);
  Value part(Value Whole, PartKey Key, const std::string &Name);
  /// The part that `Path` leads to.
  Value partAt(Value Whole, const std::vector<PartKey> &Path,
               const std::string &Name);
  Value withPart(Value Whole, const PartKey *Path, std::size_t Length,
                 Value New);

  Value unary(Operator Code, NumberType Type, Value Operand);
  Value binary(Operator Code, NumberType Type, Value Left, Value Right);
  Value convert(NumberType From, NumberType To, Value Operand);
  Value choose(Value Condition, Value Then, Value Else);

  /// `V` with what is known put in and folded again. `Done` keeps the results
  /// for further calls with the same knowledge.
  Value resolve(Value V, const Knowledge &Known, Knowledge &Done);
  Value resolve(Value V, const Knowledge &Known);

  /// What `V` is if what happened to it out of sight changed nothing, and of
  /// two ways the one that is known: 256 for `argc > 1 ? atoi(argv[1]) : 256`.
  /// Null when there is no such value. An assumption, never a fact.
  Value usual(Value V, unsigned Depth = 0);

  /// Symbols made so far; a later one has a higher number.
  std::uint64_t symbolCount() const { return NextSymbol; }

private:
  /// Whether it is known to be the smaller one, or an equal one.
  std::optional<bool> isLess(Value Left, Value Right, const Knowledge &Known);
  Value intern(ValueNode &&Node);
  Value number(const Number &N);
  Value operation(Operator Code, NumberType Type, NumberType From,
                  std::vector<Value> Operands);

  llvm::FoldingSet<ValueNode> Unique;
  std::deque<ValueNode> Nodes;
  llvm::DenseSet<Value> Allocations;
  llvm::DenseSet<Value> Misplaced;
  llvm::DenseSet<Value> Counters;
  std::uint64_t NextSymbol = 0;
};

/// Names what `V` depends on, for messages: at most two of its symbols.
std::string describeUnknown(Value V);

/// True when all symbols of `V` were made after the first `Count` ones.
bool isNewerThan(Value V, std::uint64_t Count);

/// The integer, when it is one and is known.
std::optional<std::int64_t> integerOf(Value V);

/// Whether it asks for a null pointer, or for none.
bool isNullTest(Value Condition);

/// Whether it is a power of two, whatever its symbols are: `1 << n`, unless it
/// does not fit its type.
bool isPowerOfTwo(Value V);

/// That element of the array; somewhere in it where that is not known.
Place elementOf(Place Array, Value Index);

/// So many elements behind `First`: an element of an array, or an object that
/// is no array and has nothing behind it. Somewhere where that is not known.
Place elementBehind(Place First, std::optional<std::int64_t> Distance);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_HOSTVALUE_H
