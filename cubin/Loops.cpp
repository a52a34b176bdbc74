//===- cubin/Loops.cpp - The loops of machine code ------------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/Loops.h"

#include <algorithm>

namespace cudalint::cubin {

namespace {
constexpr std::uint32_t NoLoop = LoopNest::None;

struct Block {
  std::uint32_t Begin = 0, End = 0; // instructions
  bool MayEnd = false;
  std::vector<std::uint32_t> Next, Before;
};

/// Finds the sets of blocks that reach each other, in a part of the graph
/// (Tarjan, 1972), and what is such a set within them.
class Finder {
public:
  explicit Finder(const ControlFlow &Flow);

  LoopNest run();

private:
  using Blocks = std::vector<std::uint32_t>;
  /// Blocks that reach each other, or one.
  struct Component {
    Blocks Members;
    bool IsLoop = false;
    bool IsInEachTurn = false; // of what is around it
  };
  struct Part {
    Blocks Members;
    std::uint32_t Parent; // in Out.Loops
    std::uint32_t Entry;  // its block, if nothing else leads into the loop
    unsigned Depth;       // of loops within
  };

  void connect(std::uint32_t From, std::uint32_t To) {
    All[From].Next.push_back(To);
    All[To].Before.push_back(From);
  }
  std::vector<Component> components(const Blocks &Members);
  void visit(std::uint32_t Root, std::vector<Component> &Out);
  bool isLoop(const Blocks &Component) const;
  std::uint32_t entryOf(const Blocks &Component, bool &IsOnlyOne);
  void findEachTurn(std::uint32_t Entry, std::vector<Component> &Parts,
                    LoopNest &Out);
  void setEachTurn(std::uint32_t B, LoopNest &Out) const {
    std::fill(Out.IsInEachTurn.begin() + All[B].Begin,
              Out.IsInEachTurn.begin() + All[B].End, true);
  }

  std::vector<Block> All;
  std::vector<std::uint32_t> PartOf;      // by block: the part it is now in
  std::vector<std::uint32_t> ComponentOf; // likewise, of findEachTurn
  std::uint32_t PartNumber = 0;

  // Of Tarjan's walk.
  std::vector<std::uint32_t> Index, Low, Path;
  std::vector<bool> OnPath;
  std::uint32_t NextIndex = 0;
};
} // namespace

Finder::Finder(const ControlFlow &Flow) {
  // A block begins where a jump arrives, and behind one.
  std::vector<bool> Begins(Flow.Size + std::size_t{1});
  Begins[0] = true;
  for (auto [From, To] : Flow.Jumps)
    Begins[From + std::size_t{1}] = Begins[To] = true;
  for (std::uint32_t End : Flow.Ends)
    Begins[End + std::size_t{1}] = true;
  for (std::uint32_t Exit : Flow.Exits)
    Begins[Exit + std::size_t{1}] = true;
  std::vector<std::uint32_t> BlockOf(Flow.Size);
  for (std::uint32_t I = 0; I != Flow.Size; ++I) {
    if (Begins[I])
      All.emplace_back().Begin = I;
    BlockOf[I] = static_cast<std::uint32_t>(All.size() - 1);
    All.back().End = I + 1;
  }
  for (std::uint32_t B = 0; B + 1 < All.size(); ++B)
    if (!std::binary_search(Flow.Ends.begin(), Flow.Ends.end(), All[B].End - 1))
      connect(B, B + 1);
  for (auto [From, To] : Flow.Jumps)
    connect(BlockOf[From], BlockOf[To]);
  for (std::uint32_t Exit : Flow.Exits)
    All[BlockOf[Exit]].MayEnd = true;
}

void Finder::visit(std::uint32_t Root, std::vector<Component> &Out) {
  struct Step {
    std::uint32_t At;
    std::size_t Edge;
  };
  std::vector<Step> Steps;
  auto enter = [&](std::uint32_t B) {
    Index[B] = Low[B] = NextIndex++;
    Path.push_back(B);
    OnPath[B] = true;
    Steps.push_back({B, 0});
  };
  enter(Root);
  while (!Steps.empty()) {
    auto &[At, Edge] = Steps.back();
    if (Edge != All[At].Next.size()) {
      std::uint32_t To = All[At].Next[Edge++];
      if (PartOf[To] != PartOf[Root])
        continue;
      if (Index[To] == NoLoop)
        enter(To);
      else if (OnPath[To])
        Low[At] = std::min(Low[At], Index[To]);
      continue;
    }
    std::uint32_t Done = At;
    Steps.pop_back();
    if (!Steps.empty())
      Low[Steps.back().At] = std::min(Low[Steps.back().At], Low[Done]);
    if (Low[Done] != Index[Done])
      continue;
    Blocks &Found = Out.emplace_back().Members;
    std::uint32_t Last;
    do {
      Last = Path.back();
      Path.pop_back();
      OnPath[Last] = false;
      Found.push_back(Last);
    } while (Last != Done);
    std::sort(Found.begin(), Found.end());
    Out.back().IsLoop = isLoop(Found);
  }
}

/// Those that others lead to come before them.
std::vector<Finder::Component> Finder::components(const Blocks &Members) {
  ++PartNumber;
  for (std::uint32_t B : Members) {
    PartOf[B] = PartNumber;
    Index[B] = NoLoop;
  }
  std::vector<Component> Out;
  for (std::uint32_t B : Members)
    if (Index[B] == NoLoop)
      visit(B, Out);
  return Out;
}

bool Finder::isLoop(const Blocks &Component) const {
  if (Component.size() > 1)
    return true;
  const Blocks &Next = All[Component[0]].Next;
  return std::find(Next.begin(), Next.end(), Component[0]) != Next.end();
}

/// The first block that is entered from outside; code that nothing reaches has
/// none.
std::uint32_t Finder::entryOf(const Blocks &Component, bool &IsOnlyOne) {
  ++PartNumber;
  for (std::uint32_t B : Component)
    PartOf[B] = PartNumber;
  std::uint32_t Entry = Component[0] == 0 ? 0 : NoLoop;
  IsOnlyOne = true;
  for (std::uint32_t B : Component)
    for (std::uint32_t From : All[B].Before)
      if (PartOf[From] != PartNumber && B != Entry) {
        IsOnlyOne &= Entry == NoLoop;
        if (Entry == NoLoop)
          Entry = B;
      }
  return Entry == NoLoop ? Component[0] : Entry;
}

/// Which of the parts of a loop all ways from its entry to its next turn, or
/// out of it, come to: when such a part is reached no other way is open. The
/// whole is entered at block 0, which is one of its parts.
void Finder::findEachTurn(std::uint32_t Entry, std::vector<Component> &Parts,
                          LoopNest &Out) {
  std::vector<std::uint32_t> Into(Parts.size());
  for (std::uint32_t P = 0; P != Parts.size(); ++P)
    for (std::uint32_t B : Parts[P].Members)
      ComponentOf[B] = P;
  std::size_t Open = 0;
  auto leave = [&](std::uint32_t B, std::uint32_t From) {
    Open += All[B].MayEnd || All[B].Next.empty();
    for (std::uint32_t To : All[B].Next) {
      const std::uint32_t P = ComponentOf[To];
      if (P == From && P != NoLoop)
        continue;
      ++Open;
      if (P != NoLoop)
        ++Into[P];
    }
  };
  if (Entry == NoLoop) {
    Open = Into[ComponentOf[0]] = 1;
  } else {
    setEachTurn(Entry, Out);
    leave(Entry, NoLoop);
  }
  for (std::uint32_t P = static_cast<std::uint32_t>(Parts.size()); P--;) {
    if (!Into[P])
      continue;
    Parts[P].IsInEachTurn = Open == Into[P];
    if (Parts[P].IsInEachTurn && !Parts[P].IsLoop)
      setEachTurn(Parts[P].Members[0], Out);
    Open -= Into[P];
    for (std::uint32_t B : Parts[P].Members)
      leave(B, P);
  }
  for (const Component &Each : Parts)
    for (std::uint32_t B : Each.Members)
      ComponentOf[B] = NoLoop;
}

LoopNest Finder::run() {
  LoopNest Out;
  const std::uint32_t Size = All.empty() ? 0 : All.back().End;
  Out.Innermost.assign(Size, NoLoop);
  Out.IsInEachTurn.assign(Size, false);
  for (const Block &Each : All)
    Out.BlockOf.insert(Out.BlockOf.end(), Each.End - Each.Begin, Each.Begin);
  ComponentOf.assign(All.size(), NoLoop);
  PartOf.assign(All.size(), 0);
  Index.assign(All.size(), NoLoop);
  Low.assign(All.size(), 0);
  OnPath.assign(All.size(), false);

  Blocks Whole(All.size());
  for (std::uint32_t B = 0; B != Whole.size(); ++B)
    Whole[B] = B;
  if (Whole.empty())
    return Out;
  std::vector<Part> Todo = {{std::move(Whole), NoLoop, NoLoop, 1}};
  while (!Todo.empty()) {
    Part Now = std::move(Todo.back());
    Todo.pop_back();
    std::vector<Component> Parts = components(Now.Members);
    if (Now.Parent == NoLoop || Now.Entry != NoLoop)
      findEachTurn(Now.Entry, Parts, Out);
    std::erase_if(Parts, [](const Component &Each) { return !Each.IsLoop; });
    std::ranges::sort(Parts, {}, &Component::Members);
    for (Component &Of : Parts) {
      Blocks &Each = Of.Members;
      bool IsOnlyOne = false;
      std::uint32_t Entry = entryOf(Each, IsOnlyOne);
      auto Number = static_cast<std::uint32_t>(Out.Loops.size());
      Loop &L = Out.Loops.emplace_back();
      L.Start = All[Entry].Begin;
      L.End = All[Each.back()].End;
      L.Depth = Now.Depth;
      L.IsInEachTurn = Of.IsInEachTurn;
      if (Now.Parent != NoLoop)
        L.Parent = Now.Parent;
      for (std::uint32_t B : Each)
        std::fill(Out.Innermost.begin() + All[B].Begin,
                  Out.Innermost.begin() + All[B].End, Number);
      std::erase(Each, Entry);
      if (Now.Depth != MostLoopDepth)
        Todo.push_back({std::move(Each), Number, IsOnlyOne ? Entry : NoLoop,
                        Now.Depth + 1});
    }
  }
  return Out;
}

LoopNest findLoops(const ControlFlow &Flow) { return Finder(Flow).run(); }

} // namespace cudalint::cubin
