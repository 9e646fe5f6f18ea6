// Which programs a text runs, for hints.
import { programCalls } from '../../../lib/guard/safety/program-calls.js'

const namesIn = (command: string) => programCalls(command)?.map(({ name }) => name)

test.each([
  ['ls', ['ls']],
  ['a=1 /usr/bin/env -i b=2 ./x.sh | tail -1', ['env', 'x.sh', 'tail']],
  ['timeout -s KILL 5 curl x && sudo -n true', ['timeout', 'curl', 'sudo', 'true']],
  ['echo "$(date; id)" <(sort x)', ['date', 'id', 'sort', 'echo']],
  ['for f in a b; do cat "$f"; done < x', ['cat']],
  ["find . -name '*.ts' -exec wc -l {} +", ['find', 'wc']],
  ['xargs -0 -n 1 rm', ['xargs', 'rm']],
  ['git -C x -c a=b --no-pager log -p', ['git log']],
  ['git', ['git ']],
  ['$CMD x', ['$']],
  ['f() { touch x; }; f', ['touch', 'f']],
  ['cat <<X\nrm y\nX', ['cat']],
  ["bash -ec 'cd x; make'; ls", ['bash', 'cd', 'make', 'ls']],
])('%j', (command, names) => {
  expect(namesIn(command)?.sort()).toEqual([...names].sort())
})

test('arguments come without quotes, and redirections behind them', () => {
  expect(programCalls(`2>/dev/null curl -s "http://$HOST/a b" >out`)).toMatchObject([
    { rest: '-s http://$/a b 2>/dev/null >out' },
  ])
  expect(programCalls('x &>y')).toMatchObject([{ rest: '2>y' }])
  expect(programCalls('x 2>&-')).toMatchObject([{ rest: '2>&-' }])
})

test('what may not run, and what loses its exit status, is told apart', () => {
  expect(programCalls('a || b; c | d')).toMatchObject([
    { name: 'a', isFallback: false, isPiped: false },
    { name: 'b', isFallback: true, isPiped: false },
    { name: 'c', isFallback: false, isPiped: true },
    { name: 'd', isFallback: false, isPiped: false },
  ])
})

test('a text that is long or no bash is not known', () => {
  expect(programCalls('echo y; '.repeat(10_000))).toBeUndefined()
  expect(programCalls('if')).toBeUndefined()
  expect(programCalls(`sh -c "sh -c 'ls'"`)).toBeUndefined()
})

test.each([
  ['seq 9 | sort', true],
  ['seq 9 | { sort; }', true],
  ['sort < <(seq 9)', true],
  ['{ sort; } < <(seq 9)', true],
  ['sort <(seq 9)', true],
  ['f() { sort; }; seq 9 | f', true],
  ["seq 9 | sh -c 'sort'", true],
  ['sort < a', false],
  ['seq 9 | sort < a', false],
  ['sort a | cat', false],
])('whether `sort` reads a pipe: %s', (command, readsPipe) => {
  expect(programCalls(command)?.find(({ name }) => name === 'sort')).toMatchObject({ readsPipe })
})

test.each([
  ['sort', 'shown'],
  ['seq 9 2>/dev/null | sort', 'shown'],
  ['sort 2>&1', 'piped'],
  ['sort 2>/dev/stdout | cat', 'piped'],
  ['sort |& cat', 'piped'],
  ['sort 2>/dev/stderr', 'shown'],
  ['sort 2>&1 >/dev/null', 'piped'],
  ['sort >/dev/null 2>&1', 'hidden'],
  ['sort >/dev/null', 'shown'],
  ['sort 2>/dev/null', 'hidden'],
  ['sort 2>&-', 'hidden'],
  ['sort &>/dev/null', 'hidden'],
  ['sort >& /dev/null', 'hidden'],
  ['timeout 9 sort 2>/dev/null', 'hidden'],
  ['(cd x && sort) 2>/dev/null', 'hidden'],
  ['exec 2>/dev/null; sort', 'hidden'],
  ['f() { sort; }; f 2>/dev/null', 'hidden'],
  ["bash -c 'sort' 2>/dev/null", 'hidden'],
])('where the errors of `sort` go: %s', (command, errors) => {
  expect(programCalls(command)?.find(({ name }) => name === 'sort')).toMatchObject({ errors })
})
