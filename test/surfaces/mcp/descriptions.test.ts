// What a client is told of the tools. Some show their model the first line alone, until it asks for more.
import { serverTools } from '../../../lib/surfaces/mcp/tools.js'
import { endJobs, tempStore } from '../../support/jobs.js'
import { removeTempDirs } from '../../support/temp-dir.js'

afterEach(async () => {
  await endJobs()
  removeTempDirs()
})

test.each([
  ['unrestricted', false],
  ['unrestricted', true],
  ['restricted', false],
  ['workspace', true],
] as const)('in %s mode, session %s, the first line is a statement', (sandbox, session) => {
  const place = { workingDir: '/usr', sandbox, jobs: tempStore(), backgroundAfterMs: 50_000 }
  const { byName } = serverTools({ ...place, safety: true, session, tty: true, verdicts: {} })

  expect(byName.size).toBe(4)
  for (const { definition, askingDefinition = definition } of byName.values()) {
    for (const { description = '' } of [definition, askingDefinition]) {
      expect(description.split('\n')[0]).toMatch(/^[A-Z][a-z]+s .*\.$/)
    }
  }
})
