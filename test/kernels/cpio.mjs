// Writes an initial root file system: a cpio archive of the kind that the kernel unpacks ("newc").
// Source: Documentation/driver-api/early-userspace/buffer-format.rst of Linux.
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const S_IFDIR = 0o040000
const S_IFREG = 0o100000
const S_IFLNK = 0o120000
const EMPTY = Buffer.alloc(0)

const padding = (length) => Buffer.alloc((4 - (length % 4)) % 4)

const encode = (inode, { path, mode, content }) => {
  const name = Buffer.from(`${path}\0`)
  // ino, mode, uid, gid, nlink, mtime, filesize, four device numbers, namesize, check. All belongs to root.
  const fields = [inode, mode, 0, 0, 1, 0, content.length, 0, 0, 0, 0, name.length, 0]
  const header = Buffer.from(`070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`)
  return [header, name, padding(header.length + name.length), content, padding(content.length)]
}

/** @param {string} target the file that becomes the archive */
export const createArchive = (target) => {
  const file = openSync(target, 'w')
  let inode = 1
  const add = (entry) => {
    for (const bytes of encode(inode, entry)) if (bytes.length > 0) writeSync(file, bytes)
    inode += 1
  }
  const archive = {
    directory: (path, mode = 0o755) => add({ path, mode: S_IFDIR | mode, content: EMPTY }),
    link: (path, to) => add({ path, mode: S_IFLNK | 0o777, content: Buffer.from(to) }),
    file: (path, content, mode = 0o644) => add({ path, mode: S_IFREG | mode, content: Buffer.from(content) }),
    /**
     * A copy of `source`, with all that is in it; devices and sockets are left out.
     *
     * @param {(path: string) => boolean} [keep] asked for each path in the archive
     */
    copy: (path, source, keep = () => true) => {
      const stat = lstatSync(source)
      if (!keep(path)) return
      if (stat.isSymbolicLink()) archive.link(path, readlinkSync(source))
      else if (stat.isFile()) archive.file(path, readFileSync(source), stat.mode & 0o7777)
      else if (stat.isDirectory()) {
        if (path !== '') archive.directory(path, stat.mode & 0o7777)
        for (const name of readdirSync(source).sort()) {
          archive.copy(path === '' ? name : `${path}/${name}`, join(source, name), keep)
        }
      }
    },
    close: () => {
      add({ path: 'TRAILER!!!', mode: 0, content: EMPTY })
      closeSync(file)
    },
  }
  return archive
}
