// docs/requirements.md: the tests that it names exist, and every id that a comment cites is on it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { readPage } from './blocks.js'

const page = readPage('docs/requirements')

/** The first and the last cell of each row: what is required, and by which tests it is held. */
const requirements = [...page.matchAll(/^\| (REQ-[A-Z]+-\d{3}|row \d+) \|.*\| ([^|]*) \|$/gm)].map(
  ([, id = '', tests = '']) => ({
    id,
    tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
  }),
)

const filesIn = (folder: string): string[] =>
  readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|mts|cc|h)$/.test(name))
    .map((name) => join(folder, name))

test('it has every requirement once', () => {
  const ids = requirements.map(({ id }) => id)

  expect(ids).toHaveLength(12 + 7 + 9 + 30)
  expect(new Set(ids).size).toBe(ids.length)
})

test.each(requirements)('$id is held by tests that exist', ({ tests }) => {
  expect(tests).not.toEqual([])
  expect(tests.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([])
})

test.each(['lib', 'test'])('%s/ cites what is on the page', (folder) => {
  const known = new Set(requirements.map(({ id }) => id))
  const unknown = filesIn(folder)
    .filter((file) => file !== 'test/docs/requirements.test.ts')
    .flatMap((file) =>
      [
        ...readFileSync(join(packageRoot, file), 'utf8').matchAll(/\b(?:\d{3}\/)?(?:REQ|FR)-[A-Z\d-]+\b/g),
      ].map(([id]) => ({ file, id })),
    )
    .filter(({ id }) => !known.has(id))

  expect(unknown).toEqual([])
})

test.each(['lib', 'test'])('%s/ cites no document that readers do not have', (folder) => {
  const documents = /\b00[0-4](?:\/(?:REQ|FR)|,? ["`][A-Z])|\bfailures\.md\b/
  const citing = filesIn(folder)
    .filter((file) => file !== 'test/docs/requirements.test.ts')
    .filter((file) => documents.test(readFileSync(join(packageRoot, file), 'utf8')))

  expect(citing).toEqual([])
})
