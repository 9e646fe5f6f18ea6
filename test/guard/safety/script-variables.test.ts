// Which variables a script sets or tests.

import { readScript } from '../../../lib/guard/safety/script/read-script.js'
import { runSync } from '../../../lib/guard/safety/script/steps.js'
import { mayBeUnset, ScriptVariables } from '../../../lib/guard/safety/script-variables.js'

const isSetOrTested = (text: string): boolean =>
  new ScriptVariables(runSync(readScript(text)), text).isSetOrTested('DIR')

test.each([
  'DIR=x',
  'export DIR=x',
  'read -r DIR',
  'for DIR in *; do :; done',
  '[ -d "$DIR" ]',
  '[[ $DIR ]]',
  'if [[ -v DIR ]]; then :; fi',
  'case $DIR in x) ;; esac',
  'ls; case "$DIR" in x) ;; esac',
  '((DIR = 1))',
  `: \${DIR:?}`,
  `echo "\${OTHER:-\${DIR-x}}"`,
  `cat < \${DIR:=x}`,
  'set -eu',
  '. ./env.sh',
  'eval "$(./env)"',
])('%s', (text) => {
  expect(isSetOrTested(text)).toBe(true)
})

test.each([
  'ls "$DIR"',
  'echo DIR=x',
  'export DIR',
  'set -e',
  '[ -d x ]; ls $DIR',
  'echo in case $DIR',
  'eval ls',
])('not: %s', (text) => {
  expect(isSetOrTested(text)).toBe(false)
})

test('what every shell has is set', () => {
  expect(['HOME', 'PWD', '1', '@', 'DIR'].map(mayBeUnset)).toEqual([false, false, false, false, true])
})

test.each(['[[ ', '((', ' case', ' ', '[[ $x ]]'])(
  '%j, 240,000 characters of it, are no trouble',
  (piece) => {
    const text = piece.repeat(240_000 / piece.length)

    expect(new ScriptVariables({ items: [], functions: [], unread: null }, text).isSetOrTested('DIR')).toBe(
      false,
    )
  },
)
