#include "process/reactor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "process/worker_thread.h"
#include "sys/signals.h"

namespace bashward::process {

namespace {

// Through a function: this may be needed before the constructors of this file have run, and after its
// destructors.
std::mutex& InstanceMutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

Reactor* instance = nullptr;

// Commands are started for this long in a row; then everything else gets its turn.
constexpr uint64_t kLaunchTurnNs = 2 * kNsPerMs;
// On a machine that is busy with something else the gate may stay shut: this often, one command starts all
// the same.
constexpr uint64_t kLongestWaitNs = 1 * kNsPerMs;

}  // namespace

Reactor* Reactor::Get(int* error) {
  std::lock_guard<std::mutex> lock(InstanceMutex());
  if (instance != nullptr) return instance;
  auto* reactor = new Reactor;
  *error = reactor->Start();
  if (*error != 0) {
    delete reactor;
    return nullptr;
  }
  instance = reactor;
  return instance;
}

int Reactor::Start() {
  // Read and write: it is the commands' stdin and takes what nobody keeps.
  null_.reset(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null_.valid()) return errno;
  resources_.null_fd = null_.get();
  const int opened = loop_.Open();
  if (opened != 0) return opened;

  const auto run = [](void* reactor) -> void* {
    // A supervisor's end sends SIGCHLD to this thread first. Blocked here, it would be queued for the process
    // and interrupt the main thread's epoll_pwait; unblocked and without a handler, the kernel drops it.
    sys::SetSignalMask(sys::kHostSignals & ~sys::SignalSet(SIGCHLD));
    static_cast<Reactor*>(reactor)->loop_.Run();
    return nullptr;
  };
  return StartDetachedThread("bashward", run, this);
}

Reactor* Reactor::Running() {
  std::lock_guard<std::mutex> lock(InstanceMutex());
  return instance;
}

uint64_t Reactor::Submit(CommandSpec spec, std::shared_ptr<CommandListener> listener) {
  const uint64_t id = next_id_.fetch_add(1, std::memory_order_relaxed);
  // std::function wants a copyable task; the request may be a megabyte.
  auto shared = std::make_shared<CommandSpec>(std::move(spec));
  loop_.Post([this, id, shared, listener = std::move(listener)]() mutable {
    Run(id, std::move(*shared), std::move(listener));
  });
  return id;
}

void Reactor::Run(uint64_t id, CommandSpec spec, std::shared_ptr<CommandListener> listener) {
  auto on_gone = [this, id] { loop_.Defer([this, id] { OnGone(id); }); };
  auto command = std::make_unique<Command>(id, std::move(spec), std::move(listener), loop_, launcher_,
                                           resources_, std::move(on_gone));
  commands_.emplace(id, std::move(command));
  waiting_.push_back(id);
  // Not from here: several may have come together, and each turn has its limit.
  if (!launch_timer_.pending()) launch_timer_.SetIn(0);
}

void Reactor::Launch() {
  uint64_t now = MonotonicNs();
  const uint64_t end = now + kLaunchTurnNs;
  bool open = true;
  for (; !waiting_.empty() && now < end; now = MonotonicNs()) {
    // Some that wait may have been cancelled.
    const size_t running = commands_.size() - std::min(commands_.size(), waiting_.size());
    open = now - launched_at_ns_ >= kLongestWaitNs || gate_.IsOpen(running);
    if (!open) break;
    const auto command = commands_.find(waiting_.front());
    waiting_.pop_front();
    if (command == commands_.end()) continue;
    launched_at_ns_ = now;
    command->second->Start();
  }
  if (!waiting_.empty()) launch_timer_.SetIn(open ? 0 : kLongestWaitNs);
}

void Reactor::OnGone(uint64_t id) {
  commands_.erase(id);
  if (!waiting_.empty()) launch_timer_.SetIn(0);
}

void Reactor::Cancel(uint64_t id) {
  loop_.Post([this, id] {
    auto command = commands_.find(id);
    if (command != commands_.end()) command->second->Cancel();
  });
}

void Reactor::Release(uint64_t id, std::optional<JobPlan> job) {
  loop_.Post([this, id, job = std::move(job)] {
    auto command = commands_.find(id);
    if (command != commands_.end()) command->second->Release(job);
  });
}

void Reactor::HandOver(uint64_t id, std::optional<JobPlan> job) {
  loop_.Post([this, id, job = std::move(job)] {
    auto command = commands_.find(id);
    if (command != commands_.end()) command->second->HandOver(job);
  });
}

void Reactor::Abandon(std::shared_ptr<CommandListener> listener) {
  loop_.Post([this, listener = std::move(listener)] {
    std::vector<Command*> abandoned;
    for (auto& [id, command] : commands_) {
      if (command->listener() == listener.get()) abandoned.push_back(command.get());
    }
    for (Command* command : abandoned) command->Abandon();
  });
}

uint64_t Reactor::AwaitExit(sys::UniqueFd pidfd, std::shared_ptr<ExitListener> listener) {
  const uint64_t id = next_id_.fetch_add(1, std::memory_order_relaxed);
  // std::function wants a copyable task.
  auto shared = std::make_shared<sys::UniqueFd>(std::move(pidfd));
  loop_.Post([this, id, shared, listener = std::move(listener)]() mutable {
    exits_.Add(id, std::move(*shared), std::move(listener));
  });
  return id;
}

void Reactor::ForgetExit(uint64_t id) {
  loop_.Post([this, id] { exits_.Forget(id); });
}

void Reactor::ForgetExits(std::shared_ptr<ExitListener> listener) {
  loop_.Post([this, listener = std::move(listener)] { exits_.ForgetAll(listener.get()); });
}

}  // namespace bashward::process
