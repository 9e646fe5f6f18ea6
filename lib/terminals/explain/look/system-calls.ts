// System calls in which a thread may wait, by their numbers.

export type CallName =
  | 'read'
  | 'write'
  | 'poll'
  | 'ppoll'
  | 'select'
  | 'pselect'
  | 'epoll'
  | 'receive'
  | 'send'
  | 'accept'
  | 'connect'
  | 'wait'
  | 'sleep'
  | 'clockSleep'
  | 'restart'
  | 'pause'
  | 'futex'
  | 'flock'
  | 'fcntl'
  | 'open'
  | 'openat'
  | 'fork'
  | 'uring'
  | 'sync'

const x64: Readonly<Record<number, CallName>> = {
  0: 'read',
  1: 'write',
  2: 'open',
  7: 'poll',
  17: 'read',
  18: 'write',
  19: 'read',
  20: 'write',
  23: 'select',
  34: 'pause',
  35: 'sleep',
  42: 'connect',
  43: 'accept',
  44: 'send',
  45: 'receive',
  46: 'send',
  47: 'receive',
  56: 'fork',
  57: 'fork',
  58: 'fork',
  61: 'wait',
  72: 'fcntl',
  73: 'flock',
  74: 'sync',
  75: 'sync',
  128: 'pause',
  130: 'pause',
  202: 'futex',
  219: 'restart',
  230: 'clockSleep',
  232: 'epoll',
  247: 'wait',
  257: 'openat',
  270: 'pselect',
  271: 'ppoll',
  281: 'epoll',
  288: 'accept',
  299: 'receive',
  426: 'uring',
  435: 'fork',
  441: 'epoll',
  449: 'futex',
  455: 'futex',
}

const arm64: Readonly<Record<number, CallName>> = {
  22: 'epoll',
  25: 'fcntl',
  32: 'flock',
  56: 'openat',
  63: 'read',
  64: 'write',
  65: 'read',
  66: 'write',
  67: 'read',
  68: 'write',
  72: 'pselect',
  73: 'ppoll',
  82: 'sync',
  83: 'sync',
  95: 'wait',
  98: 'futex',
  101: 'sleep',
  115: 'clockSleep',
  128: 'restart',
  133: 'pause',
  137: 'pause',
  202: 'accept',
  203: 'connect',
  206: 'send',
  207: 'receive',
  211: 'send',
  212: 'receive',
  220: 'fork',
  242: 'accept',
  243: 'receive',
  260: 'wait',
  426: 'uring',
  435: 'fork',
  441: 'epoll',
  449: 'futex',
  455: 'futex',
}

/** epoll_pwait2: its timeout is a structure. */
export const epollWithStructure = 441

const tables: Readonly<Record<string, Readonly<Record<number, CallName>>>> = { x64, arm64 }

export interface SystemCall {
  number: number
  /** Undefined: another one, or of an architecture that is not known. */
  name: CallName | undefined
  /** Whole registers. */
  args: bigint[]
}

/**
 * Parses the line of /proc/PID/syscall.
 *
 * @returns undefined when the thread is in no system call, or in one of a 32-bit program, whose numbers are others
 */
export function parseSystemCall(line: string, architecture: string = process.arch): SystemCall | undefined {
  const fields = line.trim().split(' ')
  if (fields.length < 8) return undefined
  const number = Number(fields[0])
  const registers = fields.slice(1, 8)
  if (!(number >= 0) || !registers.every((register) => /^0x[\da-f]{1,16}$/.test(register))) return undefined
  const args = registers.map(BigInt)
  if ((args.pop() ?? 0n) < 2n ** 32n) return undefined
  return { number, name: tables[architecture]?.[number], args }
}

/** An `int`, of which the kernel shows the whole register. */
export const asInt = (register: bigint | undefined): number => Number(BigInt.asIntN(32, register ?? 0n))
