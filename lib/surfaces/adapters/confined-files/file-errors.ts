// Why a script failed, as the file methods of Node have it: an error with a code.

/** The last words of programs in the C locale: those of glibc and of musl. */
const reasons: Readonly<Record<string, string>> = {
  'no such file or directory': 'ENOENT',
  'not a directory': 'ENOTDIR',
  'is a directory': 'EISDIR',
  'permission denied': 'EACCES',
  'operation not permitted': 'EPERM',
  'read-only file system': 'EROFS',
  'file exists': 'EEXIST',
  // Of bash itself, where noclobber is set.
  'cannot overwrite existing file': 'EEXIST',
  'too many levels of symbolic links': 'ELOOP',
  'symbolic link loop': 'ELOOP',
  'file name too long': 'ENAMETOOLONG',
  'filename too long': 'ENAMETOOLONG',
  'no space left on device': 'ENOSPC',
  'disk quota exceeded': 'EDQUOT',
  'quota exceeded': 'EDQUOT',
  'file too large': 'EFBIG',
  'no such device or address': 'ENXIO',
  'no such device': 'ENODEV',
  'device or resource busy': 'EBUSY',
  'resource busy': 'EBUSY',
  'text file busy': 'ETXTBSY',
  'input/output error': 'EIO',
  'i/o error': 'EIO',
  'stale file handle': 'ESTALE',
  'too many open files': 'EMFILE',
  'no child process': 'EAGAIN',
  'resource temporarily unavailable': 'EAGAIN',
  'cannot allocate memory': 'ENOMEM',
  'out of memory': 'ENOMEM',
}

/** What the scripts refuse themselves. */
const refusals: Readonly<Record<string, string>> = {
  EINVAL: 'this is not a regular file',
  EISDIR: 'this is a directory',
  EFBIG: 'this file is too large to be read at once',
  EEXIST: 'this exists',
  EROFS: 'files are read-only here in the sandbox',
  EXDEV: 'this is outside of what may be read',
}

export type FileError = Error & { code: string; path: string; reason: string }

export function fileError(code: string, reason: string, path: string): FileError {
  return Object.assign(new Error(`${code}: ${reason}: ${path}`), { code, path, reason })
}

/** @param stderr of a script that failed */
export function errorOf(stderr: string, path: string): FileError {
  const refused = /(?:^|\n)refused (E[A-Z]+)\n$/.exec(stderr)?.[1]
  if (refused !== undefined) return fileError(refused, refusals[refused] ?? 'refused', path)
  // Paths come before it, whatever is in them.
  const reason = stderr.trimEnd().split(': ').pop()?.toLowerCase() ?? ''
  const code = reasons[reason]
  if (code !== undefined) return fileError(code, reason, path)
  return fileError('EIO', stderr.trim().slice(-1000) || 'the command that works with it failed', path)
}
