// What got past the rules of other agents, and what their ports in this folder allow.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgeCommand, loadPolicy } from '../../../../lib/index.js'

const place = { workingDir: '/srv/project', home: '/home/dev' }

const bypasses = readFileSync(join(__dirname, 'bypasses.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.replaceAll('⏎', '\n').split('\t') as [peer: string, command: string])

test.each(bypasses)('what got past %s asks: %j', async (_, command) => {
  expect(await judgeCommand(command, place)).toMatchObject({ decision: 'ask' })
})

test.each([
  ['claude-code #28784', ['cd'], 'cd packages && python3 script.py'],
  ['claude-code #4956', ['echo'], 'echo test && touch x'],
  ['claude-code #4956', ['echo'], 'echo "$(touch x)"'],
  ['claude-code #82420', ['ls'], 'touch x && ls /srv'],
  ['claude-code #94314', ['git', 'log'], 'git log -1; touch x'],
  ['crush #3892', ['go', 'build'], 'go build ./... && touch x'],
  ['gemini-cli #16454', ['echo'], 'echo text > bar/test.md'],
])('an allow rule reaches no further than its command, as in %s: %j %j', async (_, prefix, command) => {
  const policy = loadPolicy({ rules: [{ prefix, decision: 'allow' }] })

  expect(await judgeCommand(command, { ...place, policy })).toMatchObject({ decision: 'ask' })
})

test.each([
  ['opencode #7063', ['npm'], 'cd frontend && npm test 2>&1 | head'],
  ['claude-code #59498', ['git', 'push'], 'cd /srv/project && git push --dry-run'],
])('a deny rule holds wherever the command stands, as in %s: %j %j', async (_, prefix, command) => {
  const policy = loadPolicy({ rules: [{ prefix, decision: 'deny' }] })

  expect(await judgeCommand(command, { ...place, policy })).toMatchObject({ decision: 'deny' })
})

test('git that may run what the repository names is told of, as in codex #27025', async () => {
  expect(await judgeCommand('git status', place)).toMatchObject({ decision: 'allow', repository: true })
})

test('the comparison counts, and the ports allow what got past their originals', () => {
  const main = join(__dirname, '../main.mjs')
  const { stdout, status } = spawnSync(process.execPath, [main, '--peers'], { encoding: 'utf8' })

  expect(stdout).toMatch(/^\| bashward \| \d+ \(\d+\.\d %\) \| 0 \|$/m)
  expect(stdout).toMatch(/^\| codex at 226bd15, without git \| \d+ \(\d+\.\d %\) \| \d+ \|$/m)
  expect(status).toBe(0)
})
