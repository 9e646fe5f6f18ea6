// The control protocol between the host's reactor and the supervisor of one command.
//
// A stream socketpair carries framed messages in both directions: a MessageHeader, then `size` bytes of body.
// Both ends are built from the same sources for the same machine, so structs travel as they are; `kMagic` in
// the request catches a supervisor of another version.
//
//   host → supervisor                         supervisor → host
//   Request   once, first                     Started   the shell is about to run; a job runs, and is on disk
//                                             Marked    before that, of a call that may start once: its mark
//                                             is made, and comes along
//   Kill      end every descendant            Failed    it does not run, and why: the last message
//   Release   list survivors, and let them    Report    what the sandbox refused or found; before the next
//             be or make them the job that              two, and only when there is something new
//             it describes                    Exited    the shell has ended
//   Prepare   make the files of the job that  Ended     the answer to Kill and Release: the last message
//             the command is to become        Probed    of a probe, which runs no shell: the only message
//   Withdraw  remove them again               Prepared  the answer to Prepare: its output file, or why not
//   Commit    the command is that job         Committed the answer to Commit: it is, or why not
//
// A command is handed over in two phases, so that nothing of it is lost when one of them fails. After Prepare
// the host goes on reading the output. It stops at Prepared, writes what it has into the job's file, and
// commits; the supervisor then publishes the job, and reads. Until Committed the command is the host's: its
// end, a Kill, the end of the shell and a failure of either side undo what Prepare has made. The supervisor
// decides which came first, and does not answer a Commit that came too late: Exited is the answer then, or
// Ended.
//
// When `Exited` says that no child is left it is the last message too. The end of the host is the end of the
// stream: the supervisor then kills every descendant, unless it has released them or they are a job.
#ifndef BASHWARD_PROCESS_CONTROL_PROTOCOL_H_
#define BASHWARD_PROCESS_CONTROL_PROTOCOL_H_

#include <cstdint>

namespace bashward::protocol {

inline constexpr uint32_t kMagic = 0x32647762;  // "bwd2"

// The descriptors that a supervisor is started with. stdin is /dev/null, or with kHasInput the command's;
// stdout and stderr are the write ends of the command's output. The read ends keep that output flowing when
// the host lets survivors live on.
inline constexpr int kControlFd = 3;
inline constexpr int kFirstOutputFd = 4;  // and 5, when stderr is a stream of its own
inline constexpr int kStateFd = 6;        // of a session: a memory file that the shell writes its state to
inline constexpr int kRulesetFd = 7;      // with kHasRuleset: the Landlock ruleset that the host has made
inline constexpr int kMaxInheritedFds = 8;

enum class MessageType : uint32_t {
  kRequest = 1,
  kStarted = 2,
  kFailed = 3,
  kExited = 4,
  kEnded = 5,
  kKill = 6,
  kRelease = 7,
  kProbed = 8,
  kReport = 9,
  kPrepare = 10,
  kPrepared = 11,
  kWithdraw = 12,
  kCommit = 13,
  kCommitted = 14,
  kMarked = 15,
};

// Bytes of the body of a Request: 4 MiB of command, as much environment as execve takes, and some room; and
// of a Release, where the command is JSON, six bytes for one at worst.
inline constexpr uint32_t kMaxRequest = 64 * 1024 * 1024;

// Sent to the supervisor of a job, it ends the job. A signal and not a message: the host that started it may
// be gone.
inline constexpr int kKillJobSignal = 10;  // SIGUSR1 on x86-64 and arm64

struct MessageHeader {
  MessageType type;
  uint32_t size;  // bytes of body that follow
};

// What was being done when a system call failed.
enum class Step : uint32_t {
  kNone = 0,
  kPipe,
  kSocketpair,
  kClone,
  kExecve,
  kExecveSupervisor,
  kChdir,
  kSetsid,
  kSetrlimit,
  kCapset,
  kMemfdCreate,
  kDup,
  kProtocol,
  kMkdir,
  kOpenOutput,
  kWriteRecord,
  kEpoll,
  kMakeScratch,
  kLandlockCreateRuleset,
  kLandlockAddRule,
  kLandlockRestrictSelf,
  kNoNewPrivileges,
  kSeccomp,
  kCloseDescriptors,
  kOpenRoot,         // a writable root
  kBroker,           // its thread, or what it needs of the system
  kSeccompListener,  // EBUSY: this process has a listener already
  kWriteOutput,      // into the file of a job that a command is handed over to
  kCallMark,         // the mark of a call: EEXIST, the call has started before
  kProxy,            // the proxy does not grant what the policy lists: ECONNREFUSED, ETIMEDOUT, EPROTO
  kOpenTerminal,     // ENODEV, ENOENT: there is no devpts
  kControllingTerminal,
  kListen,  // on the socket of the terminal
};

enum RequestFlags : uint32_t {
  kDropIntrospection = 1U << 0,  // drop the capabilities that reach into other processes, see protectHost()
  kSeparateStreams = 1U << 1,
  kBackground = 1U << 2,  // a job from the start: it outlives the host
  kSession = 1U << 3,     // kStateFd is there, and a prologue
  kConfined = 1U << 4,    // by a policy: read-only but for the scratch directory and the writable roots
  kProbe =
      1U << 5,  // with kConfined: run no shell, but try out the protections on the file named by the command
  kHostInherits =
      1U << 6,  // the host is init or a subreaper: what the supervisor leaves would become its children
  kHasRuleset = 1U << 7,     // kRulesetFd is there. It handles reading, and with nothing writable everything
  kOwnRuleset = 1U << 8,     // that ruleset is this command's alone: its scratch directory may be added
  kSharedMemory = 1U << 9,   // files in /dev/shm can be made, written and removed
  kOpensDevices = 1U << 10,  // a mount below a writable root opens device files: it is not a nodev one
  kLoopback = 1U << 11,      // its processes may be servers and clients of each other over TCP
  kOwnUnixSockets = 1U << 12,  // and over sockets that have a path in a writable root
  kHasInput = 1U << 13,        // stdin is what the command reads
  kDurableMark = 1U << 14,     // the mark of the call is on the disk before the shell starts
  kTerminal = 1U << 15,        // with kBackground: the job has a terminal of its own, see terminal_protocol.h
};
// A request with any other is refused, with ENOTSUP.
inline constexpr uint32_t kAllRequestFlags = (1U << 16) - 1;

// What a policy protects, and lib/guard/sandbox/protections.ts names in the same order.
enum Protection : uint32_t {
  kFileSystem = 1U << 0,
  kMetadata = 1U << 1,
  kDevices = 1U << 2,
  kNetwork = 1U << 3,
  kUnixSockets = 1U << 4,
  kIpc = 1U << 5,
  kSignals = 1U << 6,
  kProcesses = 1U << 7,
  kKernel = 1U << 8,
  kPrivileges = 1U << 9,
  kResources = 1U << 10,
};
inline constexpr uint32_t kAllProtections = (1U << 11) - 1;

struct Limit {
  uint32_t resource;  // RLIMIT_*
  uint32_t reserved;
  uint64_t soft;
  uint64_t hard;
};

inline constexpr uint32_t kMaxLimits = 8;
inline constexpr uint32_t kMaxRoots = 16;
inline constexpr uint32_t kMaxWatched = 128;

// Followed by twelve blocks of the given sizes, each block and each entry of the last three ended by a NUL
// that its size includes: shell, command, working directory, the directory of the job, its description (the
// beginning of job.json), the session's prologue, the scratch directory (to be made, and removed in the end;
// empty for none), what the proxy is sent first (empty for none), the mark of the call (see call_mark.h;
// empty for none), the writable roots (absolute paths without
// symbolic links), the paths in each root whose changes are reported, and the environment as NAME=value
// entries.
struct Request {
  uint32_t magic;
  uint32_t flags;  // RequestFlags
  uint32_t shell_size;
  uint32_t command_size;
  uint32_t directory_size;
  uint32_t job_directory_size;
  uint32_t job_description_size;
  uint32_t prologue_size;
  uint32_t scratch_size;
  uint32_t proxy_grant_size;
  uint32_t mark_size;
  uint32_t roots_size;
  uint32_t root_count;
  uint32_t watched_size;
  uint32_t watched_count;
  uint32_t environment_size;
  uint32_t environment_count;
  uint32_t grace_ms;  // of a job, from SIGTERM to SIGKILL
  uint32_t limit_count;
  uint32_t prologue_descriptor;  // of the shell of a session; it leaves its state at the next one
  uint32_t roots_that_may_hang;  // a bit for each writable root whose file system may not answer
  uint32_t proxy_port;           // on 127.0.0.1, which the command may connect to; 0: none
  uint32_t proxy_control_port;   // where its supervisor asks for that; 0: none
  uint16_t rows;                 // of the terminal; 0 without one
  uint16_t columns;
  uint64_t scratch_limit;     // bytes in the scratch directory, beyond which everything is killed
  uint64_t job_limit_ms;      // a job that runs longer is killed; 0: no limit
  uint64_t job_output_limit;  // bytes in the file of a job's output
  Limit limits[kMaxLimits];
};

struct Started {
  int32_t pid;           // of the shell; also its process group and session
  uint32_t protections;  // Protection bits that are in force
};

struct Probed {
  uint32_t protections;  // Protection bits that are in force
  uint32_t confirmed;    // those whose attempts were refused
};

struct Failed {
  Step step;
  int32_t error;  // errno
};

struct Exited {
  int32_t wait_status;     // as wait4(2) gives it
  uint32_t children_left;  // 0: nothing is left to watch over, the supervisor is gone too
  uint32_t scratch_full;   // 1: it was killed for what it had in its scratch directory
  uint32_t broker_ended;   // 1: it was killed because nothing answered its notified system calls any more
  uint64_t user_us;        // CPU time of everything that was waited for
  uint64_t system_us;
  uint64_t max_rss_bytes;  // of the largest single process
  uint64_t after_kill;     // 1: a Kill of the host came before; 0: it ended by itself, and a Kill is ignored
};

enum class KillCause : uint32_t { kSurvivors = 0, kTimedOut, kCancelled };

struct Kill {
  uint32_t grace_ms;  // from SIGTERM to SIGKILL
  KillCause cause;
};
// From SIGTERM to giving up on what cannot be killed. REQ-BASH-012 (docs/requirements.md) allows 15 seconds;
// the host waits a little longer than this, for the supervisor to say so.
inline constexpr uint32_t kKillLimitMs = 14'000;

// The body of a Release after which survivors are a job. Followed by two blocks of the given sizes, each
// ended by a NUL that its size includes: the directory of the job, and its description, the beginning of
// job.json.
struct Adoption {
  uint64_t output_limit;  // bytes in the file of its output
  uint32_t directory_size;
  uint32_t description_size;
};

// The body of a Prepare, followed by that of a Release: an Adoption and its texts.
struct HandOver {
  uint64_t limit_ms;      // the time limit of the command; 0: none
  uint64_t remaining_ms;  // of it
};

// The bodies of Prepared and Committed. With a Prepared that has succeeded comes the job's output file, for
// writing.
struct HandOverAnswer {
  Step step;      // that failed; kNone: none
  int32_t error;  // errno
};

// What the host has written into the job's file, and what there was.
struct Commit {
  uint64_t file_size;  // bytes
  uint64_t printed;    // bytes that the command has printed so far
  uint64_t dropped;    // of them, not in the file
};

inline constexpr uint32_t kMaxSurvivors = 256;
inline constexpr uint32_t kMaxSurvivorCommand = 200;

// Followed by `count` Survivor structs.
struct Ended {
  uint32_t count;
  uint32_t adopted;       // 1: the survivors are a job now, and the supervisor lives on with them
  uint32_t scratch_full;  // as in Exited, and since
  uint32_t broker_ended;  // as in Exited, and since
};

// What the broker and the proxy refuse, and lib/guard/sandbox/denial-operations.ts names in the same order.
enum class Operation : uint32_t {
  kChangeMode = 0,
  kChangeOwner,
  kChangeTimes,
  kSetAttribute,
  kRemoveAttribute,
  kTruncate,
  kConnect,     // "127.0.0.1:5432", "[::1]:80", "unix:/path", "unix:@name"
  kBind,        // the same
  kOpenSocket,  // its kind: "tcp", "raw", "packet", ...
  kReachHost,   // through the proxy, by whose words: "host:port"
};

inline constexpr uint32_t kMaxDenials = 32;
inline constexpr uint32_t kMaxChanges = 128;
inline constexpr uint32_t kMaxReportText = 4096;

enum class ReportKind : uint32_t {
  kDenied = 0,   // `value` is the Operation, the text its target as far as it is known
  kMoreDenied,   // `value` counts what was refused beyond kMaxDenials
  kChanged,      // the text is a watched path that is not as it was; absolute
  kMoreChanged,  // `value` counts changes beyond kMaxChanges, and watched paths that could not be looked at
};

// Followed by its text, without a NUL: the rest of the message.
struct Report {
  ReportKind kind;
  uint32_t value;
};

struct Survivor {
  int32_t pid;
  uint32_t daemon;        // left the command's session and closed its output
  uint32_t holds_output;  // has a write end of the output open
  uint32_t command_size;
  char command[kMaxSurvivorCommand];  // its arguments, joined by spaces
};

}  // namespace bashward::protocol

#endif  // BASHWARD_PROCESS_CONTROL_PROTOCOL_H_
