//===- analyzer/tool/KeptFindings.cpp - Of a build, from before -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/KeptFindings.h"

#include "analyzer/resources/BuiltCode.h"
#include "report/JsonReader.h"
#include "report/JsonWriter.h"

#include <filesystem>
#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/BLAKE3.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <mutex>
#include <nlohmann/json.hpp>

using namespace llvm;

namespace cudalint {

struct KeptFindings::Record {
  std::mutex Guard;
  std::set<std::string> Names;
};

namespace {
class RecordingFiles : public vfs::ProxyFileSystem {
public:
  using OnRead = std::function<void(std::string)>;

  RecordingFiles(IntrusiveRefCntPtr<vfs::FileSystem> Files, OnRead Tell)
      : ProxyFileSystem(std::move(Files)), Tell(std::move(Tell)) {}

  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    auto File = getUnderlyingFS().openFileForRead(Path);
    if (File)
      Tell(Path.str());
    return File;
  }

private:
  OnRead Tell;
};
} // namespace

static std::string digestOf(StringRef Text) {
  return toHex(BLAKE3::hash(arrayRefFromStringRef(Text)), /*LowerCase=*/true);
}

/// Of a program: its size and time tell which one it is.
static std::string identityOf(const std::string &Program) {
  sys::fs::file_status Status;
  if (sys::fs::status(Program, Status))
    return {};
  return fmt::format(
      "{} {} {}", Program, Status.getSize(),
      Status.getLastModificationTime().time_since_epoch().count());
}

/// Parts that a digest tells apart, however they are cut.
static void add(std::string &To, StringRef Part) {
  To += fmt::format("{} {}\n", Part.size(), Part.str());
}

static std::string keyOf(const Options &Run, const std::string &Settings) {
  if (!Run.Launched || !Run.Resources.UseCache || Run.UnusedNoLint ||
      Run.ExplainAt || !Run.Diff.empty() || !Run.Baseline.empty() ||
      !Run.WriteBaseline.empty() || !Run.LaunchesFrom.empty() ||
      !Run.Resources.PtxasLogs.empty())
    return {};
  std::error_code Gone;
  const std::string Here = std::filesystem::current_path(Gone).string();
  const std::string Self = identityOf(sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&identityOf)));
  if (Here.empty() || Self.empty())
    return {};
  std::string Text;
  for (const std::string &Part : {Self, Here, Settings, Run.CudaPath})
    add(Text, Part);
  for (const std::string &Word : Run.Launched->Options)
    add(Text, Word);
  for (const ProjectFile &File : Run.Files) {
    add(Text, File.Name);
    for (const std::string &Word : File.Arguments)
      add(Text, Word);
  }
  return digestOf(Text);
}

KeptFindings::KeptFindings(const Options &Run, const std::string &Settings)
    : Run(Run), Key(keyOf(Run, Settings)),
      Cache(Run.Resources.CacheDir.empty() ? ResourceCache::defaultFolder()
                                           : Run.Resources.CacheDir),
      Start(std::chrono::system_clock::now()),
      Read(std::make_shared<Record>()) {}
KeptFindings::~KeptFindings() = default;

std::optional<AnalysisResult> KeptFindings::find() {
  if (Key.empty())
    return std::nullopt;
  const std::optional<CompilerOutput> Kept = Cache.find(Key);
  if (!Kept)
    return std::nullopt;
  const nlohmann::json Entry =
      nlohmann::json::parse(Kept->Text, nullptr, /*allow_exceptions=*/false);
  if (!Entry.is_object() || !Entry.contains("report") ||
      !Entry["report"].is_string() ||
      Entry.value("code", "") != digestOf(builtCode(*Run.Resources.Built)))
    return std::nullopt;
  DocumentsRead Found = readDocuments(Entry["report"].get<std::string>());
  if (!Found.Error.empty())
    return std::nullopt;
  return AnalysisResult{.Documents = std::move(Found.Documents)};
}

IntrusiveRefCntPtr<vfs::FileSystem> KeptFindings::files() {
  if (Key.empty())
    return nullptr;
  return makeIntrusiveRefCnt<RecordingFiles>(
      vfs::createPhysicalFileSystem(), [To = Read](std::string Name) {
        const std::lock_guard Lock(To->Guard);
        To->Names.insert(std::move(Name));
      });
}

void KeptFindings::keep(const AnalysisResult &Result) {
  for (const Document &Doc : Result.Documents)
    for (const UnitRecord &Unit : Doc.Units)
      if (Unit.Status != UnitStatus::Ok)
        return;
  if (Key.empty() || !Result.Error.empty())
    return;
  const nlohmann::json Entry = {
      {"code", digestOf(builtCode(*Run.Resources.Built))},
      {"report", toJson(Result.Documents)}};
  const std::vector<std::string> Files(Read->Names.begin(), Read->Names.end());
  Cache.keep(Key,
             {.Text = Entry.dump(-1, ' ', false,
                                 nlohmann::json::error_handler_t::replace),
              .Cubin = {}},
             Files, Start);
}

} // namespace cudalint
