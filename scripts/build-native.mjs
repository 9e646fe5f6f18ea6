// Builds the addon and the supervisor into build/Release: with cmake-js where CMake is installed, else with node-gyp.
// Without a C++ compiler it uses the prebuilt ones, if they were built from these very sources. node
// scripts/build-native.mjs [--builder cmake-js|node-gyp]
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { layOutNodeHeaders } from './node-headers.mjs'
import { hashOfSources, readChecksums } from './prebuilds/checksums.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const require = createRequire(import.meta.url)

const has = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

const hasCompiler = () => ['c++', 'g++', 'clang++', process.env.CXX].some((name) => name && has(name))

/** Whether the prebuilt addon for this machine is what a build would give. */
const isPrebuilt = () =>
  existsSync(join(root, `prebuilds/${process.platform}-${process.arch}`)) &&
  readChecksums(join(root, 'prebuilds'))?.sources === hashOfSources()

const { values } = parseArgs({ options: { builder: { type: 'string' } } })
const builder = values.builder ?? (has('cmake') ? 'cmake-js' : 'node-gyp')

const builders = {
  'cmake-js': () => [
    require.resolve('cmake-js/bin/cmake-js'),
    'compile',
    ...(has('ninja') ? ['-G', 'Ninja'] : []),
  ],
  'node-gyp': () => [
    require.resolve('node-gyp/bin/node-gyp.js'),
    'rebuild',
    `--nodedir=${layOutNodeHeaders(root)}`,
  ],
}
if (!Object.hasOwn(builders, builder)) {
  console.error(
    `--builder: must be one of ${Object.keys(builders).join(', ')} (got ${JSON.stringify(builder)})`,
  )
  process.exit(2)
}

if (values.builder === undefined && !hasCompiler() && isPrebuilt()) {
  console.log('There is no C++ compiler: the prebuilt addon is used.')
  process.exit(0)
}

// Quiet on success: an up-to-date build is part of every `npm test`.
const result = spawnSync(process.execPath, builders[builder](), { cwd: root, encoding: 'utf8' })
if (result.status !== 0) {
  process.stderr.write(`${result.stdout}${result.stderr}`)
  console.error(
    `\nThe native build failed (${builder}). It needs a C++17 compiler, make or ninja, and CMake or Python 3.`,
  )
  process.exit(1)
}
