// What main.mjs has prepared: the tarball, and the programs that it is tested with.
import { join } from 'node:path'

const prepared = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: run these tests with npm run test:package`)
  return value
}

/** The packed package. */
export const tarball = prepared('BASHWARD_TEST_TARBALL')

/** A file of a package in tools/package.json. */
export const toolPath = (...path: string[]): string => join(prepared('BASHWARD_TEST_TOOLS'), ...path)

/** The program of a Node version, for the processor of this machine. */
export const nodePath = (version: number | string): string => toolPath(`node-${version}`, 'bin/node')

/** The Node versions that are tested: the oldest that `engines` allows, those with long-term support, and the newest. */
export const nodeVersions = ['20-oldest', 20, '22-oldest', 22, 24, 26]
