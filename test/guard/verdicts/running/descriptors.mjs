// Commands that make descriptors and write to what these stand for, in every nesting: `{ echo >/dev/stdout; } 1<file`. A file
// that is open for reading is opened again for writing that way.

/** Of the project. `openedBefore` is what a session has open: every command is run with it as descriptor 5. */
const files = ['README.md', 'data.csv', 'src/util.ts', 'session.log']
export const openedBefore = '5<>session.log'

const inputs = [
  ...[
    '<F',
    '0<F',
    '1<F',
    '2<F',
    '3<F',
    '5<F',
    '9<F',
    '01<F',
    '{v}<F',
    '<<<x',
    '1<<<x',
    '3<<<x',
    '< <(cat F)',
    '1< <(cat F)',
  ],
  ...[
    '1</dev/fd/0',
    '1</dev/fd/3',
    '1</proc/self/fd/5',
    '2</dev/fd/5',
    '</dev/stdin',
    '1</dev/stdin',
    '1\\\n<F',
    '1<\\\nF',
  ],
]
const copies = [
  ...[
    '<&0',
    '1<&0',
    '2<&0',
    '3<&0',
    '<&3',
    '1<&3',
    '2<&3',
    '4<&3',
    '1<&4',
    '<&5',
    '1<&5',
    '2>&5',
    '3<&5',
    '1<&"5"',
  ],
  ...[
    '3>&1',
    '1>&3',
    '>&3',
    '>&4',
    '4>&3',
    '2>&3',
    '>&0',
    '>&1',
    '>&2',
    '2>&1',
    '0<&1',
    '0>&2',
    '>&5',
    '>&9',
    '1>&$v',
    '<&$v',
  ],
  ...[
    '>&-',
    '2>&-',
    '0<&-',
    '3<&-',
    '3>&-',
    '1<&3-',
    '2<&5-',
    '3>&5-',
    '>&5-',
    '1\\\n<&5',
    '>&\\\n5',
    '>&1\\\n5',
    '3\\\n>&5',
  ],
]
const writes = [
  ...[
    '>/dev/stdout',
    '>/dev/stderr',
    '>>/dev/stdout',
    '>|/dev/stderr',
    '&>/dev/stdout',
    '&>>/dev/stderr',
    '>& /dev/stderr',
  ],
  ...[
    '1>/dev/stdout',
    '2>/dev/stdout',
    '2>/dev/stderr',
    '3>/dev/stdout',
    '>"/dev/stdout"',
    ">/dev/std'err'",
    '<>/dev/stdout',
  ],
  ...[
    '>/dev/stdin',
    '>/dev/fd/0',
    '>/dev/fd/1',
    '>/dev/fd/3',
    '>/dev/fd/5',
    '2>/dev/fd/2',
    '>>/dev/fd/1',
    '>/proc/self/fd/1',
  ],
  ...[
    '>/proc/thread-self/fd/1',
    '>/proc/$$/fd/1',
    '>/dev//stdout',
    '>/dev/../dev/stdout',
    '>/dev/./stderr',
    '>/dev/null',
  ],
]
const programs = [
  ...[
    'echo pwned',
    'echo pwned',
    'printf pwned',
    'cat',
    'cat F',
    'ls',
    ':',
    '',
    '[[ -e F ]]',
    '((1))',
    'read v',
    'read -u 3 v',
  ],
  ...[
    'sort -o /dev/stdout F',
    'sort F',
    'cat /dev/stdin',
    'cat /dev/fd/5',
    'tee',
    'tee /dev/stdout',
    'sed -n p',
    "awk '{ print }'",
  ],
  ...[
    'uniq F /dev/stdout',
    'git status',
    'xargs echo',
    'sed "w /dev/stdout" F',
    'dd of=/dev/stdout',
    'cp F /dev/stdout',
  ],
]
/** X is a command, Q the same in quotes, R redirections, F a file. */
const nestings = [
  ...[
    '{ X\n} R',
    '(X\n) R',
    'if X\nthen X\nfi R',
    'for v in 1; do X\ndone R',
    'while read v; do X\nbreak; done R',
  ],
  ...[
    'until X\ndo X\nbreak; done R',
    'case x in x) X\n;; esac R',
    'for ((;;)); do X\nbreak; done R',
    'select v in 1; do X\ndone R',
  ],
  ...[
    'bash -c Q R',
    'sh -c Q R',
    'eval Q R',
    'timeout 1 bash -c Q R',
    'env bash -c Q R',
    'nice sh -c Q R',
    'bash R -c Q',
    'command X',
  ],
  ...[
    'find . -maxdepth 0 -exec bash -c Q \\; R',
    'echo a | xargs -I{} bash -c Q R',
    'echo a | xargs -n1 sh -c Q R',
    'builtin eval Q R',
  ],
  ...[
    'echo "$(X\n)" R',
    '`X` R',
    'v=$(X\n)',
    'cat <(X\n) R',
    'echo a > >(X\n)',
    'cat <<E R\n$(X)\nE\n',
    'cat <<E | X\na\nE\n',
    '! X',
  ],
  ...[
    'cat F | X',
    'X | cat R',
    'X |& cat R',
    'X & wait',
    'X && X',
    'X || X',
    'X; X',
    'X\nX',
    'f() { X\n} R; f',
    'ls() { X\n} R; ls',
  ],
  ...[
    'exec R; X',
    'exec R\nX',
    'coproc X',
    'coproc { X\n} R',
    'time X',
    '[[ -e F ]] R && X',
    'R X',
    'X R',
    'trap Q 0; ls R',
  ],
]

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** Some of each kind, in any order. */
const redirections = (random) => {
  const found = []
  for (let count = 1 + random.below(3); count > 0; count--)
    found.push(random.pick(random.pick([inputs, copies, copies, writes, writes])))
  return fill(random, found.join(' '))
}

const fill = (random, form) =>
  form.replace(/[RF]/g, (place) => {
    if (place === 'F') return random.pick(files)
    return random.chance(0.7) ? redirections(random) : ''
  })

/** Something around a command. It is the same for each that it is given. */
export const descriptorsAround = (random) => {
  const form = fill(random, random.pick(random.chance(0.5) ? ['X R'] : nestings))
  return (command) => form.replace(/[XQ]/g, (place) => (place === 'X' ? command : quote(command)))
}

export const descriptorScript = (random, depth = random.below(4)) => {
  if (depth > 0) return descriptorsAround(random)(descriptorScript(random, depth - 1))
  const command = fill(random, random.pick(programs))
  const redirects = random.chance(0.8) ? redirections(random) : ''
  return random.chance(0.2) ? `${redirects} ${command}` : `${command} ${redirects}`
}
