// `bashward mcp` and real clients of both protocol versions, over real pipes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRoot } from '../../support/as-user.js'
import { isAlive, killLeftovers, sleepsWith, uniqueSleep, waitForSleep } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { killPrograms } from '../cli/program.js'
import {
  closeClients,
  connectClient,
  connectLegacyClient,
  connectOldClient,
  type TestClient,
} from './clients.js'

afterEach(killLeftovers)
afterEach(removeTempDirs)

// A server takes a second to start on a loaded machine: tests that need none of their own share one.
afterAll(async () => {
  await closeClients()
  await killPrograms()
})

describe.each([
  ['client 2', '2026-07-28', connectClient],
  ['client 2', '2025-11-25', connectLegacyClient],
  ['client of sdk 1', '2025-11-25', connectOldClient],
])('%s, protocol of %s', (_, version, connect) => {
  let client: TestClient
  beforeAll(async () => {
    client = await connect('--cwd', '/usr', '--background-after', '31')
  })

  test('it speaks the protocol', () => {
    expect(client.protocolVersion).toBe(version)
  })

  test('it lists the three tools, with schemas', async () => {
    const tools = await client.listTools()

    expect(tools.map(({ name }) => name)).toEqual(['bash', 'bash_output', 'kill_bash'])
    for (const { description, inputSchema, outputSchema } of tools) {
      expect(description).not.toBe('')
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema).toMatchObject({ type: 'object' })
    }
  })

  test('it runs a command, with text and structured content', async () => {
    expect(await client.call('bash', { command: 'pwd; exit 3' })).toEqual({
      text: '[command failed: exit code 3]\n/usr\n',
      structured: expect.objectContaining({ status: 'failed', output: '/usr\n', exitCode: 3, signal: null }),
      isError: true,
    })
  })

  test('it gives a command a timeout', async () => {
    const { text } = await client.call('bash', { command: 'echo begun; sleep 300', timeout: 600 })

    expect(text).toMatch(/^\[command timed out after 0\.6s\]\nbegun\n/)
  })

  test('it is told of progress', async () => {
    const messages: unknown[] = []
    const told = join(tempDir(), 'told')
    // The client drops a notification that comes together with the result.
    const { isError } = await client.call(
      'bash',
      { command: `until [ -e '${told}' ]; do sleep 0.05; done` },
      {
        onprogress: ({ message }) => {
          messages.push(message)
          writeFileSync(told, '')
        },
      },
    )

    expect(isError).toBe(false)
    expect(messages).toEqual(['started'])
  })

  test.each(['default', 'slow'])('cancelling a call kills its command (mode %s)', async (mode) => {
    const marker = uniqueSleep()
    const cancel = new AbortController()
    const call = client.call(
      'bash',
      { command: `setsid -f sleep ${marker}; sleep ${marker}`, mode },
      { signal: cancel.signal },
    )
    call.catch(() => {})
    await waitForSleep(marker, 2)
    cancel.abort('enough')

    await expect(call).rejects.toThrow('enough')
    await waitFor(() => sleepsWith(marker).length === 0, { what: 'the command to be killed' })
  })

  test('a slow command becomes a job, which is read and killed', async () => {
    const marker = uniqueSleep()
    const impatient = await connect('--background-after', '2')
    const slow = await impatient.call('bash', { command: `echo begun; sleep ${marker}`, mode: 'slow' })
    const { jobId } = slow.structured

    expect(slow).toMatchObject({ isError: false, structured: { status: 'background', output: 'begun\n' } })
    expect(slow.text).toMatch(/^\[STILL RUNNING after 2s: the command has NOT finished\. /)
    expect(await impatient.call('bash_output', { bash_id: jobId })).toEqual({
      text: '[running]\nbegun\n[to read what follows: offset 6]',
      structured: expect.objectContaining({ status: 'running', output: 'begun\n' }),
      isError: false,
    })
    expect(await impatient.call('kill_bash', { bash_id: jobId })).toMatchObject({ text: '[killed]' })
    expect(sleepsWith(marker)).toEqual([])
  })

  test('its calls share a session if that is asked for', async () => {
    const remembering = await connect('--cwd', '/usr', '--session')
    const [bash] = await remembering.listTools()
    await remembering.call('bash', { command: 'cd /usr/bin; kept=value' })

    expect(bash?.description).toContain('persist between calls')
    expect(await remembering.call('bash', { command: 'pwd; echo "$kept"' })).toMatchObject({
      text: '/usr/bin\nvalue\n',
    })
    expect(await client.call('bash', { command: 'cd /; kept=value' })).toMatchObject({ isError: false })
    expect(await client.call('bash', { command: 'pwd; echo "$kept"' })).toMatchObject({ text: '/usr\n\n' })
  })

  test('the end of a job is told with a later result, once', async () => {
    const command = 'echo 1 test failed; exit 3'
    const { structured } = await client.call('bash', { command, mode: 'background' })
    const told: unknown[] = []
    const look = async () => {
      const { news } = (await client.call('bash', { command: 'true' })).structured
      if (news !== undefined) told.push(news)
    }
    await waitFor(
      async () => {
        await look()
        return told.length > 0
      },
      { what: 'the news' },
    )
    await look()

    const sentence = `\\[job ${structured.jobId} ended: exit code 3 after \\d.*; last lines: 1 test failed\\]`
    expect(told).toEqual([[expect.stringMatching(`^${sentence}$`)]])
  })

  test('an invalid input is told as the tool tells it', async () => {
    expect(await client.call('bash', { command: 'true', mode: 'fast' })).toMatchObject({
      text: '[invalid input: mode: must be one of default, slow, background (got "fast")]',
      structured: { status: 'invalid', error: { code: 'ERR_INVALID_INPUT' } },
      isError: true,
    })
    expect(await client.call('bash_output', { bash_id: 'bash_000000' })).toMatchObject({
      text: 'No background command with id bash_000000 (running: none)',
      isError: true,
    })
  })

  test('the server ends with its client, and with it all but the background jobs', async () => {
    const [foreground, slow, background] = [uniqueSleep(), uniqueSleep(), uniqueSleep()]
    const leaving = await connect()
    const { structured } = await leaving.call('bash', { command: `sleep ${background}`, mode: 'background' })
    expect(structured).toMatchObject({ status: 'background' })
    for (const command of [`trap '' TERM; sleep ${foreground}`, `setsid -f sleep ${slow}; sleep ${slow}`]) {
      const mode = command.includes(slow) ? 'slow' : 'default'
      leaving.call('bash', { command, mode }).catch(() => {})
    }
    await waitForSleep(foreground)
    await waitForSleep(slow, 2)
    await leaving.close()

    await waitFor(() => !isAlive(leaving.pid), { what: 'the server to end' })
    expect(sleepsWith(foreground)).toEqual([])
    expect(sleepsWith(slow)).toEqual([])
    expect(sleepsWith(background)).toHaveLength(1)
  })
})

// Its own user's: what hides them from root's takes capabilities from every command.
test("an ordinary user's commands cannot read the server's environment", async () => {
  const client = await connectClient()
  const { text } = await client.call('bash', { command: `tr '\\0' '\\n' </proc/${client.pid}/environ` })

  if (isRoot) expect(text).toContain('XDG_STATE_HOME=')
  else expect(text).not.toContain('XDG_STATE_HOME=')
})
