// What stands at the cursor of a terminal: a prompt, or the screen around it.

import type { Job } from '../../commands/jobs/job.js'
import { readLastBytes } from '../../commands/jobs/last-bytes.js'
import type { ReadJobOptions } from '../../commands/jobs/read.js'
import { checkRedactJob } from '../../commands/jobs/redaction.js'
import { decodeBytes, trimCutStart } from '../../processes/output/decode.js'
import { redactTokens } from '../../processes/output/redact/redact-tokens.js'
import { normalizeOutput } from '../../processes/output/render.js'
import type { JobTerminal } from '../../terminals/terminal/job-terminal.js'
import type { Screen } from '../../terminals/terminal/screen.js'
import type { TerminalState } from '../../terminals/terminal/state.js'
import { TerminalTracker } from '../../terminals/terminal/tracker.js'

type Redact = ReadJobOptions['redact']

/** Bytes of the end of the output in which a line may begin. */
const lineBytes = 16 * 1024

export interface AtCursor {
  /** The line that the cursor is in, up to the cursor. */
  line: string
  /** Where a program moves about on its screen. */
  screen?: Screen
}

/** @param state undefined: the job has ended */
export async function lookAtCursor(
  job: Job,
  terminal: JobTerminal,
  state: Pick<TerminalState, 'altScreen'> | undefined,
  redact: Redact,
): Promise<AtCursor> {
  const { bytes } = await readLastBytes(job, lineBytes)
  const tracker = new TerminalTracker()
  tracker.write(bytes)
  if (state?.altScreen === true || tracker.needsScreenSince(0)) {
    const screen = await terminal.screen()
    if (!('unavailable' in screen)) {
      const shown = withoutSecretsOn(screen, redact)
      return { line: cursorLine(shown), screen: shown }
    }
  }
  const text = normalizeOutput(decodeBytes(trimCutStart(bytes)).text)
  return { line: withoutSecrets(text.slice(text.lastIndexOf('\n') + 1), redact) }
}

/** Blanks at the end of a row are not kept: one stands for them. */
function cursorLine({ lines, cursor }: Pick<Screen, 'lines' | 'cursor'>): string {
  const row = [...(lines[cursor.row - 1] ?? '')]
  const line = row.slice(0, cursor.column - 1).join('')
  return row.length > 0 && row.length < cursor.column - 1 ? `${line} ` : line
}

/** What goes on in the next row of a screen is not found. */
export function withoutSecretsOn(screen: Screen, redact: Redact): Screen {
  const { lines, scrollback } = screen
  const shown = (rows: readonly string[]) =>
    rows.length === 0 ? [] : withoutSecrets(rows.join('\n'), redact).split('\n')
  return { ...screen, lines: shown(lines), ...(scrollback && { scrollback: shown(scrollback) }) }
}

function withoutSecrets(text: string, redact: Redact): string {
  const redactor = checkRedactJob('redact', redact)
  return redactTokens(redactor?.text(text) ?? text)
}
