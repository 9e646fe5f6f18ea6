// docs/mcp-clients.md: made from the table of clients, and from what was seen of them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as configuration from '../../lib/surfaces/mcp/clients/configuration.js'
import { packageRoot } from '../support/as-user.js'
import { acts } from './acts.mjs'
import { drivenClients, versionOf } from './clients.mjs'
import { clientsPage, example } from './page.mjs'

const { clientNamed, clientNames, configurationMarkdown, serverFor } = configuration
const page = readFileSync(join(packageRoot, 'docs/mcp-clients.md'), 'utf8')
const [command, options] = example

test('every client that has a configuration is driven', () => {
  expect(Object.keys(drivenClients)).toEqual(clientNames)
})

test.each(clientNames)('the page has the configuration of %s, and the version that was tested', (name) => {
  const client = clientNamed(name)

  expect(page).toContain(
    `### ${client.title}\n\nTested: ${versionOf(name)}.\n\n${configurationMarkdown(client, serverFor(client, command, options))}`,
  )
  expect(page).toMatch(new RegExp(`^\\| ${client.title} \\|`, 'm'))
})

const shown = (text: string, isError?: boolean) => ({ text, isError, afterMs: 50_000 })
// biome-ignore lint/suspicious/noExplicitAny: as it is read from a file
const seenOf = (run: string): any => {
  const all = Object.fromEntries(Object.keys(acts).map((act) => [act, shown('33332\n33333')]))
  const calls = {
    ...all,
    plain: shown('Output:\nhello\n'),
    failing: shown('[command failed: exit code 3]', true),
    slow: shown('[STILL RUNNING after 50s'),
    slowEnd: shown('finished'),
  }
  return {
    protocol: 'chat',
    toolName: 'bashward__bash',
    ownShell: [],
    left: [],
    leftOwn: [],
    started: true,
    commandGoneMs: 1200,
    clientGoneMs: 0,
    acts: {
      ...calls,
      ...(run === 'patient' && { plain: shown('MCP error: timed out') }),
      denied: shown('[sandbox: …]'),
    },
  }
}
const make = (
  find: (name: string, build: string, run: string) => ReturnType<Parameters<typeof clientsPage>[0]['find']>,
) => clientsPage({ configuration, versionOf, find })

test('without a run of some client there is no page', () => {
  expect(
    make((name, _, run) => (name === 'cline' && run === 'SIGKILL' ? undefined : seenOf(run))),
  ).toBeUndefined()
})

test('the tables say what was seen', () => {
  const text = make((_, build, run) => (build === 'after' ? seenOf(run) : undefined))

  expect(text).toContain(
    '| Codex | Chat Completions | 11 | 29 | 11, with its end | 11, with its end | yes | `Output: …` |',
  )
  expect(text).toContain('| Codex | 11 | yes |  | 50 s |')
  expect(text).toContain(
    '| Codex | after 50 s and 50 s | within 2 s | within 2 s | nothing is left | refused, and told |',
  )
})

test('what an older build gave stands before it', () => {
  const older = (run: string) => {
    const seen = seenOf(run)
    return { ...seen, acts: { ...seen.acts, silent: shown('x'.repeat(231)), long: shown('00001') } }
  }
  const text = make((_, build, run) => (build === 'after' ? seenOf(run) : older(run)))

  expect(text).toContain('| Codex | Chat Completions | 231 → 11 | 29 | 5, without → 11, with its end |')
})

test('what is not as it should be is told', () => {
  const bad = { ownShell: ['shell'], left: ['sleep'], commandGoneMs: undefined }
  const text = make((_, build, run) => (build === 'after' ? { ...seenOf(run), ...bad } : undefined))

  expect(text).toContain('**Its own shell is there all the same: shell.**')
  expect(text).toContain('| **goes on** | **goes on** | **1 processes are left** |')
})
