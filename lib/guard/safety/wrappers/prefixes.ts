// Commands such as `sudo` and `nice`, which run the command behind their own options and operands.

import { type OptionTable, readOptions } from '../option-words.js'
import { scriptFromInput, type Unwrap } from './payload.js'

interface Prefix extends OptionTable {
  /** Operands before the command. */
  operands?: number
  /** Whether `NAME=VALUE` may stand before the command. */
  assignments?: boolean
  /** Options with which it runs no command. */
  without?: readonly string[]
  /** Without a command it starts a shell: always, or with one of these options. */
  shell?: true | readonly string[]
}

const prefixes: Readonly<Record<string, Prefix>> = {
  builtin: {},
  chroot: { operands: 1, long: ['groups', 'userspec'], shell: true },
  chronic: {},
  chrt: {
    short: 'TPD',
    long: ['sched-runtime', 'sched-period', 'sched-deadline'],
    operands: 1,
    without: ['p', 'pid', 'm'],
  },
  coproc: {},
  command: { without: ['v', 'V'] },
  'dbus-run-session': { long: ['config-file', 'dbus-daemon'] },
  doas: { short: 'Cu', shell: ['s'], without: ['L'] },
  eatmydata: {},
  exec: { short: 'a' },
  fakeroot: { short: 'lsibf', long: ['lib', 'faked'], shell: true },
  gosu: { operands: 1 },
  ionice: {
    short: 'cnpPu',
    long: ['class', 'classdata', 'pid', 'pgid', 'uid'],
    without: ['p', 'P', 'u', 'pid', 'pgid', 'uid'],
  },
  linux32: {},
  linux64: {},
  ltrace: { short: 'aAeFlnosuxXD', long: ['output', 'indent', 'where'] },
  nice: { short: 'n', long: ['adjustment'] },
  nohup: {},
  nsenter: { short: 'tSG', long: ['target', 'setuid', 'setgid'], shell: true },
  numactl: { short: 'iwpNmCl', long: ['interleave', 'preferred', 'cpunodebind', 'physcpubind', 'membind'] },
  pkexec: { long: ['user'] },
  prlimit: { short: 'o', long: ['output'], without: ['p', 'pid'] },
  setarch: { operands: 1 },
  setpriv: {
    long: ['reuid', 'regid', 'groups', 'bounding-set', 'inh-caps', 'ambient-caps', 'securebits', 'pdeathsig'],
  },
  setsid: {},
  stdbuf: { short: 'ioe', long: ['input', 'output', 'error'] },
  strace: { short: 'abeEIoOpPsSuUX', long: ['output', 'trace', 'env', 'user', 'attach', 'string-limit'] },
  'su-exec': { operands: 1 },
  sudo: {
    short: 'ugpCDhRrtTU',
    long: 'user group prompt close-from chdir host chroot role type command-timeout other-user'.split(' '),
    flags: (
      'preserve-env preserve-groups shell stdin login list edit background set-home non-interactive ' +
      'reset-timestamp remove-timestamp validate version help askpass bell'
    ).split(' '),
    assignments: true,
    without: ['e', 'edit', 'l', 'list', 'v', 'validate', 'K'],
    shell: ['i', 's', 'login', 'shell'],
  },
  'systemd-run': {
    short: 'puEMH',
    long: (
      'property unit setenv machine host slice description uid gid nice working-directory service-type ' +
      'on-active on-boot on-startup on-unit-active on-unit-inactive on-calendar timer-property ' +
      'path-property socket-property'
    ).split(' '),
    shell: ['S', 'shell'],
  },
  // The mask, or with -c the list, is an operand either way.
  taskset: { operands: 1, without: ['p', 'pid'] },
  time: { short: 'fo', long: ['format', 'output'] },
  timeout: { short: 'ks', long: ['kill-after', 'signal'], operands: 1 },
  toybox: {},
  unbuffer: {},
  unshare: {
    short: 'SGRw',
    long: ['setuid', 'setgid', 'root', 'wd', 'propagation', 'setgroups', 'map-user', 'map-group'],
    shell: true,
  },
  busybox: {},
  'xvfb-run': {
    short: 'enpsfw',
    long: ['error-file', 'server-num', 'xauth-protocol', 'server-args', 'auth-file', 'wait'],
  },
}

const assignment = /^[A-Za-z_]\w*=/s

function unwrapPrefix(prefix: Prefix): Unwrap {
  const table = { ...prefix, stopsAtOperand: true }
  return (call) => {
    const { options, operands } = readOptions(call.words.slice(1), table)
    if (options.some(({ name }) => prefix.without?.includes(name))) return []
    let from = prefix.operands ?? 0
    const assignments: string[] = []
    let next = operands[from]
    while (prefix.assignments && next !== undefined && assignment.test(next.text)) {
      assignments.push(next.text)
      next = operands[++from]
    }
    const words = operands.slice(next?.text === '--' ? from + 1 : from)
    if (words.length > 0) return [{ kind: 'command', words, assignments }]
    const { shell } = prefix
    const startsShell = shell === true || options.some(({ name }) => shell?.includes(name))
    return startsShell ? scriptFromInput(call) : []
  }
}

/** `env`: `-S` holds options and the command in one argument. */
const unwrapEnv: Unwrap = ({ words }) => {
  const table = {
    short: 'uCSa',
    long: ['unset', 'chdir', 'split-string', 'argv0'],
    flags: ['ignore-environment', 'null', 'block-signal', 'default-signal', 'ignore-signal', 'debug'],
    stopsAtOperand: true,
  }
  const { options, operands } = readOptions(words.slice(1), table)
  const from = operands.findIndex(({ text }) => !assignment.test(text) && text !== '-')
  const rest = from === -1 ? [] : operands.slice(from)
  const assignments = operands.slice(0, from === -1 ? undefined : from).map(({ text }) => text)
  const split = options.find(({ name }) => name === 'S' || name === 'split-string')
  if (split?.value === undefined) return [{ kind: 'command', words: rest, assignments }]
  const { value, valueArgument } = split
  return [
    {
      kind: 'script',
      texts: [`env ${value}${rest.length > 0 ? ' "$@"' : ''}`],
      shell: 'child',
      parameters: ['env', ...operands.map(({ text }) => text)],
      start: valueArgument.start,
      end: valueArgument.end,
    },
  ]
}

export const prefixCommands: readonly (readonly [string, Unwrap])[] = [
  ...Object.entries(prefixes).map(([name, prefix]): readonly [string, Unwrap] => [
    name,
    unwrapPrefix(prefix),
  ]),
  ['env', unwrapEnv],
]
