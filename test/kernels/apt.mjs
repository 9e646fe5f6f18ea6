// Debian packages without installing any: apt with lists and settings of its own, from the servers that this machine's
// apt uses, or from another archive. apt checks the signatures of the lists and the hashes of the packages.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RowFailure } from './failure.mjs'
import { output } from './programs.mjs'

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
const DAY = 24 * 60 * 60 * 1000

/** Where this machine gets Debian's archive and its security updates from. */
const servers = () => {
  const format = '$(ORIGIN)|$(LABEL)|$(REPO_URI)'
  const lines = output('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'], {
    kind: 'noKernel',
  })
  const find = (label) =>
    lines
      .split('\n')
      .find((line) => line.startsWith(`Debian|${label}|`))
      ?.split('|')[2]
  const archive = find('Debian')
  if (archive === undefined)
    throw new RowFailure('noKernel', "apt on this machine has no lists of Debian's archive")
  return { archive, security: find('Debian-Security') ?? archive.replace(/\/?$/, '-security') }
}

/** The release that this machine runs, such as `bookworm`. */
export const ownRelease = () =>
  /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable'

/**
 * Where packages come from, and with which keys their lists are signed.
 *
 * @typedef {object} Archive
 * @property {() => string} keyring the path of it
 * @property {() => (suite: string) => string} servers gives the URL of the server of a suite
 */

/** @type {Archive} */
const debian = {
  keyring: () => KEYRING,
  servers: () => {
    const { archive, security } = servers()
    return (suite) => (suite.endsWith('-security') ? security : archive)
  },
}

const sourceLines = (archive, architecture, suites) => {
  const options = `[arch=${architecture} signed-by=${archive.keyring()}]`
  const serverOf = archive.servers()
  return suites.map((suite) => `deb ${options} ${serverOf(suite)} ${suite} main\n`).join('')
}

/**
 * @param {{ directory: string, archive?: Archive, architecture: string, suites: string[], refresh: boolean,
 *   kind: 'noKernel' | 'noRoot' }} options directory: where the lists stay; they are fetched once a day at the most, and
 *   at once with `refresh`; archive: Debian's unless another is given; kind: of the failure when there is something that
 *   cannot be had
 * @throws {RowFailure} when there are none, of no suite
 */
export const openPackageLists = ({ directory, archive = debian, architecture, suites, refresh, kind }) => {
  const at = (name) => join(directory, name)
  for (const name of ['lists/partial', 'archives/partial']) mkdirSync(at(name), { recursive: true })
  writeFileSync(at('status'), '')
  const setting = (text) => ['-o', text]
  const settings = [
    `Dir::Etc::SourceList=${at('sources.list')}`,
    'Dir::Etc::SourceParts=/dev/null',
    'Dir::Etc::Preferences=/dev/null',
    'Dir::Etc::PreferencesParts=/dev/null',
    `Dir::State::Lists=${at('lists')}`,
    // Nothing is installed: what a package depends on is all there is to get.
    `Dir::State::status=${at('status')}`,
    `Dir::Cache::archives=${at('archives')}`,
    'Dir::Cache::pkgcache=',
    'Dir::Cache::srcpkgcache=',
    `APT::Architecture=${architecture}`,
    `APT::Architectures::=${architecture}`,
    'APT::Sandbox::User=root',
    'Acquire::Languages=none',
    'Acquire::Retries=2',
  ].flatMap(setting)
  const run = (program, args, cwd) => output(program, ['-q', ...settings, ...args], { kind, cwd })
  const lists = () =>
    readdirSync(at('lists')).filter((name) => name.endsWith('Packages') || /Packages\.\w+$/.test(name))

  const stamp = at('fetched')
  const isOld = !existsSync(stamp) || Date.now() - statSync(stamp).mtimeMs > DAY
  if (refresh || isOld) {
    writeFileSync(at('sources.list'), sourceLines(archive, architecture, suites))
    try {
      run('apt-get', ['update'])
      writeFileSync(stamp, '')
    } catch (error) {
      // One suite that is gone must not stop the others, nor a missing network what is here already.
      if (lists().length === 0) throw error
    }
  }
  return {
    /** The names of all packages that begin with `prefix`. */
    names: (prefix) => run('apt-cache', ['pkgnames', prefix]).trim().split('\n'),
    /** `packages` and all that they depend on. */
    closure: (packages) =>
      run('apt-get', ['-s', '--no-install-recommends', 'install', ...packages])
        .split('\n')
        .flatMap((line) => /^Inst (\S+)/.exec(line)?.[1] ?? []),
    /** Puts the archives of `packages` into `target`; their paths. */
    download: (packages, target) => {
      mkdirSync(target, { recursive: true })
      run('apt-get', ['download', ...packages], target)
      return readdirSync(target)
        .filter((name) => name.endsWith('.deb'))
        .map((name) => join(target, name))
    },
  }
}
