//===- hardware/Architecture.cpp - The GPUs that we know ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/Architecture.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>
#include <vector>

namespace cudalint {

static constexpr unsigned K = 1024;

/// What differs between compute capabilities of one generation; the rest of
/// an Architecture follows from the generation.
struct Limits {
  ComputeCapability CC;
  unsigned Warps, Blocks;
  unsigned RegistersSM, RegistersBlock, RegistersThread, RegisterUnit;
  unsigned SharedSM, SharedBlock, SharedOptIn, SharedUnit, SharedReserved;
  unsigned Partitions;
};

static constexpr Architecture expand(const Limits &L) {
  constexpr std::uint64_t Wide = (std::uint64_t(1) << 31) - 1;
  constexpr std::uint64_t Narrow = 65535;
  const bool Tesla = L.CC.Major == 1;
  const unsigned Block = Tesla ? 512 : 1024;
  return {.CC = L.CC,
          .WarpsPerSM = L.Warps,
          .ThreadsPerSM = L.Warps * 32,
          .BlocksPerSM = L.Blocks,
          .RegistersPerSM = L.RegistersSM,
          .RegistersPerBlock = L.RegistersBlock,
          .RegistersPerThread = L.RegistersThread,
          .RegisterUnit = L.RegisterUnit,
          .SharedPerSM = L.SharedSM,
          .SharedPerBlock = L.SharedBlock,
          .SharedPerBlockOptIn = L.SharedOptIn,
          .SharedUnit = L.SharedUnit,
          .SharedReserved = L.SharedReserved,
          .ThreadsPerBlock = Block,
          .BlockX = Block,
          .BlockY = Block,
          .BlockZ = 64,
          .GridX = L.CC.Major >= 3 ? Wide : Narrow,
          .GridY = Narrow,
          .GridZ = Tesla ? 1 : Narrow,
          .Partitions = L.Partitions};
}

// Sources: the technical specifications in NVIDIA's CUDA C++ programming
// guides 4.2 to 13.0, the occupancy spreadsheets up to 3.x for the units, and
// cuda_occupancy.h of CUDA 13.0 for units, blocks and partitions from 3.0 on.
// clang-format off
static constexpr Limits Table[] = {
    // CC     warps blocks  registers: SM, block, thread, unit
    //                                      shared: SM, block, opt-in, unit,
    //                                              reserved;     partitions
    {{1, 0},  24,  8,   8 * K,  8 * K, 124, 256,  16 * K, 16 * K,  16 * K, 512, 16, 1},
    {{1, 1},  24,  8,   8 * K,  8 * K, 124, 256,  16 * K, 16 * K,  16 * K, 512, 16, 1},
    {{1, 2},  32,  8,  16 * K, 16 * K, 124, 512,  16 * K, 16 * K,  16 * K, 512, 16, 1},
    {{1, 3},  32,  8,  16 * K, 16 * K, 124, 512,  16 * K, 16 * K,  16 * K, 512, 16, 1},
    {{2, 0},  48,  8,  32 * K, 32 * K,  63,  64,  48 * K, 48 * K,  48 * K, 128, 0, 2},
    {{2, 1},  48,  8,  32 * K, 32 * K,  63,  64,  48 * K, 48 * K,  48 * K, 128, 0, 2},
    {{3, 0},  64, 16,  64 * K, 64 * K,  63, 256,  48 * K, 48 * K,  48 * K, 256, 0, 4},
    {{3, 2},  64, 16,  64 * K, 32 * K, 255, 256,  48 * K, 48 * K,  48 * K, 256, 0, 4},
    {{3, 5},  64, 16,  64 * K, 64 * K, 255, 256,  48 * K, 48 * K,  48 * K, 256, 0, 4},
    {{3, 7},  64, 16, 128 * K, 64 * K, 255, 256, 112 * K, 48 * K,  48 * K, 256, 0, 4},
    {{5, 0},  64, 32,  64 * K, 64 * K, 255, 256,  64 * K, 48 * K,  48 * K, 256, 0, 4},
    {{5, 2},  64, 32,  64 * K, 64 * K, 255, 256,  96 * K, 48 * K,  48 * K, 256, 0, 4},
    {{5, 3},  64, 32,  64 * K, 32 * K, 255, 256,  64 * K, 48 * K,  48 * K, 256, 0, 4},
    {{6, 0},  64, 32,  64 * K, 64 * K, 255, 256,  64 * K, 48 * K,  48 * K, 256, 0, 2},
    {{6, 1},  64, 32,  64 * K, 64 * K, 255, 256,  96 * K, 48 * K,  48 * K, 256, 0, 4},
    {{6, 2},  64, 32,  64 * K, 32 * K, 255, 256,  64 * K, 48 * K,  48 * K, 256, 0, 4},
    {{7, 0},  64, 32,  64 * K, 64 * K, 255, 256,  96 * K, 48 * K,  96 * K, 256, 0, 4},
    {{7, 2},  64, 32,  64 * K, 64 * K, 255, 256,  96 * K, 48 * K,  96 * K, 256, 0, 4},
    {{7, 5},  32, 16,  64 * K, 64 * K, 255, 256,  64 * K, 48 * K,  64 * K, 256, 0, 4},
    {{8, 0},  64, 32,  64 * K, 64 * K, 255, 256, 164 * K, 48 * K, 163 * K, 128, K, 4},
    {{8, 6},  48, 16,  64 * K, 64 * K, 255, 256, 100 * K, 48 * K,  99 * K, 128, K, 4},
    {{8, 7},  48, 16,  64 * K, 64 * K, 255, 256, 164 * K, 48 * K, 163 * K, 128, K, 4},
    {{8, 9},  48, 24,  64 * K, 64 * K, 255, 256, 100 * K, 48 * K,  99 * K, 128, K, 4},
    {{9, 0},  64, 32,  64 * K, 64 * K, 255, 256, 228 * K, 48 * K, 227 * K, 128, K, 4},
    {{10, 0}, 64, 32,  64 * K, 64 * K, 255, 256, 228 * K, 48 * K, 227 * K, 128, K, 4},
    {{10, 3}, 64, 32,  64 * K, 64 * K, 255, 256, 228 * K, 48 * K, 227 * K, 128, K, 4},
    {{11, 0}, 48, 24,  64 * K, 64 * K, 255, 256, 228 * K, 48 * K, 227 * K, 128, K, 4},
    {{12, 0}, 48, 24,  64 * K, 64 * K, 255, 256, 100 * K, 48 * K,  99 * K, 128, K, 4},
    {{12, 1}, 48, 24,  64 * K, 64 * K, 255, 256, 100 * K, 48 * K,  99 * K, 128, K, 4},
};
// clang-format on

static constexpr auto Architectures = [] {
  std::array<Architecture, std::size(Table)> All{};
  std::ranges::transform(Table, All.begin(), expand);
  return All;
}();
static_assert(std::ranges::is_sorted(Architectures, {}, &Architecture::CC));

// SM counts from NVIDIA's architecture white papers and product data sheets.
// A board of several GPUs counts the SMs of one. A name alone means the common
// variant: h100 is the SXM part, jetson-agx-orin the 64 GB module.
static constexpr Product Products[] = {
    {"8600-gt", {1, 1}, 4},
    {"8600-gts", {1, 1}, 4},
    {"8800-gt", {1, 1}, 14},
    {"8800-gtx", {1, 0}, 16},
    {"8800-ultra", {1, 0}, 16},
    {"9800-gt", {1, 1}, 14},
    {"9800-gtx", {1, 1}, 16},
    {"a10", {8, 6}, 72},
    {"a100", {8, 0}, 108},
    {"a10g", {8, 6}, 80},
    {"a16", {8, 6}, 10},
    {"a2", {8, 6}, 10},
    {"a30", {8, 0}, 56},
    {"a40", {8, 6}, 84},
    {"b200", {10, 0}, 148},
    {"dgx-spark", {12, 1}, 48},
    {"gb10", {12, 1}, 48},
    {"gh200", {9, 0}, 132},
    {"gt-1030", {6, 1}, 3},
    {"gt-220", {1, 2}, 6},
    {"gt-240", {1, 2}, 12},
    {"gts-250", {1, 1}, 16},
    {"gts-450", {2, 1}, 4},
    {"gtx-1050", {6, 1}, 5},
    {"gtx-1050-ti", {6, 1}, 6},
    {"gtx-1060-3gb", {6, 1}, 9},
    {"gtx-1060-6gb", {6, 1}, 10},
    {"gtx-1070", {6, 1}, 15},
    {"gtx-1070-ti", {6, 1}, 19},
    {"gtx-1080", {6, 1}, 20},
    {"gtx-1080-ti", {6, 1}, 28},
    {"gtx-1650", {7, 5}, 14},
    {"gtx-1650-super", {7, 5}, 20},
    {"gtx-1660", {7, 5}, 22},
    {"gtx-1660-super", {7, 5}, 22},
    {"gtx-1660-ti", {7, 5}, 24},
    {"gtx-275", {1, 3}, 30},
    {"gtx-280", {1, 3}, 30},
    {"gtx-285", {1, 3}, 30},
    {"gtx-465", {2, 0}, 11},
    {"gtx-470", {2, 0}, 14},
    {"gtx-480", {2, 0}, 15},
    {"gtx-550-ti", {2, 1}, 4},
    {"gtx-560", {2, 1}, 7},
    {"gtx-560-ti", {2, 1}, 8},
    {"gtx-570", {2, 0}, 15},
    {"gtx-580", {2, 0}, 16},
    {"gtx-650", {3, 0}, 2},
    {"gtx-660", {3, 0}, 5},
    {"gtx-660-ti", {3, 0}, 7},
    {"gtx-670", {3, 0}, 7},
    {"gtx-680", {3, 0}, 8},
    {"gtx-690", {3, 0}, 8},
    {"gtx-750", {5, 0}, 4},
    {"gtx-750-ti", {5, 0}, 5},
    {"gtx-760", {3, 0}, 6},
    {"gtx-770", {3, 0}, 8},
    {"gtx-780", {3, 5}, 12},
    {"gtx-780-ti", {3, 5}, 15},
    {"gtx-950", {5, 2}, 6},
    {"gtx-960", {5, 2}, 8},
    {"gtx-970", {5, 2}, 13},
    {"gtx-980", {5, 2}, 16},
    {"gtx-980-ti", {5, 2}, 22},
    {"gtx-titan", {3, 5}, 14},
    {"gtx-titan-black", {3, 5}, 15},
    {"gtx-titan-x", {5, 2}, 24},
    {"h100", {9, 0}, 132},
    {"h100-nvl", {9, 0}, 132},
    {"h100-pcie", {9, 0}, 114},
    {"h20", {9, 0}, 78},
    {"h200", {9, 0}, 132},
    {"h200-nvl", {9, 0}, 132},
    {"h800", {9, 0}, 132},
    {"jetson-agx-orin", {8, 7}, 16},
    {"jetson-agx-thor", {11, 0}, 20},
    {"jetson-agx-xavier", {7, 2}, 8},
    {"jetson-nano", {5, 3}, 1},
    {"jetson-orin-nano-8gb", {8, 7}, 8},
    {"jetson-orin-nx-16gb", {8, 7}, 8},
    {"jetson-tk1", {3, 2}, 1},
    {"jetson-tx1", {5, 3}, 2},
    {"jetson-tx2", {6, 2}, 2},
    {"jetson-xavier-nx", {7, 2}, 6},
    {"k10", {3, 0}, 8},
    {"k20", {3, 5}, 13},
    {"k20x", {3, 5}, 14},
    {"k40", {3, 5}, 15},
    {"k80", {3, 7}, 13},
    {"l4", {8, 9}, 58},
    {"l40", {8, 9}, 142},
    {"l40s", {8, 9}, 142},
    {"m10", {5, 0}, 5},
    {"m4", {5, 2}, 8},
    {"m40", {5, 2}, 24},
    {"m60", {5, 2}, 16},
    {"p100", {6, 0}, 56},
    {"p4", {6, 1}, 20},
    {"p40", {6, 1}, 30},
    {"quadro-gp100", {6, 0}, 56},
    {"quadro-gv100", {7, 0}, 80},
    {"quadro-p4000", {6, 1}, 14},
    {"quadro-p5000", {6, 1}, 20},
    {"quadro-p6000", {6, 1}, 30},
    {"quadro-rtx-4000", {7, 5}, 36},
    {"quadro-rtx-5000", {7, 5}, 48},
    {"quadro-rtx-6000", {7, 5}, 72},
    {"quadro-rtx-8000", {7, 5}, 72},
    {"rtx-2000-ada", {8, 9}, 22},
    {"rtx-2060", {7, 5}, 30},
    {"rtx-2060-super", {7, 5}, 34},
    {"rtx-2070", {7, 5}, 36},
    {"rtx-2070-super", {7, 5}, 40},
    {"rtx-2080", {7, 5}, 46},
    {"rtx-2080-super", {7, 5}, 48},
    {"rtx-2080-ti", {7, 5}, 68},
    {"rtx-3050", {8, 6}, 20},
    {"rtx-3060", {8, 6}, 28},
    {"rtx-3060-ti", {8, 6}, 38},
    {"rtx-3070", {8, 6}, 46},
    {"rtx-3070-ti", {8, 6}, 48},
    {"rtx-3080", {8, 6}, 68},
    {"rtx-3080-12gb", {8, 6}, 70},
    {"rtx-3080-ti", {8, 6}, 80},
    {"rtx-3090", {8, 6}, 82},
    {"rtx-3090-ti", {8, 6}, 84},
    {"rtx-4000-ada", {8, 9}, 48},
    {"rtx-4060", {8, 9}, 24},
    {"rtx-4060-ti", {8, 9}, 34},
    {"rtx-4070", {8, 9}, 46},
    {"rtx-4070-super", {8, 9}, 56},
    {"rtx-4070-ti", {8, 9}, 60},
    {"rtx-4070-ti-super", {8, 9}, 66},
    {"rtx-4080", {8, 9}, 76},
    {"rtx-4080-super", {8, 9}, 80},
    {"rtx-4090", {8, 9}, 128},
    {"rtx-4500-ada", {8, 9}, 60},
    {"rtx-5000-ada", {8, 9}, 100},
    {"rtx-5050", {12, 0}, 20},
    {"rtx-5060", {12, 0}, 30},
    {"rtx-5060-ti", {12, 0}, 36},
    {"rtx-5070", {12, 0}, 48},
    {"rtx-5070-ti", {12, 0}, 70},
    {"rtx-5080", {12, 0}, 84},
    {"rtx-5090", {12, 0}, 170},
    {"rtx-6000-ada", {8, 9}, 142},
    {"rtx-a2000", {8, 6}, 26},
    {"rtx-a4000", {8, 6}, 48},
    {"rtx-a4500", {8, 6}, 56},
    {"rtx-a5000", {8, 6}, 64},
    {"rtx-a5500", {8, 6}, 80},
    {"rtx-a6000", {8, 6}, 84},
    {"rtx-pro-6000-blackwell", {12, 0}, 188},
    {"t4", {7, 5}, 40},
    {"tesla-c1060", {1, 3}, 30},
    {"tesla-c2050", {2, 0}, 14},
    {"tesla-c2070", {2, 0}, 14},
    {"tesla-c2075", {2, 0}, 14},
    {"tesla-c870", {1, 0}, 16},
    {"tesla-m2050", {2, 0}, 14},
    {"tesla-m2070", {2, 0}, 14},
    {"tesla-m2090", {2, 0}, 16},
    {"tesla-s2050", {2, 0}, 14},
    {"titan-rtx", {7, 5}, 72},
    {"titan-v", {7, 0}, 80},
    {"titan-x-pascal", {6, 1}, 28},
    {"titan-xp", {6, 1}, 30},
    {"v100", {7, 0}, 80},
};
static_assert(std::ranges::is_sorted(Products, {}, &Product::Name));

/// Names that drivers print, and other habits.
struct Alias {
  std::string_view Name;
  std::string_view Product;
};

static constexpr Alias Aliases[] = {
    {"a100-80gb-pcie", "a100"}, {"a100-pcie-40gb", "a100"},
    {"a100-sxm4-40gb", "a100"}, {"a100-sxm4-80gb", "a100"},
    {"c870", "tesla-c870"},     {"gh200-480gb", "gh200"},
    {"h100-80gb-hbm3", "h100"}, {"h100-sxm", "h100"},
    {"h100-sxm5", "h100"},      {"p100-pcie-16gb", "p100"},
    {"p100-sxm2-16gb", "p100"}, {"v100-pcie-16gb", "v100"},
    {"v100-pcie-32gb", "v100"}, {"v100-sxm2-16gb", "v100"},
    {"v100-sxm2-32gb", "v100"},
};

std::string toString(ComputeCapability CC) {
  return std::to_string(CC.Major) + "." + std::to_string(CC.Minor);
}

std::span<const Architecture> architectures() { return Architectures; }

std::span<const Product> products() { return Products; }

const Architecture *findArchitecture(ComputeCapability CC) {
  const auto *It =
      std::ranges::lower_bound(Architectures, CC, {}, &Architecture::CC);
  return It != Architectures.end() && It->CC == CC ? It : nullptr;
}

static bool isDigit(char C) { return C >= '0' && C <= '9'; }

static char lower(char C) {
  return C >= 'A' && C <= 'Z' ? static_cast<char>(C - 'A' + 'a') : C;
}

/// Lower case without separators and without the maker's and the family's
/// name: "NVIDIA GeForce RTX 3090" and "rtx-3090" become one.
static std::string squeeze(std::string_view Name) {
  std::string S;
  for (char C : Name)
    if (C != ' ' && C != '-' && C != '_')
      S += lower(C);
  for (std::string_view Prefix : {"nvidia", "geforce", "tesla"})
    if (S.starts_with(Prefix))
      S.erase(0, Prefix.size());
  return S;
}

static std::string smName(ComputeCapability CC) {
  return "sm_" + std::to_string(CC.Major) + std::to_string(CC.Minor);
}

static std::optional<int> toNumber(std::string_view Digits) {
  int Value = 0;
  const char *End = Digits.data() + Digits.size();
  auto [Stop, Error] = std::from_chars(Digits.data(), End, Value);
  if (Digits.empty() || !isDigit(Digits.front()) || Error != std::errc() ||
      Stop != End)
    return std::nullopt;
  return Value;
}

/// "sm90", "sm90a", "sm100f", "compute90" or "9.0".
static std::optional<ComputeCapability> parseCapability(std::string_view S) {
  if (auto Dot = S.find('.'); Dot != S.npos) {
    auto Major = toNumber(S.substr(0, Dot));
    auto Minor = toNumber(S.substr(Dot + 1));
    if (!Major || !Minor || S.size() != Dot + 2) // One digit after the dot.
      return std::nullopt;
    return ComputeCapability{*Major, *Minor};
  }
  if (S.starts_with("sm"))
    S.remove_prefix(2);
  else if (S.starts_with("compute"))
    S.remove_prefix(7);
  else
    return std::nullopt;
  if (S.ends_with('a') || S.ends_with('f'))
    S.remove_suffix(1);
  auto Digits = toNumber(S);
  if (!Digits || S.size() < 2)
    return std::nullopt;
  return ComputeCapability{*Digits / 10, *Digits % 10};
}

std::optional<Target> parseTarget(std::string_view Name) {
  const std::string S = squeeze(Name);
  std::string Wanted = S;
  for (const Alias &A : Aliases)
    if (squeeze(A.Name) == S)
      Wanted = squeeze(A.Product);
  for (const Product &P : Products)
    if (squeeze(P.Name) == Wanted)
      return Target{std::string(P.Name), findArchitecture(P.CC), P.SMs};
  if (auto CC = parseCapability(S))
    if (const Architecture *Arch = findArchitecture(*CC))
      return Target{smName(*CC), Arch, std::nullopt};
  return std::nullopt;
}

/// Fewest insertions, deletions, changes and swaps of neighbours.
static std::size_t editDistance(std::string_view A, std::string_view B) {
  std::vector<std::vector<std::size_t>> D(
      A.size() + 1, std::vector<std::size_t>(B.size() + 1));
  for (std::size_t I = 0; I <= A.size(); ++I)
    for (std::size_t J = 0; J <= B.size(); ++J) {
      if (I == 0 || J == 0) {
        D[I][J] = I + J;
        continue;
      }
      const bool Same = A[I - 1] == B[J - 1];
      D[I][J] = std::min(
          {D[I - 1][J] + 1, D[I][J - 1] + 1, D[I - 1][J - 1] + (Same ? 0 : 1)});
      if (I > 1 && J > 1 && A[I - 1] == B[J - 2] && A[I - 2] == B[J - 1])
        D[I][J] = std::min(D[I][J], D[I - 2][J - 2] + 1);
    }
  return D[A.size()][B.size()];
}

/// Small is near. A name that is a part of another is nearer than any
/// misspelling; among equals, those that begin alike.
static std::pair<std::size_t, std::size_t> distance(std::string_view Typed,
                                                    std::string_view Known) {
  const bool Inside = Typed.size() > 1 && Known.find(Typed) != Known.npos;
  const auto Alike = std::ranges::mismatch(Typed, Known).in1 - Typed.begin();
  return {Inside ? 0 : editDistance(Typed, Known), Known.size() - Alike};
}

std::string nearestTargets(std::string_view Name) {
  const std::string Typed = squeeze(Name);
  std::vector<std::string> Known;
  for (const Product &P : Products)
    Known.emplace_back(P.Name);
  for (const Architecture &A : Architectures)
    Known.push_back(smName(A.CC));
  std::ranges::stable_sort(Known, {}, [&](const std::string &K) {
    return distance(Typed, squeeze(K));
  });
  return Known[0] + ", " + Known[1] + ", " + Known[2];
}

} // namespace cudalint
