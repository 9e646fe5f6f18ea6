// The directory of the ledger: this user's alone, on a file system that keeps the promises of link(2) and locks.

import { type Stats, statfsSync, statSync } from 'node:fs'
import { makeDirectories } from '../../base/util/directories.js'
import { part } from '../../base/util/load-part.js'
import type * as LedDirectory from '../../guard/sandbox/led-directory.js'
import { directoryError, refusedDirectory } from './errors.js'
import type { LedgerSettings } from './ledger-options.js'

const directories = part((): typeof LedDirectory => require('../../guard/sandbox/led-directory.js'))

const writableByOthers = 0o022

/** Magic numbers of statfs(2), as linux/magic.h and the file systems' own headers have them. */
const distant = new Map([
  [0x6969, 'NFS'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x73757245, 'Coda'],
  [0x19830326, 'BeeGFS'],
  [0x47504653, 'GPFS'],
  [0x20030528, 'OrangeFS'],
  [0xaad7aaea, 'PanFS'],
  [0x786f4256, 'vboxsf'],
  [0xbacbacbc, 'vmhgfs'],
  [0x7c7c6673, 'prl_fs'],
])

/** Not with each call: something else is mounted there less often. */
const lookMs = 1000
const looked = new WeakMap<LedgerSettings, number>()

/** Makes it if it is not there. @throws {BashError} ERR_CALL_DIRECTORY */
export function prepareDirectory(ledger: LedgerSettings): void {
  const now = performance.now()
  const before = looked.get(ledger)
  if (before !== undefined && now - before < lookMs) return
  lookAt(ledger)
  looked.set(ledger, now)
}

function lookAt({ directory, anyFileSystem }: LedgerSettings): void {
  const { refusal } = directories().ledDirectory(directory)
  if (refusal !== undefined) throw refusedDirectory(directory, refusal)
  let stats: Stats
  try {
    const found = statSync(directory, { throwIfNoEntry: false })
    if (found === undefined) makeDirectories(directory, 0o700)
    stats = found ?? statSync(directory)
  } catch (error) {
    throw directoryError('mkdir', directory, error)
  }
  if (!stats.isDirectory()) throw refusedDirectory(directory, 'must be a directory')
  const uid = process.geteuid?.()
  if (stats.uid !== uid) throw refusedDirectory(directory, `belongs to user ${stats.uid}, not to ${uid}`)
  if ((stats.mode & writableByOthers) !== 0) {
    const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0')
    throw refusedDirectory(directory, `its mode ${mode} lets others write to it (allowed: 0700)`)
  }
  if (!anyFileSystem) checkFileSystem(directory)
}

function checkFileSystem(directory: string): void {
  let type: number
  try {
    type = statfsSync(directory).type >>> 0
  } catch (error) {
    throw directoryError('statfs', directory, error)
  }
  const name = distant.get(type)
  if (name !== undefined) {
    const reason = `${name} may be shared with other machines, and promises nothing of what a ledger needs; \`anyFileSystem: true\` takes it all the same`
    throw refusedDirectory(directory, reason)
  }
}
