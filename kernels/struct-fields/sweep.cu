//===- kernels/struct-fields/sweep.cu - Fields of structs of 4 to 64 bytes ===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every field of structs of 4 to 64 bytes, in arrays of structs that are
/// aligned to 4, 8 and 16 bytes and so grow to a multiple of that. Fields are
/// read one float at a time, and in pieces as wide as the alignment allows.
///
//===----------------------------------------------------------------------===//

#include "kernels/trial/Access.cuh"

namespace cudalint {

template <unsigned Words, unsigned Align, typename Piece> struct Record {
  struct alignas(Align) Type {
    Piece Pieces[Words * 4 / sizeof(Piece)];
  };
};

template <unsigned Words, unsigned Align, typename Piece, RequestKind Kind>
static __global__ void structFields(TrialMemory Memory, unsigned Which) {
  using Type = typename Record<Words, Align, Piece>::Type;
  Type *Records = reinterpret_cast<Type *>(Memory.Global);
  access<Piece, Kind>(&Records[threadIdx.x].Pieces[Which], Records[0].Pieces,
                      Memory);
}

template <unsigned Words, unsigned Align, typename Piece, RequestKind Kind>
static void addStruct(Sweep &S, const Architecture &Arch) {
  // What the alignment makes of the size, by hand.
  constexpr unsigned Size = (Words * 4 + Align - 1) / Align * Align;
  for (BlockShape Block : {BlockShape{32, 1}, {96, 1}}) {
    for (unsigned Which = 0; Which < Words * 4 / sizeof(Piece); ++Which) {
      auto Address = [=](unsigned X, unsigned) {
        return std::optional<std::uint64_t>(X * Size + Which * sizeof(Piece));
      };
      S.Points.push_back(
          {words(nameOf(Kind), "struct of", Words * 4, "B aligned to", Align,
                 ",", sizeof(Piece), "B at", Which * sizeof(Piece), "block",
                 toString(Block)),
           predictGlobal(Arch, Block, sizeof(Piece), Kind, Address),
           [=](const TrialMemory &Memory) {
             structFields<Words, Align, Piece, Kind>
                 <<<1, dim3(Block.X, Block.Y)>>>(Memory, Which);
           }});
    }
  }
}

template <unsigned Words>
static void addStructs(Sweep &S, const Architecture &Arch) {
  auto BothKinds = [&]<unsigned Align, typename Piece>() {
    addStruct<Words, Align, Piece, RequestKind::Load>(S, Arch);
    addStruct<Words, Align, Piece, RequestKind::Store>(S, Arch);
  };
  BothKinds.template operator()<4, std::uint32_t>();
  BothKinds.template operator()<8, std::uint32_t>();
  BothKinds.template operator()<16, std::uint32_t>();
  if constexpr (Words % 2 == 0) {
    BothKinds.template operator()<8, uint2>();
    BothKinds.template operator()<16, uint2>();
  }
  if constexpr (Words % 4 == 0)
    BothKinds.template operator()<16, uint4>();
}

Sweep structFieldsSweep(const Architecture &Arch) {
  Sweep S = {"struct-fields", "sectors of the fields of structs", {}};
  [&]<unsigned... Words>(std::integer_sequence<unsigned, Words...>) {
    (addStructs<Words + 1>(S, Arch), ...);
  }(std::make_integer_sequence<unsigned, 16>());
  return S;
}

} // namespace cudalint
