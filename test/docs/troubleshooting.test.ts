// docs/troubleshooting.md quotes what bashward prints: the fixed part of each message is in the sources.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'

const sourcesOf = (folder: string): string =>
  readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|cc|h)$/.test(name))
    .map((name) => readFileSync(join(packageRoot, folder, name), 'utf8'))
    .join('\n')

/** With every text in one piece: literals that are joined by `+`, and quotes that are escaped. */
const sources = `${sourcesOf('lib')}${sourcesOf('native')}`
  .replace(/['"`] \+\s+['"`]/g, '')
  .replaceAll("\\'", "'")

/** The first cells of the tables. */
const messages = readFileSync(join(packageRoot, 'docs/troubleshooting.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...(line.split(' | ')[0]?.matchAll(/`([^`]+)`/g) ?? [])])
  .map(([, message = '']) => message)

test.each(messages)('%s', (message) => {
  const fixed = message.split('…').filter((part) => /\w/.test(part))

  expect(fixed).not.toHaveLength(0)
  for (const part of fixed) expect(sources).toContain(part)
})
