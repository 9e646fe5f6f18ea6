// A running command cannot become a job here, and whoever asks for it is told so by name.
import type { CommandRequest } from '../../../lib/engine/engine.js'
import { PortableEngine } from '../../../lib/engine/portable/engine.js'

test('backgroundAfter is refused', () => {
  const request = { background: false, backgroundAfterMs: 100 } as CommandRequest
  expect(() => new PortableEngine().start(request, () => {})).toThrow(
    expect.objectContaining({
      code: 'ERR_UNSUPPORTED_PLATFORM',
      message: expect.stringMatching(/^backgroundAfter: the portable engine cannot /),
    }),
  )
})
