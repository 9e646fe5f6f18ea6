import { judgeCommand, loadPolicy } from '../../../lib/index.js'

const place = { workingDir: '/srv/project', home: '/home/dev' }
const suggested = async (command: string) => (await judgeCommand(command, place)).suggestion

test.each([
  ['npm install', [['npm', 'install']]],
  ['npm run test -- -w', [['npm', 'run', 'test']]],
  ['ls && cargo test --all | tail', [['cargo', 'test']]],
  ['mkdir -p a && touch a/b', [['mkdir'], ['touch']]],
  ["bash -c 'touch x'", [['touch']]],
  ['npm test; npm test', [['npm', 'test']]],
])('%s', async (command, prefixes) => {
  expect(await suggested(command)).toEqual(prefixes)
})

test.each([
  'ls',
  'git push --force',
  'python3 x.py',
  'bash x',
  'sudo npm test',
  './script',
  'git -c x=y commit',
  'git config a b',
  'rm x',
  'curl -o x y',
  'npx tool',
  'docker run x',
  'npm exec x',
  'npm test > log',
  'npm "$x"',
  'PATH=. npm test',
  "'a b' c",
  'a; b; c; d; e; f',
])('none for %s', async (command) => {
  expect(await suggested(command)).toBeNull()
})

test('is what would allow the command', async () => {
  const command = 'npm run build && cargo test'
  const rules = (await suggested(command))?.map((prefix) => ({ prefix, decision: 'allow' as const })) ?? []

  expect(await judgeCommand(command, { ...place, policy: loadPolicy({ rules }) })).toMatchObject({
    decision: 'allow',
  })
})
