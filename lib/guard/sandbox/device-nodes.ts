// Whether root's commands could open device nodes in the directories that they can write to: there they could make some,
// and only a mount option refuses to open them.

import { readFileSync } from 'node:fs'
import { BashError } from '../../base/errors.js'
import { isBelow, isWithin } from '../../base/util/absolute-paths.js'

interface Mount {
  point: string
  options: readonly string[]
}

/**
 * For a call that requires the protection of devices.
 *
 * @param roots paths without symbolic links
 * @throws {BashError} ERR_SANDBOX_UNAVAILABLE
 */
export function requireNoDevices(roots: readonly string[], mountInfo = readMountInfo): void {
  if (process.geteuid?.() !== 0 || roots.length === 0) return
  const mounts = listMounts(mountInfo())
  for (const root of roots) {
    const mount = mountsIn(root, mounts).find(({ options }) => !options.includes('nodev'))
    if (mount === undefined) continue
    const reason = `root can open device nodes in ${root}: ${mount.point} is mounted without nodev`
    const message = `this call requires what the kernel does not have: devices (${reason})`
    throw new BashError('ERR_SANDBOX_UNAVAILABLE', message)
  }
}

const readMountInfo = () => readFileSync('/proc/self/mountinfo', 'utf8')

/** That of the directory itself, and those below it. */
export function mountsIn(root: string, mounts: readonly Mount[]): readonly Mount[] {
  let own: Mount | undefined
  for (const mount of mounts) {
    // Of two at the same place the later one hides the other.
    if (isWithin(root, mount.point) && mount.point.length >= (own?.point.length ?? 0)) own = mount
  }
  const below = mounts.filter(({ point }) => isBelow(point, root))
  return own === undefined ? below : [own, ...below]
}

/** @param text as proc_pid_mountinfo(5) describes it */
export function listMounts(text: string): readonly Mount[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, , , , point = '', options = ''] = line.split(' ')
      return { point: unescaped(point), options: options.split(',') }
    })
}

const unescaped = (path: string) =>
  path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
