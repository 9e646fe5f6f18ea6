// Checks what is committed under prebuilds/: npm run verify:prebuilds [-- --no-rebuild] Where the toolchain has been
// fetched, this builds one target anew, which must come out the same, byte for byte. Where it has not, this says so;
// with BASHWARD_MUST_WORK=1 that is a failure.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildTarget } from './build.mjs'
import { hashOfFile, hashOfSources, readChecksums } from './checksums.mjs'
import { inspect } from './inspect.mjs'
import { allFiles, filesOf, root, targets } from './targets.mjs'
import { presentToolchain } from './toolchain.mjs'

const prebuilds = join(root, 'prebuilds')

function* faultsOfChecksums() {
  const checksums = readChecksums(prebuilds)
  if (checksums === undefined) return yield 'SHA256SUMS is missing: npm run prebuilds'
  if (checksums.sources !== hashOfSources()) yield 'the native sources have moved on: npm run prebuilds'
  for (const file of allFiles()) {
    const expected = checksums.files.get(file)
    if (expected === undefined) yield `${file}: is not in SHA256SUMS`
    else if (expected !== hashOfFile(prebuilds, file)) yield `${file}: differs from SHA256SUMS`
  }
}

function* strangers() {
  const known = new Set([...allFiles(), 'SHA256SUMS'])
  for (const entry of readdirSync(prebuilds, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath ?? entry.path, entry.name).slice(prebuilds.length + 1)
    if (!entry.isDirectory() && !known.has(file)) yield `${file}: does not belong here`
  }
}

/** Builds x64 for glibc and compares. */
function* faultsOfRebuild() {
  const toolchain = presentToolchain()
  if (toolchain === undefined) {
    const reason = 'not rebuilt: the toolchain has not been fetched (npm run prebuilds does)'
    if (process.env.BASHWARD_MUST_WORK === '1') yield reason
    else console.log(reason)
    return
  }
  const [target] = targets
  const out = mkdtempSync(join(tmpdir(), 'bashward-prebuilds-'))
  try {
    buildTarget(target, toolchain, out)
    for (const file of Object.values(filesOf(target))) {
      const [committed, rebuilt] = [prebuilds, join(out, 'prebuilds')].map((at) =>
        readFileSync(join(at, file)),
      )
      if (!committed.equals(rebuilt)) yield `${file}: comes out differently when built anew`
    }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

function* report(faults) {
  for (const fault of faults) {
    console.error(`prebuilds: ${fault}`)
    yield fault
  }
}

const { values } = parseArgs({
  options: { rebuild: { type: 'boolean', default: true } },
  allowNegative: true,
})
let faults = [...report(targets.flatMap((target) => inspect(target, prebuilds)))]
// The missing toolchain was reported above.
if (faults.length === 0) faults = [...report(strangers()), ...report(faultsOfChecksums())]
if (faults.length === 0 && values.rebuild) faults = [...report(faultsOfRebuild())]
if (faults.length > 0) process.exit(1)
console.log(`prebuilds: ${allFiles().length} files are as they should be`)
