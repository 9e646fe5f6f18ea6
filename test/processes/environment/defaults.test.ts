// With the defaults, real git returns at once where it would wait for a person, and says why.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { nonInteractiveDefaults } from '../../../lib/processes/environment/defaults.js'
import { filterEnvironment } from '../../../lib/processes/environment/filter.js'

let directory: string
let person: string
let env: Record<string, string>

/** Whether something called for a person: the host's editor, pager and askpass are a program that waits for one. */
const personWasCalled = () => existsSync(`${person}.called`)

async function git(...args: string[]) {
  // A group of its own, so that nothing that git started survives the deadline.
  const child = spawn('git', args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const deadline = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, 30_000)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  clearTimeout(deadline)
  return { stdout, stderr, code: code as number | null }
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'environment-defaults-'))
  person = join(directory, 'person')
  writeFileSync(person, `#!/bin/sh\n: > '${person}.called'\nexec sleep 300\n`)
  chmodSync(person, 0o755)
  const host = {
    ...process.env,
    ...Object.fromEntries(nonInteractiveDefaults.map(({ name }) => [name, person])),
  }
  const identity = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'A'],
    [`GIT_${role}_EMAIL`, 'a@example.org'],
  ])
  env = filterEnvironment(host, {
    deny: ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', '*_proxy', '*_PROXY'],
    set: {
      ...Object.fromEntries(identity),
      HOME: directory,
      GIT_CONFIG_NOSYSTEM: '1',
      XDG_CONFIG_HOME: directory,
    },
  }).env
  expect(await git('init', '--quiet')).toMatchObject({ code: 0 })
  for (const setting of ['core.editor', 'sequence.editor', 'core.pager', 'core.askPass']) {
    expect(await git('config', setting, person)).toMatchObject({ code: 0 })
  }
  for (const message of ['first', 'second']) {
    expect(await git('commit', '--quiet', '--allow-empty', '-m', message)).toMatchObject({ code: 0 })
  }
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('git commit --amend fails, leaves the commit and names the options to use', async () => {
  const before = (await git('rev-parse', 'HEAD')).stdout
  const { code, stderr } = await git('commit', '--amend', '--allow-empty')
  expect(code).toBe(1)
  expect(stderr).toContain('use -m, -F or --no-edit')
  expect((await git('rev-parse', 'HEAD')).stdout).toBe(before)
  expect(personWasCalled()).toBe(false)
})

test('an editor given with -c is not opened either', async () => {
  const { code } = await git('-c', `core.editor=${person}`, 'commit', '--allow-empty')
  expect(code).toBe(1)
  expect(personWasCalled()).toBe(false)
})

test('the advice of the message works', async () => {
  env.GIT_EDITOR = 'true'
  expect(await git('commit', '--amend', '--allow-empty')).toMatchObject({ code: 0 })
})

test('git rebase -i fails and names the variable to set', async () => {
  const { code, stderr } = await git('rebase', '-i', 'HEAD~1')
  expect(code).not.toBe(0)
  expect(stderr).toContain('set GIT_SEQUENCE_EDITOR')
  expect(personWasCalled()).toBe(false)
})

test('git log with a pager configured prints the log', async () => {
  expect(await git('-c', 'core.pager=less', 'log', '--format=%s')).toMatchObject({
    code: 0,
    stdout: 'second\nfirst\n',
  })
  expect((await git('-c', 'core.pager=less', 'var', 'GIT_PAGER')).stdout).toBe('cat\n')
  expect(personWasCalled()).toBe(false)
})

test('git clone of a server that asks for a password fails and says so', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="private"', Connection: 'close' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const { code, stderr } = await git('clone', `http://127.0.0.1:${port}/private.git`)
    expect(code).toBe(128)
    expect(stderr).toContain('terminal prompts disabled')
    expect(personWasCalled()).toBe(false)
  } finally {
    server.close()
    await once(server, 'close')
  }
})
