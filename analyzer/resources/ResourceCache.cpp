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
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace cudalint {

/// Of an entry; to be raised when its meaning changes.
static constexpr std::int64_t Version = 1;
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
  else if (!sys::path::cache_directory(Result) ||
           !sys::path::is_absolute(Result))
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

std::optional<std::string> ResourceCache::find(const std::string &Key) {
  if (Folder.empty())
    return std::nullopt;
  std::unique_ptr<MemoryBuffer> Buffer = readRegular(pathOf(Key), MaxEntry);
  if (!Buffer)
    return std::nullopt;
  // What cannot be understood, whoever wrote it, is not there.
  Expected<json::Value> Entry = json::parse(Buffer->getBuffer());
  if (!Entry) {
    consumeError(Entry.takeError());
    return std::nullopt;
  }
  const json::Object *Object = Entry->getAsObject();
  if (!Object || Object->getInteger("version") != Version ||
      Object->getString("key") != StringRef(Key))
    return std::nullopt;
  const json::Array *Files = Object->getArray("files");
  std::optional<StringRef> Output = Object->getString("output");
  if (!Files || Files->empty() || !Output)
    return std::nullopt;
  for (const json::Value &Each : *Files) {
    const json::Array *Pair = Each.getAsArray();
    if (!Pair || Pair->size() != 2)
      return std::nullopt;
    std::optional<StringRef> Name = (*Pair)[0].getAsString();
    std::optional<StringRef> Hash = (*Pair)[1].getAsString();
    if (!Name || !Hash || Hash->empty() || hashOf(Name->str()) != *Hash)
      return std::nullopt;
  }
  return Output->str();
}

void ResourceCache::keep(const std::string &Key, const std::string &Output,
                         std::span<const std::string> Files,
                         std::chrono::system_clock::time_point Start) {
  if (Folder.empty() || Files.empty() || !json::isUTF8(Output))
    return;
  json::Array Pairs;
  for (const std::string &File : Files) {
    sys::fs::file_status Status;
    std::string Hash = hashOf(File);
    if (Hash.empty() || !json::isUTF8(File) || sys::fs::status(File, Status) ||
        Status.getLastModificationTime() >= Start)
      return;
    Pairs.push_back(json::Array{File, Hash});
  }
  std::string Text;
  raw_string_ostream(Text) << json::Value(
      json::Object{{"version", Version},
                   {"key", Key},
                   {"files", std::move(Pairs)},
                   {"output", Output}});
  if (Text.size() > MaxEntry ||
      sys::fs::create_directories(Folder, /*IgnoreExisting=*/true,
                                  sys::fs::owner_all) ||
      writeOutputFile(pathOf(Key), Text))
    return;
  CachePruningPolicy Policy;
  Policy.Expiration = std::chrono::hours(24 * 30);
  Policy.MaxSizeBytes = MaxFolder;
  pruneCache(Folder, Policy);
}

} // namespace cudalint
