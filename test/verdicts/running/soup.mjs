// Random sequences of tokens. What is allowed of them is run, by every program that may be behind the name.

import { spawnSync } from 'node:child_process'
import { runBounded } from './bounded.mjs'
import { randomFrom } from './random.mjs'

const shell = [
  ...[
    'ls',
    'cat README.md',
    'touch pwned',
    '>pwned',
    ' ',
    ' ',
    ';',
    '\n',
    '|',
    '&&',
    '||',
    '"',
    '"',
    "'",
    "'",
    '`',
    '$(',
  ],
  ...[
    ')',
    '(',
    '{ ',
    '; }',
    ' <<E\n',
    '\nE\n',
    " <<'E'\n",
    ' <<-E\n',
    '\n\tE\n',
    '\\',
    '\\\n',
    '$x',
    'x=',
    ' #',
    '${x',
    '}',
  ],
  ...[
    '((',
    '))',
    '[[ ',
    ' ]]',
    'if ',
    '; then ',
    '; fi',
    'for f in ',
    '; do ',
    '; done',
    'case x in ',
    'x) ',
    ';;',
    ' esac',
  ],
  ...[
    'echo ',
    "$'",
    '<<<',
    '<(',
    '>(',
    '&',
    '! ',
    '*',
    '~',
    '{a,b}',
    '$((',
    '1',
    'f() ',
    'function f ',
    ' f',
    '$"',
    '%',
    ':-',
  ],
  ...[
    '\t',
    'E',
    '=',
    '\\"',
    "\\'",
    'sort ',
    '-o ',
    'wc ',
    'find . ',
    '-delete',
    '-exec ',
    '\\;',
    '{}',
    'xargs ',
    'env ',
    '@',
    '[',
    ']',
  ],
]
const awk = [
  ...[
    'print ',
    'print',
    '"pwned"',
    '"x"',
    '>',
    '>>',
    '|',
    ' ',
    '/',
    '/',
    '"',
    '(',
    ')',
    '{',
    '}',
    ';',
    '\n',
    '$1',
    'x',
    '1',
    '2',
    'system("touch pwned")',
    '/"/',
    '#"',
    'length',
    'length ',
    'if (1) ',
    'while (0) ',
    'x/',
    '1system("touch pwned")',
  ],
  ...[
    '~',
    '!',
    ',',
    'if(',
    'BEGIN',
    'END',
    '[',
    ']',
    '==',
    '&&',
    '||',
    '#',
    '\\',
    'a',
    'printf ',
    'in ',
    'for(',
    'getline',
  ],
  ...[
    'system(',
    '?',
    ':',
    '-',
    '+',
    'return ',
    'function f(x)',
    'NR',
    '<',
    'else ',
    'while(',
    'length',
    '"/"',
    '/"/',
    '/x/',
  ],
  ...[
    'substr(',
    'split(',
    '\\\n',
    ',\n',
    '?\n',
    '++',
    '"touch pwned"',
    '\\"',
    '[/]',
    '[^]',
    '\\/',
    '#"\n',
    "'",
    '\r',
  ],
]
const sed = [
  ...[
    'w pwned',
    's/',
    '/',
    '/',
    'e',
    'p',
    'g',
    ';',
    '\n',
    '{',
    '}',
    '[',
    ']',
    '\\',
    '1',
    ',',
    '$',
    '!',
    'a ',
    'i\\',
    'c',
    'd',
  ],
  ...[
    'n',
    'N',
    'y/',
    'b',
    ':x',
    't',
    'x',
    '#',
    ' ',
    'r ',
    'R',
    'W pwned',
    's|',
    '|',
    '\\n',
    '&',
    'M',
    'I',
    '^',
    'h',
    'G',
    'q',
  ],
  ...[
    '~',
    '+',
    '[^',
    '[:',
    ':]',
    '\\/',
    'D',
    'P',
    '=',
    'etouch pwned',
    '\\\n',
    'ws',
    '0',
    'a\\\n',
    '[/]',
    'l',
    '\r',
  ],
]

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`
const exists = (program) => spawnSync('which', [program], { stdio: 'ignore' }).status === 0
const withBusybox = (name, others) => [...others, ...(exists('busybox') ? [`busybox ${name}`] : [])]

const kinds = {
  shell: {
    tokens: shell,
    begin: (random) => (random.chance(0.5) ? 'ls ' : ''),
    command: (script) => script,
    runs: (script) => [`bash -c ${quote(script)}`],
  },
  awk: {
    tokens: awk,
    begin: (random) => (random.chance(0.6) ? '{ print ' : ''),
    end: (random) => (random.chance(0.6) ? ' }' : ''),
    command: (script) => `awk ${quote(script)} README.md`,
    runs: (script) =>
      withBusybox('awk', ['mawk', 'gawk'].filter(exists)).map(
        (program) => `${program} ${quote(script)} README.md`,
      ),
  },
  sed: {
    tokens: sed,
    begin: () => '',
    command: (script) => `sed ${quote(script)} README.md`,
    runs: (script) =>
      withBusybox('sed', ['sed', 'sed -n']).map((program) => `${program} ${quote(script)} README.md`),
  },
}

export const soupKinds = Object.keys(kinds)

/** What may do something: the rest need not be run. */
const isInteresting = /pwned|[>|]|-delete/
const batchSize = 100

/**
 * @param {{ kind: string, seed: number, seconds: number, judge: (command: string) => unknown, copy: import('./copies.mjs').Copy }} plan
 */
export const soup = async ({ kind, seed, seconds, judge, copy }) => {
  const { tokens, begin, end = () => '', command, runs } = kinds[kind]
  const random = randomFrom(seed)
  const until = performance.now() + seconds * 1000
  const faults = []
  let generated = 0
  let ran = 0
  let batch = []
  const run = (scripts) => {
    const lines = scripts.flatMap(runs).map((line) => `timeout 1 ${line} </dev/null`)
    // By a file: a batch is longer than an argument may be.
    runBounded(['bash'], { copy, seconds: 120, input: lines.join('\n') })
    return copy.changes()
  }
  const flush = () => {
    if (run(batch).length > 0) {
      for (const script of batch) {
        const changed = run([script])
        if (changed.length > 0) faults.push({ script, changed })
      }
    }
    batch = []
  }
  while (performance.now() < until) {
    let script = begin(random)
    for (let count = 3 + random.below(12); count > 0; count--) script += random.pick(tokens)
    script += end(random)
    generated++
    if (!isInteresting.test(script)) continue
    const { decision } = await judge(command(script))
    if (decision !== 'allow') continue
    ran++
    batch.push(script)
    if (batch.length === batchSize) flush()
  }
  flush()
  return { generated, ran, faults }
}
