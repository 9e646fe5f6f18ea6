// Compiles what runs in the guest: the addon and the supervisor, the attack program.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { RowFailure } from './failure.mjs'
import { output } from './programs.mjs'

const require = createRequire(import.meta.url)
const { buildAttackProgram } = require('../fixtures/sandbox/attacks/program.cjs')

const MACHINES = { amd64: 'x86_64', arm64: 'aarch64' }

const isNative = (architecture) => ({ x64: 'amd64', arm64: 'arm64' })[process.arch] === architecture

/** Debian's cross compilers have the machine in their names. */
const compilers = (architecture) => {
  if (isNative(architecture)) return { c: 'cc', cxx: 'c++' }
  const prefix = `${MACHINES[architecture]}-linux-gnu`
  return { c: `${prefix}-gcc`, cxx: `${prefix}-g++` }
}

const crossBuild = (packageRoot, directory, architecture) => {
  const { c, cxx } = compilers(architecture)
  if (spawnSync(cxx, ['--version']).status !== 0) throw new RowFailure('noTool', `${cxx} is not installed`)
  const definitions = {
    CMAKE_SYSTEM_NAME: 'Linux',
    CMAKE_SYSTEM_PROCESSOR: MACHINES[architecture],
    CMAKE_C_COMPILER: c,
    CMAKE_CXX_COMPILER: cxx,
    CMAKE_LIBRARY_OUTPUT_DIRECTORY: join(directory, 'Release'),
  }
  // CMake goes on with the build of no other checkout.
  rmSync(join(directory, 'CMakeCache.txt'), { force: true })
  const words = Object.entries(definitions).map(([name, value]) => `-D${name}=${value}`)
  output('cmake', ['-S', packageRoot, '-B', directory, ...words], { kind: 'notBuilt' })
  output('cmake', ['--build', directory], { kind: 'notBuilt' })
}

/**
 * @param {{ packageRoot: string, cache: string, architecture: 'amd64' | 'arm64' }} options
 * @returns paths: `release` is the directory with the addon and the supervisor
 * @throws {RowFailure}
 */
export const buildPrograms = ({ packageRoot, cache, architecture }) => {
  const directory = join(cache, `build-${architecture}`)
  mkdirSync(directory, { recursive: true })
  const { c } = compilers(architecture)
  const programs = {
    release: join(packageRoot, 'build/Release'),
    attack: join(directory, 'attack'),
  }
  if (!buildAttackProgram(programs.attack, { compiler: c, flags: ['-static'] })) {
    throw new RowFailure('noTool', `${c} is not installed`)
  }
  if (isNative(architecture)) return programs
  crossBuild(packageRoot, directory, architecture)
  return { ...programs, release: join(directory, 'Release') }
}
