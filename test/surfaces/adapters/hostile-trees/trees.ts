// What a command may leave where a host reads and writes files for a model: each tree is built anew for each surface.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fifo, file, link, made, meanwhile, named, own, type Tree } from './tree.js'

const links: Tree[] = [
  { name: 'a link to a file outside', build: (place) => link(join(place.outside, 'file'))(place) },
  { name: 'a relative link to a file outside', build: link('../outside/file') },
  { name: 'a link to what is unreadable', build: link('../secrets/key'), reads: 'fails' },
  { name: 'a link to a directory outside', build: (place) => `${link('../outside')(place)}/file` },
  {
    name: 'a link to an unreadable directory',
    build: (place) => `${link('../secrets')(place)}/key`,
    reads: 'fails',
  },
  {
    name: 'a link to the root directory',
    build: (place) => `${link('/')(place)}${place.secrets}/key`,
    reads: 'fails',
  },
  { name: 'a link to nothing outside', build: link('../outside/new'), reads: 'fails' },
  {
    name: 'a link to nothing in the workspace',
    build: link('new'),
    reads: 'fails',
  },
  {
    name: 'a chain of links that ends at what is unreadable',
    build: ({ project }) => {
      for (let index = 0; index < 30; index++) symlinkSync(`link${index + 1}`, join(project, `link${index}`))
      symlinkSync('../secrets/key', join(project, 'link30'))
      return 'link0'
    },
    reads: 'fails',
  },
  {
    name: 'links in a circle',
    build: ({ project }) => {
      symlinkSync('two', join(project, 'one'))
      symlinkSync('one', join(project, 'two'))
      return 'one'
    },
    reads: 'fails',
  },
  {
    name: 'a link in .git/hooks',
    build: ({ project }) => {
      mkdirSync(join(project, '.git'))
      symlinkSync('../../outside', join(project, '.git', 'hooks'))
      return '.git/hooks/pre-commit'
    },
    reads: 'fails',
  },
  { name: 'a way that goes up', build: () => '../secrets/key', reads: 'fails' },
  {
    name: 'a way that goes up behind a link',
    build: (place) => `${link('../outside/sub')(place)}/../../secrets/key`,
  },
  { name: 'an absolute path', build: ({ secrets }) => join(secrets, 'key'), reads: 'fails' },
  { name: 'another case', build: () => '../SECRETS/key', reads: 'fails' },
]

const kernel: Tree[] = [
  { name: 'a link to /proc/self/environ', build: link('/proc/self/environ') },
  { name: '/proc/self/environ', build: () => '/proc/self/environ' },
  { name: 'a link to /proc/self/maps', build: link('/proc/self/maps') },
  { name: 'a link to /proc/self/cmdline', build: link('/proc/self/cmdline') },
  { name: 'a link to /proc/thread-self/environ', build: link('/proc/thread-self/environ') },
  {
    name: "the host's environment by its pid",
    build: link(`/proc/${process.pid}/environ`),
    reads: 'fails',
    onlyConfined: true,
  },
  {
    name: "the host's mappings by its pid",
    build: link(`/proc/${process.pid}/maps`),
    reads: 'fails',
    onlyConfined: true,
  },
  {
    name: "the host's memory by its pid",
    build: link(`/proc/${process.pid}/mem`),
    reads: 'fails',
    onlyConfined: true,
  },
  { name: "the host's descriptors by its pid", build: link(`/proc/${process.pid}/fd/0`) },
  {
    name: "the host's root by its pid",
    build: ({ secrets }) => `/proc/${process.pid}/root${secrets}/key`,
    reads: 'fails',
  },
  { name: '/proc/self/root', build: ({ secrets }) => `/proc/self/root${secrets}/key`, reads: 'fails' },
  { name: '/proc/self/cwd', build: link('/proc/self/cwd/../secrets/key') },
  ...[
    '/dev/stdin',
    '/dev/stdout',
    '/dev/fd/0',
    '/dev/fd/3',
    '/proc/self/fd/3',
    '/proc/self/fd/4',
    '/proc/self/fd/19',
  ].map((path): Tree => ({ name: `a link to ${path}`, build: link(path) })),
  { name: 'a link to /dev/zero', build: link('/dev/zero'), reads: 'fails' },
  { name: '/dev/zero', build: () => '/dev/zero', reads: 'fails' },
  { name: 'a link to /dev/random', build: link('/dev/random'), reads: 'fails' },
  { name: 'a link to /dev/tty', build: link('/dev/tty'), reads: 'fails' },
  { name: 'a link to /proc/kmsg', build: link('/proc/kmsg'), onlyConfined: true },
  {
    name: 'a device that is made there',
    asRoot: true,
    build: ({ project }) => {
      execFileSync('mknod', [join(project, 'device'), 'c', '1', '5'])
      return 'device'
    },
    reads: 'fails',
  },
  {
    name: 'what bash takes for a connection',
    build: async ({ undo }) => {
      const server = createServer((socket) => socket.end('connected'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      undo.push(() => server.close())
      return `/dev/tcp/127.0.0.1/${(server.address() as { port: number }).port}`
    },
    reads: 'fails',
  },
]

const kinds: Tree[] = [
  { name: 'a pipe', build: made('pipe', fifo), reads: 'fails' },
  {
    name: 'a link to a pipe outside',
    build: (place) => {
      fifo(join(place.outside, 'pipe'))
      return link('../outside/pipe')(place)
    },
    reads: 'fails',
  },
  {
    name: 'a socket',
    build: async ({ project, undo }) => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(join(project, 'socket'), resolve))
      undo.push(() => server.close())
      return 'socket'
    },
    reads: 'fails',
  },
  {
    name: 'a directory',
    build: made('directory', mkdirSync),
    reads: 'fails',
  },
  { name: 'a file above', build: (place) => `${file('file')(place)}/below/it`, reads: 'fails' },
  {
    name: 'a sparse file of 1 TB',
    build: (place) => {
      file('huge')(place)
      truncateSync(join(place.project, 'huge'), 1024 ** 4)
      return 'huge'
    },
  },
  {
    name: 'a file that grows',
    build: (place) => {
      appendFileSync(join(place.project, 'log'), own)
      meanwhile(place, 'printf %70000s x >>log')
      return 'log'
    },
  },
  {
    name: 'a file that another takes the place of',
    build: (place) => {
      file('file')(place)
      meanwhile(place, 'ln -sf ../secrets/key file; printf own >new; mv -f new file')
      return 'file'
    },
  },
  {
    name: 'a directory and a link that take turns',
    build: (place) => {
      mkdirSync(join(place.project, 'd'))
      writeFileSync(join(place.project, 'd', 'key'), own)
      meanwhile(place, 'mv d e; ln -s ../secrets d; rm d; mv e d')
      return 'd/key'
    },
  },
  {
    name: 'a file and a pipe that take turns',
    build: (place) => {
      file('file')(place)
      fifo(join(place.project, 'pipe'))
      meanwhile(
        place,
        'mv file kept; mv pipe file; cat kept >file & read -t 0.01 <>file; mv file pipe; mv kept file',
      )
      return 'file'
    },
  },
  {
    name: 'a directory that nobody may enter',
    build: ({ project, undo }) => {
      mkdirSync(join(project, 'closed'))
      writeFileSync(join(project, 'closed', 'file'), own)
      chmodSync(join(project, 'closed'), 0)
      undo.push(() => chmodSync(join(project, 'closed'), 0o755))
      return 'closed/file'
    },
  },
  {
    name: 'a read-only directory',
    build: ({ project, undo }) => {
      mkdirSync(join(project, 'kept'))
      writeFileSync(join(project, 'kept', 'file'), own)
      chmodSync(join(project, 'kept'), 0o555)
      undo.push(() => chmodSync(join(project, 'kept'), 0o755))
      return 'kept/file'
    },
    reads: own,
  },
  {
    name: 'a file with set-id bits',
    build: (place) => {
      file('program')(place)
      chmodSync(join(place.project, 'program'), 0o6755)
      return 'program'
    },
    reads: own,
  },
  {
    name: 'a file with two names in the workspace',
    build: (place) => {
      file('one')(place)
      linkSync(join(place.project, 'one'), join(place.project, 'two'))
      return 'two'
    },
    reads: own,
  },
  {
    name: '200 directories',
    build: ({ project }) => {
      const deep = Array.from({ length: 200 }, () => 'd').join('/')
      mkdirSync(join(project, deep), { recursive: true })
      writeFileSync(join(project, deep, 'file'), own)
      return `${deep}/file`
    },
    reads: own,
  },
]

const names: Tree[] = [
  ...[
    '-rf',
    '--help',
    '*',
    '[a-z]',
    '$(id)',
    '`id`',
    "it's",
    '"quoted"',
    'two words',
    ' ',
    'a\nb',
    'a\n',
    '\\n',
    '~',
    '#',
    '!!',
    '{a,b}',
  ].map(named),
  named('x: Permission denied'),
  named('\nrefused ENOENT\n'),
  named('n'.repeat(255)),
  named('ü'.repeat(127)),
  { name: 'a name of 300 characters', build: () => 'n'.repeat(300), reads: 'fails' },
  {
    name: 'a path of 5000 characters',
    build: () => Array.from({ length: 50 }, () => 'n'.repeat(99)).join('/'),
    reads: 'fails',
  },
  {
    name: 'a path of 4000 characters',
    build: ({ project }) => {
      const path = join(
        ...Array.from({ length: Math.floor((4000 - project.length) / 100) }, () => 'n'.repeat(99)),
      )
      mkdirSync(join(project, path), { recursive: true })
      writeFileSync(join(project, path, 'f'), own)
      return `${path}/f`
    },
    reads: own,
  },
  {
    name: 'names that are no UTF-8',
    build: ({ project }) => {
      mkdirSync(join(project, 'names'))
      writeFileSync(Buffer.from(`${project}/names/\xff\xfe`, 'latin1'), own)
      return 'names'
    },
    reads: 'fails',
  },
  { name: 'a NUL character', build: () => 'a\0b', reads: 'fails' },
]

/** All, and those that have no name of their own. */
export const trees: readonly Tree[] = [...links, ...kernel, ...kinds, ...names]
export const nameless: readonly Tree[] = [...links, ...kernel, ...kinds]
