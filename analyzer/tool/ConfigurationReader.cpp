//===- analyzer/tool/ConfigurationReader.cpp - YAML of .cuda-lint ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Configuration.h"

#include "analyzer/tool/ConfigurationFaults.h"
#include "hardware/Architecture.h"
#include "hardware/UnknownTarget.h"
#include "report/Names.h"
#include "report/TerminalText.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <fmt/format.h>

using namespace llvm;

namespace cudalint {

//===----------------------------------------------------------------------===//
// Scalars that are checked where they stand
//===----------------------------------------------------------------------===//

namespace {

/// Globs, separated by commas, each of which matches a check.
struct CheckGlobs {
  std::string Text;
};
/// A glob of names of files.
struct PathGlob {
  std::string Text;
};
struct GpuName {
  std::string Text;
};
struct PerCent {
  std::string Text;
};
struct FailLevel {
  std::string Text;
};
struct Level {
  std::optional<Severity> Value;
};
/// Of an option of a check.
struct Number {
  double Value = 0;
};

/// What reading needs beside the text.
struct ReadContext {
  const KnownChecks *Checks = nullptr;
  /// The key of the severity, or the option, that is being read.
  std::string Key;
  /// Keeps what is wrong: YAML takes a reference.
  std::string Message;
};

} // namespace

/// Why \p Glob names no check; empty where it does.
static std::string whyNoCheck(StringRef Glob,
                              const std::vector<std::string> &Checks) {
  Expected<GlobPattern> Pattern = GlobPattern::create(Glob);
  if (!Pattern)
    return fmt::format("'{}' is no glob: {}", Glob.str(),
                       toString(Pattern.takeError()));
  if (Glob == "*" || std::ranges::any_of(Checks, [&](const std::string &Each) {
        return Pattern->match(Each);
      }))
    return "";
  return fmt::format("no check matches '{}'{}", Glob.str(),
                     nearestHint(Glob.str(), Checks));
}

} // namespace cudalint

namespace llvm::yaml {

using namespace cudalint;

static StringRef refuse(void *Context, std::string Message) {
  auto *Read = static_cast<ReadContext *>(Context);
  Read->Message = std::move(Message);
  return Read->Message;
}

template <> struct ScalarTraits<CheckGlobs> {
  static void output(const CheckGlobs &Value, void *, raw_ostream &Out) {
    Out << Value.Text;
  }
  static StringRef input(StringRef Text, void *Context, CheckGlobs &Value) {
    Value.Text = Text.str();
    SmallVector<StringRef> Parts;
    Text.split(Parts, ',', -1, /*KeepEmpty=*/false);
    for (StringRef Part : Parts) {
      Part = Part.trim();
      Part.consume_front("-");
      if (std::string Why = whyNoCheck(
              Part, static_cast<ReadContext *>(Context)->Checks->Names);
          !Part.empty() && !Why.empty())
        return refuse(Context, std::move(Why));
    }
    return {};
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::Single; }
};

template <> struct ScalarTraits<PathGlob> {
  static void output(const PathGlob &Value, void *, raw_ostream &Out) {
    Out << Value.Text;
  }
  static StringRef input(StringRef Text, void *Context, PathGlob &Value) {
    Value.Text = Text.str();
    if (Expected<GlobPattern> Pattern = GlobPattern::create(Text); !Pattern)
      return refuse(Context, fmt::format("'{}' is no glob: {}", Text.str(),
                                         toString(Pattern.takeError())));
    return {};
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::Single; }
};

template <> struct ScalarTraits<GpuName> {
  static void output(const GpuName &Value, void *, raw_ostream &Out) {
    Out << Value.Text;
  }
  static StringRef input(StringRef Text, void *Context, GpuName &Value) {
    Value.Text = Text.str();
    if (!parseTarget(Text.str()))
      return refuse(Context, fmt::format("unknown GPU '{}'; {}", Text.str(),
                                         adviceOnTarget(Text.str())));
    return {};
  }
  static QuotingType mustQuote(StringRef Text) { return needsQuotes(Text); }
};

template <> struct ScalarTraits<PerCent> {
  static void output(const PerCent &Value, void *, raw_ostream &Out) {
    Out << Value.Text;
  }
  static StringRef input(StringRef Text, void *Context, PerCent &Value) {
    Value.Text = Text.str();
    Text.consume_back("%");
    unsigned Number = 0;
    if (Text.trim().getAsInteger(10, Number) || Number == 0 || Number > 100)
      return refuse(Context, "'" + Value.Text +
                                 "' is no whole number of per cent, 1 to 100");
    Value.Text = std::to_string(Number);
    return {};
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<FailLevel> {
  static void output(const FailLevel &Value, void *, raw_ostream &Out) {
    Out << Value.Text;
  }
  static StringRef input(StringRef Text, void *Context, FailLevel &Value) {
    Value.Text = Text.str();
    const std::vector<std::string> Words = {"error", "warning", "note",
                                            "never"};
    if (std::ranges::find(Words, Value.Text) == Words.end())
      return refuse(Context, fmt::format("unknown level '{}'; use error, "
                                         "warning, note or never",
                                         Value.Text));
    return {};
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<Level> {
  static void output(const Level &Value, void *, raw_ostream &Out) {
    Out << (Value.Value ? nameOf(*Value.Value) : "off");
  }
  static StringRef input(StringRef Text, void *Context, Level &Value) {
    auto *Read = static_cast<ReadContext *>(Context);
    if (std::string Why = whyNoCheck(Read->Key, Read->Checks->Names);
        !Why.empty())
      return refuse(Context, std::move(Why));
    Value.Value.reset();
    for (const Severity Each :
         {Severity::Note, Severity::Warning, Severity::Error})
      if (Text == StringRef(nameOf(Each)))
        Value.Value = Each;
    // `off` is a word of YAML's own for no.
    if (!Value.Value && Text != "off")
      return refuse(Context,
                    fmt::format("unknown severity '{}'; use error, warning, "
                                "note or off",
                                Text.str()));
    return {};
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<Number> {
  static void output(const Number &Value, void *, raw_ostream &Out) {
    Out << fmt::format("{}", Value.Value);
  }
  static StringRef input(StringRef Text, void *Context, Number &Value) {
    auto *Read = static_cast<ReadContext *>(Context);
    std::vector<std::string> Names;
    for (const OptionRange &Each : Read->Checks->Options) {
      Names.push_back(Each.Name);
      if (Each.Name != Read->Key)
        continue;
      if (Text.getAsDouble(Value.Value) || !(Value.Value >= Each.Least) ||
          !(Value.Value <= Each.Most))
        return refuse(Context, fmt::format("'{}' is no number from {} to {}",
                                           Text.str(), Each.Least, Each.Most));
      return {};
    }
    return refuse(Context,
                  fmt::format("no check has an option '{}'{}", Read->Key,
                              nearestHint(Read->Key, Names)));
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

/// A mapping of which the values say what is wrong with their keys.
template <class T> struct KeyedTraits {
  static void inputOne(IO &In, StringRef Key, std::map<std::string, T> &Value) {
    static_cast<ReadContext *>(In.getContext())->Key = Key.str();
    In.mapRequired(Key.str().c_str(), Value[Key.str()]);
  }
  static void output(IO &Out, std::map<std::string, T> &Value) {
    for (auto &[Key, Each] : Value)
      Out.mapRequired(Key.c_str(), Each);
  }
};
template <>
struct CustomMappingTraits<std::map<std::string, Level>> : KeyedTraits<Level> {
};
template <>
struct CustomMappingTraits<std::map<std::string, Number>>
    : KeyedTraits<Number> {};

} // namespace llvm::yaml

LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(cudalint::PathGlob)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(cudalint::GpuName)

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

namespace cudalint {
namespace {
struct RawPaths {
  std::vector<PathGlob> Match;
  CheckGlobs Checks;
  std::map<std::string, Level> Severities;
  std::map<std::string, Number> Options;
};
struct RawConfiguration {
  CheckGlobs Checks;
  std::map<std::string, Level> Severities;
  std::map<std::string, Number> Options;
  std::vector<GpuName> Gpus;
  FailLevel FailOn;
  PerCent MinOccupancy;
  std::vector<PathGlob> Exclude;
  std::vector<RawPaths> Paths;
  bool InheritsParent = false;
};
} // namespace

static const std::vector<std::string> Keys = {
    "Checks",  "Severities", "CheckOptions",
    "Gpus",    "FailOn",     "MinOccupancy",
    "Exclude", "Paths",      "InheritParentConfig",
    "Match"};
} // namespace cudalint

LLVM_YAML_IS_SEQUENCE_VECTOR(cudalint::RawPaths)

namespace llvm::yaml {

template <> struct MappingTraits<RawPaths> {
  static void mapping(IO &In, RawPaths &Value) {
    In.mapRequired("Match", Value.Match);
    if (In.outputting() ? !Value.Checks.Text.empty() : true)
      In.mapOptional("Checks", Value.Checks);
    if (In.outputting() ? !Value.Severities.empty() : true)
      In.mapOptional("Severities", Value.Severities);
    if (In.outputting() ? !Value.Options.empty() : true)
      In.mapOptional("CheckOptions", Value.Options);
  }
};

template <> struct MappingTraits<RawConfiguration> {
  static void mapping(IO &In, RawConfiguration &Value) {
    const auto map = [&](const char *Key, auto &Each, bool IsSaid) {
      if (!In.outputting() || IsSaid)
        In.mapOptional(Key, Each);
    };
    map("Checks", Value.Checks, !Value.Checks.Text.empty());
    map("Severities", Value.Severities, !Value.Severities.empty());
    map("CheckOptions", Value.Options, !Value.Options.empty());
    map("Gpus", Value.Gpus, !Value.Gpus.empty());
    map("FailOn", Value.FailOn, !Value.FailOn.Text.empty());
    map("MinOccupancy", Value.MinOccupancy, !Value.MinOccupancy.Text.empty());
    map("Exclude", Value.Exclude, !Value.Exclude.empty());
    map("Paths", Value.Paths, !Value.Paths.empty());
    map("InheritParentConfig", Value.InheritsParent, Value.InheritsParent);
  }
};

} // namespace llvm::yaml

namespace cudalint {

static Severities levelsOf(const std::map<std::string, Level> &Raw) {
  Severities Result;
  for (const auto &[Key, Each] : Raw)
    Result[Key] = Each.Value;
  return Result;
}

static OptionNumbers numbersOf(const std::map<std::string, Number> &Raw) {
  OptionNumbers Result;
  for (const auto &[Key, Each] : Raw)
    Result[Key] = Each.Value;
  return Result;
}

static std::map<std::string, Number> rawOf(const OptionNumbers &Options) {
  std::map<std::string, Number> Result;
  for (const auto &[Key, Each] : Options)
    Result[Key].Value = Each;
  return Result;
}

static std::map<std::string, Level> rawOf(const Severities &Levels) {
  std::map<std::string, Level> Result;
  for (const auto &[Key, Each] : Levels)
    Result[Key].Value = Each;
  return Result;
}

ConfigurationRead parseConfiguration(std::string_view Text,
                                     const std::string &Name,
                                     const std::string &Folder,
                                     const KnownChecks &Checks) {
  ConfigurationRead Result;
  if (std::string Why = whyUnreadable(Text); !Why.empty()) {
    Result.Error = printable(Name) + ":" + Why;
    return Result;
  }
  RawConfiguration Raw;
  FirstFault Fault = {Name, Keys, ""};
  ReadContext Context = {&Checks, "", ""};
  // Nothing but comments is a configuration that says nothing.
  const bool IsEmpty =
      StringRef(Text).find_first_not_of(" \t\r\n") == StringRef::npos;
  if (!IsEmpty) {
    yaml::Input In(Text, &Context, FirstFault::keep, &Fault);
    In >> Raw;
    // The scanner tells some faults to the handler alone.
    if (In.error() || !Fault.Said.empty()) {
      Result.Error = Fault.Said.empty()
                         ? fmt::format("{}:1:1: error: it is no YAML: {}",
                                       printable(Name), In.error().message())
                         : Fault.Said;
      return Result;
    }
  }
  Configuration &Out = Result.Value;
  Out.Folder = Folder;
  Out.Checks = Raw.Checks.Text;
  Out.Levels = levelsOf(Raw.Severities);
  Out.Options = numbersOf(Raw.Options);
  for (const GpuName &Each : Raw.Gpus)
    Out.Gpus.push_back(Each.Text);
  Out.FailOn = Raw.FailOn.Text;
  Out.MinOccupancy = Raw.MinOccupancy.Text;
  for (const PathGlob &Each : Raw.Exclude)
    Out.Exclude.push_back(Each.Text);
  for (const RawPaths &Each : Raw.Paths) {
    PathSettings Settings = {{},
                             Each.Checks.Text,
                             levelsOf(Each.Severities),
                             numbersOf(Each.Options)};
    for (const PathGlob &Glob : Each.Match)
      Settings.Match.push_back(Glob.Text);
    Out.Paths.push_back(std::move(Settings));
  }
  Out.InheritsParent = Raw.InheritsParent;
  return Result;
}

std::string dumpConfiguration(const Configuration &Value) {
  RawConfiguration Raw;
  Raw.Checks.Text = Value.Checks;
  Raw.Severities = rawOf(Value.Levels);
  Raw.Options = rawOf(Value.Options);
  for (const std::string &Each : Value.Gpus)
    Raw.Gpus.push_back({Each});
  Raw.FailOn.Text = Value.FailOn;
  Raw.MinOccupancy.Text = Value.MinOccupancy;
  for (const std::string &Each : Value.Exclude)
    Raw.Exclude.push_back({Each});
  for (const PathSettings &Each : Value.Paths) {
    RawPaths Paths = {
        {}, {Each.Checks}, rawOf(Each.Levels), rawOf(Each.Options)};
    for (const std::string &Glob : Each.Match)
      Paths.Match.push_back({Glob});
    Raw.Paths.push_back(std::move(Paths));
  }
  Raw.InheritsParent = Value.InheritsParent;
  std::string Text;
  raw_string_ostream Stream(Text);
  yaml::Output Out(Stream, nullptr, /*WrapColumn=*/80);
  Out << Raw;
  return Text;
}

} // namespace cudalint
