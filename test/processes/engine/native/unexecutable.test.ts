// A package whose files may not be executed: exec bits that were lost on the way, mounts without exec.
import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { isRoot } from '../../../support/as-user.js'
import { cannotTest } from '../../../support/must-work.js'
import { removeTempDirs } from '../../../support/temp-dir.js'
import { packageWith, prebuildsIn, sayHello } from './installed.js'

afterEach(removeTempDirs)

/**
 * The words before a program that sees a noexec tmpfs at `directory`, with copies of the files in it, and of those
 * named in `executable` the originals. Undefined where nothing can be mounted.
 */
const withNoexecMount = (directory: string, executable: string[] = []): string[] | undefined => {
  const script = `
    set -e
    originals=$1; directory=$2; shift 2
    mount --bind "$directory" "$originals"
    mount -t tmpfs -o noexec none "$directory"
    cp -p "$originals"/* "$directory"
    for name in ${executable.join(' ')}; do mount --bind "$originals/$name" "$directory/$name"; done
    exec "$@"`
  const user = isRoot ? [] : ['--user', '--map-root-user']
  const originals = packageWith({})
  const prefix = ['unshare', ...user, '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh']
  const words = [...prefix, originals, directory]
  const [program = '', ...args] = [...words, 'true']
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? words : undefined
}

test('a supervisor that has lost its exec bit runs all the same', () => {
  const root = packageWith({ 'bashward.glibc.node': 'working' })
  chmodSync(join(prebuildsIn(root), 'bashward-supervisor'), 0o644)

  expect(sayHello(root)).toEqual({ output: 'hello\n' })
})

test('a supervisor on a noexec mount runs all the same', () => {
  const root = packageWith({ 'bashward.glibc.node': 'working' })
  const prefix = withNoexecMount(prebuildsIn(root), ['bashward.glibc.node'])
  if (prefix === undefined) return cannotTest('only root, or a user namespace, can mount a file system')

  expect(sayHello(root, prefix)).toEqual({ output: 'hello\n' })
})

test('an addon on a noexec mount cannot be loaded, and the error says why', () => {
  const root = packageWith({ 'bashward.glibc.node': 'working' })
  const prefix = withNoexecMount(prebuildsIn(root))
  if (prefix === undefined) return cannotTest('only root, or a user namespace, can mount a file system')

  expect(sayHello(root, prefix)).toMatchObject({
    code: 'ERR_UNSUPPORTED_PLATFORM',
    message: expect.stringMatching(
      /bashward\.glibc\.node: failed to map segment from shared object.* \(its file system is mounted noexec\)$/,
    ),
  })
})
