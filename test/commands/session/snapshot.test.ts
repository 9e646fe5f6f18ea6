// Snapshots: everything comes back in another session, and nothing that is not as it was written.
import { randomBytes } from 'node:crypto'
import { BashSession } from '../../../lib/commands/session/bash-session.js'
import { readContents, writeContents } from '../../../lib/commands/session/snapshot-contents.js'
import { freshState } from '../../../lib/commands/session/state.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'
import { type Ended, runIn } from './run-in.js'

afterAll(removeTempDirs)

const key = randomBytes(32)

const snapshotOf = async ({ session }: ShellSession) => (await session.snapshot({ key })).data

const restore = async (data: Uint8Array) => new ShellSession(await BashSession.restore(data, { key }))

const isError = (code: string, message: string) =>
  expect.objectContaining({ name: 'BashError', code, message: expect.stringContaining(message) })

describe('a restored session has', () => {
  test.each([
    ['variables', 'a=1; export b=2; declare -A c=([x]=1)', 'declare -p a b c'],
    ['every byte of a variable', `a=$'\\x01\\x7f\\x80\\xff\\n"\\\\'`, 'declare -p a'],
    ['variables that were unset', 'unset LANG', `echo "\${LANG-unset}"`],
    ['functions', 'f() { echo f "$1"; }; export -f f', 'f x; bash -c "f y"'],
    ['aliases', `alias ll='ls -l'`, 'alias'],
    ['options', 'shopt -s nullglob; set -o noglob', 'echo $BASHOPTS $SHELLOPTS'],
    ['the umask', 'umask 027', 'umask'],
    ['positional parameters', 'set -- a "" "b c"', `printf '[%s]' "$@"`],
    ['the stack of pushd', 'pushd /usr >/dev/null; cd /', 'dirs -l'],
    ['the directory', `mkdir $'d\\xffe' && cd $'d\\xffe'`, 'pwd'],
  ])('%s', async (_, set, show) => {
    const shell = new ShellSession()
    await shell.output(set)
    const restored = await restore(await snapshotOf(shell))
    const [before, after] = [await shell.run(show), await restored.run(show)]

    expect(after.bytes.toString('latin1')).toBe(before.bytes.toString('latin1'))
    expect(after.bytes).not.toHaveLength(0)
    expect(after.unsaved).toBeUndefined()
  })

  test('of each mode and each policy its own state and directory, and no other', async () => {
    const shell = new ShellSession({ workingDir: '/' })
    const workspace = { sandbox: { writable: ['.'] } }
    await shell.output('x=free; cd /usr')
    await shell.output('x=confined; f() { :; }; cd /etc', { sandbox: 'restricted' })
    await shell.output('x=roots; cd /var', workspace)
    const restored = await restore(await snapshotOf(shell))
    const show = `echo $x $PWD; type -t f; true`

    expect(restored.session.workingDir).toBe('/var')
    expect(await restored.output(show)).toBe('free /usr\n')
    expect(await restored.output(show, { sandbox: 'restricted' })).toBe('confined /etc\nfunction\n')
    expect(await restored.output(show, workspace)).toBe('roots /var\n')
    expect(await restored.output(show, { sandbox: { writable: ['..'] } })).toBe('/\n')
  })

  test('the directory where the session began, and its limit', async () => {
    const shell = new ShellSession({ workingDir: '/usr', stateLimit: 65_536 })
    await shell.output('cd /')
    const restored = await restore(await snapshotOf(shell))

    expect(restored.session.initialDirectory).toBe('/usr')
    expect((await restored.run(`printf -v y '%*s' 70000 x`)).unsaved).toBe(
      'the state is larger than 65536 bytes',
    )
  })

  test('named what cannot be kept: it is named once', async () => {
    const shell = new ShellSession()
    const define = 'function a=b { :; }'
    expect((await shell.run(define)).unsaved).toBe('function a=b (all else is kept)')
    expect((await (await restore(await snapshotOf(shell))).run(define)).unsaved).toBeUndefined()
  })

  test('the same state as before when its first call is not saved', async () => {
    const shell = new ShellSession()
    await shell.output('x=1; f() { echo f; }')
    const restored = await restore(await snapshotOf(shell))
    expect((await restored.run('x=2; exec true')).unsaved).toContain('without saving')
    expect(await restored.output('echo $x; f')).toBe('1\nf\n')
  })
})

test('a session that has had no call can be kept and restored', async () => {
  const session = new BashSession({ workingDir: '/usr' })
  const { data, sequence } = await session.snapshot({ key })
  const restored = new ShellSession(await BashSession.restore(data, { key }))

  expect(sequence).toBe(0)
  expect(await restored.output('pwd')).toBe('/usr\n')
})

test('thousands of functions and megabytes of state come back', async () => {
  const shell = new ShellSession()
  await shell.output(
    `for i in {1..2000}; do eval "f$i() { echo $i; }"; done; big=$(printf '%*s' 500000 | tr ' ' '\\351')`,
  )
  const restored = await restore(await snapshotOf(shell))
  expect(await restored.output(`f7; f2000; echo \${#big} $(echo -n "$big" | wc -c)`)).toBe(
    '7\n2000\n500000 500000\n',
  )
})

describe('a snapshot', () => {
  test('waits for the calls before it, and holds what they left', async () => {
    const shell = new ShellSession()
    const running = shell.run('sleep 0.2; x=late')
    const restored = await restore(await snapshotOf(shell))
    await running
    expect(await restored.output('echo $x')).toBe('late\n')
  })

  test('whose call is cancelled while it waits is ERR_CANCELLED, and the session goes on', async () => {
    const session = new BashSession({ workingDir: '/' })
    const controller = new AbortController()
    let finish = (_: Ended): void => {}
    const running = runIn(session, {}, () => new Promise<Ended>((resolve) => (finish = resolve)))
    const snapshot = session.snapshot({ key, cancel: controller.signal })
    controller.abort()
    await expect(snapshot).rejects.toEqual(isError('ERR_CANCELLED', 'cancelled while'))
    finish({ end: 'stopped', state: undefined })
    await running
    await expect(session.snapshot({ key })).resolves.toMatchObject({ sequence: 1 })
  })

  test('counts the calls, those before a restoring included', async () => {
    const shell = new ShellSession()
    await shell.output(':')
    await shell.output(':')
    const { data, sequence } = await shell.session.snapshot({ key })
    const restored = await restore(data)
    await restored.output(':')

    expect(sequence).toBe(2)
    expect((await restored.session.snapshot({ key })).sequence).toBe(3)
  })

  test('shows nothing of the state, and is another one each time', async () => {
    const shell = new ShellSession()
    await shell.output('secret=hunter2hunter2')
    const [first, second] = [await snapshotOf(shell), await snapshotOf(shell)]

    expect(Buffer.from(first).includes('hunter2')).toBe(false)
    expect(Buffer.from(first).subarray(18)).not.toEqual(Buffer.from(second).subarray(18))
  })

  test('that would have more bytes than allowed is ERR_TOO_LARGE', async () => {
    const shell = new ShellSession()
    await shell.output(`printf -v y '%*s' 70000 x`)
    await expect(shell.session.snapshot({ key, maxBytes: 65_536 })).rejects.toEqual(
      isError('ERR_TOO_LARGE', 'and maxBytes is 65536'),
    )
  })
})

describe('what is refused', () => {
  const given = async () => {
    const shell = new ShellSession()
    await shell.output('x=1')
    return Buffer.from(await snapshotOf(shell))
  }

  test('a byte changed, wherever it is', async () => {
    const data = await given()
    const codes = new Set<string>()
    for (let at = 0; at < data.length; at += 1) {
      const changed = Buffer.from(data)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      const error = await BashSession.restore(changed, { key }).catch((reason) => reason)
      codes.add(error.code)
    }
    expect([...codes].sort()).toEqual(['ERR_SNAPSHOT', 'ERR_SNAPSHOT_VERSION'])
  })

  test('one that is cut, wherever', async () => {
    const data = await given()
    for (let length = 0; length < data.length; length += 1) {
      await expect(BashSession.restore(data.subarray(0, length), { key })).rejects.toMatchObject({
        code: 'ERR_SNAPSHOT',
      })
    }
  })

  test('one with something behind it', async () => {
    const data = Buffer.concat([await given(), Buffer.alloc(1)])
    await expect(BashSession.restore(data, { key })).rejects.toEqual(
      isError('ERR_SNAPSHOT', 'has been changed or cut, or was made with another key'),
    )
  })

  test('one made with another key', async () => {
    await expect(BashSession.restore(await given(), { key: randomBytes(32) })).rejects.toEqual(
      isError('ERR_SNAPSHOT', 'has been changed or cut, or was made with another key'),
    )
  })

  test('one of another version', async () => {
    const data = await given()
    data.writeUInt8(2, 'bashward-snapshot'.length)
    await expect(BashSession.restore(data, { key })).rejects.toEqual(
      isError('ERR_SNAPSHOT_VERSION', 'has version 2; this bashward restores version 1'),
    )
  })

  test('what is no snapshot', async () => {
    await expect(BashSession.restore(randomBytes(1000), { key })).rejects.toEqual(
      isError('ERR_SNAPSHOT', 'no snapshot of a session'),
    )
  })

  test('one that is larger than allowed, before it is read', async () => {
    const large = new Uint8Array(65_537)
    await expect(BashSession.restore(large, { key, maxBytes: 65_536 })).rejects.toEqual(
      isError('ERR_TOO_LARGE', 'has 65537 bytes, and maxBytes is 65536'),
    )
  })

  test.each([
    ['another', 'a', 'b'],
    ['one where none is asked for', 'a', undefined],
    ['none where one is asked for', undefined, 'b'],
  ])('one of a conversation: %s', async (_, conversationId, asked) => {
    const { data } = await new BashSession({ workingDir: '/' }).snapshot({ key, conversationId })
    await expect(BashSession.restore(data, { key, conversationId: asked })).rejects.toEqual(
      isError('ERR_SNAPSHOT', 'belongs to another conversation'),
    )
    await expect(BashSession.restore(data, { key, conversationId })).resolves.toBeInstanceOf(BashSession)
  })

  test('one that is older than asked for', async () => {
    const data = await given()
    await expect(BashSession.restore(data, { key, minSequence: 2 })).rejects.toEqual(
      isError('ERR_SNAPSHOT_STALE', 'its sequence is 1, minSequence 2'),
    )
    await expect(BashSession.restore(data, { key, minSequence: 1 })).resolves.toBeInstanceOf(BashSession)
  })

  test.each([
    [{}, 'key: must be a Uint8Array of 32 bytes'],
    [{ key: 'x'.repeat(32) }, 'key: must be a Uint8Array of 32 bytes'],
    [{ key: randomBytes(16) }, 'key: must be a Uint8Array of 32 bytes'],
    [{ key, conversationId: '' }, 'conversationId: must be a string of 1 to 1024 bytes'],
    [{ key, conversationId: 'é'.repeat(513) }, 'conversationId: must be a string of 1 to 1024 bytes'],
    [{ key, conversationId: '\ud800' }, 'conversationId: must be well-formed Unicode'],
    [{ key, maxBytes: 1 }, 'maxBytes: must be an integer from 65536 to 268435456 bytes'],
    [{ key, other: 1 }, 'options.other: unknown field'],
  ])('options %#', async (options, message) => {
    const session = new BashSession({ workingDir: tempDir() })
    const error = isError('ERR_INVALID_INPUT', message)
    await expect(session.snapshot(options as never)).rejects.toEqual(error)
    await expect(BashSession.restore(Buffer.alloc(0), options as never)).rejects.toEqual(error)
  })

  test('what is no bytes', async () => {
    await expect(BashSession.restore('data' as never, { key })).rejects.toEqual(
      isError('ERR_INVALID_INPUT', 'snapshot: must be a Uint8Array'),
    )
  })
})

describe('the contents', () => {
  const contents = {
    sequence: 1,
    stateLimit: 65_536,
    initialDirectory: '/a\ud800',
    last: 'unrestricted',
    named: ['é'],
    modes: new Map([['unrestricted', { directory: '/\xff', isDoubtful: true, shell: freshState }]]),
  }

  test('come back, names with half a surrogate pair too', () => {
    expect(readContents(writeContents(contents, 'ü'))).toEqual({ contents, conversation: 'ü' })
  })

  const plain = JSON.parse(writeContents(contents, undefined).toString('latin1'))
  const withMode = (change: object) => ({ modes: [['"x"', { ...plain.modes[0][1], ...change }]] })
  const withShell = (change: object) => withMode({ shell: { ...plain.modes[0][1].shell, ...change } })

  test.each([
    ['sequence', { sequence: -1 }],
    ['limit', { stateLimit: 'x' }],
    ['first directory', { initialDirectory: '"x"' }],
    ['modes', { modes: {} }],
    ['entry', { modes: [['"x"', plain.modes[0][1], 1]] }],
    ['directory', withMode({ directory: 'x' })],
    ['directory with a NUL', withMode({ directory: '/\0' })],
    ['doubt', withMode({ isDoubtful: 1 })],
    ['umask', withShell({ umask: '9' })],
    ['option', withShell({ shopt: { on: ['a b'], off: [] } })],
    ['variables', withShell({ variables: [['x', 1]] })],
    ['flags', withShell({ functions: [['f', { text: '', flags: 'f; x' }]] })],
    ['parameters', withShell({ positional: [1] })],
  ])('are checked: %s', (_, change) => {
    const bytes = Buffer.from(JSON.stringify({ ...plain, ...change }), 'latin1')
    expect(() => readContents(bytes)).toThrow(isError('ERR_SNAPSHOT', 'does not hold a session'))
  })
})
