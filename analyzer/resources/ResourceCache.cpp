//===- analyzer/resources/ResourceCache.cpp - Output of nvcc, kept --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/ResourceCache.h"

#include "report/OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <nlohmann/json.hpp>

using namespace llvm;

namespace cudalint {

/// Of an entry; to be raised when its meaning changes.
static constexpr std::int64_t Version = 3;
static constexpr std::uint64_t MaxEntry = 64u << 20;
static constexpr std::uint64_t MaxSource = 256u << 20;
static constexpr std::uint64_t MaxFolder = 256u << 20;

static std::unique_ptr<MemoryBuffer> readRegular(const std::string &File,
                                                 std::uint64_t MaxBytes) {
  // A pipe would wait for ever, a device never end.
  sys::fs::file_status Status;
  if (sys::fs::status(File, Status) || !sys::fs::is_regular_file(Status) ||
      Status.getSize() > MaxBytes)
    return nullptr;
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  return Buffer ? std::move(*Buffer) : nullptr;
}

ResourceCache::ResourceCache(std::string Folder) : Folder(std::move(Folder)) {}

std::string ResourceCache::defaultFolder() {
  SmallString<128> Result;
  std::optional<std::string> Cache = sys::Process::GetEnv("XDG_CACHE_HOME");
  // The specification says to ignore a relative one.
  if (Cache && sys::path::is_absolute(*Cache))
    Result = *Cache;
  else if (sys::path::home_directory(Result) && sys::path::is_absolute(Result))
    sys::path::append(Result, ".cache");
  else
    return "";
  sys::path::append(Result, "cuda-lint");
  return Result.str().str();
}

std::string ResourceCache::pathOf(const std::string &Key) const {
  // Only files of this name are pruned.
  return Folder + "/llvmcache-" + Key + ".json";
}

std::string ResourceCache::hashOf(const std::string &File) {
  {
    std::scoped_lock Lock(Guard);
    if (auto Known = Hashes.find(File); Known != Hashes.end())
      return Known->second;
  }
  std::string Hash;
  if (std::unique_ptr<MemoryBuffer> Buffer = readRegular(File, MaxSource))
    Hash = toHex(BLAKE3::hash(arrayRefFromStringRef(Buffer->getBuffer())),
                 /*LowerCase=*/true);
  std::scoped_lock Lock(Guard);
  return Hashes.emplace(File, Hash).first->second;
}

/// Pairs of strings; nothing when they are none.
static std::optional<PrivateNames> readNames(const nlohmann::json &Names) {
  if (!Names.is_array())
    return std::nullopt;
  PrivateNames Result;
  for (const nlohmann::json &Each : Names) {
    if (!Each.is_array() || Each.size() != 2 || !Each[0].is_string() ||
        !Each[1].is_string())
      return std::nullopt;
    Result.emplace_back(Each[0].get<std::string>(), Each[1].get<std::string>());
  }
  return Result;
}

std::optional<CompilerOutput> ResourceCache::find(const std::string &Key) {
  if (Folder.empty())
    return std::nullopt;
  std::unique_ptr<MemoryBuffer> Buffer = readRegular(pathOf(Key), MaxEntry);
  if (!Buffer)
    return std::nullopt;
  // What cannot be understood, whoever wrote it, is not there.
  using Json = nlohmann::json;
  Json Entry = Json::parse(Buffer->getBufferStart(), Buffer->getBufferEnd(),
                           /*cb=*/nullptr, /*allow_exceptions=*/false);
  auto member = [&](const Json &Object, const char *Name) {
    auto Found = Object.is_object() ? Object.find(Name) : Object.end();
    return Found == Object.end() ? Json() : *Found;
  };
  if (member(Entry, "version") != Version || member(Entry, "key") != Key)
    return std::nullopt;
  Json Files = member(Entry, "files");
  Json Output = member(Entry, "output"), Cubin = member(Entry, "cubin");
  std::optional<PrivateNames> Names = readNames(member(Entry, "names"));
  std::vector<char> Code;
  if (!Names || !Files.is_object() || Files.empty() || !Output.is_string() ||
      !Cubin.is_string() ||
      errorToBool(decodeBase64(Cubin.get<std::string>(), Code)))
    return std::nullopt;
  for (const auto &[File, Hash] : Files.items())
    if (std::string Now = hashOf(File); Now.empty() || Hash != Now)
      return std::nullopt;
  return CompilerOutput{.Text = Output.get<std::string>(),
                        .Cubin = std::string(Code.begin(), Code.end()),
                        .Names = std::move(*Names)};
}

void ResourceCache::keep(const std::string &Key, const CompilerOutput &Output,
                         std::span<const std::string> Files,
                         std::chrono::system_clock::time_point Start) {
  if (Folder.empty() || Files.empty() || !json::isUTF8(Output.Text))
    return;
  nlohmann::json Hashed;
  for (const std::string &File : Files) {
    sys::fs::file_status Status;
    std::string Hash = hashOf(File);
    if (Hash.empty() || !json::isUTF8(File) || sys::fs::status(File, Status) ||
        Status.getLastModificationTime() >= Start)
      return;
    Hashed[File] = Hash;
  }
  nlohmann::json Names = nlohmann::json::array();
  for (const auto &[Private, Real] : Output.Names) {
    if (!json::isUTF8(Private) || !json::isUTF8(Real))
      return;
    Names.push_back(nlohmann::json::array({Private, Real}));
  }
  std::string Text =
      nlohmann::json{
          {"version", Version},         {"key", Key},
          {"files", std::move(Hashed)}, {"output", Output.Text},
          {"names", std::move(Names)},  {"cubin", encodeBase64(Output.Cubin)}}
          .dump();
  std::string Path = pathOf(Key);
  sys::fs::file_status Status;
  bool Exists = !sys::fs::status(Path, Status, /*follow=*/false);
  // Only a plain file is replaced: a pipe would wait for its reader.
  if (Text.size() > MaxEntry || (Exists && !sys::fs::is_regular_file(Status)) ||
      sys::fs::create_directories(Folder, /*IgnoreExisting=*/true,
                                  sys::fs::owner_all) ||
      writeOutputFile(Path, Text))
    return;
  CachePruningPolicy Policy;
  Policy.Expiration = std::chrono::hours(24 * 30);
  Policy.MaxSizeBytes = MaxFolder;
  pruneCache(Folder, Policy);
}

} // namespace cudalint
