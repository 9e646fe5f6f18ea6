// The machine of a person whose project was in an agent's hands: the project, with bashward among its packages, the home
// directory, whose settings are links into the project, and what lies outside.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '../../lib/index.js'
import { packageRoot } from '../support/as-user.js'
import { tempDir } from '../support/temp-dir.js'

export interface World {
  /** Everything is in it. */
  base: string
  /** The only directory that commands may write to: in the home directory, as most are. */
  project: string
  home: string
  /** Files that nobody may change: `victim`, `secret`, and `marks`, where planted programs note that nothing confined them. */
  outside: string
  /** The host's own code, and its `node_modules`, which is that of the project. */
  app: string
  /** What bashward keeps of the user. */
  state: string
  /** The installed package. */
  package: string
  /** What an attacker must not learn: of the host's environment, of the private key, and of an unreadable file. */
  secrets: Record<'variable' | 'token' | 'key' | 'file', string>
}

const peers = [
  'ai',
  '@openai',
  '@anthropic-ai',
  '@agentclientprotocol',
  '@modelcontextprotocol',
  'bullmq',
  'ioredis',
  'zod',
]
const dependencies = ['node-gyp-build', 're2js', 'unbash']

/** Everything below is planted by a command in Workspace mode. */
export async function hostileWorld(): Promise<World> {
  const base = realpathSync(tempDir())
  const [home, outside, app] = [join(base, 'home'), join(base, 'outside'), join(base, 'app')]
  const project = join(home, 'project')
  const world: World = {
    ...{ base, project, home, outside, app },
    state: join(home, '.local/state/bashward'),
    package: join(project, 'node_modules/bashward'),
    secrets: {
      variable: 'pa55-of-variable',
      token: 'tok3n-of-variable',
      key: 'k3y-of-home',
      file: 's3cret-file',
    },
  }
  for (const directory of [project, app, join(home, '.ssh'), join(home, '.local/state')])
    mkdirSync(directory, { recursive: true })
  chmodSync(join(home, '.ssh'), 0o700)
  furnish(world)
  install(world)
  await plant(world)
  linkSettings(world)
  return world
}

/** What nobody may change: made at first, and anew where somebody did. */
export function furnish({ home, outside, secrets }: World): void {
  rmSync(outside, { recursive: true, force: true })
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret'), `${secrets.file}\n`)
  writeFileSync(join(outside, 'victim'), 'unchanged\n')
  execFileSync('mkfifo', [join(outside, 'fifo')])
  writeFileSync(join(home, '.ssh/id_ed25519'), `${secrets.key}\n`)
  rmSync(join(home, 'made'), { force: true })
}

function install({ app, project, package: installed }: World): void {
  for (const part of ['package.json', 'dist', ...nativeParts()]) {
    cpSync(join(packageRoot, part), join(installed, part), { recursive: true })
  }
  const modules = join(project, 'node_modules')
  for (const name of dependencies) {
    cpSync(join(packageRoot, 'node_modules', name), join(modules, name), { recursive: true })
  }
  for (const name of peers) symlinkSync(join(packageRoot, 'node_modules', name), join(modules, name))
  symlinkSync(modules, join(app, 'node_modules'))
  cpSync(join(__dirname, 'entries'), app, { recursive: true })
  cpSync(join(__dirname, 'planting/rewrite.sh'), join(app, 'rewrite.sh'))
}

/** What a checkout has built; that is loaded first. */
const nativeParts = (): string[] =>
  readdirSync(join(packageRoot, 'build/Release'))
    .filter((name) => name.startsWith('bashward'))
    .map((name) => join('build/Release', name))

async function plant({ project, home, outside }: World): Promise<void> {
  const text = (name: string) => readFileSync(join(__dirname, 'planting', name), 'utf8')
  const program = text('program').replaceAll('@PROJECT@', project).replaceAll('@OUTSIDE@', outside)
  const { status, output } = await run(text('plant.sh'), {
    cwd: project,
    sandbox: 'workspace',
    env: { set: { OUTSIDE: outside, HOME_DIR: home, PROGRAM: program } },
  })
  if (status !== 'completed') throw new Error(`the command could not plant anything: ${status}\n${output}`)
}

/** As people do who keep their settings in a repository. With an unreadable file among them, Workspace mode would be refused. */
function linkSettings({ home, project }: World): void {
  for (const entry of readdirSync(join(project, 'dotfiles'))) {
    symlinkSync(join(project, 'dotfiles', entry), join(home, `.${entry}`))
  }
}

/** The environment of a host in the project: that of `npm run`, direnv, and a person's profile. */
export function hostEnvironment({ project, home, secrets }: World): Record<string, string> {
  // With `.` or an empty entry Workspace mode would be refused by name.
  const path = ['node_modules/.bin', 'bin', join(project, 'node_modules/.bin'), join(project, 'bin')]
  return {
    PATH: [...path, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    TMPDIR: join(project, 'tmp'),
    INIT_CWD: project,
    npm_config_prefix: project,
    npm_config_script_shell: join(project, 'bin/bash'),
    npm_execpath: join(project, 'bin/npm'),
    npm_node_execpath: join(project, 'bin/node'),
    SHELL: join(project, 'bin/bash'),
    TERM: 'xterm',
    LANG: 'C.UTF-8',
    DATABASE_URL: `postgres://user:${secrets.variable}@db.example/app`,
    API_TOKEN: secrets.token,
  }
}

/** Files for the options that read rules, and the token of a server. */
export function writeRules({ app }: World): void {
  const rule = { prefix: ['npm', 'test'], decision: 'allow' }
  writeFileSync(join(app, 'policy.json'), JSON.stringify({ rules: [rule] }))
  writeFileSync(join(app, 'settings.json'), JSON.stringify({ permissions: { allow: ['Bash(npm test:*)'] } }))
  writeFileSync(join(app, 'codex.rules'), 'prefix_rule(pattern=["npm", "test"], decision="allow")\n')
  writeFileSync(join(app, 'token'), `${token}\n`, { mode: 0o600 })
}

/** That of a server on HTTP. */
export const token = randomBytes(32).toString('base64')
