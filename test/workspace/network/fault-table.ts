// The system calls that are made for sockets, and what fails with each: of those attempts none may succeed. For the
// names of the calls see refuse-call.c.
//
// Some cannot fail on any kernel, and are left out: writing to an eventfd and reading from it, futex(2),
// clock_gettime(2), umask(2), setting O_NONBLOCK. What takes a socket back is a connect(2) like that to the proxy, and
// restricting the thread that binds names, its capabilities and its limits takes the calls that restrict the command:
// they fail with those.
import { casesInTurn, firstInTurn } from '../../support/in-turns.js'
import { users } from '../workspace-hosts.js'
import { type Fault, ownKinds } from './fault-trial.js'

/** What the command cannot do then; or that it is not run, or killed. */
export type Strikes = readonly string[] | 'refused' | 'killed'

const tcp = ['tcp', 'tcp_later', 'bound_again'] as const
const inet = [...tcp, 'tcp6'] as const
const connecting = [...inet, 'allowed'] as const
const local = ['local', 'local_later'] as const
const all = [...ownKinds, 'allowed'] as const
const nothing = [] as const

const making = ['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EACCES']
const opening = ['EMFILE', 'ENFILE', 'ENOMEM', 'EACCES']

const table: readonly (readonly [call: string, errors: readonly string[], strikes: Strikes])[] = [
  ['a TCP socket', making, [...tcp, 'allowed']],
  ['a TCP socket over IPv6', [...making, 'EAFNOSUPPORT'], ['tcp6']],
  ['a local socket', making, local],
  ['a routing socket', making, ['routes']],
  // The lists in /proc take its place, but not for names of local sockets.
  ['a socket of diagnosis', [...making, 'EPERM'], local],
  ['asking diagnosis', ['ENOBUFS', 'ENOMEM', 'ECONNREFUSED', 'EPERM'], local],
  ['the answer of diagnosis', ['ENOBUFS', 'EAGAIN', 'ENOMEM'], local],
  ['listening for a trial', ['EADDRINUSE'], nothing],

  ['binding to the device', ['EPERM', 'ENODEV', 'ENOPROTOOPT'], connecting],
  ['reading the device', ['ENOPROTOOPT', 'EPERM'], inet],
  ['reading the cookie', ['ENOPROTOOPT', 'EPERM'], all],
  ['fstat of a socket', ['ENOMEM', 'EPERM'], all],
  ['installing a descriptor', ['EMFILE', 'ENOMEM', 'EINVAL', 'EPERM'], all],
  // It only says among which addresses a free port is looked for.
  ['reading IPV6_V6ONLY', ['ENOPROTOOPT'], nothing],

  ['binding a TCP socket', ['EACCES', 'EADDRINUSE', 'ENOMEM'], tcp],
  ['binding over IPv6', ['EADDRNOTAVAIL', 'EACCES'], ['tcp6']],
  ['binding a local socket', ['EACCES', 'ENOMEM', 'EADDRINUSE'], local],
  ['binding a routing socket', ['ENOMEM', 'EPERM'], ['routes']],
  ['a ruleset for names', ['ENOMEM', 'EMFILE', 'EOPNOTSUPP', 'ENOSYS'], local],
  ['fchdir', ['EACCES', 'ENOENT'], local],
  ['reading the mode mask', ['EIO', 'ESRCH', 'ENOMEM'], local],
  ['listing a directory', ['ENOMEM', 'EACCES'], ['bound_again']],
  ['listening', ['EADDRINUSE', 'ENOMEM', 'EACCES'], [...inet, ...local]],
  ['getsockname', ['ENOBUFS', 'EPERM'], connecting],

  ['connecting by Fast Open', ['ENOBUFS', 'ENOMEM', 'EPERM', 'EACCES', 'ENOSYS'], connecting],
  ['connecting by Fast Open', ['EOPNOTSUPP'], nothing],
  ['connecting a local socket', ['EACCES', 'ECONNREFUSED', 'ENOMEM'], local],
  ['reading the state', ['ENOPROTOOPT', 'EPERM'], connecting],
  ['reading flags', ['EPERM'], nothing],

  ['process_vm_readv', ['ENOMEM', 'ESRCH'], all],
  ['process_vm_readv', ['EPERM', 'ENOSYS'], nothing],
  ['reading which socket it is', ['EACCES', 'ENOENT', 'ENOMEM'], all],
  ['opening a file', opening, [...local, 'bound_again']],
  ['opening a working directory', opening, local],
  ['openat2 by the broker', [...opening, 'ENOSYS', 'EPERM'], local],
  ['statx by the broker', ['ENOMEM', 'EACCES', 'ENOSYS'], local],
  ['validating a notification', ['ENOENT', 'EPERM'], all],

  ['eventfd2', ['EMFILE', 'ENFILE', 'ENOMEM'], all],
  ['a thread of its own', ['EAGAIN', 'ENOMEM', 'EPERM'], all],
  ['waiting by the broker', ['ENOMEM', 'EINTR'], nothing],
  ['receiving a notification', ['EINVAL'], 'killed'],
  ['sending', ['ENOBUFS'], 'killed'],
  ['capset', ['EPERM'], 'refused'],
  ['reading limits', ['EPERM'], 'refused'],
  ['a listener', ['EINVAL', 'EACCES', 'ENOMEM', 'ENFILE'], 'refused'],

  ['a socket to the proxy', making, 'refused'],
  ['connecting to the proxy', ['ECONNREFUSED', 'EACCES', 'EADDRNOTAVAIL', 'ENOMEM'], 'refused'],
  ['waiting for the proxy', ['ENOMEM'], 'refused'],
  ['reading the error', ['ENOMEM', 'ENOPROTOOPT'], 'refused'],
  ['receiving the agreement', ['ECONNRESET', 'ENOMEM'], 'refused'],
  // As when the proxy has ended. Whether it is used before that shows is a matter of chance.
  ['receiving refusals', ['ECONNRESET', 'ENOMEM'], nothing],
]

export interface Case {
  faults: readonly Fault[]
  strikes: Strikes
}

/** What takes another's place fails, too. */
const both: readonly Case[] = [
  {
    faults: [
      ['a socket of diagnosis', 'EPERM'],
      ['opening a file', 'EACCES'],
    ],
    strikes: [...connecting, ...local],
  },
  {
    faults: [
      ['a socket of diagnosis', 'EPERM'],
      ['reading the list of sockets', 'ENOMEM'],
    ],
    strikes: [...connecting, ...local],
  },
  {
    faults: [
      ['process_vm_readv', 'EPERM'],
      ['opening a file', 'EACCES'],
    ],
    strikes: all,
  },
  {
    faults: [
      ['process_vm_readv', 'ENOSYS'],
      ['reading memory by its file', 'EIO'],
    ],
    strikes: all,
  },
  {
    faults: [
      ['connecting by Fast Open', 'EOPNOTSUPP'],
      ['connecting a local socket', 'ENOMEM'],
    ],
    strikes: ['tcp6', ...local],
  },
  {
    faults: [
      ['connecting by Fast Open', 'EOPNOTSUPP'],
      ['reading flags', 'EPERM'],
    ],
    strikes: nothing,
  },
]

/** Nobody answers then, or not before the trial is over. */
export const lastingFaults: readonly Fault[] = [
  ['answering a notification', 'EINVAL'],
  ['connecting a local socket', 'EAGAIN'],
]

/** Each call with each of its errors; as the ordinary user of two, only with the first. In .ci/run: firstInTurn(). */
export const casesOf = (ordinaryUser: boolean): readonly Case[] => [
  ...casesInTurn(table, Number(ordinaryUser), users.length).flatMap(([call, errors, strikes]) =>
    (ordinaryUser ? errors.slice(0, 1) : firstInTurn(errors)).map(
      (error): Case => ({ faults: [[call, error]], strikes }),
    ),
  ),
  ...both,
]
