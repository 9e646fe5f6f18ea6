// The kernel's modules that Workspace mode asks of sockets. Elsewhere the kernel loads them by itself; a guest has no
// modules but these.
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { output } from './programs.mjs'

const DECOMPRESSORS = { '.xz': 'xz', '.zst': 'zstd' }

/** @param {string} path in a package */
export const isModule = (path) => /\/(?:inet|tcp|unix)_diag\.ko(?:\.\w+)?$/.test(path)

/**
 * The packages that a kernel and its modules are in. The modules may have one of their own, which is not always kept as
 * long as the kernel's.
 *
 * @param {string} name of the kernel's package
 * @param {string[]} names of all that there are
 */
export const withModules = (name, names) => {
  const ofModules = name.replace(/^linux-(?:binary|image)(?:-unsigned)?-/, 'linux-modules-')
  return names.includes(ofModules) ? [name, ofModules] : [name]
}

/**
 * The directory with those of the modules that are not in the kernel itself.
 *
 * @param {string} kernel its path
 */
export const modulesOf = (kernel) => join(dirname(kernel), 'modules')

/** Puts the modules below `from` into `to`, as the kernel takes them. */
export const gatherModules = (from, to) => {
  mkdirSync(to)
  for (const path of readdirSync(from, { recursive: true })) {
    const [, name, compression] = /([^/]*\.ko)(\.\w+)?$/.exec(path) ?? []
    if (name === undefined) continue
    const program = DECOMPRESSORS[compression]
    if (program !== undefined) output(program, ['-q', '-d', join(from, path)], { kind: 'noKernel' })
    renameSync(join(from, program === undefined ? path : path.slice(0, -compression.length)), join(to, name))
  }
}
