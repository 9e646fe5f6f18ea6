// A project with vite, whose packages have native parts: installing by the proxy, building, serving and testing it come
// out in Workspace mode as they do without.
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../support/as-user.js'
import { type Host, killHosts, startHost } from '../../support/host.js'
import { casesInTurn } from '../../support/in-turns.js'
import { cannotTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { expectSame } from '../compare-work.js'
import { directoryOf, environmentOf, users } from '../workspace-hosts.js'
import { closeServers } from './local-servers.js'
import { serveTarballs } from './tarball-registry.js'
import { fetchTarballs, isForThisMachine, lockedPackages } from './tarballs.js'

const fixture = join(packageRoot, 'test/fixtures/workspace/vite-project')
const pnpmVersion = '10.34.8'

afterAll(killHosts)
afterAll(closeServers)
afterAll(removeTempDirs)

/** What the works need; why they cannot be done. */
interface Prepared {
  place: string
  certificate: string
  project: string
  installed: string
  pnpm: string
}

const settings = ({ place, certificate }: Pick<Prepared, 'place' | 'certificate'>): string =>
  `export npm_config_registry=https://${place}/ npm_config_cafile=${certificate} NODE_EXTRA_CA_CERTS=${certificate}
export npm_config_update_notifier=false npm_config_userconfig=/dev/null npm_config_audit=false npm_config_fund=false`

const prepare = async (): Promise<Prepared | string> => {
  const locked = lockedPackages(fixture)
  const specifications = locked.filter(isForThisMachine).map(({ name, version }) => `${name}@${version}`)
  const tarballs = fetchTarballs(specifications)
  const ofPnpm = fetchTarballs([`pnpm@${pnpmVersion}`])
  if ('obstacle' in tarballs) return tarballs.obstacle
  if ('obstacle' in ofPnpm) return ofPnpm.obstacle
  const others = locked.filter((manifest) => !isForThisMachine(manifest))
  const server = await serveTarballs(tempDir(), tarballs, others)
  if (server === undefined) return 'there is no openssl'
  chmodSync(server.certificate, 0o644)
  const [project, pnpm] = [tempDir(), tempDir()]
  cpSync(fixture, project, { recursive: true })
  writeFileSync(join(pnpm, 'pnpm.tgz'), ofPnpm[0]?.bytes ?? '')
  const unpacked = spawnSync('tar', ['-xzf', 'pnpm.tgz', '--no-same-owner'], { cwd: pnpm, encoding: 'utf8' })
  if (unpacked.status !== 0) throw new Error(unpacked.stderr)
  return { ...server, project, installed: tempDir(), pnpm: join(pnpm, 'package/bin/pnpm.cjs') }
}

const names = {
  npm: 'npm installs what is locked, over https',
  pnpm: 'pnpm installs, over https',
  build: 'vite builds',
  serve: 'the server for development answers, and takes up a change',
  test: 'the tests start servers and ask them',
}

const worksOf = (prepared: Prepared) => {
  const { place, project, installed, pnpm } = prepared
  const set = `set -e\n${settings(prepared)}`
  const policy = { network: { domains: [place] } }
  const ready = `cp -r --preserve=mode,timestamps,links '${installed}/.' .`
  const own = { needs: [], prepare: ready }
  return [
    {
      name: names.npm,
      needs: ['npm', 'node'],
      prepare: `cp -r '${project}/.' .`,
      command: `${set}\nnpm ci --silent; npm ls --all --parseable | wc -l\nnode_modules/.bin/esbuild --version; node -p 'require("rollup").VERSION'`,
      policy,
    },
    {
      name: names.pnpm,
      needs: ['node'],
      prepare: `cp -r '${project}/.' .`,
      command: `${set}\nexport npm_config_store_dir=$PWD/store
node '${pnpm}' install --silent; node '${pnpm}' list --depth 0 | tail -3; node_modules/.bin/vite --version | sed 's/ .*//'; rm -rf store`,
      changing: '(\\.modules\\.yaml|\\.pnpm-workspace-state[^/]*)$',
      policy,
    },
    {
      ...own,
      name: names.build,
      command: `set -e; npm run --silent build | sed 's/built in .*/built/'; grep -o 'The answer is' dist/assets/*.js`,
    },
    {
      ...own,
      name: names.serve,
      command: `port=$(node -e 'const s = require("net").createServer().listen(0, "localhost", () => { console.log(s.address().port); s.close() })')
node_modules/.bin/vite --host localhost --port "$port" --strictPort >log 2>&1 & server=$!
get() { curl -sS "http://localhost:$port$1"; }
for i in $(seq 600); do get / >/dev/null 2>&1 && break; sleep .05; done
get / | grep -c /@vite/client; get /answer.ts | head -1; get /style.css | grep -o rebeccapurple
sed -i 's/42/43/' answer.ts
for i in $(seq 600); do get /answer.ts | grep -q 43 && break; sleep .05; done; get /answer.ts | head -1
# Written some time after the first request.
for i in $(seq 600); do [ -e node_modules/.vite/deps ] && break; sleep .05; done
kill "$server"; wait; rm log`,
    },
    {
      ...own,
      name: names.test,
      command: `npm test --silent -- --test-reporter=tap | grep -E '^ *(not )?ok|^# (pass|fail)'`,
    },
  ]
}

let prepared: Prepared | string

beforeAll(async () => {
  prepared = await prepare()
  if (typeof prepared === 'string') return
  const { installed, project } = prepared
  // Not synchronously: the registry is in this process.
  const install = `cp -r '${project}/.' . && ${settings(prepared)} && npm ci --loglevel error`
  const env = { ...environmentOf(false), npm_config_cache: tempDir() }
  await promisify(execFile)('bash', ['--norc', '-c', install], { cwd: installed, env, timeout: 120_000 })
}, 300_000)

describe.each(users)('as $user', ({ ordinaryUser }) => {
  const only = casesInTurn(Object.values(names), Number(ordinaryUser), users.length)
  let host: Host | undefined

  beforeAll(() => {
    if (typeof prepared === 'string') return
    host = startHost('workspace-compare', {
      ordinaryUser,
      env: { ...environmentOf(ordinaryUser), npm_config_cache: directoryOf(ordinaryUser) },
      argument: {
        directory: directoryOf(ordinaryUser),
        only,
        given: worksOf(prepared),
      },
    })
  })

  test.each(only)(
    '%s',
    async (name) => {
      if (host === undefined) return cannotTest(String(prepared))
      await expectSame(host, name)
    },
    300_000,
  )
})
