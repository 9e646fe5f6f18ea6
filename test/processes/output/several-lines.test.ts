// Progress on several lines, as real programs printed it on a terminal of 100 columns, against what another emulator shows.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Terminal } from '@xterm/headless'
import { normalizeOutput } from '../../../lib/processes/output/render.js'

const logs = join(__dirname, '../../fixtures/logs')
const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trimEnd())
const shown = ({ buffer: { active } }: Terminal): string[] =>
  Array.from(
    { length: active.length },
    (_, row) => active.getLine(row)?.translateToString(true).trimEnd() ?? '',
  )

/** All lines that stood there at any time, and those at the end. */
async function onTerminal(text: string): Promise<{ ever: Set<string>; last: string[] }> {
  const terminal = new Terminal({
    rows: 24,
    cols: 100,
    scrollback: 5000,
    allowProposedApi: true,
    logLevel: 'off',
  })
  const ever = new Set<string>()
  for (const piece of text.split(/(?=[\x1b\r\n])/)) {
    await new Promise<void>((resolve) => terminal.write(piece, resolve))
    for (const line of shown(terminal)) ever.add(line)
  }
  const last = shown(terminal).filter((line) => line !== '')
  terminal.dispose()
  return { ever, last }
}

test.each(['docker-pull', 'listr', 'multibar', 'rich'])('%s', async (name) => {
  const text = gunzipSync(readFileSync(join(logs, `${name}.log.gz`))).toString()
  const { ever, last } = await onTerminal(text)
  const lines = linesOf(normalizeOutput(text))
  // No line that nobody has seen: no words that are glued to others.
  expect(lines.filter((line) => !ever.has(line))).toEqual([])
  // And all that was left is there.
  expect(last.filter((line) => !lines.includes(line))).toEqual([])
})
