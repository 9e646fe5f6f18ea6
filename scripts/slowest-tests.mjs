// Prints which test files took longest when each of them ran last. node scripts/slowest-tests.mjs [COUNT]
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const times = join(root, 'build/test-times.json')
const count = Number(process.argv[2] ?? 20)

const readTimes = () => {
  try {
    return Object.entries(JSON.parse(readFileSync(times, 'utf8'))).filter(([file]) =>
      existsSync(join(root, file)),
    )
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    console.error('No run of jest has been timed here yet: npm test, or npm run test:all')
    return process.exit(1)
  }
}

const files = readTimes().sort(([, one], [, other]) => other - one)
for (const [file, seconds] of files.slice(0, count))
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${file}`)
const total = files.reduce((sum, [, seconds]) => sum + seconds, 0)
console.log(`${total.toFixed(0).padStart(6)} s  all ${files.length} files, one after the other`)
