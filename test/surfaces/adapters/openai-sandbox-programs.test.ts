// What a session of the OpenAI Agents SDK runs on its own behalf.
import { Confinement } from '../../../lib/surfaces/adapters/openai-sandbox/confinement.js'
import type { CheckedOptions } from '../../../lib/surfaces/adapters/openai-sandbox/options.js'
import { plantPath } from '../../support/planted-path.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

const path = process.env.PATH
afterEach(() => {
  process.env.PATH = path
  removeTempDirs()
})

test('without a sandbox its programs are those of the system', async () => {
  const { directory, marks } = plantPath()
  process.env.PATH = `${directory}:${path}`
  const options = { sandbox: 'unrestricted', tool: {} } as unknown as CheckedOptions
  const text = 'mkdir made && command -v tar'
  const result = await new Confinement(tempDir(), options).runScript({ text, args: [], timeout: 20_000 })

  expect(result).toMatchObject({
    status: 'completed',
    output: expect.stringMatching(/^(?:\/usr)?\/bin\/tar\n$/),
  })
  expect(marks()).toEqual([])
})
