// Lays out a node-gyp "nodedir" from the node-api-headers package: a build then needs neither the network nor
// Node's own headers on the machine.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)

/** @param {string} root the checkout; returns the directory for node-gyp's --nodedir. */
export function layOutNodeHeaders(root) {
  const directory = join(root, 'build-headers')
  const include = join(directory, 'include', 'node')
  mkdirSync(include, { recursive: true })
  cpSync(require('node-api-headers').include_dir, include, { recursive: true })
  // node-gyp insists on these two files; this is the part of Node's own that a Node-API addon on Linux needs.
  const defaults = {
    default_configuration: 'Release',
    configurations: { Release: { cflags: ['-O2'], defines: ['NDEBUG'] }, Debug: { cflags: ['-g', '-O0'] } },
    cflags: ['-fPIC', '-pthread'],
    ldflags: ['-pthread'],
  }
  writeFileSync(join(include, 'common.gypi'), JSON.stringify({ target_defaults: defaults }))
  writeFileSync(join(include, 'config.gypi'), JSON.stringify({ target_defaults: {}, variables: {} }))
  return directory
}
