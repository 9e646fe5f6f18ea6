// Directories that no policy may make writable: what commands, this program or the user's others are made of, and where
// what they believe is kept.

import { lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { isBelow, isWithin, overlap, realNameOf } from '../../base/util/absolute-paths.js'
import { stateDirectories } from '../../base/util/state-directories.js'
import { packageRoot } from '../../package-root.js'
import { currentEngine } from '../../processes/engine/choose.js'
import type { EncodedEnvironment } from '../../processes/environment/command-environment.js'
import { everyNameOf } from './every-name.js'
import { sharedMemoryDirectory } from './policy.js'
import type { PolicyPlace } from './policy-path.js'
import { homesOf, variablesOf } from './policy-variables.js'

/** A place that no root may be, nor contain, nor be within, as far as each is refused. */
interface Refused {
  path: string
  /** How it is called where the path is another name of it; else empty. */
  as: string
  what: string
  /** Whether what contains it is refused. */
  above: boolean
  /** Whether what is below it is refused. */
  below: boolean
}

const around = { above: true, below: true }
const ownState = 'where bashward keeps its jobs'

type Scope = Partial<Pick<Refused, 'above' | 'below'>>

/**
 * Why a directory cannot be made writable; undefined when it can be. What is mounted in two places is judged by both of
 * its names: a rule of Landlock's is for the directory, however that is called.
 *
 * @param root a path without symbolic links
 */
export function refusalOf(root: string, place: PolicyPlace): string | undefined {
  const refusal = refusalByName(root, place)
  if (refusal !== undefined) return refusal
  for (const name of currentEngine().otherNames(root)) {
    const reason = refusalByName(name, place)
    if (reason !== undefined) return `it is mounted at ${name}, too, and ${reason}`
  }
  return mountRefusal(root, place)
}

/**
 * A mount below the root may show, with one file or more, what could not be the root. The kernel's own are judged by their
 * type: the engine refuses them.
 */
function mountRefusal(root: string, place: PolicyPlace): string | undefined {
  const { mountsBelow, otherNames } = currentEngine()
  for (const point of mountsBelow(root)) {
    for (const name of otherNames(point)) {
      if (isBelow(name, root) || kernel.some((directory) => isWithin(name, directory))) continue
      const reason = refusalByName(name, place)
      if (reason !== undefined) return `${point} shows ${name}, and ${reason}`
    }
  }
  return undefined
}

function refusalByName(root: string, { environment, shell }: PolicyPlace): string | undefined {
  for (const { path, as, what, above, below } of refusedIn(environment, shell)) {
    if (root === path) return `it is ${what}${as}`
    if (above && isBelow(path, root)) return `it contains ${what}, ${path}${as}`
    if (below && isBelow(root, path)) return `it is in ${what}, ${path}${as}`
  }
  return stateRefusal(root) ?? othersTemporary(root) ?? packageRefusal(root)
}

/** The same of /dev/shm, which no policy names: `sharedMemory` makes it writable as it is, with what is kept there. */
export function sharedMemoryRefusal({ environment, shell }: PolicyPlace): string | undefined {
  const root = sharedMemoryDirectory
  const held = refusedIn(environment, shell).find(({ path, above }) => above && isWithin(path, root))
  return held === undefined ? stateRefusal(root) : `${root} contains ${held.what}, ${held.path}${held.as}`
}

function stateRefusal(root: string): string | undefined {
  const isAt = (name: string): boolean => overlap(root, name)
  const state = stateDirectories().find((directory) => everyNameOf(directory).some(isAt))
  return state === undefined ? undefined : `background jobs of bashward are kept in ${state}`
}

const system = [
  '/etc',
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/boot',
  '/snap',
  '/nix',
]
const kernel = ['/proc', '/sys', '/dev']
const shared = ['/var', '/run', '/tmp', '/var/tmp', '/home', '/opt']

/** Keys that let others in, and programs that are started unasked. */
const trusted = ['.ssh', '.gnupg', '.local/bin', '.local/share/systemd', '.local/share/dbus-1']

interface RefusedList {
  /** Of the variables. */
  key: string
  shell: string
  from: string
  mounts: number
  refused: readonly Refused[]
}

let known: RefusedList | undefined

/** Worked out once for the same variables: a command asks again about the same. */
function refusedIn(environment: EncodedEnvironment, shell: string): readonly Refused[] {
  const from = hostDirectory()
  const { key } = variablesOf(environment)
  const mounts = currentEngine().mountsVersion()
  const isSame = known?.key === key && known.shell === shell && known.from === from
  if (known === undefined || !isSame || known.mounts !== mounts) {
    known = { key, shell, from, mounts, refused: [...listRefused(environment, shell, from)] }
  }
  return known.refused
}

function* listRefused(
  environment: EncodedEnvironment,
  shell: string,
  from: string,
): Generator<Refused, void, undefined> {
  const { values: variables } = variablesOf(environment)
  yield* refuse('/', 'the root directory')
  for (const path of kernel) yield* refuse(path, `a directory of the kernel's`, { below: true })
  for (const path of system) yield* refuse(path, 'a system directory', { below: true })
  for (const path of shared) yield* refuse(path, 'a directory that all share')
  yield* refuse('/run/user', 'where users have their sockets', { below: true })
  for (const path of [tmpdir(), ...variables('TMPDIR')])
    yield* refuse(path, 'the directory of temporary files')
  for (const home of homesOf(environment)) {
    yield* refuse(home, 'the home directory', { above: true })
    yield* refuse(join(home, '.config'), 'the directory of settings', around)
    yield* refuse(join(home, '.local/state/bashward'), ownState, around)
    for (const name of trusted)
      yield* refuse(join(home, name), 'a directory that logins and services rely on', around)
  }
  for (const path of variables('XDG_STATE_HOME')) yield* refuse(join(path, 'bashward'), ownState, around)
  for (const name of ['XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR']) {
    for (const path of variables(name)) yield* refuse(path, name, around)
  }
  yield* refuse(process.execPath, 'the program that runs this', { above: true })
  yield* refuse(shell, 'the shell of the commands', { above: true })
  yield* refusePrograms(
    variables('PATH').flatMap((list) => list.split(delimiter)),
    environment,
    from,
  )
}

/**
 * What is on PATH is executed outside, by this program and by others. A project that holds such a directory is no less a
 * workspace: what npm, an activated virtual environment and direnv put in front of PATH is part of its untrusted text.
 */
function* refusePrograms(
  path: readonly string[],
  environment: EncodedEnvironment,
  from: string,
): Generator<Refused, void, undefined> {
  const homes = homesOf(environment)
  for (const entry of path) {
    yield* refuse(entry, 'a directory on PATH', { below: true })
    // ~/.cargo or ~/go, whose programs every login shell runs.
    const tools = dirname(resolve('/', entry))
    const isOfHome = homes.some((home) => dirname(tools) === resolve(home))
    if (isOfHome && /^(?:\..+|go)$/.test(basename(tools)))
      yield* refuse(tools, 'where programs on PATH are kept')
  }
  // This program looks there, wherever the command is.
  for (const entry of from === '' ? [] : relativeEntries()) {
    yield* refuse(resolve(from, entry), `where '${entry}' on PATH leads`, { below: true })
  }
}

const relativeEntries = () =>
  (process.env.PATH || '/').split(delimiter).filter((path) => !path.startsWith('/'))

/** Where this program is; empty when that is gone. */
export function hostDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return ''
  }
}

/**
 * By its own name, by that which it leads to, and by those that other mounts give it; `..` behind a symbolic link leads the
 * kernel elsewhere than it reads. An empty or relative path names no place.
 */
function* refuse(
  path: string,
  what: string,
  { above = false, below = false }: Scope = {},
): Generator<Refused, void, undefined> {
  if (!path.startsWith('/')) return
  const named = resolve(path)
  const names = new Set([named, realNameOf(named)])
  if (/\/\.\.(?:\/|$)/.test(path)) names.add(realNameOf(path))
  for (const each of names) yield { path: each, as: '', what, above, below }
  const others = new Set([...names].flatMap(everyNameOf))
  for (const each of others) {
    if (!names.has(each)) yield { path: each, as: ` (mounted at ${named}, too)`, what, above, below }
  }
}

const temporary = ['/tmp', '/var/tmp']

/** The directory on the way to a root that is in one where everybody can make some. */
export function temporaryTop(root: string): string | undefined {
  const directory = temporary.find((path) => isBelow(root, path))
  return directory && join(directory, root.slice(directory.length + 1).split('/')[0] ?? '')
}

/** What others have made where everybody can is theirs to exchange. */
function othersTemporary(root: string): string | undefined {
  const top = temporaryTop(root)
  if (top === undefined) return undefined
  const { uid: owner } = lstatSync(top)
  return isOwn(owner) ? undefined : `${top} belongs to user ${owner}`
}

function isOwn(owner: number): boolean {
  const uid = process.geteuid?.()
  // With sudo one works for the user that one was.
  return owner === uid || (uid === 0 && String(owner) === process.env.SUDO_UID)
}

const packageDirectory = realNameOf(packageRoot)
const isInstalled = packageDirectory.includes('/node_modules/')

/** What contains the package may be written to once the package is sealed; what is in it is nobody's workspace. */
function packageRefusal(root: string): string | undefined {
  const isPart = isInstalled && everyNameOf(packageDirectory).some((name) => isWithin(root, name))
  return isPart ? `bashward itself is in ${packageDirectory}` : undefined
}
