// The part of the arm64 binaries that can be tested on an x64 machine: qemu-user runs Node for arm64, which loads the
// addon. It runs no command: QEMU before 8.1 does not know CLONE_PIDFD, a kernel without binfmt_misc executes no
// supervisor for another processor, and neither Landlock nor seccomp filters are emulated. test/kernels does that on a
// whole machine.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cannotTest } from '../support/must-work.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { addPrograms, type Consumer, execute, makeConsumer, output } from './support/consumer.js'
import { nodePath, tarball, toolPath } from './support/tools.js'

const qemu = '/usr/bin/qemu-aarch64-static'
/** Where Debian's libc6-arm64-cross and libstdc++6-arm64-cross are. */
const libraries = '/usr/aarch64-linux-gnu'

const missing = [
  qemu,
  join(libraries, 'lib/ld-linux-aarch64.so.1'),
  join(libraries, 'lib/libstdc++.so.6'),
].find((file) => !existsSync(file))

let consumer: Consumer

beforeAll(() => {
  const node = nodePath(24)
  consumer = makeConsumer(node)
  output(consumer, [node, toolPath('npm-11/bin/npm-cli.js'), 'install', '--no-audit', tarball])
  addPrograms(consumer)
})

afterAll(removeTempDirs)

const emulated = [qemu, '-L', libraries, toolPath('node-24-arm64/bin/node')]

test('the addon for glibc is loaded, and parses', () => {
  if (missing !== undefined) return cannotTest(`there is no ${missing}`)
  const program = `
    const { checkCommand, probeSandbox } = require('bashward')
    probeSandbox().then(({ architecture, available }) => {
      const { allowed } = checkCommand?.('git add -A', { workingDir: '/' }) ?? {}
      const maps = require('fs').readFileSync('/proc/self/maps', 'latin1')
      const loaded = maps.includes('prebuilds/linux-arm64/bashward.glibc.node')
      console.log(JSON.stringify({ architecture, available, allowed, loaded }))
    })`

  expect(JSON.parse(output(consumer, [...emulated, '-e', program]))).toEqual({
    architecture: 'arm64',
    available: false,
    allowed: false,
    loaded: true,
  })
})

test('the supervisor starts, and ends when nobody tells it what to do', () => {
  if (missing !== undefined) return cannotTest(`there is no ${missing}`)
  const supervisor = join(
    consumer.directory,
    'node_modules/bashward/prebuilds/linux-arm64/bashward-supervisor',
  )
  const { status, signal } = spawnSync(qemu, [supervisor], { stdio: 'ignore' })

  expect({ status, signal }).toEqual({ status: 1, signal: null })
})

test('a command that cannot be started gives a typed error', () => {
  if (missing !== undefined) return cannotTest(`there is no ${missing}`)
  const program = `require('bashward').run('echo hi', { cwd: '/' })
    .then(({ output }) => console.log(output.trim()), ({ code }) => console.log(code))`

  expect(execute(consumer, [...emulated, '-e', program])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^(hi|ERR_SPAWN)\n$/),
  })
})
