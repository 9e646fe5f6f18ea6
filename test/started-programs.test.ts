// What starts a program, and by which path: none is looked for on PATH, where a command may have put one.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './support/as-user.js'

const sourcesIn = (directory: string, ending: RegExp): string[] =>
  readdirSync(join(packageRoot, directory), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(directory, name))

/** The files in which a pattern is found, each with what its groups found, in order. */
const find = (files: readonly string[], pattern: RegExp): Record<string, string[]> => {
  const found: Record<string, string[]> = {}
  for (const file of files) {
    const code = readFileSync(join(packageRoot, file), 'utf8').replace(/\/\/ .*$|^\s*\/?\*.*$/gm, '')
    for (const match of code.matchAll(pattern)) {
      found[file] = [...(found[file] ?? []), match.slice(1).join('')]
    }
  }
  return found
}

const lib = sourcesIn('lib', /\.ts$/)
const native = sourcesIn('native', /\.(?:cc|h|c)$/)

/** Each with the path of the program, and why it is started. */
const callSites: Record<string, string[]> = {
  // Whether there is something in a socket, for the portable engine: a bash as commands have it.
  'lib/surfaces/cli/given-stdin.ts': ['findBash()'],
  // The portable engine: its helper, a job's process, ps(1) where there is no /proc, and the shell of a command.
  'lib/processes/engine/portable/helper.ts': ["'/bin/sh'"],
  'lib/processes/engine/portable/job-process.ts': ['process.execPath'],
  'lib/processes/engine/portable/process-table.ts': ["systemProgram('ps')"],
  'lib/processes/engine/portable/start-shell.ts': ['shell'],
  // A pipe for the portable engine.
  'lib/commands/run/input-pipe.ts': ['findBash()'],
  // ps(1) and sysctl(8) where there is no /proc.
  'lib/base/util/process-identity.ts': ['systemProgram(program)'],
  // The proxy: this very Node.
  'lib/guard/proxy/start.ts': ["'/proc/self/exe'"],
}

test('each call that starts a program is known, and has an absolute path', () => {
  const users = Object.keys(
    find(lib, /(?:(?:from|import|require\() ?'(?:node:)?child_process'|childProcess\(\)\.)/g),
  )
  const calls =
    /(?<![.\w#]|function )(?:childProcess\(\)\.)?(?:spawn|exec|execFile|fork)(?:Sync)?\(\s*((?:[^,()]|\([^()]*\))+)/g

  expect(find(users, calls)).toEqual(callSites)
})

test('nothing else of Node starts a program', () => {
  const others = /(?:'(?:node:)?(cluster)'|process\.(binding|execve)|(spawn_sync|process_wrap))/g

  expect(find(lib, others)).toEqual({})
})

test('the engine executes its supervisor, and that the shell it is told', () => {
  const calls =
    /(?<![\w>.])(execv\w*|execl\w*|fexecve|posix_spawnp?|system|popen|syscall\(SYS_execve(?:at)?)((?:\(|, )[^;]*);/g
  const files = native.filter((file) => !/syntax|freestanding/.test(file))

  expect(find(files, calls)).toEqual({
    'native/process/launch.cc': [
      'syscall(SYS_execveat, child->fd_count - 1, "", argv, envp, AT_EMPTY_PATH)',
      'execve(child->path, argv, envp)',
    ],
    'native/supervisor/shell.cc': ['execve(request.shell, child->arguments, request.environment)'],
  })
})

test('variables of npm choose nothing: none is read', () => {
  // Elsewhere they are what commands are given, and a file of keys that commands may not read.
  const known = [
    'processes/environment/',
    'guard/proxy/variables.ts',
    'guard/sandbox/key-files.ts',
    'processes/output/redact/shapes.ts',
  ]
  const others = lib.filter((file) => !known.some((name) => file.startsWith(`lib/${name}`)))

  expect(find(others, /(\bnpm_\w+|INIT_CWD)/gi)).toEqual({})
})
