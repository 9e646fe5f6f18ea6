// Builds every prebuilt binary on this machine: npm run prebuilds [-- FILTER]
// FILTER is a part of a target's name: `x64`, `arm64-musl`. With one, SHA256SUMS is left as it is.
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildTarget } from './build.mjs'
import { writeChecksums } from './checksums.mjs'
import { inspect } from './inspect.mjs'
import { allFiles, filesOf, root, targets } from './targets.mjs'
import { fetchToolchain } from './toolchain.mjs'

const [filter = ''] = process.argv.slice(2)
const chosen = targets.filter(({ arch, libc }) => `${arch}-${libc}`.includes(filter))
if (chosen.length === 0) {
  console.error(
    `no target is called ${filter}: ${targets.map(({ arch, libc }) => `${arch}-${libc}`).join(', ')}`,
  )
  process.exit(2)
}

const prebuilds = join(root, 'prebuilds')
if (filter === '') rmSync(prebuilds, { recursive: true, force: true })
mkdirSync(prebuilds, { recursive: true })
const toolchain = fetchToolchain()
for (const target of chosen) {
  const started = process.hrtime.bigint()
  buildTarget(target, toolchain, root)
  const seconds = Number(process.hrtime.bigint() - started) / 1e9
  const { size } = statSync(join(prebuilds, filesOf(target).addon))
  console.log(`${target.triple}: ${(size / 1024).toFixed(0)} KiB in ${seconds.toFixed(1)} s`)
}
const faults = chosen.flatMap((target) => inspect(target, prebuilds))
for (const fault of faults) console.error(`prebuilds/${fault}`)
if (faults.length > 0) process.exit(1)
if (filter === '') writeChecksums(prebuilds, allFiles())
