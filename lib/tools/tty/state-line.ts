// The last line about a terminal: whether its program waits for input, and what for. What programs have chosen is in quotes.

import type { SecretAnswer } from '../../terminals/terminal/ask-person.js'
import { quoteName } from '../../terminals/terminal/names.js'
import type { ShownScreen, TerminalFields, TerminalReport } from '../../terminals/terminal/report.js'
import type { TerminalVerdict } from '../../terminals/terminal/verdict.js'

const whoTypes = ({ isAsking }: TerminalReport): string =>
  isAsking ? 'a person is being asked, wait for that' : 'it is not yours to type'

/** The last lines about a terminal; none of a command that has ended. */
export function terminalLines({
  state,
  screen,
  screenError,
  secretAnswers = [],
  droppedInput,
}: TerminalFields & { droppedInput?: number }): string[] {
  return [
    screenError === undefined ? '' : `[${screenError}]`,
    ...secretAnswers.map(answerLine),
    state === undefined ? '' : stateLine(state, screen, droppedInput),
  ]
}

function answerLine(answer: SecretAnswer): string {
  switch (answer.outcome) {
    case 'given':
      return '[a person was asked for a secret, and it was typed]'
    case 'declined':
      return '[a person was asked for a secret, and gives none: C-c was pressed]'
    case 'withdrawn':
      return '[a person was asked for a secret, until it was not asked for any more]'
    case 'refused':
      return `[a person was asked: ${answer.message}]`
    case 'failed':
      return '[a person could not be asked for a secret]'
  }
}

/** @param droppedInput bytes that were typed before, and will not be read any more */
function stateLine(state: TerminalReport, screen?: ShownScreen, droppedInput = 0): string {
  const dropped = droppedInput > 0 ? `; ${droppedInput} bytes that were typed before were dropped` : ''
  return `[${sentence(state, screen)}${dropped}]`
}

function sentence(state: TerminalReport, screen: ShownScreen | undefined): string {
  const { verdict, secret, likely } = state
  const place = `${who(state)}${where(state, screen)}`
  if (secret === 'certain') return `asks for a secret: ${place}; ${whoTypes(state)}`
  if (secret === 'likely') return `seems to ask for a secret: ${place}; ${whoTypes(state)}`
  switch (verdict) {
    case 'line':
      return `waits for a line: ${place}`
    case 'keys':
      return `waits for ${screen === undefined && isLineEditor(state) ? 'a line' : 'keys'}: ${place}`
    case 'watching':
      return `accepts keys: ${place}`
    case 'relay':
      return likely
        ? `probably waits for input: ${place}`
        : `running: ${who(state)} passes keys on, maybe to what waits`
    case 'hidden':
      return likely ? `probably waits for input: ${place}` : `running: ${who(state)} cannot be looked into`
    case 'stopped':
      return `stopped: ${who(state)}`
    default:
      return `running: ${who(state)}${doing(state)}`
  }
}

/** Such as that of a REPL: it reads keys, and may ask for pastes to be marked. */
const isLineEditor = ({ bracketedPaste, prompt }: TerminalReport): boolean =>
  bracketedPaste || /[:?>$#%\])*]\s*$/.test(prompt)

const who = ({ program }: TerminalReport): string =>
  program === undefined || program === '' ? 'a program' : quoteName(program)

function where(state: TerminalReport, screen: ShownScreen | undefined): string {
  if (screen === undefined) return hasPrompt(state) ? `, at ${quoteEnd(state.prompt)}` : ''
  const { rows, cols, cursor, incomplete } = screen
  const told = `; screen ${rows}x${cols}, cursor ${cursor.row},${cursor.col}`
  return incomplete ? `${told}, may be incomplete` : told
}

/** What moves about, and shows no prompt, is in the middle of something. */
const hasPrompt = (state: TerminalReport): boolean =>
  state.prompt.trim() !== '' && (state.verdict !== 'watching' || isLineEditor(state))

/** Characters of a prompt: its end says what is asked. */
const maxPrompt = 50

function quoteEnd(prompt: string): string {
  const characters = [...prompt]
  return characters.length <= maxPrompt
    ? quoteName(prompt)
    : quoteName(`…${characters.slice(-maxPrompt).join('')}`)
}

const words: Partial<Record<TerminalVerdict, string>> = {
  busy: 'computes',
  sleep: 'sleeps',
  net: 'waits for the network',
  lock: 'waits for a lock',
  pipe: 'waits for another process',
  listen: 'waits for clients',
  disk: 'waits for a file system',
}

/** Characters of what its processes are found to do: paths and peers in it are named by programs. */
const maxDoing = 140

function doing({ verdict, waitingFor = [] }: TerminalReport): string {
  const [first] = waitingFor
  if (first !== undefined) return `, ${quoteName(first.text, maxDoing).slice(1, -1)}`
  const word = words[verdict]
  return word === undefined ? '' : `, ${word}`
}
