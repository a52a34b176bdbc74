//===- tests/unit/report/JsonMutator.h - JSON changed at random -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_REPORT_JSONMUTATOR_H
#define CUDA_LINT_TESTS_UNIT_REPORT_JSONMUTATOR_H

#include <nlohmann/json.hpp>

#include <cstdint>
#include <iterator>
#include <random>
#include <string>

namespace cudalint {

/// Changes JSON; the same seed gives the same changes on every machine.
class JsonMutator {
  using Json = nlohmann::json;

public:
  explicit JsonMutator(unsigned Seed) : Random(Seed) {}

  std::string mutate(const nlohmann::json &Good) {
    if (below(3) == 0)
      return changeBytes(Good.dump());
    Json Value = Good;
    for (std::size_t Times = 1 + below(3); Times != 0; --Times)
      changeValue(Value);
    return Value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

private:
  std::size_t below(std::size_t Limit) { return Random() % Limit; }

  std::string changeBytes(std::string Text) {
    for (std::size_t Times = 1 + below(4); Times != 0 && !Text.empty();
         --Times) {
      std::size_t At = below(Text.size());
      switch (below(5)) {
      case 0:
        Text[At] = static_cast<char>(Random());
        break;
      case 1:
        Text.erase(At, 1 + below(20));
        break;
      case 2:
        Text.insert(At, Text.substr(below(Text.size()), below(200)));
        break;
      case 3:
        Text[At] = "\"{}[],:-+.eE0123456789\\nul"[below(26)];
        break;
      case 4:
        Text.resize(At);
        break;
      }
    }
    return Text;
  }

  Json nasty() {
    static const Json Values[] = {nullptr,
                                  true,
                                  -1,
                                  0,
                                  1,
                                  33,
                                  4294967295u,
                                  4294967296,
                                  INT64_MIN,
                                  UINT64_MAX,
                                  1e308,
                                  5e-324,
                                  0.5,
                                  "",
                                  "shared",
                                  "generic",
                                  "constant",
                                  "wavefronts",
                                  "exact",
                                  "unknown",
                                  "none",
                                  "killed",
                                  "9.0",
                                  "../../../a.cu",
                                  "\x1b[31m\x07",
                                  "_Z",
                                  "_Z99999999999k",
                                  "_Z1kILi1EEvPf",
                                  Json::array(),
                                  Json::object(),
                                  {0, 0, 0},
                                  {4294967295u, 4294967295u, 4294967295u},
                                  std::string(5000, '_'),
                                  "_ZN" + std::string(3000, 'S'),
                                  std::string(300, '/'),
                                  Json::array({nullptr})};
    return Values[below(std::size(Values))];
  }

  /// Goes down at random and changes what is there.
  void changeValue(Json &Value) {
    if (!Value.is_structured() || Value.empty() || below(8) == 0) {
      Value = nasty();
      return;
    }
    auto It = std::next(Value.begin(),
                        static_cast<std::ptrdiff_t>(below(Value.size())));
    std::size_t What = below(10);
    if (What == 0) {
      Value.erase(It);
    } else if (What == 1 && Value.is_array()) {
      Json Copy = *It;
      Value.push_back(std::move(Copy));
    } else {
      changeValue(*It);
    }
  }

  std::mt19937 Random;
};

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_REPORT_JSONMUTATOR_H
