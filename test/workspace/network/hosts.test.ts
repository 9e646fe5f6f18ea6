// Commands that install and fetch reach the hosts that their policy lists, by the proxy, and no others.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BashResult } from '../../../lib/index.js'
import { killHosts, runHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { directoryOf, environmentOf, testWorkspace, users } from '../workspace-hosts.js'
import { closeServers, filesOf, serveHttp, serveHttps, serveRegistry } from './local-servers.js'

afterEach(killHosts)
afterAll(closeServers)
afterAll(removeTempDirs)

const git = (cwd: string, ...words: string[]): void => {
  const identity = ['-c', 'user.name=Somebody', '-c', 'user.email=s@example.org']
  const { status, stderr } = spawnSync('git', [...identity, ...words], { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

const quiet = 'export npm_config_update_notifier=false npm_config_userconfig=/dev/null npm_config_audit=false'

const makeWheel = `import zipfile
files = {'leaf.py': 'def answer(): return 42\\n', 'leaf-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\\nName: leaf\\nVersion: 1.0\\n',
  'leaf-1.0.dist-info/WHEEL': 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n', 'leaf-1.0.dist-info/RECORD': ''}
with zipfile.ZipFile('leaf-1.0-py3-none-any.whl', 'w') as z:
  for name, text in files.items(): z.writestr(name, text)`

describe.each(users)('as $user', ({ ordinaryUser }) => {
  const runListed = async (command: string, domains: string[]): Promise<BashResult> => {
    const workspace = { network: { domains } }
    const options = { cwd: directoryOf(ordinaryUser), sandbox: 'workspace', workspace, timeout: 120_000 }
    const { results } = await runHost<{ results: BashResult[] }>('run-commands', {
      ordinaryUser,
      env: environmentOf(ordinaryUser),
      argument: { commands: [{ command, options }] },
    })
    return results[0] as BashResult
  }

  testWorkspace(
    'git clones over https',
    async () => {
      const directory = tempDir()
      mkdirSync(join(directory, 'source'))
      git(join(directory, 'source'), 'init', '-q', '-b', 'main')
      git(join(directory, 'source'), 'commit', '-q', '--allow-empty', '-m', 'first')
      git(directory, 'clone', '-q', '--bare', 'source', 'g.git')
      git(join(directory, 'g.git'), 'update-server-info')
      const server = await serveHttps(directory, filesOf(directory))
      if (server === undefined) return cannotTest('there is no openssl')
      const { place, certificate } = server

      const clone = `GIT_SSL_CAINFO=${certificate} git clone -q https://${place}/g.git g && git -C g log --format=%s`
      const listed = await runListed(clone, [place])
      expect(listed).toMatchObject({ status: 'completed', output: 'first\n' })
      expect(listed.denials).toBeUndefined()

      const unlisted = await runListed(clone, ['registry.example'])
      expect(unlisted).toMatchObject({ status: 'failed', output: expect.not.stringContaining('first') })
    },
    180_000,
  )

  testWorkspace(
    'npm installs, and installs again what is locked',
    async () => {
      const place = await serveRegistry(tempDir(), ['re2js', 'node-gyp-build'])
      const { status, output, denials } = await runListed(
        `set -e; ${quiet} npm_config_registry=http://${place}/ npm_config_fetch_retries=0
echo '{ "name": "app", "dependencies": { "re2js": "*", "node-gyp-build": "*" } }' >package.json
npm install --silent --no-fund; rm -rf node_modules; npm ci --silent --no-fund
node -p 'Object.keys(JSON.parse(fs.readFileSync("package-lock.json")).packages).length'; ls node_modules`,
        [place],
      )

      expect({ status, output, denials }).toEqual({
        status: 'completed',
        output: '3\nnode-gyp-build\nre2js\n',
      })
    },
    180_000,
  )

  testWorkspace(
    'pip installs into a virtual environment',
    async () => {
      const directory = tempDir()
      mkdirSync(join(directory, 'simple/leaf'), { recursive: true })
      if (spawnSync('python3', ['-c', makeWheel], { cwd: directory }).status !== 0) {
        return cannotTest('there is no python3')
      }
      const file = '/leaf-1.0-py3-none-any.whl'
      const place = await serveHttp((request, answer) => {
        if (request.url === file) return filesOf(directory)(request, answer)
        answer.setHeader('content-type', 'text/html').end(`<a href="${file}">leaf-1.0-py3-none-any.whl</a>`)
      })
      const { status, output, denials } = await runListed(
        `export PIP_DISABLE_PIP_VERSION_CHECK=1; python3 -m venv env &&
env/bin/pip install -q --index-url http://${place}/simple --trusted-host 127.0.0.1 leaf && env/bin/python -c 'import leaf; print(leaf.answer())'`,
        [place],
      )
      if (/ensurepip is not|No module named venv/.test(output)) return cannotTest('there is no venv')

      expect({ status, output, denials }).toEqual({ status: 'completed', output: '42\n' })
    },
    180_000,
  )

  testWorkspace('what is not listed is answered with 403, and named with its grant', async () => {
    const listed = await serveHttp((_, answer) => void answer.end('listed\n'))
    let arrived = 0
    const other = await serveHttp((_, answer) => {
      arrived += 1
      answer.end('other\n')
    })
    const result = await runListed(
      `curl -sS http://${listed}/; curl -s -o /dev/null -w '%{http_code}\\n' http://${other}/
curl -s -o /dev/null -w '%{http_connect}\\n' https://unlisted.example/; curl -s --noproxy '*' http://${other}/; echo "$?"`,
      [listed],
    )

    expect(result.output).toBe('listed\n403\n403\n7\n')
    expect(arrived).toBe(0)
    expect(result.denials).toContainEqual({
      operation: 'network',
      target: 'unlisted.example:443',
      grant: { network: { domains: ['unlisted.example'] } },
    })
    expect(result.denials).toContainEqual(expect.objectContaining({ operation: 'connect', target: other }))
  })

  testWorkspace('a server of its own is reached beside the proxy', async () => {
    const listed = await serveHttp((_, answer) => void answer.end('listed\n'))
    const own = `require('http').createServer((_, a) => a.end('own\\n')).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
    const { output, denials } = await runListed(
      `curl -sS http://${listed}/; exec 3< <(node -e "${own}"); read -u 3 port; curl -sS "http://localhost:$port/"; kill "$!"`,
      [listed],
    )

    expect({ output, denials }).toEqual({ output: 'listed\nown\n' })
  })
})
