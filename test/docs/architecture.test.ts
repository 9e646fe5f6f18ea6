// ARCHITECTURE.md, CONTRIBUTING.md and the pages of docs/design/ name every folder, and nothing that does not exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { floors, roomOf } from '../structure/rooms.js'
import { packageRoot } from '../support/as-user.js'

const page = (name: string): string => readFileSync(join(packageRoot, name), 'utf8')
const pages = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(packageRoot, 'docs/design')).map((name) => `docs/design/${name}`),
]
const architecture = pages.map(page).join('\n')

/** Results of benchmarks; a folder for each fuzzer. */
const unnamed = ['bench/results', 'test/fuzz/corpus/']

/** The folders below these, as `lib/guard/safety/rules`. */
const foldersIn = (parent: string): string[] =>
  readdirSync(join(packageRoot, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => `${parent}/${name}`)
    .filter((folder) => !unnamed.some((path) => folder.startsWith(path)))
    .flatMap((folder) => [folder, ...foldersIn(folder)])

/** By its path, by its own name beside the folder that it is in, or because it mirrors one that is: `test/commands/jobs`. */
const isKnown = (folder: string): boolean => {
  const mirrored = folder.replace(/^test\//, '')
  const names = [folder, `lib/${mirrored}`, mirrored, basename(folder)]
  return names.some((name) => architecture.includes(`\`${name}/\``))
}

test.each(['lib', 'native', 'bench', 'scripts', 'test'])('every folder in %s/ is explained', (parent) => {
  expect(foldersIn(parent).filter((folder) => !isKnown(folder))).toEqual([])
})

test('the page of folders lists the rooms of lib from the top down', () => {
  const rows = [...page('docs/design/rooms.md').matchAll(/^\| `(lib\/[\w/-]+)\/` \|/gm)]
  const rooms = new Set(rows.map(([, folder = '']) => roomOf(`${folder}/`)))

  expect([...rooms]).toEqual(floors.filter((room) => rooms.has(room)).reverse())
})

test.each(pages)('every path in %s exists', (name) => {
  const paths = [...page(name).matchAll(/`((?:lib|native|test|bench|scripts|cmake|\.github)\/[\w./-]+)`/g)]

  expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(packageRoot, path)))).toEqual(
    [],
  )
})

test.each(pages)('every command in %s is one', (name) => {
  const { scripts } = JSON.parse(page('package.json'))
  const commands = [...page(name).matchAll(/npm run ([\w:]+)/g)].map(([, command = '']) => command)

  expect(commands.filter((command) => !Object.hasOwn(scripts, command))).toEqual([])
})

test.each(pages)('%s is not too long to be read', (name) => {
  const most = { 'ARCHITECTURE.md': 12_000, 'CONTRIBUTING.md': 8_000 }[name] ?? 10_000

  expect(Buffer.byteLength(page(name))).toBeLessThanOrEqual(most)
})
