//===- runtime/measure/RunRecords.cpp - What all results say --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/measure/RunRecords.h"

#include <csignal>
#include <cstring>
#include <fmt/format.h>

namespace cudalint {

Json toJson(const ProgramReport &Program) {
  const ProgramEnd &End = Program.End;
  const char *Signal = End.Signal ? ::sigabbrev_np(End.Signal) : nullptr;
  return {{"command", Program.Command},
          {"exit_code", End.Signal ? Json() : Json(End.Code)},
          {"signal", End.Signal
                         ? Json(fmt::format("SIG{}", Signal ? Signal : "?"))
                         : Json()},
          {"timed_out", End.TimedOut},
          {"seconds", End.Seconds}};
}

Json toJson(const std::vector<ProfileProblem> &Problems) {
  Json Out = Json::array();
  for (const ProfileProblem &Each : Problems)
    Out.push_back({{"kind", Each.Kind},
                   {"message", Each.Message},
                   {"severity", Each.IsLoss ? "loss" : "note"}});
  return Out;
}

} // namespace cudalint
