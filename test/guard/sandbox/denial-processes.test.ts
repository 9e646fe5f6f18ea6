// What programs say when Restricted mode keeps them from other processes, from attributes of files, and from the rest.
import { probableCause } from './probable-cause.js'

type Messages = [program: string, exitCode: number, output: string][]

const signals: Messages = [
  ['bash', 1, 'bash: line 1: kill: (123) - Operation not permitted\n'],
  ['procps', 1, '/bin/kill: (17710): Operation not permitted\n'],
  ['util-linux', 1, 'kill: sending signal to 123 failed: Operation not permitted\n'],
  ['dash', 1, 'sh: 1: kill: Operation not permitted\n\n'],
  ['pkill', 1, 'pkill: killing pid 18951 failed: Operation not permitted\n'],
  ['killall', 1, 'sleep(17707): Operation not permitted\nsleep: no process found\n'],
  [
    'node',
    1,
    "Error: kill EPERM\n    at process.kill (node:internal/process/per_thread:225:13) {\n  errno: -1,\n  code: 'EPERM',\n  syscall: 'kill'\n}\n",
  ],
  [
    'python',
    1,
    '  File "/home/u/stop.py", line 3, in <module>\n    os.kill(1, 9)\nPermissionError: [Errno 1] Operation not permitted\n',
  ],
  [
    'python, newer',
    1,
    '    os.kill(1, 9)\n    ~~~~~~~^^^^^^\nPermissionError: [Errno 1] Operation not permitted\n',
  ],
]

const processes: Messages = [
  ['renice', 1, 'renice: failed to set priority for 1 (process ID): Operation not permitted\n'],
  [
    'taskset',
    1,
    "taskset: failed to set pid 17710's affinity: Operation not permitted\npid 17710's current affinity mask: 3\n",
  ],
  ['ionice', 1, 'ionice: ioprio_set failed: Operation not permitted\n'],
  ['prlimit', 1, 'prlimit: failed to set the NOFILE resource limit: Operation not permitted\n'],
  ['strace', 1, 'strace: attach: ptrace(PTRACE_SEIZE, 17710): Operation not permitted\n'],
  ['gdb', 1, 'ptrace: Operation not permitted.\n'],
  ['the environment of another', 1, 'cat: /proc/17710/environ: Permission denied\n'],
  ['the descriptors of another', 2, "ls: cannot open directory '/proc/17710/fd': Permission denied\n"],
  ['nsenter', 1, 'nsenter: cannot open /proc/17710/ns/mnt: Permission denied\n'],
  [
    'node',
    1,
    "SystemError [ERR_SYSTEM_ERROR]: A system error occurred: uv_os_setpriority returned EPERM (operation not permitted)\n    at Object.setPriority (node:os:269:11)\n  code: 'ERR_SYSTEM_ERROR',\n",
  ],
]

const attributes: Messages = [
  ['chmod', 1, "chmod: changing permissions of 'f': Operation not permitted\n"],
  ['chown', 1, "chown: changing ownership of 'f': Operation not permitted\n"],
  ['chgrp', 1, "chgrp: changing group of 'f': Operation not permitted\n"],
  ['touch', 1, "touch: setting times of '/tmp/x': Operation not permitted\n"],
  ['cp -p', 1, "cp: preserving times for '/dev/null': Operation not permitted\n"],
  ['chattr', 1, 'chattr: Operation not permitted while setting flags on f\n'],
  ['setfattr', 1, 'setfattr: f: Operation not permitted\n'],
  [
    'tar',
    2,
    'tar: f: Cannot change mode to rwxr-xr-x: Operation not permitted\ntar: Exiting with failure status due to previous errors\n',
  ],
  ['git', 128, 'error: chmod on /tmp/s/.git/config.lock failed: Operation not permitted\n'],
  [
    'apt-get',
    100,
    'W: chown to _apt:root of directory /var/lib/apt/lists/partial failed - SetupAPTPartialDirectory (1: Operation not permitted)\n',
  ],
  ['python', 1, "PermissionError: [Errno 1] Operation not permitted: 'f'\n"],
  [
    'python, times',
    1,
    '  File "/home/u/t.py", line 2, in <module>\n    os.utime("f")\nPermissionError: [Errno 1] Operation not permitted\n',
  ],
  [
    'node',
    1,
    "Error: EPERM: operation not permitted, chmod 'f'\n    at Object.chmodSync (node:fs:1999:11) {\n  errno: -1,\n  code: 'EPERM',\n  syscall: 'chmod',\n  path: 'f'\n}\n",
  ],
  ['node, times', 1, "Error: EPERM: operation not permitted, utime 'f'\n"],
  ['java', 1, 'Exception in thread "main" java.nio.file.FileSystemException: f: Operation not permitted\n'],
]

const sharedMemory: Messages = [
  [
    'python, a lock of multiprocessing',
    1,
    '    sl = self._semlock = _multiprocessing.SemLock(\n                         ^^^^^^^^^^^^^^^^^^^^^^^^^\nPermissionError: [Errno 13] Permission denied\n',
  ],
  ['python, a block of shared memory', 1, "PermissionError: [Errno 13] Permission denied: '/psm_4f0b2e6a'\n"],
]

const privileges: Messages = [
  [
    'sudo',
    1,
    'sudo: PERM_SUDOERS: setresuid(-1, 1, -1): Operation not permitted\nsudo: no valid sudoers sources found, quitting\nsudo: error initializing audit plugin sudoers_audit\n',
  ],
  [
    'sudo, as a user',
    1,
    'sudo: The "no new privileges" flag is set, which prevents sudo from running as root.\nsudo: If sudo is running in a container, you may need to adjust the container configuration to disable the flag.\n',
  ],
]

const other: Messages = [
  [
    'python, a terminal of its own',
    1,
    'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\nPermissionError: [Errno 13] Permission denied\n',
  ],

  ['unshare', 1, 'unshare: unshare failed: Operation not permitted\n'],
  ['chroot', 125, "chroot: cannot change root directory to '/': Operation not permitted\n"],
  ['mount', 32, 'mount: /mnt: permission denied.\n'],
  ['dmesg', 1, 'dmesg: read kernel buffer failed: Operation not permitted\n'],
  ['date', 1, 'date: cannot set date: Operation not permitted\nWed Jan  1 00:00:00 UTC 2020\n'],
  ['sysctl', 1, 'sysctl: permission denied on key "kernel.hostname"\n'],
  ['ipcmk', 1, 'ipcmk: create share memory failed: Operation not permitted\n'],
  [
    'rust',
    101,
    'called `Result::unwrap()` on an `Err` value: Os { code: 1, kind: PermissionDenied, message: "Operation not permitted" }\n',
  ],
  [
    'python',
    1,
    'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\nPermissionError: [Errno 1] Operation not permitted\n',
  ],
]

describe('probableCause', () => {
  test.each(signals)('signals: %s', (_, exitCode, output) => {
    expect(probableCause(output, exitCode)).toBe(
      'processes outside the command cannot be signalled in Restricted mode',
    )
  })

  test.each(processes)('processes: %s', (_, exitCode, output) => {
    expect(probableCause(output, exitCode)).toBe(
      'processes outside the command cannot be inspected or changed in Restricted mode',
    )
  })

  test.each(attributes)('attributes: %s', (_, exitCode, output) => {
    expect(probableCause(output, exitCode)).toBe(
      'changing modes, owners, times and attributes is blocked in Restricted mode',
    )
  })

  test.each(sharedMemory)('shared memory: %s', (_, exitCode, output) => {
    expect(probableCause(output, exitCode)).toBe(
      'sharing memory with other processes is blocked in Restricted mode',
    )
  })

  test.each(privileges)('privileges: %s', (_, exitCode, output) => {
    expect(probableCause(output, exitCode)).toBe('no privileges can be gained in Restricted mode')
  })

  test.each(other)('other: %s', (_, exitCode, output) => {
    expect(probableCause(output, exitCode)).toBe('the operation is blocked in Restricted mode')
  })
})
