// `env: { login: true }`: commands have what the user's start-up files set.
import { run } from '../../../../lib/index.js'
import { counting, makeHome, restoreHome } from '../../../support/start-up-files.js'
import { removeTempDirs } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'

afterEach(() => {
  restoreHome()
  removeTempDirs()
})

const env = { login: true }
const show = 'echo "<$MARK>"'

test('without it no start-up file is read', async () => {
  const { project, count } = makeHome(`${counting}export MARK=set`)
  const { output } = await run(show, { cwd: project })

  expect([output, count()]).toEqual(['<>\n', 0])
})

test('what start-up files of an interactive login shell set is there', async () => {
  const { project, write } = makeHome('. ~/.bashrc')
  write('.bashrc', 'case $- in *i*) ;; *) return;; esac\nexport MARK=set PATH="$HOME/nvm/bin:$PATH"')
  const { output, loginError } = await run(`${show}; echo "\${PATH%%:*}"`, { cwd: project, env })

  expect([output, loginError]).toEqual([`<set>\n${process.env.HOME}/nvm/bin\n`, undefined])
})

test('what they print is not mistaken for the answer', async () => {
  const noise = "echo noise; echo noise >&2; printf 'MARK=noise\\0'; exec 1>/dev/null; export MARK=$'a\\nb'"
  const { project } = makeHome(noise)
  const { output } = await run(show, { cwd: project, env })

  expect(output).toBe('<a\nb>\n')
})

test('hooks for a prompt have run, in the directory of the command', async () => {
  const hook = 'hook() { [ -f .envrc ] && . ./.envrc; }; PROMPT_COMMAND=(false hook)'
  const { project, write } = makeHome(hook)
  write('project/.envrc', 'export MARK=$PWD')
  const { output } = await run(show, { cwd: project, env })

  expect(output).toBe(`<${project}>\n`)
})

test('functions and prompts are not taken over', async () => {
  const { project } = makeHome('f() { :; }; export -f f; export PS1=prompt MARK=set')
  const { output } = await run(`${show}; echo "$PS1"; declare -F`, { cwd: project, env })

  expect(output).toBe('<set>\n\n')
})

test('secrets in them are withheld, and taken out of output', async () => {
  const { project } = makeHome('export MY_API_KEY=q7Jx2vPz9LmT4bWk')
  const command = 'echo "<$MY_API_KEY>"; cat ~/.bash_profile'
  const { output, removedEnv, redacted } = await run(command, { cwd: project, env })

  expect(output).toBe('<>\nexport MY_API_KEY=[removed: MY_API_KEY]')
  expect(removedEnv).toContain('MY_API_KEY')
  expect(redacted).toEqual({ MY_API_KEY: 1 })
})

test('they do not see what is withheld of the host', async () => {
  process.env.HOSTS_API_KEY = 'value-of-hosts-1'
  const { project } = makeHome(`export MARK="\${HOSTS_API_KEY-none}"`)
  const { output } = await run(show, { cwd: project, env })
  delete process.env.HOSTS_API_KEY

  expect(output).toBe('<none>\n')
})

test('neither ~/.bash_logout nor an EXIT trap has a part in it', async () => {
  const { project, write, count } = makeHome(`trap '${counting.trim()}' EXIT; export MARK=set`)
  write('.bash_logout', counting)
  const { output } = await run(show, { cwd: project, env })

  expect([output, count()]).toEqual(['<set>\n', 0])
})

test('they are read once, until one of them changes', async () => {
  const { project, write, count } = makeHome(`${counting}export MARK=one`)
  const outputs: string[] = []
  for (const text of [undefined, undefined, 'export MARK=of-two']) {
    if (text !== undefined) write('.bash_profile', counting + text)
    outputs.push((await run(show, { cwd: project, env })).output)
  }

  expect(outputs).toEqual(['<one>\n', '<one>\n', '<of-two>\n'])
  expect(count()).toBe(2)
})

test('another directory is asked for itself', async () => {
  const { home, project } = makeHome('export MARK=$PWD')
  const outputs = [home, project].map(async (cwd) => (await run(show, { cwd, env })).output)

  expect(await Promise.all(outputs)).toEqual([`<${home}>\n`, `<${project}>\n`])
})

test('commands that run at once ask once', async () => {
  const { project, count } = makeHome(`${counting}sleep 0.2; export MARK=set`)
  const results = await Promise.all(Array.from({ length: 8 }, () => run(show, { cwd: project, env })))

  expect(new Set(results.map(({ output }) => output))).toEqual(new Set(['<set>\n']))
  expect(count()).toBe(1)
})

test('a command that is cancelled while it waits does not run, and others go on waiting', async () => {
  const { project, count } = makeHome(`${counting}until [ -e ~/go ]; do sleep 0.02; done; export MARK=set`)
  const { write } = { write: (name: string) => run(`touch ~/${name}`, { cwd: project }) }
  const controller = new AbortController()
  const cancelled = run(show, { cwd: project, env, cancelSignal: controller.signal })
  const other = run(show, { cwd: project, env })
  await waitFor(() => count() === 1, { what: 'the start-up files to be read' })
  controller.abort()

  expect(await cancelled).toMatchObject({ status: 'cancelled', output: '' })
  await write('go')
  expect(await other).toMatchObject({ status: 'completed', output: '<set>\n' })
  expect(count()).toBe(1)
})

test('when nobody waits any more, the login shell is ended', async () => {
  const { project, count } = makeHome(`${counting}echo $$ > ~/pid; while :; do sleep 0.05; done`)
  const controller = new AbortController()
  const cancelled = run(show, { cwd: project, env, cancelSignal: controller.signal })
  await waitFor(() => count() === 1, { what: 'the start-up files to be read' })
  controller.abort()
  await cancelled

  const isGone = async () => (await run('! kill -0 "$(cat ~/pid)"', { cwd: project })).status === 'completed'
  expect(await waitFor(isGone, { what: 'the login shell to end' })).toBe(true)
})

test('a value that is no boolean is refused by name', async () => {
  await expect(run(show, { cwd: '/', env: { login: 'yes' as never } })).rejects.toMatchObject({
    code: 'ERR_INVALID_INPUT',
    message: expect.stringContaining('env.login'),
  })
})
