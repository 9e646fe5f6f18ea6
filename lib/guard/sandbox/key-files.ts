// The variables by which programs are told where their keys and passwords are.

import { resolve } from 'node:path'
import { isWithin, overlap, realNameOf } from '../../base/util/absolute-paths.js'

/**
 * Each with what it names: `''` is the file or directory itself, other texts are files in that directory. Their manuals:
 * aws(1), kubectl, docker(1), npm config, gpg(1), cargo, curl(1), libpq, gcloud, az, gh, rclone, pass(1), containers-auth.json(5),
 * kerberos(7), bash(1).
 */
export const keyFiles: readonly (readonly [variable: string, ...files: string[]])[] = [
  ['AWS_CONFIG_FILE', ''],
  ['AWS_SHARED_CREDENTIALS_FILE', ''],
  ['AWS_WEB_IDENTITY_TOKEN_FILE', ''],
  ['AZURE_CONFIG_DIR', ''],
  ['CARGO_HOME', 'credentials', 'credentials.toml'],
  ['CLAUDE_CONFIG_DIR', '.credentials.json'],
  ['CLOUDSDK_CONFIG', ''],
  ['CODEX_HOME', 'auth.json'],
  ['DOCKER_CONFIG', 'config.json'],
  ['GH_CONFIG_DIR', ''],
  ['GNUPGHOME', ''],
  ['GOOGLE_APPLICATION_CREDENTIALS', ''],
  ['HISTFILE', ''],
  ['KRB5CCNAME', ''],
  ['KRB5_KTNAME', ''],
  ['KUBECONFIG', ''],
  ['NETRC', ''],
  ['NPM_CONFIG_USERCONFIG', ''],
  ['npm_config_userconfig', ''],
  ['PASSWORD_STORE_DIR', ''],
  ['PGPASSFILE', ''],
  ['RCLONE_CONFIG', ''],
  ['REGISTRY_AUTH_FILE', ''],
]

/** Of a list such as KUBECONFIG. */
const mostFiles = 16
const longestPath = 4095

/** What commands could not do without: a variable that names one of these, or what it is in, means something else. */
const needed = ['/bin', '/etc', '/home', '/lib', '/opt', '/root', '/run', '/srv', '/tmp', '/usr', '/var']
/** /dev/null says that there is no such file. */
const kernel = ['/dev', '/proc', '/sys']

/** Absolute paths. @param values the values that a variable has */
export function keyFilesIn(
  values: (name: string) => readonly string[],
  homes: readonly string[],
): readonly string[] {
  return keyFiles
    .flatMap(([variable, ...files]) =>
      values(variable).flatMap((value) => {
        const named = variable === 'KUBECONFIG' ? value.split(':').slice(0, mostFiles) : [withoutType(value)]
        return named.flatMap((path) => files.map((file) => (file === '' ? path : `${path}/${file}`)))
      }),
    )
    .flatMap((path) => (isKept(path, homes) ? [plain(path)] : []))
}

/** Of Kerberos: `FILE:/tmp/krb5cc_1000`. */
const withoutType = (value: string) => value.replace(/^(?:WR)?FILE:|^DIR:/, '')

function isKept(path: string, homes: readonly string[]): boolean {
  // What is a pattern on the list is none to the program, and SOH separates paths there.
  if (!path.startsWith('/') || path.length > longestPath || /[*\x01]/.test(path)) return false
  const named = resolve(path)
  // Those are on the list by a pattern, for the sake of what else is in /tmp.
  if (/^\/tmp\/krb5cc_[^/]*$/.test(named)) return false
  return (
    !kernel.some((each) => isWithin(named, each)) &&
    ![...needed, ...homes].some((each) => isWithin(each, named))
  )
}

/** `..` stays: behind a symbolic link it leads elsewhere than the text says. */
const plain = (path: string) => (path.split('/').includes('..') ? path : resolve(path))

/**
 * Those that are neither in a writable directory nor above one, by whatever name: there they are the project's own. PWD
 * often has another name of a project, and so do variables that are set from it.
 */
export const outsideOf = (paths: readonly string[], roots: readonly string[]): readonly string[] =>
  roots.length === 0
    ? paths
    : paths.filter((path) => {
        const names = [path, realNameOf(path)]
        return !roots.some((root) => names.some((name) => overlap(name, root)))
      })
