// How programs word what Restricted mode refuses them.
//
// Every pattern is looked for in one line at a time and has no unbounded repetition, so that time is linear in the output.

/** What the model is told. */
export const causes = {
  network: 'network is blocked in Restricted mode',
  sockets: 'sockets to other processes are blocked in Restricted mode',
  files: 'files are read-only in Restricted mode',
  hereDocument:
    'here-documents and here-strings of more than 64 KiB do not work in Restricted mode; pipe the text instead',
  sort: 'sort cannot use temporary files in Restricted mode; give it more memory, as with sort -S 1G',
  tac: "tac cannot use temporary files in Restricted mode, so it reads no pipe; use perl -e 'print reverse <>'",
  devices: 'devices and terminals are out of reach in Restricted mode',
  signals: 'processes outside the command cannot be signalled in Restricted mode',
  processes: 'processes outside the command cannot be inspected or changed in Restricted mode',
  sharedMemory: 'sharing memory with other processes is blocked in Restricted mode',
  attributes: 'changing modes, owners, times and attributes is blocked in Restricted mode',
  privileges: 'no privileges can be gained in Restricted mode',
  other: 'the operation is blocked in Restricted mode',
} as const

export type Cause = keyof typeof causes

/** Bash, sort and tac go on without what they were to read: the answer is wrong, and the exit status often 0. */
export const hereDocumentLost = /: cannot create temp file for here-document: /
/** Two at once may speak in each other's words. */
export const sortLost = /^(?:(?:[\w./-]{0,40}\/)?g?sort: ){1,4}cannot create temporary file in /
export const tacLost = /^(?:[\w./-]{0,40}\/)?tac: failed to create temporary file in /

/** The errors: EACCES is what Landlock answers, EPERM what the system call filter and missing capabilities answer. */
export const accessDenied = /permission denied|PermissionDenied|\bEACCES\b|AccessDeniedException/i
export const notPermitted = /operation not permitted|\bEPERM\b|uv_os_setpriority/i
export const readOnly = /read-only file ?system|\bEROFS\b/i

/** EXDEV: what Landlock answers to a hard link into another directory of a file that cannot be changed where it is. */
export const crossDevice = /cross-device link/i
export const hardLink = /\bhard ?link\b|, link '/i

/** npm's summary has a line for each: what was refused, and the path. */
export const npmRefused = /^npm (?:error|ERR!) code E(?:ACCES|PERM)$/
export const npmPath = /^npm (?:error|ERR!) path (\/.{1,4096})$/m

/** The same in words of a program's own. */
export const unwritable =
  /No usable temporary directory found|could not create temporary file|attempt to write a readonly database|unable to open database file|Failure writing output to destination|error while writing [\w$]{1,99}: |E212: Can't open file for writing|^error: {2}cannot create |insufficient permission for adding an object|^tar: [^:]{1,255}: Cannot (?:open|mkdir): File exists|^zip error: Could not create output file|Unable to mkstemp |^E: The package lists or status file could not be parsed/
/** `sudo` and the like cannot become another user. */
export const noPrivileges =
  /^(?:sudo|pkexec): (?:error initializing|PERM_|effective uid|If sudo is running in a container|unable to (?:change|initialize)|The "no new privileges"|.{0,99}"no new privileges")/
/** `chattr`, which is refused everywhere. */
export const fileFlags = /setting flags on (.{1,4096})$/i
/** A mode with a bit that gives privileges, for chmod and install. */
export const setsId =
  /\b(?:chmod|install)\b[^|;&]{0,255}(?:\b[ugoa]{0,4}[+=][rwxXt]{0,5}s|[ =m]0?[2-7][0-7]{3}\b)/
export const noTerminal = /out of pty devices|failed to create pseudo-terminal|^create session failed: /

/** There is no network in Restricted mode: whoever speaks of one that fails has met the sandbox. */
export const unreachable = new RegExp(
  [
    'could not resolve (?:host|proxy)',
    'unable to (?:resolve host address|look up )',
    'name resolution|NameResolutionError',
    'Temporary failure resolving',
    'Name or service not known',
    'No address associated with hostname',
    'failed to lookup address information',
    '\\bUnknownHostException\\b|Unknown host ',
    '\\bgaierror\\b|\\bgetaddrinfo (?:EAI_AGAIN|ENOTFOUND|failed)|\\bfetch failed EAI_AGAIN\\b',
    '\\bquery[A-Z][A-Za-z]{0,9} E[A-Z]{5,12}\\b',
    '\\blookup [^ ]{1,255}: no such host',
    "bad address '[^']{1,255}'",
    // Sockets that could not be made, as curl, git, urllib3, ruby and ssh put it
    'Failed to connect to [^ ]{1,255} port \\d',
    'Failed to establish a new connection',
    'Failed to open TCP connection to ',
    'ssh: connect to host [^ ]{1,255} port \\d{1,5}: failure',
    'Network is unreachable',
    'cannot open (?:a )?network socket',
    '\\bcurl: \\((?:6|7)\\) ',
    'TypeError: fetch failed',
    // What the proxy answers for hosts that are not listed, as far as programs show it
    'CONNECT tunnel failed, response 403',
    'Forbidden: [^ ]{1,255}:\\d{1,5} is not allowed',
    // npm, which is told to stay offline
    '\\bENOTCACHED\\b|only-if-cached',
  ].join('|'),
  'i',
)

interface Topic {
  cause: Cause
  pattern: RegExp
  /** Only with EPERM: beside EACCES the words can be parts of a path. */
  forbidden?: true
}

/** What a refused line is about; the first topic that fits is taken. */
export const topics: readonly Topic[] = [
  {
    cause: 'sockets',
    pattern:
      /dial unix|\bunix:\/\/|\b(?:connect|listen|bind) (?:EPERM|EACCES)[^/\d]{0,30} \/|\bsocket "?\/|error connecting to \//i,
  },
  {
    cause: 'network',
    pattern: /\b(?:connect|bind|listen|send) (?:EPERM|EACCES)\b|\bdial (?:tcp|udp)\b|SocketException/,
  },
  {
    cause: 'network',
    forbidden: true,
    pattern:
      /\bsocket\b|netlink|\/dev\/(?:tcp|udp)\/|IO::Socket|urlopen error|^Connecting to |create_connection/i,
  },
  {
    cause: 'signals',
    forbidden: true,
    pattern: /\bkill\b|\bkilling pid \d|send_signal|^[^\s():]{1,99}\(\d{1,10}\): operation not/i,
  },
  { cause: 'sharedMemory', pattern: /\bSemLock\b|\bshm_open\b|: '\/psm_/ },
  { cause: 'processes', pattern: /\bptrace\b|\/proc\/\d{1,10}\// },
  {
    cause: 'processes',
    forbidden: true,
    pattern: /^(?:renice|chrt|taskset|ionice|prlimit|strace|ltrace|gdb): |setpriority|sched_set/i,
  },
  { cause: 'files', forbidden: true, pattern: /\bhard link\b|\[Errno 1\][^>]{1,255} -> / },
  {
    cause: 'attributes',
    forbidden: true,
    pattern:
      /\b[fl]?ch(?:mod|own|grp|attr|con)(?:at|Sync)?\b|\b[fl]?utimes?(?:nsat)?\b|\b[fl]?setxattr|setfattr|setfacl|(?:permissions|ownership|group|times) (?:of|for|on)\b|setting flags|change mode to|\[Errno 1\] Operation not permitted: |FileSystemException: /i,
  },
  {
    cause: 'devices',
    pattern:
      /\/dev\/(?!(?:shm|fd|stdin|stdout|stderr|tcp|udp)\b)\w|pseudo-terminal|\b(?:openpty|forkpty|posix_openpt)\b/,
  },
  { cause: 'privileges', pattern: /^nice: cannot set niceness/ },
  { cause: 'other', pattern: /permission denied on key|^u?mount: /i },
]

/** Refusals that a command meets as well without a sandbox: reading and executing is allowed. */
export const ordinary = new RegExp(
  [
    // Programs that only read, and their words for it; a file of such a name can be what a redirection opens
    '^(?:[\\w./-]{1,40}: )?(?:line \\d{1,9}: )?(?:cd|pushd|cat|tac|head|tail|less|more|nl|wc|od|xxd|hexdump|strings|file|stat|ls|dir|tree|find|fd|du|df' +
      '|e?grep|fgrep|rg|ag|ack|diff|cmp|comm|cut|paste|jq|md5sum|sha\\d{1,3}sum|cksum|readlink|realpath|source|\\.): ' +
      '(?!cannot (?:delete|create)|failed to create|permission denied$)',
    "for reading|cannot read|can't read|cannot access|cannot stat|cannot open directory|reading directory",
    "can't open (?:file|perl script) ",
    '^[gm]?awk: cannot open [^ ]{1,255} \\(',
    "unable to access '[^':]{1,255}': Permission denied",
    '^bash: (?!line \\d)[^:]{1,255}: Permission denied',
    // Executing what is not executable
    'cannot execute|failed to run command|\\bspawn(?:Sync)?(?: [^ ]{1,255})? EACCES',
    '^g?make(?:\\[\\d{1,4}\\])?: (?!.{0,40}\\(temporary file\\))',
    // Other people's permissions: ssh servers, databases
    'Permission denied(?:, please try again| \\(publickey|[^/]{0,40}\\(password)|permission denied for ',
  ].join('|'),
  'i',
)

/** `find` and the like, of a process in /proc. */
export const walked = /^(?:find|fd|du|tree|[ef]?grep|rg): [^/]{0,40}(\/proc\/\d{1,10})\//

/** Somebody's source: `'EACCES'`. */
export const quoted = /['"`]E(?:ACCES|PERM|ROFS)['"`]/

/** What a search prints: `src/a.ts:7:` */
export const found = /^(?:[^\s:]*[./][^\s:]*[:-])?\d+[:-]/

/** The inspected error of node, and npm's summary, name the error again without saying what it was about. */
export const bareCode = /^\W{0,20}(?:npm (?:error|ERR!)\s{1,10})?(?:code|errno)\b:? /

/** Python says at the end of a traceback only that it was not permitted; what was not is a few lines above. */
export const pythonWithoutPath = /^PermissionError: \[Errno \d{1,2}\] [\w ]{1,40}$/
export const tracebackLines = 4
