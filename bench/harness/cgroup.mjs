// A control group for all that is measured: the kernel then counts the CPU time of a host and of everything that it
// starts. Nothing is limited by it.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** Where hosts and the C limit find it. Each joins it on its own (host/cpu-time.mjs, native/cpu_time.h). */
const VARIABLE = 'BASHWARD_BENCH_CGROUP'
const PREFIX = 'bashward-bench-'
const REMOVAL_ATTEMPTS = 100
const PAUSE_MS = 10

/** The first that works is used. Every group of version 2 has cpu.stat, whatever controllers it has. */
const HIERARCHIES = [
  { type: 'cgroup2', controller: '', source: 'cpu.stat of a cgroup' },
  { type: 'cgroup', controller: 'cpuacct', source: 'cpuacct.usage of a cgroup' },
]

const never = new Int32Array(new SharedArrayBuffer(4))

/**
 * Makes the group where that is allowed, and removes it when this process ends.
 * @returns {string | undefined} what then holds the CPU time; undefined where it is not allowed
 */
export function makeCgroup() {
  delete process.env[VARIABLE]
  for (const hierarchy of HIERARCHIES) {
    const parent = findOwnCgroup(hierarchy, read('/proc/self/cgroup'), read('/proc/self/mountinfo'))
    if (parent === undefined) continue
    const directory = path.join(parent, `${PREFIX}${process.pid}`)
    try {
      removeStale(parent)
      fs.mkdirSync(directory)
      process.once('exit', () => remove(directory, parent))
      execFileSync('/bin/sh', ['-c', 'echo 0 >"$1"/cgroup.procs', 'sh', directory], { stdio: 'ignore' })
      process.env[VARIABLE] = directory
      return hierarchy.source
    } catch {
      // An ordinary user, a container that may not, or a group that takes no processes.
    }
  }
  return undefined
}

/**
 * @param {{ type: string, controller: string }} hierarchy
 * @param {string} cgroups the text of /proc/self/cgroup
 * @param {string} mounts the text of /proc/self/mountinfo
 * @returns {string | undefined} the directory of this process's group, when it is mounted
 */
export function findOwnCgroup({ type, controller }, cgroups, mounts) {
  const group = cgroups
    .split('\n')
    .map((line) => line.match(/^\d+:([^:]*):(.*)$/))
    .find((match) => match?.[1].split(',').includes(controller))?.[2]
  // Outside of the namespace of this process it begins with `/..`.
  if (group === undefined || group.startsWith('/..')) return undefined
  for (const line of mounts.split('\n')) {
    const fields = line.split(' ')
    const [fileSystem, , options = ''] = fields.slice(fields.indexOf('-') + 1)
    if (fileSystem !== type || (controller !== '' && !options.split(',').includes(controller))) continue
    const [root, mountPoint] = fields.slice(3, 5)
    const within = path.relative(root, group)
    if (within.split('/')[0] !== '..') return path.join(mountPoint, within)
  }
  return undefined
}

/** What a run left that was killed by SIGKILL. A group with processes in it cannot be removed. */
function removeStale(parent) {
  for (const name of fs.readdirSync(parent)) {
    if (!name.startsWith(PREFIX) || fs.existsSync(`/proc/${name.slice(PREFIX.length)}`)) continue
    try {
      fs.rmdirSync(path.join(parent, name))
    } catch {
      // Not ours, or in use.
    }
  }
}

// After a failure some hosts may live a moment longer. They go back to where they came from.
function remove(directory, parent) {
  for (let i = 0; i < REMOVAL_ATTEMPTS; i++) {
    try {
      fs.rmdirSync(directory)
      return
    } catch (error) {
      if (error.code !== 'EBUSY') return
    }
    for (const pid of read(`${directory}/cgroup.procs`).split('\n').filter(Boolean)) {
      try {
        fs.writeFileSync(`${parent}/cgroup.procs`, pid)
      } catch {
        // It has ended.
      }
    }
    Atomics.wait(never, 0, 0, PAUSE_MS)
  }
}

function read(file) {
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
