// What programs say when Restricted mode keeps them from writing a file or opening a device, in their own words.
import { probableCause } from './probable-cause.js'

type Messages = [program: string, exitCode: number, output: string][]

const files: Messages = [
  ['a redirection of bash', 1, 'bash: line 1: new: Permission denied\n'],
  ['a redirection to a file with the name of a program', 1, 'bash: line 1: file: Permission denied\n'],
  ['a redirection of bash that appends', 1, 'bash: line 1: f: Permission denied\n'],
  ['a redirection of dash', 2, 'sh: 1: cannot create new: Permission denied\n'],
  [
    'a redirection in a makefile',
    2,
    'echo > new\n/bin/sh: 1: cannot create new: Permission denied\nmake: *** [Makefile:2: all] Error 1\n',
  ],
  ['mkdir', 1, 'mkdir: cannot create directory ‘d’: Permission denied\n'],
  ['rmdir', 1, "rmdir: failed to remove 'd': Permission denied\n"],
  ['rm', 1, "rm: cannot remove 'f': Permission denied\n"],
  ['mv', 1, "mv: cannot move 'f' to 'g': Permission denied\n"],
  ['cp', 1, "cp: cannot create regular file 'g': Permission denied\n"],
  ['ln', 1, "ln: failed to create hard link 'g' => 'f': Permission denied\n"],
  ["ln of another user's file", 1, "ln: failed to create hard link 'g' => 'f': Operation not permitted\n"],
  ['ln -s', 1, "ln: failed to create symbolic link 'g': Permission denied\n"],
  ['touch', 1, "touch: cannot touch 'new': Permission denied\n"],
  ['tee', 1, 'tee: new: Permission denied\na\n'],
  ['dd', 1, "dd: failed to open 'new': Permission denied\n"],
  ['install', 1, "install: cannot create regular file 'g': Permission denied\n"],
  ['truncate', 1, "truncate: cannot open 'f' for writing: Permission denied\n"],
  ['sed -i', 4, "sed: couldn't open temporary file ./sedNRI67c: Permission denied\n"],
  ['sort -o', 2, 'sort: open failed: new: Permission denied\n'],
  [
    'tar x over a file',
    2,
    'tar: a/f: Cannot open: File exists\ntar: Exiting with failure status due to previous errors\n',
  ],
  ['unzip', 50, 'Archive:  a.zip\nerror:  cannot create f\n        Permission denied\n'],
  [
    'git merge-tree',
    128,
    'error: insufficient permission for adding an object to repository database .git/objects\nfatal: failure to merge\n',
  ],
  [
    'apt',
    100,
    'E: Unable to mkstemp /tmp/clearsigned.message.k3behj - GetTempFile (13: Permission denied)\nE: The package lists or status file could not be parsed or opened.\n',
  ],
  ['split', 1, 'split: xaa: Permission denied\n'],
  ['mktemp', 1, 'mktemp: failed to create file via template ‘/tmp/tmp.XXXXXXXXXX’: Permission denied\n'],
  ['mkfifo', 1, "mkfifo: cannot create fifo 'p': Permission denied\n"],
  ['find -delete', 1, 'find: cannot delete ‘./f’: Permission denied\n'],
  ['gzip', 1, 'gzip: f.gz: Permission denied\n'],
  ['bzip2', 1, "bzip2: Can't create output file f.bz2: Permission denied.\n"],
  ['tar c', 2, 'tar: new.tar: Cannot open: Permission denied\ntar: Error is not recoverable: exiting now\n'],
  ['zip', 15, 'zip I/O error: Permission denied\nzip error: Could not create output file (x.zip)\n'],
  ['unlink', 1, "unlink: cannot unlink 'f': Permission denied\n"],
  ['shred', 1, 'shred: f: failed to open for writing: Permission denied\n'],
  ['flock', 66, 'flock: cannot open lock file new: Permission denied\n'],
  ['ed', 1, 'Permission denied\n'],
  ['vi', 1, '"f" E212: Can\'t open file for writing\n'],
  ['awk', 2, 'awk: cannot open "new" for output (Permission denied)\n'],
  [
    'openssl',
    1,
    'Can\'t open "new" for writing, Permission denied\n80CB:error:8000000D:system library:BIO_new_file:Permission denied:bss_file.c:67:calling fopen(new, wb)\n',
  ],
  ['curl -o', 23, 'curl: (23) Failure writing output to destination\n'],
  ['wget -O', 1, 'new: Permission denied\n'],
  ['git add', 128, "fatal: Unable to create '/home/u/r/.git/index.lock': Permission denied\n"],
  [
    'git branch',
    128,
    "fatal: cannot lock ref 'refs/heads/b': Unable to create '/home/u/r/.git/refs/heads/b.lock': Permission denied\n",
  ],
  ['git config', 255, 'error: could not lock config file .git/config: Permission denied\n'],
  ['git clone', 128, "fatal: could not create work tree dir 'x': Permission denied\n"],
  ['git pull', 1, "error: cannot open '.git/FETCH_HEAD': Permission denied\n"],
  ['git init', 128, 'fatal: cannot mkdir d: Permission denied\n'],
  ['gcc', 134, 'Cannot create temporary file in /tmp/: Permission denied\n'],
  ['ld', 1, 'ld: cannot open output file new: Permission denied\n'],
  ['ar', 1, 'ar: new.a: Permission denied\n'],
  ['strip', 1, 'strip: f: could not create temporary file to hold stripped copy: cause of error unknown\n'],
  [
    'javac',
    1,
    'A.java:2: error: error while writing A: /home/u/A.class\npublic class A {\n       ^\n1 error\n',
  ],
  [
    'python',
    1,
    'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\nPermissionError: [Errno 13] Permission denied: \'new\'\n',
  ],
  ['python, symlink', 1, "PermissionError: [Errno 13] Permission denied: 'a' -> 'b'\n"],
  ['python, link', 1, "PermissionError: [Errno 1] Operation not permitted: 'a' -> 'b'\n"],
  [
    'python, tempfile',
    1,
    "FileNotFoundError: [Errno 2] No usable temporary directory found in ['/tmp', '/var/tmp', '/usr/tmp', '/home/u']\n",
  ],
  ['python -m venv', 1, "Error: [Errno 13] Permission denied: '/home/u/v'\n"],
  ['sqlite, a new file', 1, 'sqlite3.OperationalError: unable to open database file\n'],
  ['sqlite', 8, 'Error: stepping, attempt to write a readonly database (8)\n'],
  [
    'pip',
    1,
    "ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/usr/lib/python3/x'\n",
  ],
  [
    'node',
    1,
    "Error: EACCES: permission denied, open 'new'\n    at Object.writeFileSync (node:fs:2380:20) {\n  errno: -13,\n  code: 'EACCES',\n  syscall: 'open',\n  path: 'new'\n}\n\nNode.js v20.20.2\n",
  ],
  ['node on a read-only file system', 1, "Error: EROFS: read-only file system, open '/x'\n"],
  [
    'npm init',
    243,
    "npm error code EACCES\nnpm error syscall open\nnpm error path /home/u/package.json\nnpm error errno -13\nnpm error Error: EACCES: permission denied, open '/home/u/package.json'\nnpm error   code: 'EACCES',\nnpm error The operation was rejected by your operating system.\n",
  ],
  [
    'cargo init',
    101,
    'Caused by:\n  failed to write `/home/u/.gitignore`\n\nCaused by:\n  Permission denied (os error 13)\n',
  ],
  [
    'rust',
    101,
    'called `Result::unwrap()` on an `Err` value: Os { code: 13, kind: PermissionDenied, message: "Permission denied" }\n',
  ],
  ['go', 1, 'open new: permission denied\n'],
  ['ruby', 1, "-e:1:in `write': Permission denied @ rb_sysopen - new (Errno::EACCES)\n"],
  ['perl', 13, 'cannot open: Permission denied at -e line 1.\n'],
  [
    'java, io',
    1,
    'Exception in thread "main" java.io.FileNotFoundException: new (Permission denied)\n\tat java.base/java.io.FileOutputStream.open0(Native Method)\n',
  ],
  [
    'java, nio',
    1,
    'Exception in thread "main" java.nio.file.AccessDeniedException: new\n\tat java.base/sun.nio.fs.UnixException.translateToIOException(UnixException.java:90)\n',
  ],
  [
    'apt-get update',
    100,
    'E: Could not open lock file /var/lib/apt/lists/lock - open (13: Permission denied)\nE: Unable to lock directory /var/lib/apt/lists/\n',
  ],
  ['/dev/shm', 1, 'bash: line 1: /dev/shm/x: Permission denied\n'],
  ['a read-only file system', 1, "touch: cannot touch '/x': Read-only file system\n"],
]

const devices: Messages = [
  ['a disk', 1, 'cat: /dev/vda: Permission denied\n'],
  ['the kernel log', 1, 'bash: line 1: /dev/kmsg: Permission denied\n'],
  ['python', 1, 'OSError: out of pty devices\n'],
  ['script', 1, 'script: failed to create pseudo-terminal: Permission denied\n'],
]

describe('probableCause', () => {
  test.each(files)('files: %s', (_, exitCode, output) => {
    expect(probableCause(output, exitCode)).toBe('files are read-only in Restricted mode')
  })

  test.each(devices)('devices: %s', (_, exitCode, output) => {
    expect(probableCause(output, exitCode)).toBe('devices and terminals are out of reach in Restricted mode')
  })
})
