// What readers must know about the machine to compare figures.

import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import { noiseSource } from './noise.mjs'

/** @returns {Record<string, string>} */
export function describeMachine() {
  const cpus = os.cpus()
  return {
    date: new Date().toISOString(),
    node: process.version,
    kernel: `${os.type()} ${os.release()} ${os.arch()}`,
    cpu: `${cpus.length} × ${cpus[0]?.model ?? 'unknown'}`,
    memory: `${(os.totalmem() / 2 ** 30).toFixed(0)} GiB`,
    // Decides what fork() costs in a large host.
    'huge pages': firstLine('/sys/kernel/mm/transparent_hugepage/enabled'),
    uid: String(process.getuid()),
    bashward: JSON.parse(fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
    bash: versionOf('bash', /version (\S+)/),
    bubblewrap: versionOf('bwrap', /(\S+)$/),
    'noise gate': noiseSource,
  }
}

function versionOf(program, pattern) {
  const [line] = (spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '').split('\n')
  return line.match(pattern)?.[1] ?? 'none'
}

function firstLine(path) {
  try {
    return fs.readFileSync(path, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
