import { runSync } from '../../../lib/guard/safety/script/steps.js'
import { readWithUnbash } from '../../../lib/guard/safety/script/unbash/read-with-unbash.js'
import { residueOf, residueRuns } from '../../../lib/guard/verdicts/residue.js'

const runs = (text: string) => residueRuns(text, residueOf(text, runSync(readWithUnbash(text))))

test.each([
  'echo $((1 + 2 * (3 - 1)))',
  'echo $(( $# + ${#list[@]} ))',
  '((1)) && ls',
  '[[ -f a && $x == "b" ]] && ls',
  '[[ $# -gt 0 ]] && ls',
  '[[ -n $x ]]; [ $x -eq 1 ]',
  'echo ${x} ${x:-a b} ${x%.ts} ${x##*/} ${x/a/b} ${x:1:2} ${#x} ${list[@]} ${list[0]} ${x^^} ${x:-$y}',
  ': ${x:=1}',
  "echo '${!x} $((x)) [[ -v x ]] $[x]'",
  "cat <<'E'\n${!x} $((x))\nE",
])('only reads: %s', (text) => {
  expect(runs(text)).toBeNull()
})

test.each([
  ['arithmetic with a variable', 'echo $((x))'],
  ['arithmetic behind balanced parentheses', '((1+(2)) , x))'],
  ['old arithmetic', 'echo $[x]'],
  ['arithmetic of a loop', 'for ((i = 0; i < x; i++)); do ls; done'],
  ['a comparison of numbers', '[[ $x -eq 1 ]]'],
  ['a comparison behind something like the end', '[[ "]]" || x -eq 1 ]]'],
  ['a comparison cut by a line', '[[ x -e\\\nq 1 ]]'],
  ['whether a variable is set', '[[ -v x ]]'],
  ['an indirect expansion', 'echo ${!x}'],
  ['a transformation', 'echo ${x@P}'],
  ['a transformation in a condition', '[[ ${x@P} ]]'],
  ['a transformation in a here-document', 'cat <<E\n${x@P}\nE'],
  ['a transformation cut by a line', 'echo $\\\n{x@P}'],
  ['an offset that is a variable', 'echo ${x:y}'],
  ['a subscript that is a variable', 'echo ${a[i]}'],
  ['setting what programs read', ': ${PATH:=.}'],
  ['a coprocess', 'coproc ls'],
])('may run something: %s', (_, text) => {
  expect(runs(text)).not.toBeNull()
})
