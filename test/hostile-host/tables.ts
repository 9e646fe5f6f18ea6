// The tables of entries/: what a host does in a hostile world, each entry in a process of its own.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeTempDirs } from '../support/temp-dir.js'
import { harmless, type PassageOptions, passThrough, testTraced } from './passage.js'
import { hostileWorld, type World } from './world.js'

const directory = join(__dirname, 'entries')
const shared = ['host', 'commands', 'files', 'surface', 'thread']

export const tableNames: readonly string[] = readdirSync(directory)
  .map((file) => file.replace('.mjs', ''))
  .filter((name) => !shared.includes(name))

/** By its text: the tables import `bashward`, which is installed in a hostile world only. */
export const entriesOf = (table: string): string[] =>
  [...readFileSync(join(directory, `${table}.mjs`), 'utf8').matchAll(/^ {2}'([^']+)':/gm)].map(
    ([, name = '']) => name,
  )

/** What is exported and does nothing by itself, or only for the entries: a class of errors, what a tool asks a session for. */
export const passive: readonly string[] = [
  ...['BashError', 'commandLogChannel', 'safetyRules', 'sandboxChannel', 'unknownText'].map(
    (name) => `bashward.${name}`,
  ),
  'bashward/fleet.fleetChannel',
  ...['enter', 'holdsVariable', 'shellIn', 'stateName'].map((name) => `BashSession.${name}`),
]

/** What an entry calls: `where: name name, in words` is `where.name` twice; several of them are separated by semicolons. */
export const calledBy = (entry: string): string[] =>
  entry.split('; ').flatMap((part) => {
    const [where = '', names = ''] = part.split(': ')
    const [listed = ''] = names.split(', ')
    return listed.split(' ').map((name) => `${where}.${name}`)
  })

/** The words that make a host do an entry. */
export const hostWords = (world: World, table: string, entry: string, more: object = {}): string[] => [
  process.execPath,
  join(world.app, 'host.mjs'),
  table,
  entry,
  JSON.stringify({ project: world.project, outside: world.outside, ...more }),
]

/** A test for each entry of a table, in one world. */
export const testTable = (table: string, options: PassageOptions = {}): void => {
  let world: World
  beforeAll(async () => {
    world = await hostileWorld()
  })
  afterAll(removeTempDirs)

  for (const entry of entriesOf(table)) {
    testTraced(entry, async () => {
      const passage = await passThrough(world, hostWords(world, table, entry), options)

      expect(passage).toMatchObject({ end: 0, ...harmless })
    })
  }
}
