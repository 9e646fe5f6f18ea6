// Builds every prebuilt binary on this machine: npm run prebuilds [-- FILTER]
// FILTER is a part of a target's name: `x64`, `arm64-musl`. With one, SHA256SUMS is left as it is.
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
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

const toolchain = fetchToolchain()
// Built aside: the old binaries stay until all of them can be replaced.
const draft = mkdtempSync(join(root, 'build-prebuild-'))
const [built, prebuilds] = [join(draft, 'prebuilds'), join(root, 'prebuilds')]
try {
  for (const target of chosen) {
    const started = process.hrtime.bigint()
    buildTarget(target, toolchain, draft)
    const seconds = Number(process.hrtime.bigint() - started) / 1e9
    const { size } = statSync(join(built, filesOf(target).addon))
    console.log(`${target.triple}: ${(size / 1024).toFixed(0)} KiB in ${seconds.toFixed(1)} s`)
  }
  if (filter === '') {
    rmSync(prebuilds, { recursive: true, force: true })
    writeChecksums(built, allFiles())
  }
  cpSync(built, prebuilds, { recursive: true })
} finally {
  rmSync(draft, { recursive: true, force: true })
}
const faults = chosen.flatMap((target) => inspect(target, prebuilds))
for (const fault of faults) console.error(`prebuilds/${fault}`)
process.exitCode = faults.length > 0 ? 1 : 0
