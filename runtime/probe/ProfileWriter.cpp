//===- runtime/probe/ProfileWriter.cpp - A profile as JSON ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/ProfileWriter.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

namespace cudalint::probe {

/// The length of the UTF-8 sequence that \p Text starts with, 0 if none.
static std::size_t sequenceLength(std::string_view Text) {
  auto Byte = [&](std::size_t I) {
    return I < Text.size() ? static_cast<unsigned char>(Text[I]) : 0u;
  };
  auto IsTail = [&](std::size_t I) { return (Byte(I) & 0xc0u) == 0x80u; };
  unsigned First = Byte(0), Second = Byte(1);
  if (First < 0x80)
    return 1;
  if (First >= 0xc2 && First < 0xe0 && IsTail(1))
    return 2;
  // Neither overlong forms nor surrogates.
  if (First >= 0xe0 && First < 0xf0 && IsTail(1) && IsTail(2) &&
      !(First == 0xe0 && Second < 0xa0) && !(First == 0xed && Second >= 0xa0))
    return 3;
  if (First >= 0xf0 && First < 0xf5 && IsTail(1) && IsTail(2) && IsTail(3) &&
      !(First == 0xf0 && Second < 0x90) && !(First == 0xf4 && Second >= 0x90))
    return 4;
  return 0;
}

std::string jsonString(std::string_view Text) {
  static constexpr char Digits[] = "0123456789abcdef";
  std::string Out = "\"";
  while (!Text.empty()) {
    std::size_t Length = sequenceLength(Text);
    unsigned char C = static_cast<unsigned char>(Text[0]);
    if (Length == 0) {
      Out += "\\ufffd";
      Length = 1;
    } else if (C == '"' || C == '\\') {
      Out += '\\';
      Out += Text[0];
    } else if (C < 0x20 || C == 0x7f) {
      Out += "\\u00";
      Out += Digits[C >> 4];
      Out += Digits[C & 15];
    } else {
      Out += Text.substr(0, Length);
    }
    Text.remove_prefix(Length);
  }
  return Out + '"';
}

namespace {
/// An object or an array, whose members are written one after the other.
class Json {
public:
  explicit Json(std::string &Out) : Out(Out) {}

  Json &key(std::string_view Name) {
    separate();
    Out += jsonString(Name);
    Out += ": ";
    First = true; // no comma before the value
    return *this;
  }
  void open(char Bracket) {
    separate();
    Out += Bracket;
    First = true;
  }
  void close(char Bracket) {
    Out += Bracket;
    First = false;
  }
  void raw(std::string_view Text) {
    separate();
    Out += Text;
    First = false;
  }
  void string(std::string_view Text) { raw(jsonString(Text)); }
  void number(std::uint64_t Value) { raw(std::to_string(Value)); }
  /// From 0 to 1, with six significant digits, so that only 0 is written as 0,
  /// and a point whatever the program's locale.
  void share(double Value) {
    char Text[32];
    const auto End = std::to_chars(std::begin(Text), std::end(Text),
                                   std::clamp(Value, 0.0, 1.0),
                                   std::chars_format::general, 6);
    raw({Text, End.ptr});
  }
  void optionalShare(const std::optional<double> &Value) {
    if (Value)
      share(*Value);
    else
      raw("null");
  }
  void boolean(bool Value) { raw(Value ? "true" : "false"); }
  template <class T> void optional(const std::optional<T> &Value) {
    if (Value)
      number(*Value);
    else
      raw("null");
  }
  template <class T> void numbers(std::span<const T> Values) {
    open('[');
    for (T Value : Values)
      number(Value);
    close(']');
  }
  void newline() {
    separate();
    Out += "\n  ";
    First = true;
  }

private:
  void separate() {
    if (!First)
      Out += ", ";
    First = false;
  }

  std::string &Out;
  bool First = true;
};
} // namespace

static void writeWhere(Json &J, const SourceLine &Where) {
  J.key("file");
  if (!Where.File) {
    J.raw("null");
    J.key("line").raw("null");
    return;
  }
  J.string(*Where.File);
  J.key("line").number(Where.Line);
}

static std::string_view name(Space In) {
  static constexpr std::string_view Names[] = {"global", "shared", "local",
                                               "generic"};
  return Names[static_cast<std::size_t>(In)];
}

static std::string_view name(Op What) {
  static constexpr std::string_view Names[] = {"load", "store", "atomic"};
  return Names[static_cast<std::size_t>(What)];
}

static std::string_view name(Uncounted Why) {
  static constexpr std::string_view Names[] = {
      "", "overhead", "cost", "busy", "graph", "waits", "lost"};
  return Names[static_cast<std::size_t>(Why)];
}

static void writeProcess(Json &J, const Profile &P) {
  J.key("process").open('{');
  J.key("pid").number(static_cast<std::uint64_t>(P.Pid));
  J.key("parent").number(static_cast<std::uint64_t>(P.Parent));
  J.key("host").string(P.Host);
  J.key("rank");
  P.Rank ? J.number(P.Rank->Rank) : J.raw("null");
  J.key("ranks").optional(P.Rank ? P.Rank->Ranks : std::nullopt);
  J.key("command").open('[');
  for (const std::string &Word : P.Command)
    J.string(Word);
  J.close(']');
  J.key("end").string(P.End);
  J.close('}');
}

static void writeProblems(Json &J, const std::vector<Problem> &Problems) {
  J.key("problems").open('[');
  for (const Problem &Each : Problems) {
    J.open('{');
    J.key("kind").string(Each.Kind);
    J.key("message").string(Each.Message);
    J.key("severity").string(Each.IsLoss ? "loss" : "note");
    J.close('}');
  }
  J.close(']');
}

static void writeDevices(Json &J, const Profile &P) {
  J.key("devices").open('[');
  for (const auto &[Index, D] : P.Devices) {
    J.open('{');
    J.key("index").number(Index);
    J.key("name").string(D.Name);
    J.key("uuid");
    D.Uuid.empty() ? J.raw("null") : J.string(D.Uuid);
    J.key("compute_capability")
        .string(std::to_string(D.Major) + "." + std::to_string(D.Minor));
    J.key("sms").number(D.Multiprocessors);
    J.close('}');
  }
  J.close(']');
}

static void writeKernels(Json &J, const Profile &P) {
  J.key("kernels").open('[');
  for (const auto &[Key, K] : P.Kernels) {
    J.newline();
    J.open('{');
    J.key("kernel").string(Key.Kernel);
    J.key("device").number(Key.Device);
    J.key("launches").number(K.Launches);
    J.key("measured_launches").number(K.Measured);
    J.key("threads").number(K.Threads);
    J.key("measured_threads").number(K.MeasuredThreads);
    J.key("uncounted");
    if (K.Why == Uncounted::No)
      J.raw("null");
    else
      J.string(name(K.Why));
    J.key("has_lines");
    if (K.HasLines)
      J.boolean(*K.HasLines);
    else
      J.raw("null");
    J.close('}');
  }
  J.close(']');
}

static void writeCounts(Json &J, const LineCounts &C) {
  J.key("instructions").optional(C.Instructions);
  J.key("requests").optional(C.Requests);
  J.key("lanes").optional(C.Lanes);
  J.key("sectors").optional(C.Sectors);
  J.key("ideal_sectors").optional(C.IdealSectors);
  J.key("wavefronts").optional(C.Wavefronts);
  J.key("ideal_wavefronts").optional(C.IdealWavefronts);
}

static void writeLines(Json &J, const Profile &P) {
  J.key("lines").open('[');
  for (const auto &[Key, L] : P.Lines) {
    J.newline();
    J.open('{');
    J.key("kernel").string(Key.Kernel);
    J.key("device").number(Key.Device);
    writeWhere(J, Key.Where);
    J.key("space").string(name(Key.In));
    J.key("op").string(name(Key.What));
    writeCounts(J, L);
    J.close('}');
  }
  J.close(']');
}

static void writeInstruction(Json &J, const InstructionRow &Row) {
  J.newline();
  J.open('{');
  J.key("offset").number(Row.Offset);
  J.key("opcode").string(Row.Opcode);
  J.key("bytes").optional(Row.Bytes ? std::optional(Row.Bytes) : std::nullopt);
  J.key("space").string(name(Row.In));
  J.key("op").string(name(Row.What));
  J.key("file").optional(Row.Where ? std::optional(Row.Where->File)
                                   : std::nullopt);
  J.key("line").optional(Row.Where ? std::optional(Row.Where->Line)
                                   : std::nullopt);
  J.key("frames").open('[');
  for (const Place &Each : Row.Frames) {
    const unsigned Pair[] = {Each.File, Each.Line};
    J.numbers(std::span<const unsigned>(Pair));
  }
  J.close(']');
  writeCounts(J, Row.Counts);
  J.close('}');
}

/// Names of files are long and the same in many rows: these have their numbers.
static void writeCode(Json &J, const Profile &P) {
  J.key("files").open('[');
  for (const std::string &File : P.Files)
    J.string(File);
  J.close(']');
  J.key("sources").open('[');
  for (const SourceStamp &Each : P.Sources) {
    J.open('{');
    J.key("file").number(Each.File);
    J.key("bytes").number(Each.Text.Bytes);
    J.key("modified").number(Each.Text.Modified);
    J.close('}');
  }
  J.close(']');
  J.key("code").open('[');
  for (const FunctionRows &Each : P.Code) {
    J.newline();
    J.open('{');
    J.key("kernel").string(Each.Kernel);
    J.key("device").number(Each.Device);
    J.key("calls_others").boolean(Each.CallsOthers);
    J.key("instructions").open('[');
    for (const InstructionRow &Row : Each.Rows)
      writeInstruction(J, Row);
    J.close(']');
    J.close('}');
  }
  J.close(']');
}

static void writeBranches(Json &J, const Profile &P) {
  J.key("branches").open('[');
  for (const auto &[Key, B] : P.Branches) {
    J.newline();
    J.open('{');
    J.key("kernel").string(Key.Kernel);
    J.key("device").number(Key.Device);
    writeWhere(J, Key.Where);
    J.key("instructions").optional(B.Instructions);
    J.key("threads_divergent").optional(B.ThreadsDivergent);
    J.close('}');
  }
  J.close(']');
}

static void writeUnits(Json &J, const UnitTotals &Units) {
  J.key("units").open('[');
  for (std::size_t I = 0; I != Units.size(); ++I) {
    if (Units[I].Launches == 0)
      continue;
    J.open('{');
    J.key("space").string(UnitMetrics[I].Space);
    J.key("op");
    J.string(UnitMetrics[I].Op);
    J.key("launches").number(Units[I].Launches);
    J.key("amount").number(
        static_cast<std::uint64_t>(std::llround(Units[I].Amount)));
    J.close('}');
  }
  J.close(']');
}

static void writeLaunches(Json &J, const Profile &P) {
  J.key("launches").open('[');
  for (const auto &[Key, L] : P.Launches) {
    J.newline();
    J.open('{');
    J.key("kernel").string(Key.Kernel);
    J.key("device").number(Key.Device);
    J.key("grid").numbers(std::span<const unsigned>(Key.Grid));
    J.key("block").numbers(std::span<const unsigned>(Key.Block));
    J.key("registers").optional(L.Resources.Registers);
    J.key("static_shared_bytes").optional(L.Resources.StaticSharedBytes);
    J.key("dynamic_shared_bytes").number(Key.DynamicSharedBytes);
    J.key("local_bytes").optional(L.Resources.LocalBytes);
    J.key("blocks_per_sm").optional(L.Resources.BlocksPerMultiprocessor);
    J.key("cluster_blocks").optional(L.Resources.ClusterBlocks);
    J.key("achieved_occupancy").optionalShare(L.Occupancy);
    J.key("dram_bytes").optional(L.DramBytes);
    J.key("l2_sectors").optional(L.L2Sectors);
    J.key("l2_peak_share").optionalShare(L.L2Share);
    J.key("range_launches").number(L.RangeLaunches);
    writeUnits(J, L.Units);
    J.key("count").number(L.Count);
    J.key("duration_ns");
    if (L.Duration) {
      J.open('{');
      J.key("min").number(L.Duration->Min);
      J.key("median").number(L.Duration->Median);
      J.key("max").number(L.Duration->Max);
      J.key("samples").numbers(
          std::span<const std::uint64_t>(L.Duration->Samples));
      J.close('}');
    } else {
      J.raw("null");
    }
    J.close('}');
  }
  J.close(']');
}

static void writeStalls(Json &J, const Profile &P) {
  J.key("pc_sampling").open('[');
  for (const auto &[Device, S] : P.Sampling) {
    J.open('{');
    J.key("device").number(Device);
    J.key("period_cycles").optional(S.PeriodCycles);
    J.key("samples").number(S.Samples);
    J.key("dropped_samples").number(S.Dropped);
    J.key("other_samples").number(S.Others);
    J.close('}');
  }
  J.close(']');
  J.key("stall_reasons").open('[');
  for (const std::string &Name : P.StallReasons)
    J.string(Name);
  J.close(']');
  J.key("stalls").open('[');
  for (const auto &[Key, Counts] : P.Stalls) {
    J.newline();
    J.open('{');
    J.key("kernel").string(Key.Kernel);
    J.key("device").number(Key.Device);
    writeWhere(J, Key.Where);
    J.key("reasons").open('[');
    for (const StallCount &Each : Counts) {
      const std::uint64_t Row[] = {Each.Reason, Each.Samples, Each.NotIssued};
      J.numbers(std::span<const std::uint64_t>(Row));
    }
    J.close(']');
    J.close('}');
  }
  J.close(']');
}

std::string profileText(const Profile &P) {
  std::string Out;
  Json J(Out);
  J.open('{');
  J.key("schema").string("cuda-lint-profile/1");
  J.key("tool").open('{');
  J.key("name").string("cuda-lint-probe");
  J.key("version").string(CUDA_LINT_VERSION);
  J.close('}');
  writeProcess(J, P);
  J.key("collect").string(P.Collect);
  J.key("unit_part").number(P.UnitPart);
  J.key("unit_parts").number(P.UnitParts);
  J.key("counters").string(P.Counted ? "sass" : "none");
  J.key("sampled").boolean(P.Samples);
  writeProblems(J, P.Problems);
  writeDevices(J, P);
  writeKernels(J, P);
  writeLines(J, P);
  writeCode(J, P);
  writeBranches(J, P);
  writeLaunches(J, P);
  if (P.Collect == "stalls")
    writeStalls(J, P);
  J.close('}');
  return Out + "\n";
}

} // namespace cudalint::probe
