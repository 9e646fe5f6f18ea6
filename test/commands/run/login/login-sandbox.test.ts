// Start-up files run under the policy of the call, and what they set does not change that policy.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunOptions, run } from '../../../../lib/index.js'
import { testRestricted } from '../../../support/restricted.js'
import { counting, makeHome, restoreHome } from '../../../support/start-up-files.js'
import { removeTempDirs } from '../../../support/temp-dir.js'
import { testWorkspace } from '../../../support/workspace.js'

afterEach(() => {
  restoreHome()
  removeTempDirs()
})

const env = { login: true }

testRestricted('in Restricted mode they write nothing', async () => {
  const { home, project } = makeHome('touch ~/written; export MARK=set')
  const { output } = await run('echo "<$MARK>"', { cwd: project, env, sandbox: 'restricted' })

  expect([output, existsSync(join(home, 'written'))]).toEqual(['<set>\n', false])
})

testWorkspace('in Workspace mode they write in the workspace, and nowhere else', async () => {
  const { home, project } = makeHome('touch ~/written ~/project/written; export MARK=set')
  const { output } = await run('echo "<$MARK>"', { cwd: project, env, sandbox: 'workspace' })

  expect(output).toBe('<set>\n')
  expect([existsSync(join(home, 'written')), existsSync(join(project, 'written'))]).toEqual([false, true])
})

testWorkspace('each sandbox is asked for itself', async () => {
  const { project } = makeHome('touch ~/try 2>/dev/null && export MARK=free || export MARK=confined')
  const outputs: string[] = []
  for (const sandbox of ['unrestricted', 'workspace', 'unrestricted'] as const)
    outputs.push((await run('echo "$MARK"', { cwd: project, env, sandbox })).output)

  expect(outputs).toEqual(['free\n', 'confined\n', 'free\n'])
})

testWorkspace('the scratch directory of the login shell is nobody else’s', async () => {
  const { project } = makeHome('export MARK=set')
  const { output } = await run('[ -d "$TMPDIR" ] && : >"$TMPDIR/x" && echo "$MARK"', {
    cwd: project,
    env,
    sandbox: 'workspace',
  })

  expect(output).toBe('set\n')
})

testWorkspace('a HOME that they set moves no path of the policy', async () => {
  const { home, project, write } = makeHome('export HOME=/nonexistent')
  write('secret', 'hidden')
  mkdirSync(join(home, 'more'))
  const policy = { writable: [project, '~/more'], unreadable: ['~/secret'] }
  const command = `cat '${home}/secret'; : >'${home}/more/file'; echo "$HOME"`
  const { output } = await run(command, { cwd: project, env, sandbox: policy })

  expect(output).not.toContain('hidden')
  expect(output).toMatch(/\/nonexistent\n$/)
  expect(existsSync(join(home, 'more', 'file'))).toBe(true)
})

testWorkspace('what they change of watched paths is told with the first call', async () => {
  const { project } = makeHome('mkdir -p .git/hooks; echo true > .git/hooks/post-checkout')
  mkdirSync(join(project, '.git'))
  const options: RunOptions = { cwd: project, env, sandbox: 'workspace' }
  const results = [await run('true', options), await run('true', options)]

  expect(results.map(({ protectedChanged }) => protectedChanged !== undefined)).toEqual([true, false])
})

testWorkspace('a way to the proxy is that of the command itself', async () => {
  const { project } = makeHome(`printf %s "$HTTP_PROXY" > ~/project/proxy`)
  const workspace = { network: { domains: ['registry.example'] } }
  const command = '[ "$HTTP_PROXY" != "$(cat proxy)" ] && env | grep -c "^HTTP_PROXY="'
  const { output } = await run(command, { cwd: project, env, sandbox: 'workspace', workspace })

  expect(output).toBe('1\n')
  expect(readFileSync(join(project, 'proxy'), 'latin1')).toMatch(/^http:/)
})

testRestricted('a protection that is not to be had refuses the command, as without it', async () => {
  const { project, count } = makeHome(counting)
  const options: RunOptions = { cwd: project, env, sandbox: { writable: [join(project, 'gone')] } }

  await expect(run('true', options)).rejects.toMatchObject({ code: 'ERR_INVALID_INPUT' })
  expect(count()).toBe(0)
})
