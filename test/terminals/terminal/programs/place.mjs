// Where the programs run: a home of their own, with what they work on; and what of their needs this machine has.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'

const executables = (process.env.PATH ?? '').split(delimiter).concat('/usr/sbin', '/sbin', '/usr/games')

/** @param {string} name */
const isInstalled = (name) =>
  executables.some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

const {
  BASHWARD_TEST_PASSWORD: password,
  BASHWARD_TEST_SSH: ssh,
  BASHWARD_TEST_POSTGRES: postgres,
} = process.env
const isRoot = process.getuid?.() === 0

/** Needs that are more than a program. */
const others = {
  root: isRoot,
  ordinary: !isRoot,
  sudo: !isRoot && password !== undefined && isInstalled('sudo'),
  ssh: ssh !== undefined && isInstalled('ssh'),
  postgres: postgres !== undefined && isInstalled('psql'),
}

/** @param {string} need */
export const has = (need) => (need in others ? others[need] : isInstalled(need))

/** @param {string} place an empty directory */
export const fill = (place) => {
  const write = (name, text) => writeFileSync(join(place, name), text)
  write('long.txt', Array.from({ length: 1000 }, (_, line) => `line ${line}\n`).join(''))
  write('f.txt', 'some text\n')
  write('image', Buffer.alloc(4 * 1024 * 1024))
  write('Makefile', 'all: a b\na b:\n\tsleep 30\n')
  write(
    'asyncio_stdin.py',
    `import asyncio, sys
async def main():
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    print(await reader.readline())
asyncio.run(main())
`,
  )
  write(
    'readline.js',
    `require('readline').createInterface({ input: process.stdin, output: process.stdout })
  .question('Your name? ', () => process.exit())
`,
  )
  write(
    'server_with_keys.js',
    `process.stdin.on('data', () => {})
require('http').createServer().listen(0, () => console.log('press h + enter to show help'))
`,
  )
  mkdirSync(join(place, 'package'))
  mkdirSync(join(place, 'swapped'))
  write('swapped/f.txt', 'some text\n')
  execFileSync('mkfifo', [join(place, 'fifo')])
  if (isInstalled('vim')) {
    // A vim that was killed leaves one.
    const script =
      'vim -T dumb -c "normal ix" -c "preserve" -c "!kill -9 \\$PPID" f.txt </dev/null >/dev/null 2>&1; true'
    execFileSync('bash', ['-c', script], { cwd: join(place, 'swapped'), timeout: 10_000 })
  }
  if (isInstalled('git')) {
    for (const name of ['repository', 'changed']) makeRepository(join(place, name))
    write('changed/f', 'changed\n')
  }
}

/** @param {string} directory */
const makeRepository = (directory) => {
  const script = `git init -q . && git config user.name T && git config user.email t@example.org &&
    for i in 1 2 3 4 5; do seq $i 60 >f; git add f; git commit -qm "commit $i"; done`
  mkdirSync(directory)
  execFileSync('bash', ['-c', script], { cwd: directory })
}

/** The variables of all programs. @param {string} home @param {number} silentPort */
export const variables = (home, silentPort) => ({
  HOME: home,
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  PATH: [process.env.PATH, '/usr/sbin', '/usr/games'].join(delimiter),
  LESS: '',
  PAGER: 'less',
  NPM_CONFIG_UPDATE_NOTIFIER: 'false',
  DEBIAN_FRONTEND: undefined,
  SILENT: String(silentPort),
  SSH: ssh ?? '',
})

/** A server that takes connections and says nothing. */
export const silentServer = async () => {
  const server = createServer(() => {})
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return server.address().port
}
