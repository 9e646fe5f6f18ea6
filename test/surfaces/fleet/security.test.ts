// Redis and the worker's credential, seen by a command and by a worker that somebody has taken over.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { blocksOf } from '../../docs/blocks.js'
import { cannotTest } from '../../support/must-work.js'
import { whyNotRestricted } from '../../support/restricted.js'
import { waitFor } from '../../support/wait-for.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

/** The rules that docs/fleet.md has for a user. */
const aclOf = (user: string, password: string): string[] => {
  const block = blocksOf('docs/fleet').find(({ code }) => code.startsWith(`ACL SETUSER ${user} `))
  const words = (block?.code ?? '').replace('PASSWORD', password)
  // A selector in parentheses is one argument.
  return words.match(/\([^)]*\)|\S+/g)?.slice(1) ?? []
}

describe('the user of Redis that the page gives a worker', () => {
  const guarded = async () => {
    const fleet = await TestFleet.start({ workers: [] })
    const password = 'p'.repeat(24)
    await fleet.redis.client.call('ACL', aclOf('w1', password))
    const url = fleet.redis.url.replace('//', '//w1@')
    const worker = await fleet.worker('w1', ['--redis', url, '--session-key-fd', '4'], password)
    const { port } = fleet.redis
    const own = new Redis({ host: '127.0.0.1', port, username: 'w1', password, protocol: 2 }).on(
      'error',
      () => {},
    )
    return { fleet, worker, own }
  }

  fleetTest('serves: commands, output, cancels, jobs, sessions, release', async () => {
    const { fleet, worker, own } = await guarded()
    own.disconnect()
    const client = await fleet.client()
    const { bash, bashOutput } = client.suite()
    const texts: string[] = []
    const onEvent = (event: { type: string; text?: string }) => void texts.push(event.text ?? event.type)
    const first = await bash.execute({ command: 'echo one' }, context('c1', { onEvent }))
    const job = await bash.execute({ command: 'echo two; sleep 600', run_in_background: true }, context('c1'))
    const read = await bashOutput.execute({ bash_id: job.jobId ?? '', until: 'two' }, context('c1'))
    const cancel = new AbortController()
    const running = bash.execute({ command: fleet.waiting('a') }, context('c1', { cancel: cancel.signal }))
    await fleet.begun('a')
    cancel.abort()

    expect([first.output, read.output, (await running).status]).toEqual(['one\n', 'two\n', 'cancelled'])
    expect(texts).toEqual(['start', 'one\n', 'result'])
    expect(await client.release('c1')).toBe(true)
    await bash.execute({ command: 'touch file' }, context('c2'))
    await fleet.redis.client.flushall()
    await waitFor(async () => (await fleet.redis.client.keys('bw:conv:*')).length === 1, {
      what: 'Redis to be told again',
    })
    worker.kill('SIGTERM')
    expect(await worker.exited()).toBe(0)
    expect(await fleet.redis.client.call('ACL', ['LOG'])).toEqual([])
  })

  fleetTest('can do no more', async () => {
    const { fleet, own } = await guarded()
    await (await fleet.client()).tool().execute({ command: 'true' }, context('c1'))
    const [inbox = ''] = await fleet.redis.client.keys('{bw:in:*}')
    const [binding = ''] = await fleet.redis.client.keys('bw:conv:*')
    const refused = [
      ['get', '{bw:w2}:node'],
      ['set', '{bw:w2}:node', '{}'],
      ['lpush', '{bw:w2}:exec:wait', 'x'],
      ['set', '{bw:w2}:res:x', 'forged'],
      ['xread', 'STREAMS', inbox, '0'],
      ['xrange', inbox, '-', '+'],
      ['del', inbox],
      ['hset', binding, 'worker', 'w1'],
      ['eval', "return redis.call('HSET', KEYS[1], 'worker', 'w1')", '1', binding],
      ['hdel', binding, 'worker'],
      ['rename', binding, '{bw:w1}:x'],
      ['hset', 'bw:since', 'at', '0'],
      ['del', binding],
      ['zadd', 'bw:tenant:{x}', '1', 'x'],
      ['spublish', '{bw:w2}:cancel', 'x'],
      ['keys', '*'],
      ['flushall'],
      ['config', 'get', '*'],
      ['acl', 'list'],
      ['monitor'],
      ['eval', "return redis.call('GET', '{bw:w2}:node')", '0'],
    ]
    const answers = await Promise.all(
      refused.map(async ([command = '', ...args]) => {
        return await own.call(command, args).then(
          () => `${command}: allowed`,
          (error: Error) =>
            /NOPERM|ACL failure|can't access|no permissions/.test(error.message) ||
            `${command}: ${error.message}`,
        )
      }),
    )
    const claimed = await own.hsetnx(binding, 'worker', 'w2')
    own.disconnect()

    expect(answers).toEqual(refused.map(() => true))
    expect(claimed).toBe(0)
  })
})

fleetTest(
  'the user of Redis that the page gives API processes can do all that a fleet does, and no more',
  async () => {
    const fleet = await TestFleet.start()
    const password = 'p'.repeat(24)
    await fleet.redis.client.call('ACL', aclOf('api', password))
    const { port } = fleet.redis
    const connection = { host: '127.0.0.1', port, username: 'api', password }
    const client = await fleet.client({ connection })
    const { bash, bashOutput, killBash } = client.suite()
    const call = context('c1', { tenant: 't', onEvent: () => {} })
    const first = await bash.execute({ command: 'echo one' }, call)
    const attached = await client.attach('c1', call.toolCallId, { tenant: 't' })
    const job = await bash.execute(
      { command: 'echo two; sleep 600', run_in_background: true },
      context('c1', { tenant: 't' }),
    )
    const id = job.jobId ?? ''
    const read = await bashOutput.execute({ bash_id: id, until: 'two' }, context('c1', { tenant: 't' }))
    const { size } = await client.output('c1', id, { tenant: 't' })
    const killed = await killBash.execute({ bash_id: id }, context('c1', { tenant: 't' }))
    const cancel = new AbortController()
    const running = bash.execute({ command: fleet.waiting('a') }, context('c2', { cancel: cancel.signal }))
    await fleet.begun('a')
    cancel.abort()

    expect([first.output, attached?.output, read.output, size]).toEqual(['one\n', 'one\n', 'two\n', 4])
    expect([killed.status, (await running).status]).toEqual(['killed', 'cancelled'])
    expect((await client.workers()).length).toBe(1)
    expect(await client.release('c1', { tenant: 't' })).toBe(true)
    await client.close()
    expect(await fleet.redis.client.call('ACL', ['LOG'])).toEqual([])

    const own = new Redis({ host: '127.0.0.1', port, username: 'api', password, protocol: 2 })
    const refused = [
      ['get', 'other'],
      ['keys', '*'],
      ['flushall'],
      ['config', 'get', '*'],
      ['acl', 'list'],
      ['monitor'],
    ]
    const answers = await Promise.all(
      refused.map(async ([command = '', ...args]) => {
        return await own.call(command, args).then(
          () => `${command}: allowed`,
          (error: Error) => error.message.startsWith('NOPERM') || `${command}: ${error.message}`,
        )
      }),
    )
    own.disconnect()
    expect(answers).toEqual(refused.map(() => true))
  },
)

/** Undefined where it may not be seen, or is gone. */
const lookAt = <Value>(look: () => Value): Value | undefined => {
  try {
    return look()
  } catch {
    return undefined
  }
}

fleetTest(
  'a worker’s password is in no variable, argument or open file, and not for its commands to find',
  async () => {
    const fleet = await TestFleet.start({ workers: [] })
    const worker = await fleet.worker('w1', ['--session-key-fd', '4'])
    const { password } = fleet.redis
    const proc = (name: string) => lookAt(() => readFileSync(`/proc/${worker.pid}/${name}`, 'latin1'))
    const files = lookAt(() => readdirSync(`/proc/${worker.pid}/fd`))?.map((descriptor) =>
      lookAt(() => readlinkSync(`/proc/${worker.pid}/fd/${descriptor}`)),
    )
    const command = `cat /proc/${worker.pid}/environ /proc/${worker.pid}/cmdline /proc/$PPID/environ; ls -l /proc/${worker.pid}/fd; env; grep -rl ${password.slice(0, 12)} ${fleet.directory} | grep -v redis; true`
    const seen = await (await fleet.client()).tool().execute({ command }, context('c1'))

    if (process.getuid?.() === 0) {
      expect(proc('environ')).not.toContain(password)
      expect(files?.filter((file) => file?.includes('secret'))).toEqual([])
    } else {
      // It is not dumpable: not even its own user sees them.
      expect([proc('environ'), files]).toEqual([undefined, undefined])
    }
    expect(proc('cmdline')).not.toContain(password)
    expect(seen.status).toBe('completed')
    expect(seen.output).not.toContain(password)
  },
)

fleetTest('a URL with a password is refused, and not repeated', async () => {
  const fleet = await TestFleet.start({ workers: [] })
  const worker = fleet.startWorker('w1', ['--redis', 'redis://user:hunter2@127.0.0.1:1'])

  expect(await worker.exited()).toBe(125)
  expect(worker.stderr()).toMatch(/--redis\.?\w*:? ?must be a URL such as .* without a password/)
  expect(worker.stderr()).not.toContain('hunter2')
})

describe('a command', () => {
  const reach = (port: number) =>
    `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'PING\\r\\n' >&3 && head -c 7 <&3`

  fleetTest('in Unrestricted mode reaches Redis, which wants a password', async () => {
    const fleet = await TestFleet.start()
    const result = await (await fleet.client())
      .tool()
      .execute({ command: reach(fleet.redis.port) }, context('c1'))

    expect(result.output).toContain('-NOAUTH')
  })

  describe.each(['restricted', 'workspace'] as const)('in %s mode', (mode) => {
    fleetTest('cannot reach Redis, also when the call asks for less protection', async () => {
      const obstacle = await whyNotRestricted()
      if (obstacle !== undefined) return cannotTest(obstacle)
      const fleet = await TestFleet.start({ args: [`--${mode}`] })
      const bash = (await fleet.client()).tool()
      const command = reach(fleet.redis.port)
      const [own, less] = [
        await bash.execute({ command }, context('c1')),
        await bash.execute({ command }, context('c1', { sandbox: 'unrestricted' })),
      ]

      expect(own).toMatchObject({ status: 'failed', sandbox: mode })
      expect(own.output).not.toContain('NOAUTH')
      expect(less.error).toMatchObject({
        code: 'ERR_INVALID_INPUT',
        message: expect.stringContaining('stricter'),
      })
      // A worker in Workspace mode has paths that cannot be read, and Restricted mode by itself has none.
      expect(await bash.execute({ command: 'true' }, context('c1', { sandbox: 'restricted' }))).toMatchObject(
        { status: 'completed', sandbox: mode === 'workspace' ? 'custom' : 'restricted' },
      )
    })
  })

  fleetTest('in Workspace mode writes to its own directory, and to no other conversation’s', async () => {
    const obstacle = await whyNotRestricted()
    if (obstacle !== undefined) return cannotTest(obstacle)
    const fleet = await TestFleet.start({ args: ['--workspace'] })
    const bash = (await fleet.client()).tool()
    const own = await bash.execute({ command: 'mkdir sub; echo x > sub/file; pwd' }, context('c1'))
    const other = await bash.execute({ command: `echo y > ${own.output.trim()}/sub/file; ls` }, context('c2'))
    const state = await bash.execute({ command: `touch ${fleet.state('w1')}/calls/x` }, context('c2'))
    const sub = await bash.execute(
      { command: 'cat file; echo z > ../up' },
      context('c1', { workspaceDir: 'sub' }),
    )

    expect(own.status).toBe('completed')
    expect(other.output).toMatch(/: Permission denied\n$/)
    expect(readFileSync(join(own.output.trim(), 'sub/file'), 'utf8')).toBe('x\n')
    expect(state.status).toBe('failed')
    expect(sub).toMatchObject({ status: 'completed', output: 'x\n' })
  })

  fleetTest('that makes a link leads no later call out of its directory', async () => {
    const fleet = await TestFleet.start()
    const bash = (await fleet.client()).tool()
    await bash.execute({ command: 'ln -s /etc out; mkdir in' }, context('c1'))
    const [out, into] = [
      await bash.execute({ command: 'pwd' }, context('c1', { workspaceDir: 'out' })),
      await bash.execute({ command: 'pwd' }, context('c1', { workspaceDir: 'in' })),
    ]

    expect(out.error).toMatchObject({
      code: 'ERR_WORKING_DIR',
      message: expect.stringContaining('or a link'),
    })
    expect(into.output).toMatch(/\/in\n$/)
  })
})
