// Runs a host process as an ordinary user: kernel limits and permissions do not show themselves to root.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { tempDir } from './temp-dir.js'

/** The checkout. */
export const packageRoot = resolve(__dirname, '../..')

/** An id without any rights of its own; it needs no entry in /etc/passwd. */
export const ordinaryUid = 1000

export const isRoot = process.getuid?.() === 0

const asUser = ['--reuid', String(ordinaryUid), '--regid', String(ordinaryUid), '--clear-groups', '--']

/** The words to put before a command so that it runs as an ordinary user; none if the tests already do. */
export const ordinaryUserPrefix = (): string[] => (isRoot ? ['setpriv', ...asUser] : [])

/** Whether setpriv(1) can do its work here. */
export const canBecomeOrdinaryUser = (): boolean =>
  !isRoot || spawnSync('setpriv', [...asUser, 'true'], { stdio: 'ignore' }).status === 0

/** Who owns what the ordinary user is given; by default the one who runs the tests. */
export const ordinaryOwner = isRoot ? ordinaryUid : undefined

/** Calls `body` as an ordinary user: root's process takes that one's effective uid for as long. */
export const asOrdinaryUser = async <Result>(body: () => Result | Promise<Result>): Promise<Result> => {
  if (!isRoot) return await body()
  process.seteuid?.(ordinaryUid)
  try {
    return await body()
  } finally {
    process.seteuid?.(0)
  }
}

const isFile = (path: string): boolean => statSync(path).isFile()

const dependencies = ['node-gyp-build', 're2js', 'unbash'].map((name) => join('node_modules', name))

/** Copies what an installed package consists of, the examples and the host scenarios, to `target`. */
export const copyPackage = (target: string): void => {
  for (const dir of ['dist', 'prebuilds', ...dependencies, 'examples', 'test/fixtures']) {
    const from = join(packageRoot, dir)
    if (existsSync(from)) cpSync(from, join(target, dir), { recursive: true })
  }
  cpSync(join(packageRoot, 'package.json'), join(target, 'package.json'))
  const release = join(packageRoot, 'build/Release')
  const targetRelease = join(target, 'build/Release')
  mkdirSync(targetRelease, { recursive: true })
  for (const name of readdirSync(release).filter((entry) => isFile(join(release, entry)))) {
    cpSync(join(release, name), join(targetRelease, name))
  }
}

let readable: string | undefined

/** The package root as the ordinary user can read it: the checkout, or a copy that lasts until `removeTempDirs`. */
export const packageRootForOrdinaryUser = (): string => {
  if (readable !== undefined && existsSync(readable)) return readable
  const probe = `test -r '${packageRoot}/dist/index.js' -a -x '${packageRoot}/test/fixtures'`
  const [program = 'bash', ...args] = [...ordinaryUserPrefix(), 'bash', '-c', probe]
  if (spawnSync(program, args, { cwd: '/', stdio: 'ignore' }).status === 0) {
    readable = packageRoot
  } else {
    readable = tempDir()
    copyPackage(readable)
  }
  return readable
}
