// Ubuntu's archive, for the kernels that Debian does not keep. The keys that it is signed with are in a package of Debian's,
// so that they need no trust but what this machine has in Debian.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { unpack } from './programs.mjs'

const SERVER = 'http://archive.ubuntu.com/ubuntu'
const PACKAGE = 'ubuntu-keyring'
const KEYRING = 'usr/share/keyrings/ubuntu-archive-keyring.gpg'

/**
 * @param {{ directory: string, debianLists: { download: (packages: string[], target: string) => string[] } }} options
 *   directory: where the keys stay
 * @returns {import('./apt.mjs').Archive}
 */
export const ubuntuArchive = ({ directory, debianLists }) => ({
  keyring: () => {
    const keyring = join(directory, KEYRING)
    if (existsSync(keyring)) return keyring
    const archives = join(directory, 'keyring')
    try {
      const [archive] = debianLists.download([PACKAGE], archives)
      mkdirSync(directory, { recursive: true })
      unpack(archive, directory, [`./${KEYRING}`], 'noKernel')
    } finally {
      rmSync(archives, { recursive: true, force: true })
    }
    return keyring
  },
  servers: () => () => SERVER,
})
