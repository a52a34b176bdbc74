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

/// Runs of digits as one `#`.
static std::string withoutNumbers(std::string_view Text) {
  std::string Out;
  for (const char C : Text) {
    const bool IsDigit = C >= '0' && C <= '9';
    if (!IsDigit || !Out.ends_with('#'))
      Out += IsDigit ? '#' : C;
  }
  return Out;
}

static std::string identityOf(const Finding &F) {
  std::string_view Kernel = withoutParameters(F.KernelSignature);
  std::string Text =
      fmt::format("{}\n{}\n{}\n{}", F.Check,
                  std::filesystem::path(F.Where.File).filename().string(),
                  Kernel.substr(0, Kernel.find('<')), F.What.Id);
  // What the source, not the launch or the GPU, gives a name.
  for (const char *Name : {"access", "array", "function", "literal", "name"})
    if (const NamedValue *Found = F.What.find(Name))
      if (const auto *Word = std::get_if<std::string>(&Found->What))
        Text += "\n" + withoutNumbers(*Word);
  return Text;
}

void addFingerprints(Document &Doc) {
  std::map<std::string, unsigned> Seen;
  for (UnitRecord &Unit : Doc.Units)
    for (Finding &F : Unit.Findings) {
      const std::string Identity = identityOf(F);
      const unsigned Before = Seen[Identity]++;
      F.Fingerprint = fmt::format(
          "{:016x}",
          hashOf(Before == 0 ? Identity
                             : fmt::format("{}\n{}", Identity, Before)));
    }
}

} // namespace cudalint
