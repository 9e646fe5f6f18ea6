// A bash of another release of Debian, with the C library that it needs: unpacked, not installed.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { openPackageLists } from '../kernels/apt.mjs'
import { output, unpack } from '../kernels/programs.mjs'

const architecture = () => output('dpkg', ['--print-architecture'], { kind: 'noTool' }).trim()

const find = (root, directories, pattern) => {
  for (const directory of directories.map((name) => join(root, name)).filter(existsSync)) {
    for (const name of readdirSync(directory, { recursive: true })) {
      if (pattern.test(name)) return join(directory, name)
    }
  }
  throw new Error(`the packages hold no file like ${pattern}`)
}

/** Whether this machine's C library is new enough for it. */
const runs = (path) => spawnSync(path, ['-c', ':'], { stdio: 'ignore' }).status === 0

/** A program that runs `bash`, with the C library beside it where this machine's is too old. */
const writeLauncher = (root, target) => {
  const bash = find(root, ['bin', 'usr/bin'], /^bash$/)
  if (runs(bash)) return symlinkSync(bash, target)
  const libraries = ['lib', 'usr/lib']
  const loader = find(root, [...libraries, 'lib64', 'usr/lib64'], /(^|\/)ld-linux-[^/]*\.so\.\d+$/)
  const path = [/(^|\/)libc\.so\.6$/, /(^|\/)libtinfo\.so\.6$/]
    .map((pattern) => find(root, libraries, pattern).replace(/\/[^/]*$/, ''))
    .join(':')
  // Not by sh: dash keeps variables from its children whose names are not those of variables, as of functions.
  const words = ['--library-path', path, '--argv0', 'bash', bash].map((word) => `'${word}'`).join(', ')
  writeFileSync(target, `#!/usr/bin/perl\nexec {'${loader}'} 'ld.so', ${words}, @ARGV;\n`, { mode: 0o755 })
}

/**
 * The path of a release's bash; unpacked once.
 *
 * @param {{ cache: string, release: string, refresh: boolean }} options
 * @throws {import('../kernels/failure.mjs').RowFailure} when the packages cannot be had
 */
export const bashOf = ({ cache, release, refresh }) => {
  const target = join(cache, release)
  const launcher = join(target, 'bash')
  if (existsSync(launcher) && !refresh) return launcher
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, `${release}-`))
  try {
    const lists = openPackageLists({
      directory: join(cache, `apt-${release}`),
      architecture: architecture(),
      suites: [release],
      refresh,
      kind: 'noRoot',
    })
    const archives = lists.download(['bash', 'libc6', 'libtinfo6'], join(work, 'archives'))
    const root = join(work, 'root')
    mkdirSync(root)
    for (const archive of archives) unpack(archive, root, ['--exclude=./usr/share'], 'noRoot')
    rmSync(target, { recursive: true, force: true })
    renameSync(root, target)
    writeLauncher(target, `${launcher}.new`)
    renameSync(`${launcher}.new`, launcher)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return launcher
}
