// docs/safety-rules.md, executed; and the commands that it lists, checked. None of those is run.
import { checkCommand } from '../../lib/index.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { testPage } from './executed-page.js'
import { snippets } from './snippets.js'

afterAll(removeTempDirs)

testPage('docs/safety-rules')

const [refused, allowed, seenThrough, mentioned] = snippets('safety-rules', 'bash').map((block) =>
  block.trimEnd().split('\n'),
)

const isAllowed = async (command: string) =>
  (await checkCommand(command, { workingDir: '/srv/project', home: '/home/me' })).allowed

test.each([...(refused ?? []), ...(seenThrough ?? [])])('%s is refused', async (command) => {
  expect(await isAllowed(command)).toBe(false)
})

test.each([...(allowed ?? []), ...(mentioned ?? [])])('%s is let through', async (command) => {
  expect(await isAllowed(command)).toBe(true)
})
