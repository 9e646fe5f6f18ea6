// Copies of the project that commands are run in, and what they have changed in them.

import { cpSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { handOver } from './bounded.mjs'
import { makeProject } from './project.mjs'

/** Everything that is to be seen of a tree, without reading it. */
const stateOf = (directory) => {
  const lines = []
  const look = (path, name) => {
    const { mode, size, mtimeMs, ctimeMs, ino } = lstatSync(path)
    const isLink = (mode & 0o170000) === 0o120000
    lines.push([name, mode, size, mtimeMs, ctimeMs, ino, isLink ? readlinkSync(path) : ''].join(' '))
    if ((mode & 0o170000) !== 0o040000) return
    for (const entry of readdirSync(path).sort()) look(join(path, entry), `${name}/${entry}`)
  }
  look(directory, '.')
  return lines
}

/** A project and a home directory. What a command has changed is put right again. */
export class Copy {
  /** @param {string} root is made */
  constructor(root) {
    this.root = root
    this.original = join(root, 'original')
    this.project = join(root, 'project')
    this.home = join(root, 'home')
    makeProject(this.original)
    this.renew()
  }

  renew() {
    rmSync(this.project, { recursive: true, force: true })
    rmSync(this.home, { recursive: true, force: true })
    cpSync(this.original, this.project, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
    mkdirSync(this.home)
    handOver(this.root)
    this.state = this.look()
  }

  look() {
    return [...stateOf(this.project), ...stateOf(this.home)]
  }

  /** The names of what has changed since the last call, or since it was made. */
  changes() {
    const now = this.look()
    if (now.join('\n') === this.state.join('\n')) return []
    const [before, after] = [new Set(this.state), new Set(now)]
    const changed = [
      ...now.filter((line) => !before.has(line)),
      ...this.state.filter((line) => !after.has(line)),
    ]
    this.renew()
    return [...new Set(changed.map((line) => line.replace(/ .*/, '')))]
  }

  /** What the host of an agent gives its commands. Git is not to rewrite its index, which it does to save time. */
  get environment() {
    return {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: this.home,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'diff.autoRefreshIndex',
      GIT_CONFIG_VALUE_0: 'false',
    }
  }
}
