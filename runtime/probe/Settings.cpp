//===- runtime/probe/Settings.cpp - What the user asks for ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Settings.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>

namespace cudalint::probe {

KernelFilter::~KernelFilter() {
  if (Active)
    ::regfree(&Compiled);
}

std::optional<std::string> KernelFilter::set(const std::string &Expression) {
  int Error =
      ::regcomp(&Compiled, Expression.c_str(), REG_EXTENDED | REG_NOSUB);
  if (!Error) {
    Active = true;
    return std::nullopt;
  }
  char Reason[256];
  ::regerror(Error, &Compiled, Reason, sizeof Reason);
  return Reason;
}

bool KernelFilter::matches(const std::string &Mangled) const {
  if (!Active || ::regexec(&Compiled, Mangled.c_str(), 0, nullptr, 0) == 0)
    return true;
  int Status = 0;
  char *Demangled =
      abi::__cxa_demangle(Mangled.c_str(), nullptr, nullptr, &Status);
  bool Found = Demangled && Status == 0 &&
               ::regexec(&Compiled, Demangled, 0, nullptr, 0) == 0;
  std::free(Demangled);
  return Found;
}

const char *nameOf(CollectKind Kind) {
  switch (Kind) {
  case CollectKind::Counters:
    return "counters";
  case CollectKind::Time:
    return "time";
  case CollectKind::Occupancy:
    return "occupancy";
  case CollectKind::Units:
    return "units";
  case CollectKind::Stalls:
    return "stalls";
  }
  return "";
}

void readSettings(const std::function<const char *(const char *)> &Variable,
                  Settings &Out) {
  auto Read = [&](const char *Name) {
    const char *Value = Variable(Name);
    return std::string(Value ? Value : "");
  };
  Out.Folder = Read("CUDA_LINT_PROBE_DIR");
  Out.CuptiPath = Read("CUDA_LINT_CUPTI");

  std::string Collect = Read("CUDA_LINT_PROBE_COLLECT");
  bool IsKnown = Collect.empty();
  for (CollectKind Kind :
       {CollectKind::Counters, CollectKind::Time, CollectKind::Occupancy,
        CollectKind::Units, CollectKind::Stalls})
    if (Collect == nameOf(Kind)) {
      Out.Collect = Kind;
      IsKnown = true;
    }
  if (!IsKnown)
    Out.Faults.push_back("CUDA_LINT_PROBE_COLLECT is '" + Collect +
                         "', taken as 'counters': use 'counters', 'time', "
                         "'occupancy', 'units' or 'stalls'");

  if (std::string Expression = Read("CUDA_LINT_PROBE_KERNEL");
      !Expression.empty())
    if (auto Fault = Out.Kernels.set(Expression))
      Out.Faults.push_back("CUDA_LINT_PROBE_KERNEL is no regular expression (" +
                           *Fault + "), so all kernels are measured");

  std::string Count = Read("CUDA_LINT_PROBE_LAUNCHES");
  Out.AllLaunches = Count == "all";
  if (!Count.empty() && !Out.AllLaunches) {
    std::uint64_t Value = 0;
    const char *End = Count.data() + Count.size();
    auto [Stop, Error] = std::from_chars(Count.data(), End, Value);
    if (Error == std::errc() && Stop == End && Value > 0)
      Out.Launches = Value;
    else
      Out.Faults.push_back("CUDA_LINT_PROBE_LAUNCHES is '" + Count +
                           "', neither 'all' nor a number from 1, so a few "
                           "launches are measured");
  }

  Out.Range = Read("CUDA_LINT_PROBE_RANGE");
  Out.NoArguments = Read("CUDA_LINT_PROBE_NO_ARGV") == "1";
  auto ReadNumber = [&](const char *Name, auto &Value, const char *So) {
    const std::string Text = Read(Name);
    const char *End = Text.data() + Text.size();
    auto [Stop, Error] = std::from_chars(Text.data(), End, Value);
    if (Text.empty() || (Error == std::errc() && Stop == End))
      return;
    Value = 0;
    Out.Faults.push_back(std::string(Name) + " is '" + Text +
                         "', not a number, so " + So);
  };
  ReadNumber("CUDA_LINT_PROBE_SKIP", Out.Skip, "no launch is skipped");
  ReadNumber("CUDA_LINT_PROBE_PART", Out.Part, "it is 0");

  // A sample does not say of which launch it is.
  if (Out.Collect == CollectKind::Stalls && Out.selects()) {
    Out.Skip = 0;
    Out.Range.clear();
    Out.Faults.push_back("CUDA_LINT_PROBE_SKIP and CUDA_LINT_PROBE_RANGE do "
                         "not go with stalls, which are sampled in all "
                         "launches, so nothing is left out");
  }

  if (std::string Text = Read("CUDA_LINT_PROBE_OVERHEAD"); !Text.empty()) {
    double Value = 0;
    const char *End = Text.data() + Text.size();
    auto [Stop, Error] = std::from_chars(Text.data(), End, Value);
    if (Error == std::errc() && Stop == End && Value >= 0 && Value <= 1e6)
      Out.Overhead = Value / 100;
    else
      Out.Faults.push_back("CUDA_LINT_PROBE_OVERHEAD is '" + Text +
                           "', not a number of per cent from 0 to 1000000, so "
                           "it is 30");
  }
}

} // namespace cudalint::probe
