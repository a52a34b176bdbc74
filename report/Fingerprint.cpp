//===- report/Fingerprint.cpp - Which remark is the same ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Fingerprint.h"

#include "report/Names.h"

#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace cudalint {

/// FNV-1a of 64 bits: it is stored, so it must be the same everywhere and for
/// ever, which std::hash is not.
static std::uint64_t hashOf(std::string_view Text) {
  std::uint64_t Hash = 0xcbf29ce484222325;
  for (const char C : Text)
    Hash = (Hash ^ static_cast<unsigned char>(C)) * 0x100000001b3;
  return Hash;
}

std::string withoutNumbers(std::string_view Text) {
  std::string Out;
  bool InWord = false, InNumber = false;
  for (const char C : Text) {
    const bool IsDigit = C >= '0' && C <= '9';
    const bool IsWord =
        IsDigit || (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_';
    const bool Begins = IsDigit && !InWord;
    InNumber = IsWord && (InNumber || Begins);
    InWord = IsWord;
    if (Begins)
      Out += '#';
    else if (!InNumber)
      Out += C;
  }
  return Out;
}

static std::string identityOf(const Finding &F) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", F.Check,
                     std::filesystem::path(F.Where.File).filename().string(),
                     F.What.Id, nameOf(F.About.Kind), F.About.Function,
                     withoutNumbers(F.About.Name));
}

std::string fingerprintOf(std::string_view Text) {
  return fmt::format("{:016x}", hashOf(Text));
}

void addFingerprints(Document &Doc) {
  for (UnitRecord &Unit : Doc.Units) {
    std::map<std::string, const Finding *> Last;
    for (Finding &F : Unit.Findings) {
      F.Fingerprint = fingerprintOf(identityOf(F));
      const Finding *&Before = Last[F.Fingerprint];
      // They are sorted by place: it is that of the last one, or new.
      F.Occurrence =
          !Before ? 1 : Before->Occurrence + (Before->Where != F.Where);
      Before = &F;
    }
  }
}

} // namespace cudalint
