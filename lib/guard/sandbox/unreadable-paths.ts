// The paths of a policy whose content cannot be read, and the list of those where keys and passwords usually are.

import { join } from 'node:path'
import { isWithin, overlap, realNameOf } from '../../base/util/absolute-paths.js'
import { keyFilesIn, outsideOf } from './key-files.js'
import { type PolicyPlace, policyPath, wrongPath } from './policy-path.js'
import { homesOf, variablesOf } from './policy-variables.js'

/** Absolute paths, also such as do not exist. */
interface Unreadable {
  /** All, those of the default list last. */
  paths: readonly string[]
  /** How many of them the caller has not listed. */
  usual: number
}

/**
 * @param roots the writable directories
 * @throws {BashError} ERR_INVALID_INPUT for one that a writable directory has, or is in: that could be renamed; and for one
 *   that the shell is in
 */
export function findUnreadable(
  given: readonly string[],
  roots: readonly string[],
  place: PolicyPlace,
): Unreadable {
  const usual = given.includes('default') ? defaultPaths(place, roots) : []
  if (given.length === 1 && usual.length > 0) return { paths: usual, usual: usual.length }
  const listed = given.flatMap((path, index) => {
    if (path === 'default') return []
    const field = `${place.field}.unreadable[${index}]`
    const absolute = policyPath(field, path, place)
    const names = [absolute, realNameOf(absolute)]
    const root = roots.find((root) => names.some((name) => overlap(name, root)))
    if (root !== undefined) throw wrongPath(field, absolute, `cannot be unreadable: ${root} is writable`)
    if (holds(names, place.shell)) {
      throw wrongPath(field, absolute, `cannot be unreadable: ${place.shell}, which runs commands, is in it`)
    }
    return absolute
  })
  const first = new Set(listed)
  const paths = [...new Set([...first, ...usual])]
  return { paths, usual: paths.length - first.size }
}

let known:
  | { key: string; always: readonly string[]; named: readonly string[]; all: readonly string[] }
  | undefined

/** Worked out once for the same variables: a command asks again about the same. */
function defaultPaths({ environment, shell }: PolicyPlace, roots: readonly string[]): readonly string[] {
  const { key: variables, values } = variablesOf(environment)
  const key = `${process.geteuid?.()} ${variables}`
  if (known?.key !== key) {
    const settings = values('XDG_CONFIG_HOME').filter((path) => path.startsWith('/'))
    const homes = homesOf(environment)
    const always = listDefault(homes, settings)
    const named = [...new Set(keyFilesIn(values, homes))].filter((path) => !always.includes(path))
    known = { key, always, named, all: [...always, ...named] }
  }
  const { always, named, all } = known
  // A variable such as KUBECONFIG that names /usr/bin means something else.
  const outside = outsideOf(named, roots).filter((path) => !holds([path, realNameOf(path)], shell))
  return outside.length === named.length ? all : [...always, ...outside]
}

/** Whether a program is in a directory, by any name of both. */
function holds(names: readonly string[], program: string): boolean {
  return [program, realNameOf(program)].some((path) => names.some((name) => isWithin(path, name)))
}

function listDefault(homes: readonly string[], settings: readonly string[]): readonly string[] {
  const configs = [...homes.map((home) => join(home, '.config')), ...settings]
  const paths = [
    ...homes.flatMap((home) => inHome.map((path) => join(home, path))),
    ...configs.flatMap((config) => inConfig.map((path) => join(config, path))),
    ...everywhere,
    ...(process.geteuid?.() === 0 ? ofRoot : []),
  ]
  return [...new Set(paths)]
}

const inHome = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker/config.json', '.vault-token', '.pgpass'],
  ...[
    '.npmrc',
    '.pypirc',
    '.netrc',
    '.git-credentials',
    '.cargo/credentials*',
    '.cargo/credentials.toml',
    '.m2/settings.xml',
  ],
  ...['.claude/.credentials.json', '.codex/auth.json', '.password-store', '.local/share/keyrings'],
  ...['.bash_history', '.zsh_history', '.local/share/fish/fish_history', '.python_history'],
  ...['.node_repl_history', '.psql_history', '.mysql_history', '.sqlite_history', '.rediscli_history'],
  ...['.mozilla', '.thunderbird', 'snap/firefox', 'snap/chromium', 'snap/brave'],
  ...['.var/app/org.mozilla.firefox', '.var/app/com.google.Chrome', '.var/app/org.chromium.Chromium'],
  ...['.var/app/com.brave.Browser', '.var/app/com.microsoft.Edge'],
]

const inConfig = [
  ...['gcloud', 'gh', 'git/credentials', 'rclone', 'containers', 'op'],
  ...['chromium', 'google-chrome', 'google-chrome-beta', 'google-chrome-unstable'],
  ...['BraveSoftware', 'microsoft-edge', 'vivaldi', 'opera'],
]

/**
 * What containers are given is often readable for all. A pattern stands for what is there when a command starts: else
 * each command would need rules of its own for all that is in /tmp, where its scratch directory is made.
 */
const everywhere = ['/tmp/krb5cc_*', '/run/secrets']

/** Nobody else can read them anyway. */
const ofRoot = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-'],
  ...['/etc/ssh/*_key', '/etc/ssh/ssh_host_ed25519_key', '/etc/krb5.keytab'],
]
