// What is called of the program `bashward`: every word of its command line, and every option that does something.
import { join } from 'node:path'
import type { World } from './world.js'

export interface Call {
  name: string
  /** After `bashward`. A name of {@link jobCommands} stands for the id of such a job. */
  words: (world: World) => string[]
  /** Given to its stdin. `open`: it stays open. Default: nothing, and its end. */
  input?: string | 'open'
  terminal?: boolean
  /** Its exit status. Default 0. */
  end?: number
}

const plain = 'echo done'
/** Of bash's own, and of programs that are looked up in the sandbox. */
const curious = 'cat environ key; env; { echo changed >victim; echo changed >up/new; } 2>&1; echo done'

/** Background jobs, each with the words that start it. */
export const jobCommands: Record<string, readonly string[]> = {
  RUNNING: ['--json', '--mode', 'background', 'echo done; /bin/sleep 30'],
  ENDING: ['--json', '--mode', 'background', 'echo done; /bin/sleep 1'],
  ASKING: ['--tty', '--mode', 'background', 'read -r line; /bin/sleep 30'],
  LEAVING: ['--tty', '--mode', 'background', '/bin/sleep 4; echo done'],
}

const run = (name: string, words: Call['words'], more: Partial<Call> = {}): Call => ({
  name: `run ${name}`,
  words: (world) => ['run', ...words(world)],
  ...more,
})

const jobs = (name: string, words: readonly string[], more: Partial<Call> = {}): Call => ({
  name: `jobs ${name}`,
  words: () => ['jobs', ...words],
  ...more,
})

export const calls: readonly Call[] = [
  run('', () => [plain]),
  run('with an open stdin, as of child_process', () => [plain], { input: 'open' }),
  run('with something on stdin', () => ['read -r line; echo "$line"'], { input: 'a line\n' }),
  run('-', () => ['-'], { input: plain }),
  run('--json --timeout --cwd --no-safety', ({ project }) => [
    '--json',
    '--timeout',
    '20',
    '--cwd',
    project,
    '--no-safety',
    plain,
  ]),
  run('--profile exec', () => ['--profile', 'exec', plain]),
  run('--profile suite', () => ['--profile', 'suite', plain]),
  run('--mode slow', () => ['--mode', 'slow', plain]),
  run('--mode background', () => ['--mode', 'background', plain]),
  run('--restricted --scratch', () => [
    '--restricted',
    '--scratch',
    'cat environ; env; echo changed >victim; echo done',
  ]),
  run('--workspace --unreadable', ({ outside }) => [
    '--workspace',
    '.',
    '--unreadable',
    `${outside}/secret`,
    `${curious}; cat secret || :`,
  ]),
  run('--workspace --writable --shared-memory', ({ project }) => [
    '--workspace',
    '.',
    '--writable',
    `${project}/sub`,
    '--shared-memory',
    curious,
  ]),
  run('--workspace --allow-domain', () => [
    '--workspace',
    '.',
    '--allow-domain',
    'registry.example',
    curious,
  ]),
  run('--workspace --login-env', () => ['--workspace', '.', '--login-env', curious]),
  run('a flood', () => ['printf %300000s x']),
  run('--tty --rows --cols', () => ['--tty', '--rows', '20', '--cols', '60', plain], { terminal: true }),
  // The program lies in the workspace.
  run('--strict', () => ['--strict', '--workspace', '.', plain], { end: 125 }),
  { name: 'mcp --print-config', words: () => ['mcp', '--restricted', '--print-config', 'codex'] },
  { name: 'mcp --strict', words: () => ['mcp', '--strict', '--workspace'], end: 125 },
  {
    name: 'worker --strict',
    words: ({ project, app }) => [
      ...['worker', '--strict', '--workspace', '--id', 'w1', '--redis', 'redis://127.0.0.1:1', '--as-root'],
      ...['--workspaces', project, '--state', join(app, 'state'), '--accept-keys', join(app, 'accept.pem')],
    ],
    end: 125,
  },
  { name: 'check', words: () => ['check', '--json', '--cwd', '/', 'git log'] },
  { name: 'check --jsonl', words: () => ['check', '--jsonl'], input: '{"command":"git log"}\n' },
  {
    name: 'check --policy',
    words: ({ app }) => ['check', '--policy', `${app}/policy.json`, '--explain', 'npm test'],
  },
  {
    name: 'check --claude-settings',
    words: ({ app }) => ['check', '--claude-settings', `${app}/settings.json`, '--lenient', '--test'],
  },
  {
    name: 'check --codex-rules',
    words: ({ app }) => ['check', '--codex-rules', `${app}/codex.rules`, 'npm test'],
  },
  { name: 'doctor', words: () => ['doctor'] },
  { name: 'doctor --json', words: () => ['doctor', '--json'], input: 'open' },
  { name: 'help', words: () => ['--help'] },
  jobs('list', ['list', '--running', '--json']),
  jobs('output', ['output', 'RUNNING', '--filter', 'd.ne', '--offset', '1']),
  jobs('output --follow', ['output', 'ENDING', '--follow']),
  jobs('wait', ['wait', 'RUNNING', '--timeout', '0.1'], { end: 123 }),
  jobs('explain', ['explain', 'RUNNING']),
  jobs('watch', ['watch', 'ENDING', '--consumer', 'gate']),
  jobs('watch --match', ['watch', 'ENDING', '--match', 'd.ne']),
  jobs('screen', ['screen', 'ASKING']),
  jobs('input', ['input', 'ASKING', '--no-submit', 'typed']),
  jobs('input --keys', ['input', 'ASKING', '--keys', 'Enter']),
  jobs('input --secret', ['input', 'ASKING', '--secret'], { terminal: true, end: 1 }),
  jobs('attach --read-only', ['attach', 'LEAVING', '--read-only'], { terminal: true }),
  jobs('attach --resize', ['attach', 'LEAVING', '--resize'], { terminal: true }),
  jobs('kill', ['kill', 'RUNNING']),
  jobs('clean', ['clean', '--all']),
]

/** Those that run until they are ended, and what asks them. `REDIS` stands for the address of a server. */
export const servers: Record<string, (world: World) => string[]> = {
  workspace: ({ project, outside }) => [
    ...[
      'mcp',
      '--cwd',
      project,
      '--workspace',
      '--writable',
      `${project}/sub`,
      '--unreadable',
      `${outside}/secret`,
    ],
    ...[
      '--allow-domain',
      'registry.example',
      '--shared-memory',
      '--login-env',
      '--no-safety',
      '--session',
      '--tty',
    ],
    ...['--background-after', '20', '--max-output', '20000', '--structured'],
  ],
  verdicts: ({ app }) => [
    ...['mcp', '--restricted', '--scratch', '--verdicts', '--policy', `${app}/policy.json`],
    ...['--claude-settings', `${app}/settings.json`, '--codex-rules', `${app}/codex.rules`, '--lenient'],
  ],
  http: ({ app }) => [
    ...['mcp', '--http', '127.0.0.1:0', '--token-file', `${app}/token`, '--calls', `${app}/calls`],
    ...['--allow-host', 'mcp.example', '--allow-origin', 'https://mcp.example'],
  ],
  worker: ({ project, app, outside }) => [
    ...[
      ...workerWords(app),
      '--workspaces',
      join(project, 'conversations'),
      '--workspace',
      '--writable',
      join(project, 'sub'),
    ],
    ...[
      '--unreadable',
      `${outside}/secret`,
      '--allow-domain',
      'registry.example',
      '--shared-memory',
      '--login-env',
    ],
    ...['--session-key-fd', '4', '--no-safety', '--concurrency', '4', '--grace', '1', '--live-rate', '65536'],
  ],
  restrictedWorker: ({ project, app }) => [
    ...[...workerWords(app), '--workspaces', join(project, 'conversations'), '--restricted', '--scratch'],
  ],
  status: () => ['worker', 'status', '--redis', 'REDIS', '--redis-password-fd', '3', '--json'],
}

const workerWords = (app: string): string[] => [
  ...[
    'worker',
    '--id',
    'w1',
    '--redis',
    'REDIS',
    '--redis-password-fd',
    '3',
    '--as-root',
    '--state',
    join(app, 'state'),
  ],
  ...['--accept-keys', join(app, 'accept.pem'), '--heartbeat', '0.2', '--ttl', '4'],
]

/** Options of which nothing depends on the world. */
export const inert = ['help', 'version', 'token-fd', 'all']
