// BashSession itself: turns, cancelling, modes, limits, and what it says about a call that it did not take over.
import { getEventListeners } from 'node:events'
import { BashSession } from '../../../lib/commands/session/bash-session.js'
import type { SessionTurn } from '../../../lib/commands/session/session-mode.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'
import { type Ended, runIn } from './run-in.js'

afterAll(removeTempDirs)

const nothing: Ended = { end: 'stopped', state: undefined }

/** A command that ends when it is told to, and notes when it began. */
const controlled = (log: string[], name: string) => {
  let finish: (outcome: Ended) => void = () => {}
  const ended = new Promise<Ended>((resolve) => {
    finish = resolve
  })
  return {
    execute: () => {
      log.push(name)
      return ended
    },
    finish: () => finish(nothing),
  }
}

describe('calls', () => {
  test('wait for each other, in order', async () => {
    const session = new BashSession({ workingDir: '/' })
    const log: string[] = []
    const calls = ['a', 'b', 'c'].map((name) => controlled(log, name))
    const running = calls.map(({ execute }) => runIn(session, {}, execute))
    for (const [index, { finish }] of calls.entries()) {
      await new Promise(setImmediate)
      expect(log).toEqual(['a', 'b', 'c'].slice(0, index + 1))
      finish()
      await running[index]
    }
  })

  test('go on after one that failed', async () => {
    const session = new BashSession({ workingDir: '/' })
    const failing = runIn(session, {}, () => Promise.reject(new Error('no')))
    const next = runIn(session, {}, async () => nothing)
    await expect(failing).rejects.toThrow('no')
    await expect(next).resolves.toMatchObject({ outcome: nothing })
  })

  test('that are cancelled while they wait leave the queue at once', async () => {
    const session = new BashSession({ workingDir: '/' })
    const log: string[] = []
    const first = controlled(log, 'first')
    const controller = new AbortController()
    const running = runIn(session, {}, first.execute)
    const cancelled = runIn(
      session,
      { cancelSignal: controller.signal },
      controlled(log, 'cancelled').execute,
    )
    const last = runIn(session, {}, async () => nothing)
    controller.abort()
    await expect(cancelled).resolves.toBeUndefined()
    expect(log).toEqual(['first'])
    first.finish()
    await running
    await expect(last).resolves.toBeDefined()
    expect(log).toEqual(['first'])
  })

  test('that wait for each other leave one listener at the signal they share', async () => {
    const session = new BashSession({ workingDir: '/' })
    const first = controlled([], 'first')
    const running = runIn(session, {}, first.execute)
    const { signal } = new AbortController()
    const waiting = Array.from({ length: 20 }, () =>
      runIn(session, { cancelSignal: signal }, async () => nothing),
    )

    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    first.finish()
    await Promise.all([running, ...waiting])
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  test('that are cancelled before they begin do not begin', async () => {
    const session = new BashSession({ workingDir: '/' })
    const log: string[] = []
    await runIn(session, { cancelSignal: AbortSignal.abort() }, controlled(log, 'never').execute)
    expect(log).toEqual([])
  })

  test('are not touched by a signal that is aborted after they began', async () => {
    const session = new BashSession({ workingDir: '/' })
    const controller = new AbortController()
    const call = controlled([], 'call')
    const running = runIn(session, { cancelSignal: controller.signal }, call.execute)
    controller.abort()
    call.finish()
    await expect(running).resolves.toMatchObject({ outcome: nothing })
  })
})

test('a call gets the directory, a prologue with a new nonce each time, and the limit', async () => {
  const session = new BashSession({ workingDir: '/usr', stateLimit: 100_000 })
  const turns: SessionTurn[] = []
  const note = async (turn: SessionTurn) => {
    turns.push(turn)
    return nothing
  }
  await runIn(session, {}, note)
  await runIn(session, {}, note)
  expect(turns[0]).toMatchObject({ cwd: '/usr', stateLimit: 100_000 })
  expect(turns[0]?.prologue).toBeInstanceOf(Buffer)
  expect(turns[0]?.prologue).not.toEqual(turns[1]?.prologue)
})

describe('each sandbox mode', () => {
  test('has a state and a directory of its own', async () => {
    const shell = new ShellSession({ workingDir: '/tmp' })
    await shell.output('x=free; f() { :; }; cd /usr')
    const restricted = { sandbox: 'restricted' } as const
    expect(await shell.output('echo $x $PWD; type -t f; true', restricted)).toBe('/tmp\n')
    await shell.output('x=restricted; git() { echo evil; }; PATH=/evil; cd /', restricted)
    expect(shell.session.workingDir).toBe('/')
    expect(await shell.output('echo $x $PWD; type -t f; declare -F git; [[ $PATH != /evil ]]')).toBe(
      'free /usr\nfunction\n',
    )
    expect(await shell.output('echo $x $PWD', restricted)).toBe('restricted /\n')
    expect(shell.session.workingDirIn('unrestricted')).toBe('/usr')
  })
})

describe('a call that is not taken over says why', () => {
  test.each<[string, (state: Buffer) => Buffer, string]>([
    ['cut off', (state) => state.subarray(0, -5), 'damaged'],
    ['empty', () => Buffer.alloc(0), 'has not read the prologue'],
    ['replaced', () => Buffer.from('garbage\n'), 'damaged'],
    [
      'with garbage in the middle',
      (state) => Buffer.concat([state.subarray(0, -200), Buffer.from('x\ny\n'), state.subarray(-200)]),
      'damaged',
    ],
    ['with garbage behind it', (state) => Buffer.concat([state, Buffer.from('x')]), 'damaged'],
    [
      'of another call',
      (state) => Buffer.from(state.toString('latin1').replace(/session-2 \w+/, 'session-2 0000'), 'latin1'),
      'damaged',
    ],
  ])('%s', async (_, tamper, reason) => {
    const shell = new ShellSession()
    await shell.output('x=before')
    const { unsaved } = await shell.run('x=after', { tamper })
    expect(unsaved).toContain(reason)
    expect(await shell.output('echo $x')).toBe('before\n')
  })

  test('larger than the limit', async () => {
    const shell = new ShellSession({ stateLimit: 65_536 })
    await shell.output('x=before')
    const { unsaved } = await shell.run(`x=after; printf -v y '%*s' 70000 x`)
    expect(unsaved).toBe('the state is larger than 65536 bytes')
    expect(await shell.output('echo $x')).toBe('before\n')
  })
})

test('200 calls in a row', async () => {
  const shell = new ShellSession()
  for (let count = 1; count <= 200; count += 1) {
    const { stdout } = await shell.run(
      '((n += 1)); list+=($n); cd $([[ $PWD == / ]] && echo /usr || echo /); echo $n',
    )
    expect(stdout).toBe(`${count}\n`)
  }
  expect(await shell.output(`echo "\${#list[@]} $PWD"`)).toMatch(/^200 \/(usr)?\n$/)
})

test('20 sessions at once do not mix', async () => {
  const shells = Array.from({ length: 20 }, () => new ShellSession())
  const results = await Promise.all(
    shells.map(async (shell, index) => {
      await shell.output(`own=${index}; f() { echo "f$own"; }; mkdir d$own; cd d$own`)
      await shell.output(`own=$own-again`)
      return await shell.output(`f; echo "\${PWD##*/}"`)
    }),
  )
  expect(results).toEqual(shells.map((_, index) => `f${index}-again\nd${index}\n`))
})

test('calls of one session that are asked for at once run one after the other', async () => {
  const shell = new ShellSession()
  await Promise.all(Array.from({ length: 10 }, () => shell.run('n=$((n + 1))')))
  expect(await shell.output('echo $n')).toBe('10\n')
})

describe('wrong options', () => {
  test.each([
    [{}, 'workingDir: must be the path of a directory'],
    [{ workingDir: '' }, 'workingDir: must be the path of a directory'],
    [
      { workingDir: '/', stateLimit: 1 },
      'stateLimit: must be an integer from 65536 to 67108864 bytes (got 1)',
    ],
    [{ workingDir: '/', other: 1 }, 'options.other: unknown field (allowed: workingDir, stateLimit)'],
    [undefined, 'options: must be an object'],
  ])('%j', (options, message) => {
    const construct = () => new BashSession(options as never)
    expect(construct).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', message: expect.stringContaining(message) }),
    )
  })
})
