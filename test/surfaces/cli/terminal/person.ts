// A person at a terminal who calls the program `bashward`: the terminal is one of our own jobs.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { waitFor } from '../../../support/wait-for.js'
import { type LiveTerminal, startTerminal } from '../../../terminals/terminal/live-terminal.js'
import { binPath } from '../program.js'

const deadlineMs = 30_000

export interface Person extends LiveTerminal {
  /** What the person sees: rows, the last one too, without blanks at their ends. */
  screen(): Promise<string[]>
  /** Resolves with it once it contains all of these. */
  sees(...texts: string[]): Promise<string[]>
  press(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  /** Everything that was written to the terminal. */
  written(): string
  /** Resolves with the exit status of what the person has called, and what is on the screen then. */
  left(): Promise<{ status: number; screen: string[] }>
}

export const bashwardCommand = (words: string): string => `'${process.execPath}' '${binPath}' ${words}`

export interface PersonOptions {
  size?: { rows: number; cols: number }
  /** What comes before `bashward` on the command line, and behind the line with its status. */
  before?: string
  after?: string
}

/** @param words of a bash command line, after `bashward` */
export const startPerson = async (
  words: string,
  { size = { rows: 12, cols: 90 }, before = '', after = '' }: PersonOptions = {},
  beside?: LiveTerminal,
): Promise<Person> => {
  // A job that it starts is a part of this one, which does not end then.
  const command = `${before}${bashwardCommand(words)}; echo "status $?"; ${after}`
  const live = await startTerminal(command, { tty: size }, beside)
  const screen = async () => {
    const answer = await live.terminal.screen()
    return 'unavailable' in answer ? [answer.unavailable] : answer.lines
  }
  return {
    ...live,
    screen,
    sees: async (...texts) => {
      let last: string[] = []
      const look = async () => {
        last = await screen()
        return texts.every((text) => last.join('\n').includes(text)) ? last : undefined
      }
      return await waitFor(look, {
        what: `${texts.join(', ')} on the screen`,
        deadlineMs,
        intervalMs: 100,
      }).catch((error) => {
        throw new Error(`${error.message}; on it is\n${last.join('\n')}`)
      })
    },
    press: async (...keys) => {
      await live.terminal.keys(...keys)
    },
    type: async (text) => {
      await live.terminal.write(text, { submit: false })
    },
    written: () => readFileSync(live.outputFile, 'latin1'),
    left: async () => {
      const look = async () => {
        const lines = await screen()
        const [, status] = /^status (\d+)$/m.exec(lines.join('\n')) ?? []
        return status === undefined ? undefined : { status: Number(status), screen: lines.slice(0, -1) }
      }
      return await waitFor(look, { what: 'the program to end', deadlineMs, intervalMs: 100 })
    },
  }
}

/** The id of the job that the person has started with `run --tty`. */
export const startedJob = async ({ store, id }: Person): Promise<string> =>
  await waitFor(async () => (await store.list()).find((job) => job.id !== id)?.id, {
    what: 'the job to start',
  })

/** The program `bashward` that a person has called: the child of the shell. */
export const programOf = async ({ store, id }: Person): Promise<number> => {
  const shell = (await store.get(id)).record?.pid ?? 0
  const find = () =>
    readFileSync(`/proc/${shell}/task/${shell}/children`, 'latin1')
      .split(' ')
      .filter((pid) => pid !== '')
      .map(Number)
      .find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('\0'))
  return await waitFor(find, { what: 'the program to start' })
}

export const lacks = (program: string): boolean => spawnSync(program, ['--version']).error !== undefined
