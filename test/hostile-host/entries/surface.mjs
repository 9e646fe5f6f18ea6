// Prints what the package offers: its entry points, what each exports, and the methods of what those make. Run in the host's
// place, where `bashward` is found by its name.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { exports } = JSON.parse(readFileSync(require.resolve('bashward/package.json'), 'utf8'))
const modules = Object.keys(exports)
  .filter((path) => path !== './package.json')
  .map((path) => `bashward${path.slice(1)}`)
const loaded = Object.fromEntries(await Promise.all(modules.map(async (name) => [name, await import(name)])))
const {
  bashward: { BashSession, CallLedger, createBashSuite, createBashTool, createExecTool, JobStore },
} = loaded
const [workingDir, directory] = process.argv.slice(2)

const methodsOf = (value) => {
  const names = new Set()
  for (
    let each = value;
    each !== Object.prototype && each !== Function.prototype;
    each = Object.getPrototypeOf(each)
  ) {
    const own = Object.entries(Object.getOwnPropertyDescriptors(each)).filter(
      ([, { value }]) => typeof value === 'function',
    )
    for (const [name] of own) if (name !== 'constructor') names.add(name)
  }
  return [...names]
}

const client = loaded['bashward/openai'].openaiSandbox({ workingDir, sandbox: 'unrestricted' })
const harness = loaded['bashward/ai'].harnessSandbox({ sandbox: 'unrestricted', baseDirectory: directory })
const session = await harness.createSession()
const made = {
  createBashTool: createBashTool({ verdicts: {} }),
  createExecTool: createExecTool(),
  createBashSuite: Object.fromEntries(
    Object.keys(createBashSuite({ tty: true })).map((name) => [name, () => {}]),
  ),
  JobStore: new JobStore({ directory: `${directory}/jobs` }),
  BashSession: Object.assign(new BashSession({ workingDir }), { restore: BashSession.restore }),
  CallLedger: new CallLedger({ directory: `${directory}/calls` }),
  SandboxSession: session.restricted(),
  harnessSandbox: harness,
  HarnessSandboxSession: session,
  openaiSandbox: client,
  OpenaiSandboxSession: await client.create(),
  OpenaiEditor: (await client.create()).createEditor(),
}
await session.destroy()
const names = [
  ...modules.flatMap((name) =>
    Object.keys(loaded[name])
      .filter((each) => each !== 'default')
      .map((each) => `${name}.${each}`),
  ),
  ...Object.entries(made).flatMap(([name, value]) => methodsOf(value).map((each) => `${name}.${each}`)),
]
console.log(JSON.stringify(names))
process.exit()
