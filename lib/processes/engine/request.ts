// What an engine gets for a command.

/** What an engine runs. Checked by the caller: the addon reads a field of another type as empty or 0. */
export interface CommandRequest {
  /** Absolute path of the shell. */
  shell: string
  command: string
  /** Absolute path of the working directory. */
  directory: string
  /** `NAME=value` entries, each ended by a NUL: what many commands have in common. */
  environment: Buffer
  /** Likewise, of this command alone: they take the place of those of the same name. */
  variables?: string
  /** What the command reads from stdin: bytes, or a descriptor of this process. Undefined: nothing. */
  input?: Uint8Array | number | undefined
  separateStreams: boolean
  /** Bytes kept from the start of each stream. */
  headBytes: number
  /** Bytes kept from its end. */
  tailBytes: number
  /** Milliseconds; 0 for none. */
  timeoutMs: number
  /** Milliseconds from SIGTERM to SIGKILL. */
  graceMs: number
  killSurvivors: boolean
  /** A file to be created for output longer than `headBytes`; empty for none. */
  savePath: string
  /** Bytes of output that go there at most. */
  saveLimit: number
  /** Background job: the completion comes as soon as it runs. */
  background: boolean
  /** Of a background job: it gets a terminal of this size, 200 rows and 500 columns at most, and reads and writes that. */
  terminal?: TerminalSize | undefined
  /** The background job; or the one that survivors, or the command, become: the engine puts it here when it has asked. */
  job: JobPlan | undefined
  /** Asked for that job once the shell has ended, and only when it leaves something. Undefined: there will be none. */
  adoption?: (() => JobPlan | undefined) | undefined
  /** Milliseconds until it is asked for the job that the command goes on as; 0: never. With merged streams only. */
  backgroundAfterMs?: number
  /** Asked for that job, which the engine puts into `job`; the message of what it throws goes into `unplanned`. */
  handOver?: (() => JobPlan | undefined) | undefined
  unplanned?: string
  /** Of a call that may start once. */
  mark?: MarkPlan | undefined
  /** For the shell of a session. */
  session: SessionPlan | undefined
  /** Resource, soft and hard limit of setrlimit(2), three numbers each. */
  limits: number[]
  /** Undefined: Unrestricted mode. */
  confinement: ConfinementPlan | undefined
}

export interface TerminalSize {
  rows: number
  cols: number
}

/** What a policy comes to for one command. No path has a SOH (U+0001) in it. */
export interface ConfinementPlan {
  /** Directories that can be written to: absolute paths without symbolic links, 16 at most. */
  writable: readonly string[]
  /**
   * Files and directories whose content cannot be read: absolute paths, also such as are not there. A last component may
   * have `*` for any characters.
   */
  unreadable: readonly string[]
  /**
   * How many of them, the last ones, nobody has listed: if one leads to what has to be readable, the command runs
   * without it. Default 0.
   */
  usuallyUnreadable?: number
  /** Paths in each writable directory whose changes are reported, 128 at most. */
  watched: readonly string[]
  /** Whether files in /dev/shm can be written. */
  sharedMemory: boolean
  /** One of `writable` that no policy lists: for what package managers keep. */
  cacheDirectory?: string | undefined
  /** Whether its processes may be servers and clients of each other over TCP on loopback. */
  loopback: boolean
  /** Whether they may over sockets that have a path in a writable directory. */
  unixSockets: boolean
  /** The way to what its policy lists of the network. */
  proxy?: ProxyGrant | undefined
  /** A directory to be made, written to, and removed in the end; an absolute path, empty for none. */
  scratchDirectory: string
  /** Bytes of files in it, beyond which the command is killed. */
  scratchLimit: number
  /** Run no shell, but try out the protections on the file that `command` names. */
  probe: boolean
}

/** A proxy on 127.0.0.1, and what its supervisor sends it: the proxy serves a command as long as that connection lasts. */
export interface ProxyGrant {
  /** For HTTP: the command may connect to it. */
  port: number
  controlPort: number
  /** One line, newline included; no NUL. The proxy answers `OK\n`, and then `DENIED host:port\n` for each refusal. */
  grant: string
}

/** The plan of Restricted mode. */
export const readOnlyPlan: ConfinementPlan = {
  writable: [],
  unreadable: [],
  watched: [],
  sharedMemory: false,
  loopback: false,
  unixSockets: false,
  scratchDirectory: '',
  scratchLimit: 0,
  probe: false,
}

export interface SessionPlan {
  prologue: Buffer
  /** Where the shell finds it; it leaves its state at the next descriptor. */
  prologueDescriptor: number
  /** Bytes; a longer state counts as none. */
  stateLimit: number
  /** Called once at the end of the command, before its result. Undefined when there is no state. */
  onState: (state: Buffer | undefined) => void
}

export interface MarkPlan {
  /** A line of at most 511 bytes, a line break, and the absolute path of the mark, which the supervisor makes. */
  text: string
  /** Whether it has to be on the disk before the shell starts. */
  durable: boolean
  /** Called when it was made, with the descriptor that shares its lock; undefined: none was left for it. */
  onMade(descriptor: number | undefined): void
}

export interface JobPlan {
  id: string
  /** The job's own directory, which the supervisor makes; an absolute path. */
  directory: string
  /** The beginning of job.json. */
  description: string
  /** The beginning of the record that tells of its end, without a line break; without it there is none. */
  brief?: string
  /** Milliseconds after which a background job is killed; 0 for never. */
  limitMs: number
  /** Bytes in its output file. */
  outputLimit: number
}
