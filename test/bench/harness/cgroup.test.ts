import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findOwnCgroup } from '../../../bench/harness/cgroup.mjs'
import { packageRoot } from '../../support/as-user.js'

const V2 = { type: 'cgroup2', controller: '' }
const CPUACCT = { type: 'cgroup', controller: 'cpuacct' }

const mount = (root: string, point: string, rest: string) =>
  `31 23 0:28 ${root} ${point} rw,relatime - ${rest}`

test('version 2: the group of the line without controllers', () => {
  const cgroups = '2:cpu,cpuacct:/a\n1:name=systemd:/b\n0::/user.slice/one\n'
  const mounts = `${mount('/', '/sys/fs/cgroup/unified', 'cgroup2 cgroup2 rw')}\n`

  expect(findOwnCgroup(V2, cgroups, mounts)).toBe('/sys/fs/cgroup/unified/user.slice/one')
})

test('version 1: the group of the controller, in the hierarchy that has it', () => {
  const cgroups = '3:cpuset:/\n2:cpu,cpuacct:/a\n0::/\n'
  const mounts = [
    mount('/', '/sys/fs/cgroup/cpuset', 'cgroup cgroup rw,cpuset'),
    mount('/', '/sys/fs/cgroup/cpu,cpuacct', 'cgroup cgroup rw,cpu,cpuacct'),
  ].join('\n')

  expect(findOwnCgroup(CPUACCT, cgroups, mounts)).toBe('/sys/fs/cgroup/cpu,cpuacct/a')
})

test('a container that sees its own group as the root of the mount', () => {
  const mounts = mount('/docker/one', '/sys/fs/cgroup', 'cgroup2 cgroup2 rw')

  expect(findOwnCgroup(V2, '0::/docker/one/two\n', mounts)).toBe('/sys/fs/cgroup/two')
})

test.each([
  ['a group outside of the namespace', '0::/../other\n', mount('/', '/sys/fs/cgroup', 'cgroup2 cgroup2 rw')],
  ['a mount of another group', '0::/one\n', mount('/two', '/sys/fs/cgroup', 'cgroup2 cgroup2 rw')],
  ['nothing mounted', '0::/\n', ''],
  ['a kernel without control groups', '', ''],
])('none: %s', (_name, cgroups, mounts) => {
  expect(findOwnCgroup(V2, cgroups, mounts)).toBeUndefined()
})

test('a process that ends with others in its group leaves none behind', () => {
  const script = `
    import { spawn } from 'node:child_process'
    import { once } from 'node:events'
    const { makeCgroup } = await import(process.argv[1])
    makeCgroup()
    const directory = process.env.BASHWARD_BENCH_CGROUP ?? ''
    // Where it is not allowed there is nothing to leave behind.
    const join = directory === '' ? '' : 'echo 0 >' + directory + '/cgroup.procs;'
    const child = spawn('/bin/sh', ['-c', join + 'echo in; exec sleep 5'], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    process.stdout.write(directory)
    process.once('exit', () => child.kill('SIGKILL'))
    process.exit(0)`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, join(packageRoot, 'bench/harness/cgroup.mjs')],
    { encoding: 'utf8' },
  )

  expect(stderr).toBe('')
  expect(stdout !== '' && existsSync(stdout)).toBe(false)
})
