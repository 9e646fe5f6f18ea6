import { selectQuiet } from '../../../bench/harness/noise.mjs'

const QUIET = { around: 0.01, during: 0.3, steal: 0 }
const kept = (...batches: (typeof QUIET)[]) => selectQuiet(batches).kept

test('a batch with steal does not count', () => {
  const stolen = { ...QUIET, steal: 0.2 }

  expect(kept(QUIET, stolen, QUIET)).toEqual([QUIET, QUIET])
})

test('a batch with foreign load around it does not count', () => {
  const loaded = { ...QUIET, around: 0.2 }

  expect(kept(loaded, QUIET, QUIET)).toEqual([QUIET, QUIET])
})

test('the pressure that all batches have is their own', () => {
  const pressed = { ...QUIET, during: 0.9 }

  expect(kept(pressed, pressed)).toEqual([pressed, pressed])
})

test('of batches that all have steal, the half with the least counts, and is said to be noisy', () => {
  const stolen = [0.5, 0.2, 0.4, 0.3].map((steal) => ({ ...QUIET, steal }))

  expect(selectQuiet(stolen)).toEqual({ kept: [stolen[1], stolen[3]], noisy: true })
})
