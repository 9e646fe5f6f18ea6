// An agent that does not wait for a long command: it is told when that has ended, and goes on then. What the host has not
// acknowledged is told again after a crash of the host. The model is a script.
//
//   node examples/told-agent.mjs

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBashSuite, eventText, JobStore } from 'bashward'

const directory = mkdtempSync(join(tmpdir(), 'bashward-agent-'))
const jobs = new JobStore({ directory: join(directory, '.jobs') })
const { bash } = createBashSuite({ jobs })
const conversationId = 'told-agent'
const context = { workingDir: directory, conversationId }

/** Takes the place of a model: it decides by the last thing that it has read. */
function model(text) {
  if (text.startsWith('Run the slow tests')) {
    return { command: 'echo 41 passed; sleep 1; echo 1 failed; exit 1', run_in_background: true }
  }
  if (text.startsWith('<bash_id>')) return 'The tests run. I go on when they have ended.'
  if (text.includes('ended: exit code 1') && text.includes('1 failed')) return 'One test fails: I look at it.'
  throw new Error(`the script has no answer to: ${text}`)
}

/** One turn: the model calls tools until it has something to say. */
async function takeTurn(text) {
  console.log(`user: ${text}\n`)
  for (let read = text; ; ) {
    const answer = model(read)
    if (typeof answer === 'string') return console.log(`assistant: ${answer}\n`)
    console.log(`Bash ${JSON.stringify(answer)}`)
    read = bash.toText(await bash.execute(answer, context))
    console.log(`${read}\n`)
  }
}

try {
  await takeTurn('Run the slow tests, and tell me what to do next.')
  // Where a person may write as well: whichever comes first begins the next turn.
  for await (const event of jobs.watch({ consumer: conversationId, conversationId })) {
    await takeTurn(eventText(event))
    // Only now: should this program die before, the end is told again.
    await event.acknowledge()
    break
  }
} finally {
  for (const { id, status } of await jobs.list()) if (status === 'running') await jobs.kill(id)
  rmSync(directory, { recursive: true })
}
