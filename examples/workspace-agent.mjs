// An agent that installs, builds and tests a project in Workspace mode: its commands write in the project and nowhere else,
// start servers of their own, and reach one host, the registry. The model is a script, and the registry a server of this
// program's, so that it needs neither an API key nor the internet.
//
//   node examples/workspace-agent.mjs

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { styleText } from 'node:util'
import { createBashTool, run } from 'bashward'

const directory = mkdtempSync(join(tmpdir(), 'bashward-workspace-'))
const project = join(directory, 'project')

/** What the agent finds: a server that greets, its build, and its test. */
const files = {
  'package.json': JSON.stringify({
    scripts: { build: 'mkdir -p dist && cp server.js dist/', test: 'node --test' },
    dependencies: { greeting: '^1.0.0' },
  }),
  'server.js': `const { createServer } = require('node:http')
module.exports = createServer((_, response) => response.end(require('greeting')('world')))
`,
  'server.test.js': `const test = require('node:test')
const server = require('./dist/server.js')
test('greets', async (t) => {
  t.after(() => server.close())
  await new Promise((resolve) => server.listen(0, 'localhost', resolve))
  const response = await fetch('http://localhost:' + server.address().port)
  t.assert.strictEqual(await response.text(), 'hello, world')
})
`,
}
for (const [name, text] of Object.entries(files)) write(join(project, name), text)

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** A registry with one package, on an address of this machine that commands cannot reach by themselves. */
async function startRegistry() {
  write(join(directory, 'package/package.json'), '{ "name": "greeting", "version": "1.0.0" }')
  write(join(directory, 'package/index.js'), 'module.exports = (whom) => `hello, ${whom}`\n')
  await run('tar -czf greeting.tgz package', { cwd: directory })
  const tarball = readFileSync(join(directory, 'greeting.tgz'))
  const server = createServer(({ url }, response) => {
    if (url.endsWith('.tgz')) return response.end(tarball)
    const dist = { tarball: `http://${host}/greeting.tgz` }
    const version = { name: 'greeting', version: '1.0.0', dist }
    response.end(
      JSON.stringify({ name: 'greeting', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }),
    )
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.2', resolve))
  const host = `127.0.0.2:${server.address().port}`
  return { host, close: () => server.close() }
}

/** Takes the place of a language model: it reads the last result and decides by it. */
const decisions = [
  { reads: /^Install/, does: 'npm install --no-audit --no-fund' },
  { reads: /^added 1 package/m, does: 'npm run build && npm test' },
  {
    reads: /^# pass 1$|^ℹ pass 1$/m,
    does: 'npm view --fetch-retries 0 left-pad --registry http://elsewhere.example',
  },
  {
    reads: /^\[sandbox: only .* can be reached/m,
    says: 'Done. What I wanted from elsewhere.example was refused.',
  },
]

function decide(text) {
  const decision = decisions.find(({ reads }) => reads.test(text))
  if (decision === undefined) throw new Error(`the script has no answer to: ${text}`)
  return decision
}

const registry = await startRegistry()
write(join(project, '.npmrc'), `registry=http://${registry.host}/\n`)

// A real one is listed by its name alone, such as 'registry.example'.
const bash = createBashTool({ workspace: { network: { domains: [registry.host] } } })
const context = { workingDir: project, sandbox: 'workspace' }

try {
  let text = 'Install, build and test the project.'
  for (let decision = decide(text); decision.does !== undefined; decision = decide(text)) {
    console.log(styleText('bold', `$ ${decision.does}`))
    const result = await bash.execute({ command: decision.does, mode: 'slow' }, context)
    text = bash.toText(result)
    console.log(`${text.trimEnd()}\n`)
    // Whether to allow more is a person's decision: this host asks nobody, and leaves it refused.
    for (const { operation, target, grant } of result.denials ?? []) {
      console.log(styleText('dim', `(${operation} ${target} would take ${JSON.stringify(grant)})\n`))
    }
  }
  console.log(decide(text).says)
} finally {
  registry.close()
  rmSync(directory, { recursive: true })
}
