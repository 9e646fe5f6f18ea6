#include "sandbox/ruleset_store.h"

#include <errno.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "process/control_protocol.h"
#include "sandbox/distant_mounts.h"
#include "sandbox/kernel_mounts.h"
#include "sandbox/reading_rules.h"

namespace bashward::sandbox {
namespace {

constexpr size_t kMaxKept = 8;

bool Writes(const PathPolicy& policy) {
  return !policy.roots.empty() || !policy.scratch.empty() || policy.shared_memory || policy.terminal;
}

// What a ruleset depends on besides the machine.
std::string KeyOf(const PathPolicy& policy, const std::set<FileId>& spared) {
  std::string key(1, Writes(policy) ? 'r' : 'e');
  key.push_back(policy.shared_memory ? 's' : '-');
  for (const std::string& path : policy.unreadable) key.append(path).push_back('\0');
  key.push_back('\0');
  for (const std::string& path : policy.usual) key.append(path).push_back('\0');
  for (const FileId& id : spared) {
    key.append(std::to_string(id.device)).push_back(':');
    key.append(std::to_string(id.inode)).push_back('\0');
  }
  return key;
}

std::string ParentOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

// Of a policy whatever its roots are. What is missing in shared memory will be readable, as the rest of it
// is.
std::set<FileId> AlwaysSpared(const PathPolicy& policy) {
  struct stat status{};
  if (!policy.shared_memory || stat("/dev/shm", &status) != 0) return {};
  return {FileId::Of(status)};
}

// A rule for shared memory would give back what is left out in there.
bool AllowsSharedMemory(const ExcludedPaths& excluded, Refusal* refusal) {
  struct stat status{};
  if (stat("/dev/shm", &status) != 0) {
    if (errno == ENOENT) return true;
    *refusal = {errno, "/dev/shm", "it cannot be looked at"};
    return false;
  }
  const FileId id = FileId::Of(status);
  if (!excluded.Has(id) && excluded.Below(id) == nullptr) return true;
  *refusal = {EINVAL, "/dev/shm", "shared memory is allowed, and an unreadable path is in it"};
  return false;
}

bool AddRules(const Ruleset& ruleset, const PathPolicy& policy, const ExcludedPaths& excluded,
              DirectoryStamps* walked, std::set<FileId>* allowed, Refusal* refusal) {
  ReadingRules rules(ruleset, excluded, walked);
  if (!rules.Add(refusal)) return false;
  *allowed = rules.TakeAllowed();
  if (!policy.shared_memory) return true;
  if (!AllowsSharedMemory(excluded, refusal)) return false;
  if (AllowSharedMemory(ruleset)) return true;
  *refusal = {errno, {}, {}};
  return false;
}

}  // namespace

CommandRuleset RulesetStore::For(const PathPolicy& policy) {
  CommandRuleset answer;
  knows_mounts_ = mounts_.Update();
  // Without /proc no mounts are known; then nothing is kept.
  if (!knows_mounts_ && errno != ENOENT) return answer.refusal = {errno, {}, {}}, answer;
  std::set<FileId> spared = AlwaysSpared(policy);
  std::unique_ptr<Kept> made;
  Kept* kept = Get(policy, spared, &made, &answer.refusal);
  if (kept == nullptr) return answer;
  const size_t always = spared.size();
  for (const std::string& root : policy.roots) spared.merge(kept->excluded.ConflictsOf(root));
  if (spared.size() != always) {
    Keep(std::move(made));
    kept = Get(policy, spared, &made, &answer.refusal);
    if (kept == nullptr) return answer;
  }
  if (!AllowRoots(policy, kept->excluded, &answer.refusal)) return answer;
  answer.opens_devices = std::any_of(policy.roots.begin(), policy.roots.end(),
                                     [this](const std::string& root) { return OpensDevices(mounts_, root); });
  for (size_t i = 0; i < policy.roots.size() && i < protocol::kMaxRoots; ++i) {
    if (MayHang(mounts_, policy.roots[i])) answer.roots_that_may_hang |= uint32_t{1} << i;
  }
  answer.own =
      policy.terminal || (!policy.scratch.empty() && !IsCoveredBy(kept->allowed, ParentOf(policy.scratch)));
  if (answer.own && !made) {
    made = Make(policy, spared, &answer.refusal);
    if (!made) return answer;
    kept = made.get();
  }
  answer.fd = kept->fd;
  if (!answer.own) Keep(std::move(made));
  return answer;
}

uint64_t RulesetStore::MountsVersion() {
  mounts_.Update();
  return mounts_.version();
}

RulesetStore::Kept* RulesetStore::Get(const PathPolicy& policy, const std::set<FileId>& spared,
                                      std::unique_ptr<Kept>* made, Refusal* refusal) {
  const std::string key = KeyOf(policy, spared);
  Kept* kept = Find(key);
  if (kept != nullptr) return kept;
  *made = Make(policy, spared, refusal);
  if (*made != nullptr) (*made)->key = key;
  return made->get();
}

void RulesetStore::Keep(std::unique_ptr<Kept> made) {
  if (!made || !knows_mounts_ || !made->walked.AreCurrent()) return;
  kept_.push_front(std::move(made));
  if (kept_.size() > kMaxKept) kept_.pop_back();
}

std::vector<std::string> RulesetStore::OtherNames(const std::string& path) {
  if (!mounts_.Update()) return {};
  return mounts_.OtherNames(path);
}

std::vector<std::string> RulesetStore::MountsBelow(const std::string& path) {
  if (!mounts_.Update()) return {};
  return mounts_.PointsBelow(path);
}

std::unique_ptr<RulesetStore::Kept> RulesetStore::Make(const PathPolicy& policy,
                                                       const std::set<FileId>& spared,
                                                       Refusal* refusal) const {
  auto made = std::make_unique<Kept>();
  made->mounts_version = mounts_.version();
  if (!made->excluded.Resolve({policy.unreadable, policy.usual}, spared, mounts_, &made->lookups, refusal)) {
    return nullptr;
  }
  const int abi = LandlockAbi();
  if (abi > 0) made->ruleset = Writes(policy) ? CreateReadingRuleset(abi) : CreateRuleset(abi);
  if (!made->ruleset.fd.valid()) return *refusal = {errno, {}, {}}, nullptr;
  if (!AddRules(made->ruleset, policy, made->excluded, &made->walked, &made->allowed, refusal)) {
    return nullptr;
  }
  made->fd = std::make_shared<sys::UniqueFd>(std::move(made->ruleset.fd));
  return made;
}

RulesetStore::Kept* RulesetStore::Find(const std::string& key) {
  const auto position =
      std::find_if(kept_.begin(), kept_.end(), [&key](const auto& kept) { return kept->key == key; });
  if (position == kept_.end()) return nullptr;
  if (!IsCurrent(position->get())) {
    kept_.erase(position);
    return nullptr;
  }
  kept_.splice(kept_.begin(), kept_, position);
  return kept_.front().get();
}

bool RulesetStore::IsCurrent(Kept* kept) const {
  return knows_mounts_ && kept->mounts_version == mounts_.version() && kept->walked.AreCurrent() &&
         kept->lookups.IsCurrent(kept->walked);
}

bool RulesetStore::AllowRoots(const PathPolicy& policy, const ExcludedPaths& excluded,
                              Refusal* refusal) const {
  return std::all_of(policy.roots.begin(), policy.roots.end(), [&](const std::string& root) {
    if (!knows_mounts_)
      return *refusal = {ENOENT, root, "the mounts in it are not known: there is no /proc"}, false;
    const Mount* mount = KernelMountIn(mounts_, root);
    if (mount == nullptr) return excluded.AllowRoot(root, refusal);
    *refusal = {EINVAL, root, "a file system of the kernel (" + mount->type + ") is at " + mount->point};
    return false;
  });
}

}  // namespace bashward::sandbox
