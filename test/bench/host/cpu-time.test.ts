import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../support/as-user.js'

/** In the place of a control group: its files, with what the kernel would say. */
let group: string

beforeEach(() => {
  group = mkdtempSync(join(tmpdir(), 'bashward-test-'))
  writeFileSync(join(group, 'cgroup.procs'), '')
})
afterEach(() => rmSync(group, { recursive: true, force: true }))

/** What a host prints that joins, counts while `usage` of the group changes, and divides by two calls. */
const count = (file: string, before: string, after: string): object => {
  writeFileSync(join(group, file), before)
  const script = `
    import fs from 'node:fs'
    const { countCpu, joinCgroup } = await import(process.argv[1])
    joinCgroup()
    const cpuOf = countCpu()
    fs.writeFileSync(process.argv[2], process.argv[3])
    const isInherited = process.env.BASHWARD_BENCH_CGROUP !== undefined
    console.log(JSON.stringify({ ...cpuOf(2), isInherited }))`
  const host = join(packageRoot, 'bench/host/cpu-time.mjs')
  const { stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, host, join(group, file), after],
    { encoding: 'utf8', env: { ...process.env, BASHWARD_BENCH_CGROUP: group } },
  )
  return JSON.parse(stdout) as object
}

test('version 2 counts microseconds', () => {
  const printed = count('cpu.stat', 'usage_usec 5000\nuser_usec 1\n', 'usage_usec 9000\nuser_usec 2\n')

  expect(printed).toMatchObject({ cpu: 2 })
})

test('version 1 counts nanoseconds', () => {
  expect(count('cpuacct.usage', '5000000\n', '9000000\n')).toMatchObject({ cpu: 2 })
})

test('the host joins the group, and commands do not learn of it', () => {
  expect(count('cpu.stat', 'usage_usec 0\n', 'usage_usec 0\n')).toMatchObject({ isInherited: false })
  expect(readFileSync(join(group, 'cgroup.procs'), 'latin1')).toBe('0')
})
