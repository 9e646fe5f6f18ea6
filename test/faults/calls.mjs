// The errors that each system call of the engine is made to fail with. Every call of a recorded run must be listed
// here, with its errors or with the reason why it gets none.

/**
 * @typedef {object} Policy
 * @property {string[]} errnos those that the kernel, or the seccomp profile of a container, may answer with
 * @property {string[]} [lasting] of them, those that do not pass: every further call fails, too
 */

const always = (errnos) => ({ errnos, lasting: errnos })
const policy = (errnos, lasting = []) => ({ errnos, lasting })

const interrupted = policy(['EINTR'])
const opening = policy(['EACCES', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM'], ['EMFILE'])
const creating = policy(
  ['EACCES', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'EROFS'],
  ['EMFILE', 'ENOSPC'],
)
const writing = policy(['EDQUOT', 'EINTR', 'EIO', 'ENOSPC'], ['EIO', 'ENOSPC'])

/** By `CALL`, `ROLE CALL`, `CALL DETAIL` or `ROLE CALL DETAIL`, of which the longest holds. */
const policies = {
  // Starting.
  pipe2: policy(['EMFILE', 'ENFILE', 'ENOMEM'], ['EMFILE']),
  socketpair: policy(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'], ['EMFILE']),
  memfd_create: policy(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOSYS', 'EPERM'], ['EMFILE']),
  clone: policy(['EAGAIN', 'ENOMEM', 'EPERM'], ['EAGAIN']),
  clone3: always(['EAGAIN', 'ENOMEM']),
  execve: policy(['E2BIG', 'EACCES', 'EAGAIN', 'EIO', 'ENFILE', 'ENOENT', 'ENOMEM', 'EPERM', 'ETXTBSY']),
  execveat: policy([
    ...['E2BIG', 'EACCES', 'EAGAIN', 'EIO', 'ENFILE', 'ENOENT', 'ENOMEM', 'ENOSYS', 'EPERM', 'ETXTBSY'],
  ]),
  setsid: policy(['EPERM']),
  chdir: policy(['EACCES', 'EIO', 'ENOENT', 'ENOMEM']),
  dup2: policy(['EBUSY', 'EMFILE']),
  dup3: policy(['EBUSY', 'EMFILE']),
  close_range: always(['EMFILE', 'ENOMEM', 'ENOSYS', 'EPERM']),
  'supervisor mmap': policy(['EAGAIN', 'ENOMEM']),
  pidfd_open: always(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOSYS', 'EPERM']),
  prlimit64: policy(['EPERM']),
  epoll_create1: always(['EMFILE', 'ENFILE', 'ENOMEM']),
  eventfd2: always(['EMFILE', 'ENFILE', 'ENOMEM']),
  'epoll_ctl ADD': policy(['ENOMEM', 'ENOSPC'], ['ENOMEM']),
  signalfd4: policy(['EMFILE', 'ENFILE', 'ENOMEM']),
  'main openat /dev/null': always(['EMFILE', 'ENFILE']),
  'fcntl ADD_SEALS': policy(['EPERM']),
  'supervisor write': writing,
  timer_create: policy(['EAGAIN', 'ENOMEM']),
  'ptrace TRACEME': always(['ENOSYS', 'EPERM']),
  'ptrace GETREGSET': policy(['EIO']),
  'ptrace PEEKDATA': policy(['EIO']),
  'ptrace POKEDATA': policy(['EIO']),
  'ptrace SETSIGMASK': policy(['EIO']),

  // The control socket, waiting, reading.
  'engine sendto': policy(['EAGAIN', 'EINTR', 'ENOBUFS', 'ENOMEM'], ['ENOMEM']),
  'supervisor sendto': policy(['EINTR', 'ENOBUFS', 'ENOMEM'], ['ENOMEM']),
  'shell sendto': policy(['EINTR', 'ENOBUFS', 'ENOMEM']),
  sendmsg: policy(['EINTR', 'ENOBUFS', 'ENOMEM', 'EPERM']),
  recvmsg: policy(['EAGAIN', 'EINTR', 'ENOMEM']),
  recvfrom: policy(['EINTR', 'ENOMEM']),
  epoll_pwait2: policy(['EINTR', 'ENOSYS', 'EPERM'], ['ENOSYS', 'EPERM']),
  ppoll: policy(['EINTR', 'ENOMEM']),
  wait4: interrupted,
  waitid: interrupted,
  read: interrupted,
  'read pipe': policy(['EAGAIN', 'EINTR']),
  'read eventfd': policy(['EAGAIN', 'EINTR']),
  'read signalfd': policy(['EAGAIN', 'EINTR']),
  splice: policy(['EAGAIN', 'EINVAL', 'ENOMEM', 'EPERM']),
  'ioctl FIONREAD': policy(['EPERM']),
  'fcntl SETPIPE_SZ': policy(['EBUSY', 'EPERM']),
  'write eventfd': interrupted,
  'write /proc/N/task/N/comm': policy(['EIO']), // the name of a thread
  pread64: policy(['EINTR', 'EIO']),

  // Files: of jobs, of long output, of the scratch directory, of /proc.
  mkdirat: creating,
  openat: opening,
  // Of Restricted mode: what may not be opened gets no rule, and so no access.
  'supervisor openat /': policy(['EMFILE', 'ENFILE', 'ENOMEM'], ['EMFILE']),
  'supervisor openat /dev/null': policy(['EMFILE', 'ENFILE', 'ENOMEM'], ['EMFILE']),
  'openat readable directories': policy(['EMFILE', 'ENFILE', 'ENOMEM'], ['EMFILE']),
  'openat job.json.tmp': creating,
  'openat exit.json.tmp': creating,
  'openat output': creating,
  'file openat': creating,
  'openat directory of call marks': policy([...creating.errnos, 'EOPNOTSUPP'], ['EMFILE', 'ENOSPC']),
  linkat: policy(
    ['EACCES', 'EDQUOT', 'EIO', 'ENOENT', 'ENOMEM', 'ENOSPC', 'EPERM', 'EROFS'],
    ['EIO', 'ENOENT', 'EPERM'],
  ),
  fsync: policy(['EDQUOT', 'EIO', 'ENOSPC'], ['EIO']),
  'fcntl OFD_SETLK': policy(['ENOLCK', 'ENOMEM'], ['ENOLCK']),
  'shell write': writing,
  'file write': writing,
  pwrite64: writing,
  flock: policy(['EINTR', 'ENOLCK', 'EOPNOTSUPP'], ['ENOLCK']),
  ftruncate: policy(['EIO', 'EPERM'], ['EIO']),
  renameat2: policy(['EACCES', 'EIO', 'ENOMEM', 'ENOSPC', 'EROFS'], ['EIO', 'EROFS']),
  getdents64: policy(['EIO', 'ENOMEM'], ['EIO']),
  readlinkat: policy(['EACCES', 'ENOMEM'], ['EACCES']),
  readlink: policy(['EACCES', 'ENOMEM'], ['EACCES']),
  faccessat: policy(['EACCES'], ['EACCES']),
  fstatfs: policy(['EIO', 'ENOSYS'], ['ENOSYS']),
  getxattr: policy(['EACCES', 'ENOMEM'], ['EACCES']),
  kcmp: policy(['ENOSYS', 'EPERM'], ['ENOSYS', 'EPERM']),
  newfstatat: policy(['EACCES', 'EIO', 'ENOMEM']),
  openat2: policy(['EMFILE', 'ENOSYS', 'EPERM'], ['ENOSYS', 'EPERM']),
  unlinkat: policy(['EACCES', 'EBUSY', 'EIO', 'EROFS']),

  // Ending others.
  kill: policy(['EPERM', 'ESRCH']),
  pidfd_send_signal: policy(['ENOSYS', 'EPERM', 'ESRCH'], ['ENOSYS', 'EPERM']),

  // Confining.
  'prctl NO_NEW_PRIVS': policy(['EPERM']),
  capget: policy(['EPERM']),
  capset: policy(['EPERM']),
  landlock_create_ruleset: policy(
    ['EMFILE', 'ENFILE', 'ENOMEM', 'EOPNOTSUPP', 'ENOSYS', 'EPERM'],
    ['EMFILE'],
  ),
  landlock_add_rule: policy(['ENOMEM']),
  landlock_restrict_self: policy(['E2BIG', 'ENOMEM', 'EPERM']),
  seccomp: policy(['EACCES', 'EINVAL', 'ENOMEM']),
}

const cannotFail = 'it cannot fail as it is used'
const memory = "memory of Node's own process: without it nothing of Node goes on"

/** By the same names: why a call is not made to fail. */
export const exempt = {
  close:
    'the descriptor is closed whatever it says (close(2)); a call that never reaches the kernel would leave it open',
  clock_gettime: cannotFail,
  exit_group: cannotFail,
  exit: cannotFail,
  fstat: cannotFail,
  'engine newfstatat': cannotFail,
  getpid: cannotFail,
  getppid: cannotFail,
  getpgid: cannotFail,
  getuid: cannotFail,
  geteuid: cannotFail,
  getrusage: cannotFail,
  lseek: cannotFail,
  rt_sigaction: cannotFail,
  rt_sigprocmask: cannotFail,
  rt_sigreturn: cannotFail,
  prctl: `${cannotFail} (what may is listed by its operation)`,
  'ptrace CONT': `${cannotFail}: the tracee has stopped`,
  'ptrace DETACH': `${cannotFail}: the tracee has stopped`,
  'epoll_ctl MOD': `${cannotFail}: nothing is allocated`,
  'epoll_ctl DEL': `${cannotFail}: nothing is allocated`,
  'fcntl SETFL': cannotFail,
  'fcntl SETFD': cannotFail,
  futex: cannotFail,
  brk: memory,
  madvise: memory,
  mmap: memory,
  mprotect: memory,
  munmap: memory,
  rseq: 'part of starting a thread, by the C library',
  set_robust_list: 'part of starting a thread, by the C library',
  sched_yield: cannotFail,
  shutdown: `${cannotFail}: a message could not be sent, and now neither side waits for the other`,
  timer_settime: cannotFail,
}

/** The longest name that the table has an entry for. */
const find = (table, { role, call, detail }) => {
  const names = [`${role} ${call} ${detail}`, `${call} ${detail}`, `${role} ${call}`, call]
  return names.map((name) => table[name]).find((entry) => entry !== undefined)
}

/** @returns {Policy | undefined} */
export const policyOf = (call) => {
  const specific = exempt[`${call.role} ${call.call}`] ?? exempt[`${call.call} ${call.detail}`]
  return specific === undefined ? find(policies, call) : undefined
}

/** @returns {string | undefined} */
export const exemptionOf = (call) => find(exempt, call)
