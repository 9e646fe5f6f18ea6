// What was seen of clients: whether it is as it has to be, how it is kept, and what a client is given.
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { acts, runsOf } from './acts.mjs'
import { mergeFiles } from './merge-files.mjs'
import { openOutcomes } from './outcomes.mjs'
import { problemsOf, wasDriven } from './problems.mjs'

afterAll(removeTempDirs)

const shown = (text: string) => ({ text, isError: undefined, afterMs: 1 })
const outcome = {
  name: 'codex',
  build: 'after',
  said: 'Oops',
  ownShell: [] as string[],
  left: [] as string[],
  leftOwn: ['cline --hub'],
  acts: {},
}
const whole = { ...outcome, run: 'whole', acts: { long: shown('00001\n00002') } }
const full = {
  ...outcome,
  run: 'calls',
  acts: {
    ...{
      plain: shown('hello'),
      silent: shown('[no output]'),
      failing: shown('[command failed: exit code 3]'),
    },
    ...{
      long: shown('00001\n33332\n33333'),
      longFailing: shown('[command failed: exit code 3]\n33332\n33333'),
    },
    ...{ refused: shown('[command rejected: git-add-blind]'), background: shown('<bash_id>bash_k3v9x2') },
    ...{ read: shown('started'), kill: shown('[killed]'), slow: shown('[STILL RUNNING after 50s') },
    slowEnd: shown('finished'),
  },
}
const killed = { ...outcome, run: 'SIGKILL', started: true, commandGoneMs: 50 }

test('what is as it has to be is no problem', () => {
  expect(problemsOf(whole)).toEqual([])
  expect(problemsOf(full)).toEqual([])
  expect(problemsOf(killed)).toEqual([])
})

test.each([
  [{ ...whole, acts: {} }, 'not carried out: long: Oops'],
  [{ ...whole, acts: { long: shown('{"status":"completed"}') } }, /^long: the model reads ".*completed/],
  [
    { ...full, acts: { ...full.acts, longFailing: shown('[command failed: exit code 3]\n00001') } },
    'longFailing: the end is not shown',
  ],
  [{ ...whole, ownShell: ['shell'] }, 'its own shell is there: shell'],
  [{ ...whole, left: ['sleep 300'] }, 'left running: sleep 300'],
  [{ ...killed, started: false }, 'the command did not start: Oops'],
  [{ ...killed, commandGoneMs: undefined }, 'the command went on after SIGKILL'],
])('%j is one', (seen, problem) => {
  expect(problemsOf(seen)).toEqual([expect.stringMatching(problem)])
})

test('a run has taken place when everything was carried out', () => {
  expect([whole, full, killed].map(wasDriven)).toEqual([true, true, true])
  expect(wasDriven({ ...whole, acts: {} })).toBe(false)
  expect(wasDriven({ ...killed, started: undefined })).toBe(false)
})

test('an older build may have told its model less', () => {
  const { calls } = runsOf('before')
  const seen = Object.fromEntries(Object.keys(calls?.acts ?? {}).map((act) => [act, shown('{}')]))

  expect(problemsOf({ ...outcome, build: 'before', run: 'calls', acts: seen })).toEqual([])
})

test('the id of a background command is found in texts and in JSON', () => {
  const { read, kill } = acts
  const texts = ['{"text":"<bash_id>bash_k3v9x2</bash_id>\\n<reminder>bash_output</reminder>"}'].map(shown)

  expect(read?.(texts)).toEqual({ tool: 'bash_output', input: { bash_id: 'bash_k3v9x2' } })
  expect(kill?.(texts)).toEqual({ tool: 'kill_bash', input: { bash_id: 'bash_k3v9x2' } })
})

test('an outcome is kept for its client, version, build and run', () => {
  const outcomes = openOutcomes(tempDir())
  const of = { name: 'codex', version: '1', build: 'after', run: 'whole' }
  outcomes.keep(of, whole)

  expect(outcomes.find(of)).toEqual(JSON.parse(JSON.stringify(whole)))
  expect(outcomes.find({ ...of, version: '2' })).toBeUndefined()
})

test('the model is added to the files of a client, and nothing is taken away', () => {
  const configured = [
    { path: '~/a.json', text: '{"mcp":{"bashward":{"command":"b"}},"list":[1]}' },
    { path: '~/c.toml', text: 'a = 1\n' },
  ]
  const files = mergeFiles(configured, {
    '~/a.json': { mcp: { timeout: 1 }, model: 'm' },
    '~/d.json': { e: true },
  })

  expect(files['~/c.toml']).toBe('a = 1\n')
  expect(JSON.parse(files['~/a.json'] ?? '')).toEqual({
    mcp: { bashward: { command: 'b' }, timeout: 1 },
    list: [1],
    model: 'm',
  })
  expect(JSON.parse(files['~/d.json'] ?? '')).toEqual({ e: true })
})
