// Building the binaries of one target.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf, givesSupervisor, SUPERVISOR } from './targets.mjs'

/**
 * Builds `target` and puts its files below `out`/prebuilds. The checkout's own build/Release is left alone.
 *
 * @param {import('./targets.mjs').Target} target
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {string} out
 */
export function buildTarget(target, toolchain, out) {
  const { arch, libc, triple } = target
  // Beside the result: prebuildify renames the addon, which works within one file system only.
  const stage = mkdtempSync(join(out, 'build-prebuild-'))
  try {
    const parameters = [
      ['--cwd', stage],
      ['--out', out],
      ['--napi', '--target', process.versions.node],
      ['--platform', 'linux', '--arch', arch, '--tag-libc', libc],
      ['--name', 'bashward'],
      ['--node-gyp', join(import.meta.dirname, 'cmake-js-as-node-gyp.mjs')],
    ].flat()
    const { status } = spawnSync(process.execPath, [toolchain.prebuildify, ...parameters], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...toolchain.environment, ZIG_TARGET: triple },
    })
    if (status !== 0) throw new Error(`${triple}: the build failed`)
    const { addon, supervisor } = filesOf(target)
    chmodSync(join(out, 'prebuilds', addon), 0o755)
    if (givesSupervisor(target)) {
      const file = join(out, 'prebuilds', supervisor)
      copyFileSync(join(stage, 'build/Release', SUPERVISOR), file)
      chmodSync(file, 0o755)
    }
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}
