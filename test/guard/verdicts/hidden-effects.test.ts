// What a command does besides what its words say: programs that are searched without PATH, names that are looked up, and what
// belongs to the session. Nothing of it runs here.
import { judgeCommand, loadPolicy } from '../../../lib/index.js'

const decisionOn = async (command: string) =>
  (await judgeCommand(command, { workingDir: '/srv/project', home: '/home/dev' })).decision

/** Ways to start what stands at `E` behind other programs. */
const chains = [
  'E',
  'timeout 5 E',
  'nice E',
  'stdbuf -oL E',
  'env E',
  'command E',
  'ls | xargs E',
  'ls | xargs -n1 timeout 5 E',
  'find . -exec E \\;',
  "bash -c 'E'",
  'echo "$(E)"',
]

const asksInEachChain = async (started: string) => {
  const commands = chains.map((chain) => chain.replace('E', () => started))
  const decisions = await Promise.all(commands.map(decisionOn))
  return commands.filter((_, index) => decisions[index] === 'allow')
}

describe('without PATH, a program that may start others asks behind any wrapper', () => {
  test.each([
    'bash -c ls',
    'timeout 5 bash -c ls',
    'nice bash -c ls',
    'stdbuf -oL bash -c ls',
    'env bash -c ls',
    'env x=1 env bash -c ls',
    'xargs bash -c ls',
    'find . -exec bash -c ls {} +',
    'timeout 5 ls',
    'xargs ls',
    'git status',
    'tar tzf a.tgz',
    'egrep a b',
    'which rg',
  ])('%s', async (program) => {
    for (const cleared of [
      'env -i',
      'env -i x=1',
      'env -0i',
      'env -',
      'env -u PATH',
      'env PATH=',
      'env -i -u x',
    ])
      expect(await asksInEachChain(`${cleared} ${program}`)).toEqual([])
  })

  test.each([
    'env -i',
    'env -i ls',
    'env -i x=1 /bin/ls -la',
    'timeout 5 env -i cat a',
    'env -u x bash -c ls',
  ])('%s is allowed', async (command) => {
    expect(await decisionOn(command)).toBe('allow')
  })

  test('a rule of the host does not allow it', async () => {
    const policy = loadPolicy({ rules: [{ prefix: ['make'], decision: 'allow' }] })

    expect(await judgeCommand('make', { policy })).toMatchObject({ decision: 'allow' })
    expect(await judgeCommand('env -i make', { policy })).toMatchObject({ decision: 'ask' })
  })
})

describe('what asks name servers asks', () => {
  test.each([
    'lsof',
    'lsof -p 1',
    'lsof -P -p 1',
    'lsof -u root',
    'lsof -a -p 1',
    'lsof -t -p 1',
    'lsof README.md',
    'lsof -i',
    'lsof -i :80',
    'lsof -- -n',
    'lsof "$x" -n',
    'netstat -r',
    'ss -r',
    'ss -tr',
    'who --lookup',
    'hostname -f',
    'hostname -s',
    'hostname -i',
    'w',
    'last',
    'nfsstat',
    'route',
    'arp',
    'ip neigh',
    'getent hosts example.org',
    'tracepath ::1',
  ])('%s', async (command) => {
    expect(await decisionOn(command)).toBe('ask')
  })

  test.each(['lsof -n', 'lsof -nP -p 1', 'lsof -n -u root', 'lsof -ni :80', 'netstat -rn', 'ss -tlnp'])(
    '%s does not',
    async (command) => {
      expect(await decisionOn(command)).toBe('allow')
    },
  )
})

test.each([
  'getconf -v POSIX_V7_LP64_OFF64 ARG_MAX',
  'getconf -vX ARG_MAX',
  'getconf "$x"',
  'ls | xargs getconf',
])('getconf of another specification, which is a program, asks: %s', async (command) => {
  expect(await decisionOn(command)).toBe('ask')
})

test.each(['getconf ARG_MAX', 'getconf -a', 'getconf NAME_MAX /'])(
  'getconf of a value is allowed: %s',
  async (command) => {
    expect(await decisionOn(command)).toBe('allow')
  },
)

describe('names that belong to the session ask', () => {
  const name = '__bashward_arguments'
  test.each([
    `${name}=1`,
    `${name}+=1`,
    `${name}[0]=1`,
    `${name}=(a)`,
    `${name}=1 ls`,
    `readonly ${name}`,
    `declare ${name}=1`,
    `typeset ${name}`,
    `declare -p ${name}`,
    `local ${name}=1`,
    `read -r ${name}`,
    `read -ra ${name}`,
    `printf -v ${name} x`,
    `for ${name} in a; do :; done`,
    `mapfile -t ${name}`,
    `readarray ${name}`,
    `getopts a ${name}`,
    `unset -v ${name}`,
    `env ${name}=1 ls`,
    `env -u ${name} ls`,
    `: \${${name}:=1}`,
    `echo "$${name}"`,
    `echo \${#${name}}`,
    'x=$(type __bashward_save) git status',
    'x=`type -a __bashward_save` git status',
    'command -V __bashward_save',
    'type __bash"ward_save"',
    'type __bash\\ward_save',
    "type $'\\x5f_bashward_save'",
    "eval 'type __bash''ward_save'",
    'x=__bash; type "${x}ward_save"',
    'type __bash*',
    'type __bash{ward,}_save',
    'command -V "$x"',
    'command -v $x',
    'command -v "$x" "$y"',
    '[ -v __bashward ]',
    '__bashward_save() { :; }',
    'echo "$BASH_EXECUTION_STRING"',
    "bash -c 'type __bashward_save'",
    'cat <<< "$__bashward"',
    'cat <<E\n$__bashward\nE',
  ])('%s', async (command) => {
    expect(await decisionOn(command)).toBe('ask')
  })

  test.each([
    'set',
    'declare',
    'declare -p',
    'typeset',
    'typeset -p',
    'local',
    'x=$(set) git status',
    'x=$(declare) git status',
  ])('so does what prints all of them: %s', async (command) => {
    expect(await decisionOn(command)).toBe('ask')
  })

  test.each([
    'type -a python3',
    'command -v git',
    'command -V git',
    'command -v "$tool"',
    '_bashward=1',
    'bashward=1',
    'set -e',
  ])('%s is allowed', async (command) => {
    expect(await decisionOn(command)).toBe('allow')
  })
})
