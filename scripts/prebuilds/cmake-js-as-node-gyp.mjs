#!/usr/bin/env node
// Stands in for node-gyp: prebuildify calls it as `rebuild --target=… --arch=… --release` in the directory whose
// build/Release it then reads. Builds with cmake-js and the Zig toolchain of the environment.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

const require = createRequire(import.meta.url)
const root = resolve(import.meta.dirname, '../..')

const options = [
  ['--directory', root],
  ['--out', resolve('build')],
  ['--generator', 'Ninja'],
  [`--CDCMAKE_TOOLCHAIN_FILE=${join(root, 'cmake/zig.cmake')}`],
].flat()
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [require.resolve('cmake-js/bin/cmake-js'), 'rebuild', ...options],
  // In the checkout: cmake-js looks for the packages with the headers from where it is.
  { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
)
if (status !== 0) process.stderr.write(`${stdout}${stderr}`)
process.exit(status ?? 1)
