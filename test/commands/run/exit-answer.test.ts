// Of which commands exit status 1 is an answer: those whose text proves that it is the status of a program that ran.
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitAnswer } from '../../../lib/commands/run/exit-answer.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

const none: ReadonlySet<string> = new Set()
const answerOf = (command: string, output = '', defined = none) => exitAnswer(command, output, defined)

describe('is an answer', () => {
  test.each([
    ['grep -rn x src', 'no-match', 'grep: no line matched'],
    ['/usr/bin/grep "$pattern" file', 'no-match', 'grep: no line matched'],
    ['LC_ALL=C grep -q x file', 'no-match', 'grep: no line matched'],
    ['grep -v x file', 'no-match', 'grep: no line is without a match'],
    ['egrep "a|b" file 2>/dev/null', 'no-match', 'egrep: no line matched'],
    ["fgrep '!' file # none?", 'no-match', 'fgrep: no line matched'],
    ['rg TODO', 'no-match', 'rg: no line matched'],
    ['git grep -n x', 'no-match', 'git grep: no line matched'],
    ['git -C sub grep x', 'no-match', 'git grep: no line matched'],
    ['pgrep -f server', 'no-match', 'pgrep: no process matched'],
    ['which cargo', 'no-match', 'which: not found on PATH'],
    ['which cargo rustc', 'no-match', 'which: not all found on PATH'],
    ['ls *.c 2>/dev/null; grep x file', 'no-match', 'grep: no line matched'],
    ['diff a b', 'differs', 'diff: the files differ'],
    ['diff <(sort a) <(sort b) >/dev/null 2>&1', 'differs', 'diff: the files differ'],
    ['cmp a b', 'differs', 'cmp: the files differ'],
    ['git diff --quiet', 'differs', 'git diff: there are differences'],
    ['git diff --exit-code -- src', 'differs', 'git diff: there are differences'],
    ['test -f a', 'false', 'test: the condition is false'],
    ['[ -f a ]', 'false', 'test: the condition is false'],
    ['cat file | grep x', 'no-match', 'grep: no line matched'],
    ['ps aux | sort | grep x', 'no-match', 'grep: no line matched'],
    ['make 2>&1 | grep error', 'no-match', 'grep: no line matched'],
    ['for f in *; do cat "$f"; done | grep x', 'no-match', 'grep: no line matched'],
    ['ls; grep x file', 'no-match', 'grep: no line matched'],
    ['cd src && ls\ngrep x file', 'no-match', 'grep: no line matched'],
    ['ls\n# next\ncat file | grep x;', 'no-match', 'grep: no line matched'],
    ['D=$(pwd; ls); grep "$(cat p)" "$D"', 'no-match', 'grep: no line matched'],
  ])('%j', (command, answer, answerText) => {
    expect(answerOf(command)).toEqual({ answer, answerText })
  })
})

describe('is none', () => {
  test.each([
    // Of another program, or none that ran.
    ...['ls x', 'git diff', 'grep -L x file', 'rg --files', 'which -x a', 'git diff --no-index --quiet a b'],
    ...['cd src && grep x file', 'true || grep x file', 'grep x file && ls', 'grep x a || grep x b'],
    ...[
      '! grep x file',
      '! cat file | grep x',
      'x && cat file | grep x',
      '{ grep x file; }',
      '(grep x file)',
    ],
    ...[
      'ls &&\ngrep x file',
      'ls |\n! grep x',
      'ls && # so\ngrep x file',
      'grep x file &',
      'if grep x a; then ls; fi',
    ],
    ...['while read l; do grep x a; done', 'f() { grep x a; }; f', 'time grep x a'],
    ...[
      'set -e; false; grep x a',
      'set -o pipefail; false | grep x',
      'exit 1; grep x a',
      'trap "exit 1" EXIT; grep x a',
    ],
    ...['eval "exit 1"; grep x a', '. ./x; grep x a', '$RUN; grep x a', 'exec false; grep x a'],
    // A program of the project, or one that is found elsewhere.
    ...['./test --all', 'build/test', 'make -s; build/test', 'scripts/rg foo', '/srv/bin/grep x a', 'which'],
    ...['PATH=.; grep x a', 'PATH=. grep x a', 'hash -p /bin/false grep; grep x a', '{exit,1}; grep x a'],
    // bash itself has ended before it, and what it said went elsewhere.
    ...[
      'for m in 08 09; do a[$m]=1; done 2>/dev/null; grep x a',
      '{ UID=7; } 2>/dev/null; grep x a',
      'readonly x=1; { x=2; } 2>&-; grep x a',
      '{ a=([1/0]=1); } 2>file\ngrep x a',
      '{ declare -i n=1/0; } 2>>file; grep x a',
      'test -v "x[1/0]" 2>/dev/null; grep x a',
      'POSIXLY_CORRECT=1; : 2>/dev/null </nope; grep x a',
    ],
    // A function, an alias, a wrapper.
    ...[
      'grep() { return 1; }; grep x a',
      'alias grep=false\ngrep x a',
      'sudo grep x a',
      'timeout 5 grep x a',
      'command grep x a',
    ],
    ...['env grep x a', 'find . -exec grep x {} +', 'xargs grep x', 'bash -c "grep x a"'],
    // bash may have failed to open a file, or to expand a word.
    ...['grep x < a', 'grep x a > b', 'ls 2>/dev/null $((1/0)); grep x a'],
    ...['grep "x', 'grep x a |', ''],
  ])('%j', (command) => {
    expect(answerOf(command)).toBeUndefined()
  })

  test('where the shell itself has failed', () => {
    expect(
      answerOf('grep x $((1/0))', 'bash: line 1: 1/0: division by 0 (error token is "0")\n'),
    ).toBeUndefined()
    expect(answerOf('grep x $((1/0))', 'bash: Zeile 1: 1/0: Division durch 0\n')).toBeUndefined()
  })

  test('where a session or the environment has a function of that name', () => {
    expect(answerOf('grep x a', '', new Set(['grep']))).toBeUndefined()
    expect(answerOf('f; grep x a', '', new Set(['f']))).toBeUndefined()
    expect(answerOf('grep x a', '', new Set(['f']))).toBeDefined()
  })
})

/** Numbers from 0 to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

/** In the generated scripts `grep` and `diff` end with `$STATUS`: only a script whose status is theirs changes with it. */
function scripts(count: number, seed: number): string[] {
  const random = numbers(seed)
  const pick = (...of: readonly string[]) => of[Math.floor(random() * of.length)] as string
  const simple = (): string =>
    pick(
      ...[
        'grep x a',
        'grep x a',
        'diff a b',
        'grep -q x',
        'true',
        'false',
        'false',
        'echo a',
        'exit 1',
        'exit 0',
      ],
      ...[
        'f',
        'cat < missing',
        'grep x < missing',
        'grep x > no/dir',
        'grep x 2>/dev/null',
        'echo "$(grep x a)"',
      ],
      ...[
        'x=$(false)',
        'echo $((1/0))',
        'command grep x',
        'eval false',
        'eval "exit 1"',
        '$NOTHING',
        'exec false',
        ': # grep',
      ],
      ...[
        'grep "$(false)"',
        'echo ${U?} 2>/dev/null',
        '[ a = b ]',
        '[[ a = b ]]',
        'grep x 2>/dev/null < missing',
        'return 1',
      ],
    )
  const list = (depth: number): string => {
    const part = () => (depth > 0 && random() < 0.3 ? compound(depth - 1) : simple())
    let text = pick('', '', '', '! ', 'time ') + part()
    for (let more = Math.floor(random() * 3); more > 0; more--) {
      text +=
        pick('; ', '; ', '\n', ' && ', ' || ', ' | ', ' | ', ' |& ', ' &\n', ' &&\n', ' # x\n') +
        pick('', '', '', '! ') +
        part()
    }
    return text
  }
  const compound = (depth: number): string =>
    pick(
      '{ @\n}',
      '( @\n)',
      'if @\nthen true\nfi',
      'for i in 1; do @\ndone',
      'while @\ndo break\ndone',
      'f() { @\n}',
      'case a in a) @\n;; esac',
      'grep() { @\n}',
    ).replace('@', () => list(depth))
  const opening = () =>
    pick(
      '',
      '',
      '',
      '',
      'set -e; ',
      'set -o pipefail; ',
      'set -u; ',
      'trap "exit 1" EXIT; ',
      'shopt -s expand_aliases\nalias diff=false\n',
    )
  return Array.from(
    { length: count },
    () => opening() + list(2) + pick('', '', '; ', '\n', ' # end', '; grep x a', '\ndiff a b', ' | grep x'),
  )
}

test('is none of a script that ends with another status', () => {
  const dir = tempDir()
  for (const name of ['grep', 'diff']) {
    writeFileSync(join(dir, name), '#!/bin/sh\nexit "$STATUS"\n')
    chmodSync(join(dir, name), 0o755)
  }
  const run = (script: string, status: string) =>
    spawnSync('bash', ['-c', 'bash -c "$0" 2>&1', script], {
      cwd: dir,
      env: { PATH: `${dir}:${process.env.PATH}`, STATUS: status },
      encoding: 'utf8',
      timeout: 20_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  // Most scripts have no answer in any case, and need not run.
  const count = Number(process.env.BASHWARD_FUZZ_RUNS ?? 1000)
  const seed = Number(process.env.BASHWARD_FUZZ_SEED ?? 20)
  const asked = scripts(count, seed).filter((script) => answerOf(script) !== undefined)
  const wrong: string[] = []
  let answered = 0
  for (const script of asked.slice(0, 10 + count / 10)) {
    const first = run(script, '1')
    if (first.status !== 1 || answerOf(script, first.stdout) === undefined) continue
    answered++
    if (run(script, '7').status !== 7) wrong.push(script)
  }

  expect(wrong).toEqual([])
  expect(answered).toBeGreaterThan(count / 50)
})
