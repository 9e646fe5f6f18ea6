// openaiSandbox() on the portable engine: nothing is confined there, and no command goes on after its call.
import { readdirSync } from 'node:fs'
import { removeTempDirs } from '../../../support/temp-dir.js'
import { closeSessions, placesOf, sessionOf } from '../../../surfaces/adapters/openai-sandbox-agent.js'

const { BASHWARD_ENGINE: before } = process.env
process.env.BASHWARD_ENGINE = 'portable'

afterAll(() => {
  if (before === undefined) delete process.env.BASHWARD_ENGINE
  else process.env.BASHWARD_ENGINE = before
})

afterEach(async () => {
  await closeSessions()
  removeTempDirs()
})

test('a session that is to be confined is refused, and leaves nothing', async () => {
  const places = placesOf()

  await expect(sessionOf(places)).rejects.toMatchObject({ code: 'ERR_SANDBOX_UNAVAILABLE' })
  expect(readdirSync(places.baseDirectory as string)).toEqual([])
})

test('unconfined, a command runs to its end, and no model is offered to read on', async () => {
  const session = await sessionOf({ sandbox: 'unrestricted' })
  await session.createEditor().createFile({ type: 'create_file', path: 'file', diff: '+text\n' })

  expect(session.supportsPty()).toBe(false)
  expect(await session.exec({ cmd: 'sleep 0.2; cat file', yieldTimeMs: 1 })).toMatchObject({
    output: expect.stringMatching(/^text\n?$/),
    exitCode: 0,
  })
})
