// The command that bash gets.

import { basename } from 'node:path'
import type { ExecCommandArgs } from '@openai/agents/sandbox'
import { quote } from '../../../base/util/bash-quotes.js'

/** A model may ask for another shell than bash, whose login environment is an option of the host's. */
export function commandLine({ cmd, shell, login }: ExecCommandArgs): string {
  if (shell === undefined || shell === '' || basename(shell) === 'bash') return cmd
  return `exec ${quote(shell)} ${login === false ? '-c' : '-lc'} ${quote(cmd)}`
}
