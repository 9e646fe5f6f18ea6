// What `bashward run --mode background` prints of the job: what a model or a script reads, and to a person how to go on.

import type { BashResult } from '../../commands/run/result.js'
import { joinLines, resultBody } from '../../tools/bash-text.js'
import { paint } from './colors.js'
import { printHint } from './status-lines.js'
import { writeText } from './stdio.js'

/**
 * @param text what the model reads
 * @param look the words of `bashward jobs` that show what it does
 */
export async function printStarted(
  result: BashResult & { jobId: string },
  text: string,
  look: 'output' | 'attach',
  signal?: AbortSignal,
): Promise<void> {
  const { stdout } = process
  const { jobId: id } = result
  if (!stdout.isTTY) {
    await writeText(stdout, `${text}\n`, signal)
    await printHint(`Try 'bashward jobs ${look} ${id}'.`)
    return
  }
  const how = [
    `To see what it does:  bashward jobs ${look} ${id}`,
    `To stop it:           bashward jobs kill ${id}`,
  ]
  const lines = joinLines(`Background job ${id}`, paint(stdout, 'dim', how.join('\n')), resultBody(result))
  await writeText(stdout, `${lines}\n`, signal)
}
