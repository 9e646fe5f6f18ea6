// Processes of the AI SDK's SandboxSession that read what is written to them.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Experimental_SandboxSession } from 'ai'
import { sandboxSession } from '../../../lib/surfaces/adapters/ai.js'
import { startHost } from '../../support/host.js'
import {
  killLeftovers,
  sleepsWith,
  uniqueSleep,
  waitForSleep,
  waitUntilGone,
} from '../../support/processes.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { testWorkspace } from '../../support/workspace.js'

afterEach(() => {
  killLeftovers()
  removeTempDirs()
})

type Options = Parameters<typeof sandboxSession>[1]

const textOf = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text()

/** A process, and what to talk to it with. */
const start = async (command: string, options?: Options, abortSignal?: AbortSignal) => {
  const session: Experimental_SandboxSession = sandboxSession(tempDir(), options)
  const { stdin, ...spawned } = await session.spawn({
    command,
    stdin: true,
    ...(abortSignal && { abortSignal }),
  })
  const writer = stdin.getWriter()
  return { ...spawned, stdin, writer, write: (text: string) => writer.write(Buffer.from(text)) }
}

/** What comes until a text is among it; the rest without one. */
const readUntil = async (reader: ReadableStreamDefaultReader<Uint8Array>, end?: string): Promise<string> => {
  let text = ''
  while (end === undefined || !text.includes(end)) {
    const { value, done } = await reader.read()
    if (done) return text
    text += Buffer.from(value).toString()
  }
  return text
}

const conversation = 'while read -r line; do echo "got $line"; done; echo end; exit 7'

const talk = async (options?: Options) => {
  const { stdout, write, writer, wait } = await start(conversation, options)
  const reader = stdout.getReader()
  const texts: string[] = []
  for (const line of ['one', 'two', 'three']) {
    await write(`${line}\n`)
    texts.push(await readUntil(reader, '\n'))
  }
  await writer.close()
  texts.push(await readUntil(reader))
  return { text: texts.join(''), ...(await wait()) }
}

const answered = { text: 'got one\ngot two\ngot three\nend\n', exitCode: 7 }

test('a process answers each line, and ends when its input does', async () => {
  expect(await talk()).toEqual(answered)
})

testRestricted('so does one in Restricted mode', async () => {
  expect(await talk({ sandbox: 'restricted' })).toEqual(answered)
})

testWorkspace('so does one in Workspace mode', async () => {
  expect(await talk({ sandbox: 'workspace' })).toEqual(answered)
})

test('10 MB arrive, at the pace of the process', async () => {
  const { stdout, writer, wait } = await start('sleep 0.2; wc -c; head -c 1')
  const piece = Buffer.alloc(100_000, 'x')
  for (let i = 0; i < 100; i++) await writer.write(piece)
  await writer.close()

  expect(await textOf(stdout)).toBe('10000000\n')
  expect(await wait()).toEqual({ exitCode: 0 })
})

test('bytes arrive as they are, also by /dev/stdin', async () => {
  const { stdout, writer } = await start('od -An -tx1 /dev/stdin')
  await writer.write(new Uint8Array([0, 255, 10, 128]))
  await writer.close()

  expect((await textOf(stdout)).trim()).toBe('00 ff 0a 80')
})

test('what is written after the end of the process fails with EPIPE', async () => {
  const { writer, write, wait } = await start('exit 3')

  expect(await wait()).toEqual({ exitCode: 3 })
  await expect(writer.closed).rejects.toMatchObject({ code: 'EPIPE' })
  await expect(write('x')).rejects.toMatchObject({ code: 'EPIPE' })
})

test('what nobody reads fails when the process ends', async () => {
  const marker = uniqueSleep()
  const { writer, kill } = await start(`exec <&-; sleep ${marker}`)
  await waitForSleep(marker)
  const writing = writer.write(Buffer.alloc(1_000_000))
  const failed = expect(writing).rejects.toMatchObject({ code: 'EPIPE' })
  await kill()
  await failed
})

test('something that is no bytes fails, and is the end of the input', async () => {
  const { writer, wait } = await start('cat')

  await expect(writer.write({} as never)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' })
  expect(await wait()).toEqual({ exitCode: 0 })
})

test('giving the stream up is the end of the input, too', async () => {
  const { stdout, write, writer } = await start('wc -c')
  await write('three')
  await writer.abort()

  expect(await textOf(stdout)).toBe('5\n')
})

test('an abort kills what waits for input, and is the rejection', async () => {
  const marker = uniqueSleep()
  const abort = new AbortController()
  const { wait } = await start(`sleep ${marker} & cat`, {}, abort.signal)
  await waitForSleep(marker)
  abort.abort(new Error('enough'))

  await expect(wait()).rejects.toThrow('enough')
  expect(sleepsWith(marker)).toEqual([])
})

test('a command that a rule refuses reads nothing, and its stderr says why', async () => {
  const { stderr, wait } = await start('rm -rf /')

  expect(await textOf(stderr)).toMatch(/^\[command rejected: /)
  expect(await wait()).not.toEqual({ exitCode: 0 })
})

test('without stdin there is none, and the process is at the end of its input', async () => {
  const spawned = await sandboxSession('/').spawn({ command: 'cat; echo end' })

  expect(spawned).not.toHaveProperty('stdin')
  expect(await textOf(spawned.stdout)).toBe('end\n')
})

test('what stdin may be is told', async () => {
  const spawning = sandboxSession('/').spawn({ command: 'cat', stdin: 'yes' as never })

  await expect(spawning).rejects.toThrow('stdin: must be a boolean (got "yes")')
})

test('no descriptor and no file stay behind', async () => {
  const before = process.env.TMPDIR
  const directory = tempDir()
  process.env.TMPDIR = directory
  try {
    await talk()
    const descriptors = () => readdirSync('/proc/self/fd').length
    const known = descriptors()
    for (let i = 0; i < 5; i++) await talk()
    const spawned = await start('exit 0')
    await spawned.wait()

    await waitFor(() => descriptors() <= known || undefined, { what: 'the ends of the pipes to be closed' })
    expect(readdirSync(directory)).toEqual([])
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
})

describe('a host', () => {
  test('on the portable engine writes to its processes all the same', async () => {
    const env = { ...process.env, BASHWARD_ENGINE: 'portable' }
    const argument = { directory: tempDir(), command: conversation }
    const host = startHost('ai-spawn', { argument, env })

    expect(await host.report('read')).toBe('got one\n')
    expect(await host.report('result')).toEqual({ exitCode: 7 })
    await host.exited()
  })

  test('that is killed takes them with it', async () => {
    const marker = uniqueSleep()
    const directory = tempDir()
    const command = `read -r line; echo "$line"; sleep ${marker}; touch survived`
    const host = startHost('ai-spawn', { argument: { directory, command } })
    await host.report('read')
    await waitForSleep(marker)
    host.kill('SIGKILL')
    await host.exited()

    await waitUntilGone(marker)
    expect(existsSync(join(directory, 'survived'))).toBe(false)
  })
})
