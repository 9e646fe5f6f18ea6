// Tries out what docs/comparison.md and docs/migrating.md say of others: `npm run test:comparison [ROW…]`. Each cell of its tables that is
// `yes` or `no` and whose row is an act is compared with what happened. Installs the others into a temporary directory.
// Needs Node 22.12, and Debian's bubblewrap, socat and ripgrep; what cannot start is named, and left out.

import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { becomesTrue, confining, processesWith, running, working } from './acts.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '../../..')
const wanted = process.argv.slice(2)

const packages = {
  '@anthropic-ai/sandbox-runtime': '0.0.83',
  '@anthropic-ai/sdk': '1.12.0',
  bashward: `file:${root}`,
  execa: '10.2.1',
  tinyexec: '1.3.1',
}

/** The programs of docs/migrating.md that need one of the others: they end well. */
const runExamples = () => {
  const page = readFileSync(join(root, 'docs/migrating.md'), 'utf8')
  for (const [, program] of page.matchAll(/^```javascript\n([\s\S]*?)^```$/gm)) {
    execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: temporary,
      stdio: 'inherit',
    })
  }
}

/** The cells of all tables of the page: `cells[row][column]`. */
const readCells = () => {
  const cells = {}
  let columns
  for (const line of readFileSync(join(root, 'docs/comparison.md'), 'utf8').split('\n')) {
    if (!line.startsWith('|')) columns = undefined
    else if (columns === undefined) columns = wordsOf(line)
    else if (!line.startsWith('|--')) {
      const [name, ...values] = wordsOf(line)
      cells[name] = Object.fromEntries(values.map((value, index) => [columns[index + 1], value]))
    }
  }
  return cells
}

const wordsOf = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''))

let serial = 0

/** @returns `'yes'`, `'no'`, or why it could not be tried */
const attempt = async (contender, act) => {
  serial += 1
  const marker = `300.${process.pid}${String(serial).padStart(4, '0')}`
  const directory = mkdtempSync(join(temporary, 'directory-'))
  const args = [join(temporary, 'host.mjs'), contender, act, marker, directory]
  const env = { ...process.env, COMPARED_API_KEY: 'secret', XDG_STATE_HOME: join(temporary, 'state') }
  const host = spawn(process.execPath, args, { cwd: temporary, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  host.stdout.on('data', (data) => {
    stdout += data
  })
  host.stderr.on('data', (data) => {
    stderr += data
  })
  let ended = false
  host.on('exit', () => {
    ended = true
  })
  try {
    if (act !== 'host killed') {
      if (!(await becomesTrue(() => ended, 120_000))) return 'no'
      return stdout.endsWith('true\n') ? 'yes' : stdout.endsWith('false\n') ? 'no' : `? ${stderr.trim()}`
    }
    const others = () => processesWith(marker).filter((pid) => pid !== host.pid)
    await becomesTrue(() => ended || others().length > 0, 60_000)
    if (others().length === 0) return `? its command has not started ${stderr.trim()}`
    host.kill('SIGKILL')
    return (await becomesTrue(() => others().length === 0, 3000)) ? 'yes' : 'no'
  } finally {
    host.kill('SIGKILL')
    for (const pid of processesWith(marker)) if (pid > 1) killQuietly(pid)
  }
}

const killQuietly = (pid) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}

const temporary = mkdtempSync(join(tmpdir(), 'bashward-comparison-'))
const nameOfKill = 'when the host is killed, its commands end'
let wrong = 0
try {
  writeFileSync(
    join(temporary, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies: packages }),
  )
  execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: temporary,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  mkdirSync(join(temporary, 'state'))
  for (const file of ['acts', 'contenders', 'host'])
    cpSync(join(here, `${file}.mjs`), join(temporary, `${file}.mjs`))
  runExamples()
  const cells = readCells()
  const rows = [running, { [nameOfKill]: undefined }, confining, working].flatMap(Object.keys)
  for (const row of rows) {
    if (wanted.length > 0 && !wanted.includes(row)) continue
    if (cells[row] === undefined) throw new Error(`docs/comparison.md has no row ${row}`)
    for (const [column, said] of Object.entries(cells[row])) {
      const seen = await attempt(column, row === nameOfKill ? 'host killed' : row)
      if (seen !== said) wrong += 1
      console.log(`${seen === said ? 'ok      ' : 'differs '} ${row}: ${column}: ${seen} (page: ${said})`)
    }
  }
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
process.exitCode = wrong === 0 ? 0 : 1
