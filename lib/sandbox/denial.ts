// Tells from what a failed command printed what Restricted mode has probably refused it.
//
// Programs word a refusal in their own way, and often hide it: without sockets curl "could not resolve host". Every
// pattern is looked for in one line at a time and has no unbounded repetition, so that time is linear in the output.

/** What the model is told. */
const causes = {
  network: 'network is blocked in Restricted mode',
  sockets: 'sockets to other processes are blocked in Restricted mode',
  files: 'files are read-only in Restricted mode',
  devices: 'devices and terminals are out of reach in Restricted mode',
  signals: 'processes outside the command cannot be signalled in Restricted mode',
  processes: 'processes outside the command cannot be inspected or changed in Restricted mode',
  attributes: 'changing modes, owners, times and attributes is blocked in Restricted mode',
  other: 'the operation is blocked in Restricted mode',
} as const

type Cause = keyof typeof causes

/** The errors: EACCES is what Landlock answers, EPERM what the system call filter and missing capabilities answer. */
const accessDenied = /permission denied|PermissionDenied|\bEACCES\b|AccessDeniedException/i
const notPermitted = /operation not permitted|\bEPERM\b|uv_os_setpriority/i
const readOnly = /read-only file ?system|\bEROFS\b/i

/** The same in words of a program's own. */
const unwritable =
  /No usable temporary directory found|could not create temporary file|attempt to write a readonly database|unable to open database file|Failure writing output to destination|error while writing [\w$]{1,99}: |E212: Can't open file for writing/
const noTerminal = /out of pty devices|failed to create pseudo-terminal/

/** There is no network in Restricted mode: whoever speaks of one that fails has met the sandbox. */
const unreachable = new RegExp(
  [
    'could not resolve (?:host|proxy)',
    'unable to (?:resolve host address|look up )',
    'name resolution|NameResolutionError',
    'Temporary failure resolving',
    'Name or service not known',
    'No address associated with hostname',
    'failed to lookup address information',
    '\\bUnknownHostException\\b|Unknown host ',
    '\\bgaierror\\b|\\bgetaddrinfo (?:EAI_AGAIN|ENOTFOUND|failed)',
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
const topics: readonly Topic[] = [
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
  { cause: 'devices', pattern: /\/dev\/(?!(?:shm|fd|stdin|stdout|stderr|tcp|udp)\b)\w|pseudo-terminal/ },
  { cause: 'other', pattern: /permission denied on key|^u?mount: /i },
]

/** Refusals that a command meets as well without a sandbox: reading and executing is allowed. */
const ordinary = new RegExp(
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
    '^g?make(?:\\[\\d{1,4}\\])?: ',
    // Other people's permissions: ssh servers, databases
    'Permission denied(?:, please try again| \\(publickey|[^/]{0,40}\\(password)|permission denied for ',
  ].join('|'),
  'i',
)

/** Somebody's source: `'EACCES'`. */
const quoted = /['"`]E(?:ACCES|PERM|ROFS)['"`]/

/** Commands that print what they find, and the lines in which they do: `src/a.ts:7:` */
const search = /\b(?:grep|rg|ag|ack)\b/
const found = /^(?:[^\s:]*[./][^\s:]*[:-])?\d+[:-]/

/** The inspected error of node, and npm's summary, name the error again without saying what it was about. */
const bareCode = /^\W{0,20}(?:npm (?:error|ERR!)\s{1,10})?(?:code|errno)\b:? /

/** Python says at the end of a traceback only that it was not permitted; what was not is a few lines above. */
const pythonWithoutPath = /^PermissionError: \[Errno \d{1,2}\] [\w ]{1,40}$/
const tracebackLines = 4

/** What curl and wget say when they are told to say nothing: could not resolve, could not connect. */
const silentStatuses: readonly [program: RegExp, statuses: readonly number[]][] = [
  [/\bcurl\b/, [6, 7]],
  [/\bwget\b/, [4]],
]

const cannotBeExecuted = 126

/**
 * The probable cause for which Restricted mode made a command fail, as a phrase; undefined when nothing points to the
 * sandbox. A command that succeeded was not kept from what it was to do, whatever it printed: it may have read a log.
 * Of several causes the last one is told. Where the error alone does not tell a file that may not be read from one that
 * may not be written, it is taken for the latter.
 *
 * @param output what the command printed, at most some hundred KiB
 * @param exitCode null when it did not run to its end
 * @param command its text, which tells whose exit status it is when the output does not
 */
export function probableCause(output: string, exitCode: number | null, command = ''): string | undefined {
  if (exitCode === 0) return undefined
  const isSearch = search.test(command)
  const isPrinted = (line: string) => quoted.test(line) || (isSearch && found.test(line))
  const lines = output.split(/[\r\n]+/).filter((line) => !isPrinted(line))
  let isRefused = false
  for (let index = lines.length - 1; index >= 0; index--) {
    const cause = causeOf(lines, index, exitCode)
    if (cause === 'other') isRefused = true
    else if (cause !== undefined) return causes[cause]
  }
  if (isRefused) return causes.other
  return isSilentFailure(command, exitCode) ? causes.network : undefined
}

function isSilentFailure(command: string, exitCode: number | null): boolean {
  return (
    exitCode !== null &&
    silentStatuses.some(([program, statuses]) => statuses.includes(exitCode) && program.test(command))
  )
}

function causeOf(lines: readonly string[], index: number, exitCode: number | null): Cause | undefined {
  const line = lines[index] ?? ''
  if (unreachable.test(line)) return 'network'
  if (readOnly.test(line) || unwritable.test(line)) return 'files'
  if (noTerminal.test(line)) return 'devices'
  const isDenied = accessDenied.test(line)
  const isForbidden = notPermitted.test(line)
  if ((!isDenied && !isForbidden) || bareCode.test(line)) return undefined
  const topic = topicOf(line, isForbidden) ?? topicAbove(lines, index, isForbidden)
  if (topic !== undefined) return topic
  if (isForbidden) return 'other'
  return exitCode === cannotBeExecuted || ordinary.test(line) ? undefined : 'files'
}

function topicOf(text: string, isForbidden: boolean): Cause | undefined {
  return topics.find(({ forbidden, pattern }) => (isForbidden || !forbidden) && pattern.test(text))?.cause
}

function topicAbove(lines: readonly string[], index: number, isForbidden: boolean): Cause | undefined {
  if (!pythonWithoutPath.test(lines[index] ?? '')) return undefined
  return topicOf(lines.slice(Math.max(0, index - tracebackLines), index).join('\n'), isForbidden)
}
