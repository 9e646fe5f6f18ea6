// Runs a command under strace, and tells what it has done beside reading.

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runBounded } from './bounded.mjs'

const changing =
  /\b(?:unlink|unlinkat|rename|renameat|renameat2|mkdir|mkdirat|rmdir|chmod|fchmod|fchmodat|chown|fchown|fchownat|lchown|symlink|symlinkat|link|linkat|truncate|ftruncate|utimensat|utime|utimes|mknod|mknodat|setxattr|kill|tkill|tgkill)\(/
const writing = /\b(?:open|openat|creat)\(.*?"([^"]*)".*?(?:O_WRONLY|O_RDWR|O_CREAT|O_TRUNC)/
const reaching = /\b(?:connect|sendto|sendmsg|bind)\(.*sa_family=AF_INET6?\b/
const harmless = ['/dev/null', '/dev/tty']
const limitSeconds = 20

/**
 * @param {string} command
 * @param {import('./copies.mjs').Copy} copy
 * @returns {string[]} what it has done that it should not; none: it has only read
 */
export const observe = (command, copy) => {
  const log = join(copy.root, 'strace.log')
  const parameters = [
    '-f',
    '-qq',
    '-s',
    '200',
    '-o',
    log,
    '-e',
    'trace=%file,%network,kill,tkill,tgkill,ftruncate,fchmod,fchown',
  ]
  const { error, status } = runBounded(['strace', ...parameters, 'bash', '-c', command], {
    copy,
    seconds: limitSeconds,
  })
  if (!existsSync(log)) throw error ?? new Error(`strace did not run: ${status}`)
  const found = copy.changes().map((name) => `changed ${name}`)
  for (const line of readFileSync(log, 'latin1').split('\n')) {
    // What is refused to nobody would have been done by somebody.
    const isRefused = line.includes(' = -1 ') && !/ (?:EACCES|EPERM|EROFS) /.test(line)
    if (reaching.test(line)) found.push(line)
    else if (!isRefused && changing.test(line)) found.push(line)
    else if (!isRefused) {
      const [, path] = writing.exec(line) ?? []
      if (path !== undefined && !harmless.includes(path)) found.push(line)
    }
  }
  rmSync(log, { force: true })
  return found
}
