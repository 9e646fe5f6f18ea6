// What the model reads of a terminal: what is new on it, or its screen; and last, whether its program waits.

import type { JobDenials } from '../../commands/jobs/job.js'
import type { JobOutput } from '../../commands/jobs/read.js'
import { withoutImitations } from '../../processes/output/notices.js'
import type { TerminalFields } from '../../terminals/terminal/report.js'
import { binaryNote, heldText, joinLines, shownOutput } from '../bash-text.js'
import { sandboxNotes } from '../sandbox-notes.js'
import { describeStatus } from '../suite/bash-output-text.js'
import type { ToolNames } from './schemas.js'
import { terminalLines } from './state-line.js'

type Shown = Pick<
  JobOutput,
  | 'output'
  | 'binary'
  | 'readable'
  | 'truncated'
  | 'nextOffset'
  | 'heldBytes'
  | 'status'
  | 'exitCode'
  | 'signal'
> &
  TerminalFields &
  JobDenials & { droppedInput?: number }

/** @param names of the tools */
export function viewText(result: Shown, { output: reader }: ToolNames): string {
  const { screen, truncated, nextOffset, status } = result
  const rest = `[to read what was left out: ${reader} with a filter, or an offset below ${nextOffset}]`
  return joinLines(
    withoutImitations(shownOutput(result), truncated),
    heldText(result),
    screen === undefined ? binaryNote(result) : '',
    truncated && screen === undefined ? rest : '',
    ...sandboxNotes(result),
    ...terminalLines(result),
    status === 'running' ? '' : `[${describeStatus(result)}]`,
  )
}
