// What gets no terminal from bashward/acp, and what its agent or host is told.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { acpTerminals } from '../../../lib/surfaces/adapters/acp.js'
import type { AcpTerminalsOptions } from '../../../lib/surfaces/adapters/acp-terminals.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { failure, sessionId, withTerminals } from './acp-client.js'

afterEach(removeTempDirs)

describe('no terminal, and an error that tells why, for', () => {
  test('a command that a safety rule rejects', async () => {
    await withTerminals({}, async ({ agentSide, workingDir }) => {
      const error = await failure(
        agentSide.createTerminal({ sessionId, command: 'touch ran; sudo rm -rf --no-preserve-root /' }),
      )

      expect(error).toMatchObject({ code: -32603, data: { code: 'ERR_COMMAND_REJECTED' } })
      expect(error.message).toMatch(/^\[command rejected: rm-dangerous\]/)
      expect(existsSync(join(workingDir, 'ran'))).toBe(false)
    })
  })

  test('a command that a person does not approve', async () => {
    const verdicts = { approve: async () => ({ deny: 'not on a Friday' }) }
    await withTerminals({ verdicts }, async ({ agentSide, workingDir }) => {
      const error = await failure(agentSide.createTerminal({ sessionId, command: 'touch ran' }))

      expect(error.message).toContain('not on a Friday')
      expect(existsSync(join(workingDir, 'ran'))).toBe(false)
    })
  })

  test.each([-1, 1.5])('an output of %d bytes, before anything runs', async (outputByteLimit) => {
    const { create, close } = acpTerminals({ workingDir: '/' })
    const creating = create({ params: { sessionId, command: 'pwd', outputByteLimit } })

    await expect(creating).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(`outputByteLimit: must be an integer from 0 to`),
    })
    await close()
  })

  test.each([
    ['a directory that is not there', { cwd: '/nonexistent' }, -32603, 'ERR_WORKING_DIR'],
    ['a relative directory', { cwd: 'src' }, -32602, 'ERR_INVALID_INPUT'],
    ['a name that no variable can have', { env: [{ name: 'A=B', value: '' }] }, -32602, 'ERR_INVALID_INPUT'],
    ['a NUL in an argument', { args: ['a\0b'] }, -32602, 'ERR_INVALID_INPUT'],
  ])('%s', async (_, params, code, name) => {
    await withTerminals({}, async ({ agentSide }) => {
      const error = await failure(agentSide.createTerminal({ sessionId, command: 'pwd', ...params }))

      expect(error).toMatchObject({ code, data: { code: name } })
    })
  })

  test('more terminals than there may be, until one is released', async () => {
    await withTerminals({ maxTerminals: 1 }, async ({ agentSide }) => {
      const creating = agentSide.createTerminal({ sessionId, command: 'echo 1' })
      const message = '1 of 1 terminals are open: release one first'

      // While the first one starts, too.
      expect((await failure(agentSide.createTerminal({ sessionId, command: 'echo 2' }))).message).toBe(
        message,
      )

      const first = await creating

      expect((await failure(agentSide.createTerminal({ sessionId, command: 'echo 2' }))).message).toBe(
        message,
      )

      await first.release()
      const second = await agentSide.createTerminal({ sessionId, command: 'echo 2' })

      expect(await second.waitForExit()).toMatchObject({ exitCode: 0 })
    })
  })
})

test.each([
  [{ workingDir: 'here' }, 'options.workingDir: must be an absolute path (got "here")'],
  [{ maxTerminals: 0 }, 'options.maxTerminals: must be an integer from 1 to 10000 (got 0)'],
  [{ shellPath: 'bash' }, 'shellPath: must be an absolute path (got "bash")'],
])('refuses %p', (options, message) => {
  expect(() => acpTerminals({ workingDir: '/', ...options })).toThrow(
    expect.objectContaining({ code: 'ERR_INVALID_INPUT', message: expect.stringContaining(message) }),
  )
})

test('an option that a background job has no use for is unknown', () => {
  const options = { workingDir: '/', backgroundAfter: 1000 } as unknown as AcpTerminalsOptions

  expect(() => acpTerminals(options)).toThrow(/options.backgroundAfter: unknown field/)
})
