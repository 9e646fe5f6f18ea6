// What commands could write to, remembered across programs.
import {
  chmodSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { memoryAt } from '../../../lib/guard/sandbox/writable-memory.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

const setUp = () => {
  const directory = join(tempDir(), 'state', 'writable')
  return { directory, memory: memoryAt(directory) }
}

const days = 24 * 60 * 60

/** As if nobody had let a command write there for so long. */
const age = (directory: string, root: string, seconds: number): void => {
  const entry = readdirSync(directory).find((each) => readlinkSync(join(directory, each)) === root) ?? ''
  const then = Date.now() / 1000 - seconds
  lutimesSync(join(directory, entry), then, then)
}

test('what one program keeps the next one recalls, each once', () => {
  const { directory, memory } = setUp()
  for (const root of ['/a', '/b c\n', '/a']) memory.keep(root)

  expect([...memoryAt(directory).recall()].sort()).toEqual(['/a', '/b c\n'])
})

test('nothing is made before there is something to keep', () => {
  const { directory, memory } = setUp()

  expect(memory.recall()).toEqual([])
  expect(existsSync(directory)).toBe(false)
})

test('what has not been writable for thirty days is forgotten', () => {
  const { directory, memory } = setUp()
  for (const root of ['/new', '/old']) memory.keep(root)
  age(directory, '/new', 29 * days)
  age(directory, '/old', 31 * days)

  expect(memoryAt(directory).recall()).toEqual(['/new'])
  expect(readdirSync(directory)).toHaveLength(1)
})

test('what is writable again is new again', () => {
  const { directory, memory } = setUp()
  memory.keep('/a')
  age(directory, '/a', 31 * days)
  memoryAt(directory).keep('/a')

  expect(memoryAt(directory).recall()).toEqual(['/a'])
})

test('of more than a thousand the oldest are forgotten', () => {
  const { directory, memory } = setUp()
  for (let i = 0; i < 1003; ++i) memory.keep(`/${i}`)
  for (const root of ['/1', '/5', '/900']) age(directory, root, days)
  const recalled = memoryAt(directory).recall()

  expect(recalled).toHaveLength(1000)
  for (const root of ['/1', '/5', '/900']) expect(recalled).not.toContain(root)
  expect(readdirSync(directory)).toHaveLength(1000)
})

test('what is no entry of its own is neither believed nor removed', () => {
  const { directory, memory } = setUp()
  memory.keep('/a')
  symlinkSync('/b', join(directory, '0'.repeat(32)))
  writeFileSync(join(directory, 'f'.repeat(32)), '/c')
  writeFileSync(join(directory, 'notes'), '')

  expect(memory.recall()).toEqual(['/a'])
  expect(readdirSync(directory)).toHaveLength(4)
})

test('a directory that others can write to tells nothing, and is told nothing', () => {
  const { directory } = setUp()
  mkdirSync(directory, { recursive: true })
  chmodSync(directory, 0o777)
  const memory = memoryAt(directory)
  memory.keep('/a')

  expect(memory.recall()).toEqual([])
  expect(readdirSync(directory)).toEqual([])
})

test('where there can be no such directory, a program goes on', () => {
  const file = join(tempDir(), 'file')
  writeFileSync(file, '')
  const memory = memoryAt(join(file, 'writable'))
  memory.keep('/a')

  expect(memory.recall()).toEqual([])
})
