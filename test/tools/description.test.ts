// What descriptions say of state between calls is what calls find.

import { BashSession, createBashSuite, createBashTool, type Tool, type ToolContext } from '../../lib/index.js'
import { betaBashTool } from '../../lib/surfaces/adapters/anthropic.js'

const says = /(?:working directory persist|aliases\) persists) between calls/
const denies = /do(?:n't| not) persist between calls/

const change = 'cd /usr; x=1; f() { :; }; alias a=b; shopt -s expand_aliases'
const look = 'echo "$PWD $x $(type -t f) $(type -t a)"'

type Command = { command: string }
const session = () => new BashSession({ workingDir: '/' })
const bash = createBashTool() as Tool<Command, { output: string }>
const suite = createBashSuite().bash as typeof bash
const without = createBashSuite({ session: false }).bash as typeof bash

test.each<[string, typeof bash, ToolContext, boolean]>([
  ['the bash tool', bash, { workingDir: '/' }, false],
  ['the bash tool with a session', bash, { workingDir: '/', session: session() }, true],
  ['the suite', suite, { workingDir: '/' }, true],
  ['the suite with a session in the context', suite, { workingDir: '/', session: session() }, true],
  ['a suite without a session', without, { workingDir: '/' }, false],
  ['that with one in the context', without, { workingDir: '/', session: session() }, true],
])('%s', async (_, tool, context, persists) => {
  const call = async (command: string) => (await tool.execute({ command }, context as never)).output
  const before = tool.description(context as never)
  await call(change)
  const found = await call(look)

  expect(found).toBe(persists ? '/usr 1 function alias\n' : '/   \n')
  expect(before).toMatch(persists ? says : denies)
  expect(before).not.toMatch(persists ? denies : says)
  expect(tool.description(context as never)).toContain(persists ? '<pwd>/usr</pwd>' : '<pwd>/</pwd>')
})

test('what a call in the background changes is not kept, as the description says', async () => {
  const context = { workingDir: '/', session: session() }
  const started = await bash.execute({ command: 'x=1', mode: 'background' } as Command, context as never)

  expect(started).toMatchObject({ status: 'background' })
  expect(await bash.execute({ command: 'echo "[$x]"' }, context as never)).toMatchObject({ output: '[]\n' })
  expect(bash.description(context as never)).toMatch(/by a call that .* runs in the background are not kept/)
})

test('betaBashTool has a session, and speaks of its own input', () => {
  const { description } = betaBashTool({ workdir: '/' })

  expect(description).toMatch(says)
  expect(description).toMatch(/timeout_ms .*120000.*600000/)
  expect(description).toMatch(/restart/)
  expect(description).not.toMatch(/run_in_background|BashOutput|KillBash/)
})
