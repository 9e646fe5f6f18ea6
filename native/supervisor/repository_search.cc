#include "supervisor/repository_search.h"

#include <dirent.h>
#include <string.h>

#include "sys/directory.h"

namespace bashward::supervisor {
namespace {

using sys::UniqueFd;

constexpr size_t kMaxDepth = 2;
constexpr size_t kMaxEntries = 8192;  // of all directories that are listed
constexpr size_t kListingBuffer = 16 * 1024;

uint32_t BitOf(const char* name, size_t length) {
  uint32_t hash = 2166136261U;  // FNV-1a
  for (size_t i = 0; i < length; ++i) hash = (hash ^ static_cast<unsigned char>(name[i])) * 16777619U;
  return hash ^ hash >> 16;
}

// Neither holds what a person works on, and the second can be very large. `.bare` is where people put the
// repository of many worktrees.
bool IsLeftOut(const char* name) {
  return (name[0] == '.' && strcmp(name, ".bare") != 0) || strcmp(name, "node_modules") == 0;
}

enum GitName : uint8_t { kHead = 1, kObjects = 2, kRefs = 4, kCommonDirectory = 8 };
struct KnownName {
  const char* name;
  GitName value;
};
constexpr KnownName kGitNames[] = {
    {"HEAD", kHead}, {"objects", kObjects}, {"refs", kRefs}, {"commondir", kCommonDirectory}};

uint8_t GitNameOf(const char* name) {
  for (const auto& known : kGitNames) {
    if (*name == *known.name && strcmp(name, known.name) == 0) return known.value;
  }
  return 0;
}

// By what git takes a directory for one. With `commondir` objects and refs are elsewhere.
bool IsGitDirectory(uint8_t names) {
  constexpr uint8_t kOwn = kHead | kObjects | kRefs;
  constexpr uint8_t kLinked = kHead | kCommonDirectory;
  return (names & kOwn) == kOwn || (names & kLinked) == kLinked;
}

// Without a list of its names.
uint8_t LookForGitNames(int parent, RelativePath* path) {
  uint8_t names = 0;
  const size_t length = path->length();
  for (const auto& known : kGitNames) {
    if (path->Push(known.name) && PathReader::Open(parent, path->c_str(), Mounts::kSameOnly).valid()) {
      names |= known.value;
    }
    path->Cut(length);
    if ((names & kHead) == 0) break;
  }
  return names;
}

bool EndsInGit(const char* name) {
  constexpr char kEnd[] = ".git";
  const size_t length = strlen(name);
  return length >= strlen(kEnd) && strcmp(name + length - strlen(kEnd), kEnd) == 0;
}

}  // namespace

void NameFilter::Clear() {
  for (uint64_t& word : words_) word = 0;
}

void NameFilter::AddAll() {
  for (uint64_t& word : words_) word = ~uint64_t{0};
}

void NameFilter::Add(const char* name, size_t length) {
  const uint32_t bit = BitOf(name, length);
  words_[bit / 64 % kWords] |= uint64_t{1} << bit % 64;
}

bool NameFilter::MayContain(const char* name, size_t length) const {
  const uint32_t bit = BitOf(name, length);
  return (words_[bit / 64 % kWords] >> bit % 64 & 1) != 0;
}

void RepositorySearch::Begin(bool again) {
  if (!again) current_ = 1 - current_;
  generations_[current_].count = 0;
  generations_[current_].names_size = 0;
  directories_left_ = kMaxDirectories;
  entries_left_ = kMaxEntries;
  left_out_ = 0;
}

void RepositorySearch::Look(size_t root, int fd, bool nested, const PathReader& reader) {
  nested_ = nested;
  Generation& now = generations_[current_];
  Directory& top = now.directories[now.count++];
  top = {};
  top.root = static_cast<uint8_t>(root);
  const Generation& last = generations_[1 - current_];
  const Directory* before = nullptr;
  for (size_t i = 0; i < last.count && before == nullptr; ++i) {
    if (last.directories[i].depth == 0 && last.directories[i].root == root) before = &last.directories[i];
  }
  Enter(&top, fd, before, reader);
}

void RepositorySearch::Enter(Directory* directory, int fd, const Directory* before,
                             const PathReader& reader) {
  directory->state = reader.Look(fd);
  directory->was_git_directory = before != nullptr && IsGitDirectory(before->git_names);
  if (before != nullptr && before->is_listed && IsUntouched(before->state, directory->state)) {
    Repeat(directory, *before);
  } else if (directory->depth == 0) {
    // That descriptor is for a path only.
    List(directory, PathReader::OpenDirectory(fd, ".", Mounts::kAny).get());
  } else {
    List(directory, fd);
  }
  for (size_t i = 0; i < directory->child_count; ++i) {
    Directory& child = generations_[current_].directories[directory->first_child + i];
    if (child.depth < kMaxDepth) {
      const UniqueFd child_fd = PathReader::OpenDirectory(fd, NameOf(child), Mounts::kSameOnly);
      if (!child_fd.valid()) continue;
      child.is_repository = PathReader::Open(child_fd.get(), ".git", Mounts::kSameOnly).valid();
      Enter(&child, child_fd.get(), FindBefore(before, NameOf(child)), reader);
    } else {
      RelativePath path;
      if (!path.Push(NameOf(child))) continue;
      if (EndsInGit(NameOf(child))) {
        const Directory* const child_before = FindBefore(before, NameOf(child));
        child.was_git_directory = child_before != nullptr && IsGitDirectory(child_before->git_names);
        child.git_names = LookForGitNames(fd, &path);
      }
      child.is_repository =
          path.Push(".git") && PathReader::Open(fd, path.c_str(), Mounts::kSameOnly).valid();
    }
  }
}

void RepositorySearch::Repeat(Directory* directory, const Directory& before) {
  Generation& now = generations_[current_];
  const Generation& last = generations_[1 - current_];
  if (directory->depth == 0) now.first_levels[directory->root] = last.first_levels[directory->root];
  directory->is_listed = true;
  directory->git_names = before.git_names;
  for (size_t i = 0; i < before.child_count && directory->is_listed; ++i) {
    directory->is_listed = AddChild(directory, last.names + last.directories[before.first_child + i].name);
  }
}

void RepositorySearch::List(Directory* directory, int fd) {
  NameFilter& first_level = generations_[current_].first_levels[directory->root];
  if (directory->depth == 0) first_level.Clear();
  bool complete = true;
  const auto take = [&](const sys::DirectoryEntry& entry) {
    if (entries_left_ == 0) {
      complete = false;
      return false;
    }
    --entries_left_;
    if (directory->depth == 0) first_level.Add(entry.name, strlen(entry.name));
    directory->git_names |= GitNameOf(entry.name);
    const bool may_be_directory = entry.type == DT_DIR || entry.type == DT_UNKNOWN;
    if (!nested_ || !may_be_directory || IsLeftOut(entry.name)) return true;
    if (!AddChild(directory, entry.name)) complete = false;
    return true;
  };
  const bool readable = sys::VisitEntries<kListingBuffer>(fd, take) == 0;
  directory->is_listed = readable && complete;
  if (!directory->is_listed && directory->depth == 0) first_level.AddAll();
  if (readable && entries_left_ == 0) ++left_out_;
}

// All of a directory are added before one of another is.
bool RepositorySearch::AddChild(Directory* parent, const char* name) {
  Generation& now = generations_[current_];
  const size_t size = strlen(name) + 1;
  if (directories_left_ == 0 || size > sizeof now.names - now.names_size) {
    ++left_out_;
    return false;
  }
  --directories_left_;
  if (parent->child_count++ == 0) parent->first_child = static_cast<uint16_t>(now.count);
  Directory& child = now.directories[now.count++];
  child = {};
  child.name = static_cast<uint32_t>(now.names_size);
  child.parent = static_cast<uint16_t>(parent - now.directories);
  child.root = parent->root;
  child.depth = static_cast<uint8_t>(parent->depth + 1);
  memcpy(now.names + now.names_size, name, size);
  now.names_size += size;
  return true;
}

const RepositorySearch::Directory* RepositorySearch::FindBefore(const Directory* parent_before,
                                                                const char* name) const {
  if (parent_before == nullptr) return nullptr;
  const Generation& last = generations_[1 - current_];
  for (size_t i = 0; i < parent_before->child_count; ++i) {
    const Directory& child = last.directories[parent_before->first_child + i];
    if (strcmp(last.names + child.name, name) == 0) return &child;
  }
  return nullptr;
}

bool RepositorySearch::Next(size_t root, size_t* position, RelativePath* path) const {
  const Generation& now = generations_[current_];
  while (*position < now.count) {
    const Directory& directory = now.directories[(*position)++];
    if (directory.is_repository && directory.root == root && PushPath(directory, path)) return true;
  }
  return false;
}

bool RepositorySearch::NextGitDirectory(size_t root, size_t* position, RelativePath* path,
                                        bool* is_new) const {
  const Generation& now = generations_[current_];
  while (*position < now.count) {
    const Directory& directory = now.directories[(*position)++];
    const bool is_git_directory = directory.was_git_directory || IsGitDirectory(directory.git_names);
    if (!is_git_directory || directory.root != root || !PushPath(directory, path)) continue;
    *is_new = !directory.was_git_directory;
    return true;
  }
  return false;
}

bool RepositorySearch::PushPath(const Directory& directory, RelativePath* path) const {
  path->Cut(0);
  if (directory.depth == 0) return true;
  const Directory& parent = generations_[current_].directories[directory.parent];
  return (parent.depth == 0 || path->Push(NameOf(parent))) && path->Push(NameOf(directory));
}

}  // namespace bashward::supervisor
