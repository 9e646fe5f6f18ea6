import type { TerminalState } from '../../../../lib/index.js'
import { describeState, type StatusRow, statusRow } from '../../../../lib/surfaces/cli/terminal/status-row.js'

const state: TerminalState = {
  reason: 'asked',
  verdict: 'line',
  likely: false,
  pid: 7,
  program: 'bash',
  cursorLine: '',
  echo: true,
  cooked: true,
  nested: false,
  altScreen: false,
  bracketedPaste: false,
  rows: 24,
  cols: 100,
  unreadBytes: 0,
  queuedBytes: 0,
  droppedBytes: 0,
  quietMs: 5,
  offset: 6,
}

const row: StatusRow = { id: 'bash_k3v9x2', isReadOnly: false, state, isCropped: false, problem: undefined }

test.each([
  [{}, '"bash" waits for a line'],
  [{ verdict: 'password', program: 'sudo' }, '"sudo" asks for a secret: what is typed is not shown'],
  [{ verdict: 'relay', program: 'ssh', likely: true }, '"ssh" passes keys on, and probably waits for input'],
  [{ verdict: 'keys', asksSecret: 'likely' }, '"bash" waits for keys, and seems to ask for a secret'],
  [{ program: 'x\x1b[2J"' }, '"x\\x1b[2J\\"" waits for a line'],
] as [Partial<TerminalState>, string][])('%j: %s', (part, text) => {
  expect(describeState({ ...state, ...part })).toBe(text)
})

test('without a process of its own it is nobody by name', () => {
  const { program: _, ...nobody } = state

  expect(describeState({ ...nobody, verdict: 'unknown' })).toBe('it runs')
})

test.each([
  [{}, '^] detaches | bash_k3v9x2 | "bash" waits for a line'],
  [{ state: undefined }, '^] detaches | bash_k3v9x2'],
  [{ isReadOnly: true }, '^] detaches | bash_k3v9x2 | read-only | "bash" waits for a line'],
  [{ isCropped: true }, '^] detaches | bash_k3v9x2 | "bash" waits for a line | a part of 24x100'],
  [{ problem: 'broken' }, '^] detaches | bash_k3v9x2 | broken | "bash" waits for a line'],
  [
    { state: { ...state, queuedBytes: 12 } },
    '^] detaches | bash_k3v9x2 | "bash" waits for a line | 12 typed bytes wait until it reads',
  ],
] as [Partial<StatusRow>, string][])('%j', (part, text) => {
  expect(statusRow({ ...row, ...part })).toBe(text)
})
