// Draws docs/demo.svg, the terminal in the README, from a real run of examples/demo.mjs. Needs build/Release and dist/.
//   node scripts/demo-picture.mjs [--print]
// With --print the picture goes to stdout, and no file is written.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '..')

/** The parts of the demo that are shown, by how their titles begin: all of it would be too tall. */
const SHOWN = ['Failure', 'Timeout', 'A harmful slip', 'Restricted mode', 'Cancel']

const COLUMNS = 100
const CHARACTER_WIDTH = 8.4
const LINE_HEIGHT = 19
const MARGIN = 16
const BAR_HEIGHT = 32

/** Colours of its own, so that it reads the same on a light and on a dark page. */
const STYLE = `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d1d7e0;white-space:pre}
.title{fill:#9198a1}.command{fill:#fff;font-weight:600}.status{fill:#e3b341}`

/** The same text for every run: process ids are the only thing that differs in the parts that are shown. */
const withoutPids = (text) => text.replace(/(daemon|Process) \d+/g, '$1 4711')

/** @returns {string[]} the lines of a text, broken between words at the width of the terminal */
function wrapped(line) {
  const lines = []
  let rest = line
  while (rest.length > COLUMNS) {
    const blank = rest.lastIndexOf(' ', COLUMNS)
    const end = blank > 0 ? blank : COLUMNS
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...lines, rest]
}

function classOf(line) {
  if (/^(?:# |\()/.test(line)) return 'title'
  if (line.startsWith('$ ')) return 'command'
  return /^\[.*\]/.test(line) ? 'status' : undefined
}

const escapeText = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** @param {string} printed what the demo has printed @returns {string} the SVG */
function draw(printed) {
  const parts = withoutPids(printed).split(/^(?=# )/m)
  const shown = SHOWN.map((title) => parts.find((part) => part.startsWith(`# ${title}`)))
  if (shown.includes(undefined)) throw new Error(`the demo lacks a part; shown are: ${SHOWN.join(', ')}`)
  const lines = shown
    .join('')
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapped(line).map((text) => ({ text, className: classOf(line) })))

  const width = Math.ceil(COLUMNS * CHARACTER_WIDTH) + 2 * MARGIN
  const height = BAR_HEIGHT + lines.length * LINE_HEIGHT + MARGIN
  const texts = lines.map(({ text, className }, index) => {
    const attribute = className === undefined ? '' : ` class="${className}"`
    const y = BAR_HEIGHT + (index + 1) * LINE_HEIGHT - 5
    return text === '' ? '' : `<text x="${MARGIN}" y="${y}"${attribute}>${escapeText(text)}</text>\n`
  })
  const buttons = ['#f85149', '#d29922', '#3fb950'].map(
    (colour, index) => `<circle cx="${MARGIN + 6 + index * 20}" cy="17" r="6" fill="${colour}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>Commands that an agent runs, and what its model reads</title>
<style>${STYLE}</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="#151b23" stroke="#656c76"/>
${buttons.join('')}
${texts.join('')}</svg>
`
}

const { values } = parseArgs({ options: { print: { type: 'boolean', default: false } } })
const printed = execFileSync(process.execPath, [join(root, 'examples/demo.mjs')], {
  encoding: 'utf8',
  env: { ...process.env, LC_ALL: 'C', NO_COLOR: '1', FORCE_COLOR: undefined },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const picture = draw(printed)
if (values.print) process.stdout.write(picture)
else writeFileSync(join(root, 'docs/demo.svg'), picture)
