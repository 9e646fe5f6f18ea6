// Describes a call in words that stay the same from run to run.

const operations = {
  prctl: {
    1: 'PDEATHSIG',
    4: 'DUMPABLE',
    15: 'NAME',
    21: 'GET_SECCOMP',
    23: 'CAPBSET_READ',
    24: 'CAPBSET_DROP',
    27: 'SECUREBITS',
    36: 'SUBREAPER',
    38: 'NO_NEW_PRIVS',
    39: 'GET_NO_NEW_PRIVS',
    47: 'CAP_AMBIENT',
  },
  fcntl: {
    2: 'SETFD',
    4: 'SETFL',
    37: 'OFD_SETLK',
    1030: 'DUPFD_CLOEXEC',
    1031: 'SETPIPE_SZ',
    1033: 'ADD_SEALS',
  },
  epoll_ctl: { 1: 'ADD', 2: 'DEL', 3: 'MOD' },
  ioctl: { 21531: 'FIONREAD' },
  ptrace: {
    0: 'TRACEME',
    2: 'PEEKDATA',
    5: 'POKEDATA',
    7: 'CONT',
    17: 'DETACH',
    16900: 'GETREGSET',
    16907: 'SETSIGMASK',
  },
}

const names = [
  [/^\/?(bashward-scratch)-\w+$/, 'scratch directory'],
  [/^\/?bashward-output-\w+\.log$/, 'saved output'],
  [/^\/bash_\w+$/, 'job directory'],
  [/^\/(exit\.json\.tmp|job\.json\.tmp|output)$/, '$1'],
  [/^\/calls$/, 'directory of call marks'],
  [/^\/#\d+_\(deleted\)$/, 'call mark'],
  [/^\/bashward-supervisor$/, 'supervisor'],
  [/^\/bash$/, 'bash'],
]

/**
 * @param {string} call its name
 * @param {string} detail as the shim gives it: the last name of a path, or the number of an operation
 */
export const detailOf = (call, detail) => {
  if (call in operations) return operations[call][detail] ?? detail
  for (const [pattern, name] of names) {
    if (pattern.test(detail)) return detail.replace(pattern, name)
  }
  if (detail.startsWith('/proc/')) return detail.replaceAll(/\d+/g, 'N')
  // By the descriptor of the sealed copy.
  if (call === 'execveat') return 'supervisor'
  if (call === 'mkdirat') return 'parent of the job directory'
  if (detail === '/dev/null' || detail === '/') return detail
  if (call === 'openat' && detail.startsWith('/')) return 'readable directories'
  return detail
}
