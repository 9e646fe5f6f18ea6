// What checking and judging a command cost before it runs: small commands, and long ones built to parse slowly.

import { withHost } from '../harness/host-client.mjs'
import { takeRounds } from '../harness/rounds.mjs'

const LONG = 240 * 1024
/** Characters of the longest command that is judged by itself, and not by its length. */
const JUDGED = 20_000
const long = (piece, length = LONG) => piece.repeat(length / piece.length)

const SMALL = {
  'a word': 'ls',
  '100 bytes':
    'cd /srv/app && npm run build 2>&1 | tail -n 20 && git add src/index.ts && git commit -m "Fix the build"',
  '2 KB script': `for name in a b c; do\n${'  echo "$name: $(wc -l <"src/$name.ts")" >>report.txt || exit 1\n'.repeat(30)}done`,
}

const LARGE = {
  lines: long('echo "some output" >>log.txt\n'),
  'here-document': `cat >file <<'END'\n${long('a line of prose; with $signs and `ticks`\n')}END\n`,
  '>>>>': long('>'),
  '<<<<': long('<'),
  '((((': long('('),
  '{{{{': long('{ '),
  '$($(': long('$('),
  quotes: long(`"'`),
  backticks: long('`'),
  '&&': long('a&&'),
  names: long('$x '),
}

const JUDGED_SMALL = Object.fromEntries(
  Object.entries(SMALL).map(([name, command]) => [`judgeCommand: ${name}`, command]),
)

const JUDGED_LARGE = {
  'judgeCommand: lines': LARGE.lines,
  'judgeCommand: &&': LARGE['&&'],
  'judgeCommand: 20 KB of |': long('ls|', JUDGED),
  'judgeCommand: 20 KB of >': long('>', JUDGED),
}

export default {
  name: 'check',
  title: `checkCommand and judgeCommand: small commands, and ${LONG / 1024} KiB`,
  quantities: [
    { key: 'p50', label: 'p50', unit: 'ms', chart: true },
    { key: 'block', label: 'loop blocked', unit: 'ms', chart: true },
  ],
  goals: [
    { case: '100 bytes', quantity: 'p50', atMost: 0.1 },
    { case: 'judgeCommand: 100 bytes', quantity: 'p50', atMost: 0.6 },
    ...Object.keys({ ...LARGE, ...JUDGED_LARGE }).flatMap((name) => [
      { case: name, quantity: 'p50', atMost: 250 },
      { case: name, quantity: 'block', atMost: 10 },
    ]),
  ],
  settings: {
    full: { small: 500, large: 1, wanted: 10, budgetMs: 60_000 },
    quick: { small: 100, large: 1, wanted: 2, budgetMs: 10_000 },
  },

  measure({ cwd }, { small, large, ...limits }) {
    return withHost(async (host) => {
      const plan = [
        planOf(SMALL, small),
        planOf(LARGE, large),
        planOf(JUDGED_SMALL, small, true),
        planOf(JUDGED_LARGE, large, true),
      ].flat()
      for (const { run } of plan) await run().catch(() => {})
      return takeRounds(plan, limits)

      function planOf(commands, count, judges = false) {
        return Object.entries(commands).map(([name, command]) => ({
          case: name,
          contender: 'bashward',
          run: () => host.call('check', { command, count, cwd, judges }),
        }))
      }
    })
  },
}
