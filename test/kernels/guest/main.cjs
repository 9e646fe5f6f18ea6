// What a guest does: asks for the state of the sandbox, and tries out both of its modes. Each result is a line of JSON on stdout.
const { spawnSync } = require('node:child_process')
const { mkdirSync, readdirSync, readFileSync, writeFileSync, writeSync } = require('node:fs')
const { arch, release } = require('node:os')
const { join } = require('node:path')
const { runHost } = require('./host.cjs')
const { ifLocal, moreWorks, serveListed } = require('./sockets.cjs')

const root = join(__dirname, '..')
const work = '/tmp/guest'
const viewOfWork = '/mnt/view'
const attackProgram = join(root, 'programs/attack')

const parameters = readFileSync('/proc/cmdline', 'utf8')
const withControls = / bashward\.controls=1\b/.test(parameters)
const wanted = / bashward\.tables=(\S+)/.exec(parameters)[1].split(',')

const report = (entry) => {
  // To a terminal it may be written in parts.
  let rest = Buffer.from(`${JSON.stringify(entry)}\n`)
  while (rest.length > 0) rest = rest.subarray(writeSync(1, rest))
}

const makeDirectory = (name) => {
  const path = join(work, name)
  mkdirSync(path)
  return path
}

/** What `bashward doctor` says. */
const doctor = () => {
  const words = [join(root, 'dist/cli/bin.js'), 'doctor', '--json']
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (stdout === '') throw new Error(`bashward doctor: ${status}: ${stderr}`)
  return { status, report: JSON.parse(stdout) }
}

/** Commands that write, and what became of the file that they were to write to. */
const runCommands = async (required) => {
  const cwd = makeDirectory(`commands-${required.join('-')}`)
  writeFileSync(join(cwd, 'file'), 'content\n')
  const commands = ['echo x >new', 'echo x >>file']
  const { result } = await runHost('restricted-commands', { argument: { cwd, commands, required } })
  return { ...result, files: readdirSync(cwd), content: readFileSync(join(cwd, 'file'), 'utf8') }
}

const runAttacks = async (sandbox, each) => {
  const directory = makeDirectory(`attacks-${sandbox}`)
  const inherited = join(directory, 'inherited')
  await runHost('sandbox-attacks', {
    // A file that is open for what the host starts.
    prefix: ['bash', '-c', 'echo content >"$0"; exec 9>>"$0"; exec "$@"', inherited],
    argument: {
      sandbox,
      program: attackProgram,
      directory,
      inherited,
      setuidProgram: join(root, 'programs/attack-setuid'),
      devices: '/mnt/machine/dev',
      cores: '/tmp/cores',
    },
    each,
  })
}

const equal = (left, right) => JSON.stringify(left) === JSON.stringify(right)

/** Both results only when they are different. */
const compare = (name, { missing, refusal, thrown, unrestricted, restricted }) => {
  if ((missing ?? refusal ?? thrown) !== undefined) return { name, missing, refusal, thrown }
  return equal(unrestricted, restricted) ? { name, same: true } : { name, unrestricted, restricted }
}

const runMustWork = async () => {
  const { cases, setUp } = require('../test/fixtures/sandbox/must-work.cjs')
  await runHost('sandbox-compare', {
    env: { ...process.env, HOME: makeDirectory('home'), npm_config_update_notifier: 'false' },
    argument: { directory: makeDirectory('must-work'), setUp, cases },
    each: (name, comparison) => report({ command: compare(name, comparison) }),
  })
}

/** Emulated processors are slow: what remains of each kind is tried on every kernel by the tests. */
const works = [
  'git: init, commit, merge, rebase',
  'tar xp',
  'cp -a, mv, ln, install',
  'chmod, chown, touch, umask, mkdir -m',
  'chown to others',
  'sed -i, perl -pi, patch, sort -o, truncate, dd',
  'temporary files',
  'node: files',
  'python: sqlite',
  'python: multiprocessing, with shared memory',
]

const compareWorks = async (home, argument, each) => {
  await runHost('workspace-compare', {
    env: { ...process.env, HOME: makeDirectory(home), npm_config_update_notifier: 'false' },
    argument,
    each: (name, { workspace, ...comparison }) =>
      each(compare(name, { ...comparison, restricted: workspace })),
  })
}

/** What Restricted mode has to refuse, too, has been tried there: here it is what writing makes possible. */
const runFiles = async () => {
  const { workspaceAttacks } = require('../test/fixtures/workspace/attacks/index.cjs')
  const { result } = await runHost('workspace-attacks', {
    argument: {
      sandbox: 'workspace',
      program: attackProgram,
      directory: makeDirectory('workspace'),
      view: join(viewOfWork, 'workspace'),
      slow: true,
      only: workspaceAttacks.map(({ name }) => name),
    },
    each: (name, verdict) => report({ workspaceAttack: { ...verdict, name } }),
  })
  report({ workspace: result })
  if (result.refusal !== undefined) return
  await compareWorks('workspace-home', { directory: makeDirectory('works'), only: works }, (work) =>
    report({ work }),
  )
}

const attackSockets = async (sandbox, each) => {
  const directory = makeDirectory(`sockets-${sandbox}`)
  const argument = { sandbox, ofNetwork: true, program: attackProgram, directory, slow: true }
  return await runHost('workspace-attacks', { argument, each })
}

const runSockets = async () => {
  const local = ifLocal()
  const { result } = await attackSockets('workspace', (name, verdict) =>
    report({ socketAttack: local.verdict({ ...verdict, name }) }),
  )
  report({ sockets: result })
  if (result.refusal !== undefined) return
  if (withControls) {
    await attackSockets('unrestricted', (name, verdict) => report({ socketControl: { ...verdict, name } }))
  }
  const directory = makeDirectory('socket-works')
  const each = (socketWork) => report({ socketWork })
  await compareWorks('socket-home', { directory, ofNetwork: true, only: local.works() }, each)
  const { place, close } = await serveListed()
  try {
    await compareWorks('host-home', { directory, given: moreWorks(place) }, each)
  } finally {
    close()
  }
}

/** Every protection that is missing is required once. */
const runRequirements = async ({ protections }) => {
  for (const { name } of protections.filter(({ enforced }) => !enforced)) {
    report({ requirement: { name, ...(await runCommands([name])) } })
  }
}

const runRestricted = async (state) => {
  await runRequirements(state)
  await runAttacks('restricted', (name, verdict) => report({ attack: { ...verdict, name } }))
  if (withControls) {
    await runAttacks('unrestricted', (name, verdict) => report({ control: { ...verdict, name } }))
  }
  await runMustWork()
}

const tables = { restricted: runRestricted, files: runFiles, sockets: runSockets }

const runTables = async (state) => {
  for (const table of wanted) {
    const begin = Date.now()
    await tables[table](state)
    report({ took: { table, seconds: Math.round((Date.now() - begin) / 1000) } })
  }
}

const main = async () => {
  report({ machine: { release: release(), architecture: arch(), uid: process.getuid() } })
  try {
    report({ doctor: doctor() })
    const host = await runCommands([])
    report({ host })
    if (host.report.available) await runTables(host.report)
  } catch (error) {
    report({ problem: String(error.stack) })
  }
  report({ ended: true })
}

main()
