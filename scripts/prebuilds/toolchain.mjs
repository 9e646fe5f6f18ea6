// The pinned Zig and prebuildify, and where they keep what they build.
import { join } from 'node:path'
import { cacheDirectory, installedPackages, installPackages } from '../pinned-packages.mjs'

const directory = join(import.meta.dirname, 'toolchain')

/** @typedef {{zig: string, prebuildify: string, environment: Record<string, string>}} Toolchain */

/** @returns {Toolchain} */
const toolchainIn = (modules) => ({
  zig: join(modules, `@zigc/linux-${process.arch}/bin/zig`),
  prebuildify: join(modules, 'prebuildify/bin.js'),
  environment: {
    ZIG: join(modules, `@zigc/linux-${process.arch}/bin/zig`),
    ZIG_GLOBAL_CACHE_DIR: join(cacheDirectory, 'zig'),
    ZIG_LOCAL_CACHE_DIR: join(cacheDirectory, 'zig'),
  },
})

/** The toolchain if it has been fetched. Needs no network. */
export function presentToolchain() {
  const modules = installedPackages(directory)
  return modules === undefined ? undefined : toolchainIn(modules)
}

/** The toolchain; fetches it (400 MB unpacked) where it is missing. */
export function fetchToolchain() {
  if (presentToolchain() === undefined) console.log('fetching the toolchain …')
  return toolchainIn(installPackages(directory))
}
