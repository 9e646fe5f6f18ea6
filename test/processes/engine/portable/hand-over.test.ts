// A running command cannot become a job here, and whoever asks for it is told so by name.

import { createBashTool } from '../../../../lib/index.js'
import { PortableEngine } from '../../../../lib/processes/engine/portable/engine.js'
import type { CommandRequest } from '../../../../lib/processes/engine/request.js'

const { BASHWARD_ENGINE: before } = process.env
process.env.BASHWARD_ENGINE = 'portable'

afterAll(() => {
  if (before === undefined) delete process.env.BASHWARD_ENGINE
  else process.env.BASHWARD_ENGINE = before
})

test('backgroundAfter is refused', () => {
  const request = { background: false, backgroundAfterMs: 100 } as CommandRequest
  expect(() => new PortableEngine().start(request, () => {})).toThrow(
    expect.objectContaining({
      code: 'ERR_UNSUPPORTED_PLATFORM',
      message: expect.stringMatching(/^backgroundAfter: the portable engine cannot /),
    }),
  )
})

test('a tool says so, and runs nothing', async () => {
  const tool = createBashTool({ backgroundAfter: 100 })
  const result = await tool.execute({ command: 'echo ran' }, { workingDir: '/' })
  expect(result).toMatchObject({ status: 'error', output: '', error: { code: 'ERR_UNSUPPORTED_PLATFORM' } })
  expect(tool.toText(result)).toMatch(/^\[system error: .*backgroundAfter: the portable engine cannot /)
})
