// Whatever a command has left there, the methods that read and write files for a model give what is in the workspace, or fail:
// in bounded time and memory, without a secret, and with nothing changed outside.
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { probeSandbox, run } from '../../../../lib/index.js'
import { casesInTurn } from '../../../support/in-turns.js'
import { endJobs } from '../../../support/jobs.js'
import { cannotTest, onlyRootCanTest } from '../../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { closeSessions } from '../openai-sandbox-agent.js'
import type { Surface } from './surfaces.js'
import type { Place, Tree } from './tree.js'

jest.setTimeout(120_000)

const undo: (() => void)[] = []

afterEach(async () => {
  for (const act of undo.splice(0)) act()
  await closeSessions()
  await endJobs()
  removeTempDirs()
})

const secret = 'SECRET-of-the-host'
const beside = 'what lies beside the workspace'

const setUp = (): Place => {
  const base = realpathSync(tempDir())
  const [project, outside, secrets] = ['project', 'outside', 'secrets'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ]
  for (const directory of [project, join(outside, 'sub'), secrets]) mkdirSync(directory, { recursive: true })
  writeFileSync(join(outside, 'file'), beside)
  writeFileSync(join(secrets, 'key'), secret)
  return { base, project, outside, secrets, undo }
}

/** What of the host's environment no command has that is given none. */
const withheld: string[] = []

beforeAll(async () => {
  const command = 'cat /proc/$$/environ | tr "\\0" "\\n"'
  const { output } = await run(command, { cwd: '/', env: { inherit: 'none' } })
  const given = new Set(output.split('\n'))
  const own = readFileSync('/proc/self/environ', 'utf8').split('\0')
  withheld.push(...own.filter((entry) => entry.includes('=') && !given.has(entry)))
})

const deadlineMs = 60_000

/** @returns `failed: CODE` for a method that fails */
async function outcomeOf(method: () => Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('it has not come back')), deadlineMs)
  })
  const settled = method().catch((error) => `failed: ${error.code} ${error.message}`)
  try {
    return await Promise.race([settled, late])
  } finally {
    clearTimeout(timer)
  }
}

const bytesUsed = () => process.memoryUsage().rss
/** A file of 256 MiB, and its text. */
const mostBytes = 1_200_000_000

const listOf = (directory: string): string[] => readdirSync(directory, { recursive: true }).map(String).sort()

/** The SDK takes spaces and line ends off a path, and none with a backslash. */
const isKept = (path: string) => path.trim() === path && !path.includes('\\')

/** A test for each tree; in .ci/run each surface of a list takes every second one, in turns with its neighbours. */
export const testTrees = (surface: Surface, place: number): void => {
  const { name, isConfined, readsWorkspace = false, trees, methods } = surface
  describe(name, () => {
    const possible: Tree[] = trees.filter(({ onlyConfined }) => isConfined || !onlyConfined)
    test.each(casesInTurn(possible, place % 2, 2))('$name', async ({ build, reads, asRoot = false }) => {
      const { workspace } = await probeSandbox()
      if (isConfined && !workspace.available) return cannotTest(workspace.reason ?? '')
      if (asRoot && process.geteuid?.() !== 0) return onlyRootCanTest('a device cannot be made')
      const place = setUp()
      const { reading, writing } = await methods(place)
      const path = await build(place)
      const outside = listOf(place.outside)
      const used = bytesUsed()
      for (const [name, method] of Object.entries({ ...reading, ...writing })) {
        const outcome = await outcomeOf(() => method(path))
        const text = `${name}: ${typeof outcome === 'string' ? outcome : JSON.stringify(outcome)}`

        if (isConfined || readsWorkspace) expect(text.includes(secret) ? text.slice(0, 200) : '').toBe('')
        if (readsWorkspace) expect(text).not.toContain(beside)
        for (const entry of withheld) expect(text.includes(entry) ? name : '').toBe('')
        // As the mappings of the host have it.
        expect(text.includes(process.execPath) ? name : '').toBe('')
        expect(bytesUsed() - used).toBeLessThan(mostBytes)
        const isReading = /^read/.test(name) && name !== 'readStart'
        if (isReading && isConfined && reads === 'fails') expect(text).toMatch(/^\w+: (?:failed: |null$)/)
        if (!isReading || reads === undefined || reads === 'fails') continue
        if (!readsWorkspace || isKept(path)) expect(text).toBe(`${name}: ${reads}`)
      }
      expect(listOf(place.outside)).toEqual(outside)
      expect(readFileSync(join(place.outside, 'file'), 'utf8')).toBe(beside)
      expect(readFileSync(join(place.secrets, 'key'), 'utf8')).toBe(secret)
      expect(listOf(place.secrets)).toEqual(['key'])
    })
  })
}
