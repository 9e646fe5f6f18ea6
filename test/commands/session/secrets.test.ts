// No call of a session sees a secret of the host, whenever it came into the host's environment.
import fc from 'fast-check'
import { BashSession, createBashTool } from '../../../lib/index.js'

const added: string[] = []
const set = (name: string, value: string): void => {
  added.push(name)
  process.env[name] = value
}
const removeAdded = (): void => {
  for (const name of added.splice(0)) delete process.env[name]
}
afterEach(removeAdded)

const name = fc
  .tuple(
    fc.stringMatching(/^[A-Z]{1,6}$/),
    fc.constantFrom('TOKEN', 'SECRET', 'PASSWORD', 'API_KEY', 'CREDENTIALS', 'DATABASE_URL', 'GITHUB_PAT'),
  )
  .map(([company, kind]) => `${company}_${kind}`)
/** A value that is found wherever it stands, also where a part of it is quoted. */
const value = fc.stringMatching(/^[a-z]{12}$/).map((text) => `secretvalue${text}`)
/** What could make a session remember more than it should. */
const action = fc.constantFrom(
  'set -a',
  'export -p >/dev/null',
  'declare -x OTHER=1',
  'f() { env; }',
  'eval "$(declare -p)"',
  ':',
)

test('neither in its variables nor in its environment', async () => {
  const bash = createBashTool()
  const property = fc.asyncProperty(
    fc.array(fc.tuple(name, value, action), { minLength: 1, maxLength: 3 }),
    async (calls) => {
      const context = { workingDir: '/', session: new BashSession({ workingDir: '/' }) }
      try {
        for (const [name, value, action] of calls) {
          set(name, value)
          const command = `${action} 2>/dev/null; env; declare -p; kept=1`
          const { status, output, removedEnv } = await bash.execute({ command }, context)
          expect(status).toBe('completed')
          expect(output).toContain('BASH_VERSION')
          expect(output).not.toContain('secretvalue')
          expect(removedEnv).toContain(name)
        }
        expect(await bash.execute({ command: 'echo $kept' }, context)).toMatchObject({ output: '1\n' })
      } finally {
        removeAdded()
      }
    },
  )
  await fc.assert(property, { numRuns: 10 })
})

test('what the command itself has set is its own, and is kept', async () => {
  const bash = createBashTool()
  const context = { workingDir: '/', session: new BashSession({ workingDir: '/' }) }
  set('ACME_TOKEN', 'secretvalueofthehost')
  await bash.execute({ command: 'export ACME_TOKEN=own' }, context)

  expect(await bash.execute({ command: 'echo $ACME_TOKEN' }, context)).toMatchObject({ output: 'own\n' })
})
