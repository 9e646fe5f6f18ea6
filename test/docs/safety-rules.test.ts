// docs/safety-rules.md, executed; and the commands that it lists, checked. None of those is run.
import { checkCommand } from '../../lib/index.js'
import { readPage } from './blocks.js'
import { testPage } from './executed-page.js'
import { snippets } from './snippets.js'

testPage('docs/safety-rules')

const [refused, allowed, seenThrough, mentioned] = snippets('safety-rules', 'bash').map((block) =>
  block.trimEnd().split('\n'),
)

/** The examples of what is not followed: the commands in the second column. */
const holes = readPage('docs/safety-rules')
  .split('\n')
  .filter((line) => /^\| .* \| `/.test(line))
  .flatMap((line) => [...(line.split(/(?<!\\)\|/)[2] ?? '').matchAll(/`([^`]+)`/g)])
  .map(([, command = '']) => command.replaceAll('\\|', '|'))

const isAllowed = async (command: string) =>
  (await checkCommand(command, { workingDir: '/srv/project', home: '/home/me', terminal: false })).allowed

test.each([...(refused ?? []), ...(seenThrough ?? [])])('%s is refused', async (command) => {
  expect(await isAllowed(command)).toBe(false)
})

test.each([...(allowed ?? []), ...(mentioned ?? [])])('%s is let through', async (command) => {
  expect(await isAllowed(command)).toBe(true)
})

test.each(holes)('%s is not seen', async (command) => {
  expect(await isAllowed(command)).toBe(true)
})
