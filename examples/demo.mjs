// `npm run demo`: real commands as an agent sends them, and what its model reads in reply.

import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { createBashTool, JobStore } from 'bashward'

// A reader such as head(1) may close the pipe early: clean up all the same.
process.stdout.on('error', () => {})

process.env.DEMO_API_KEY = 'a secret of this program'

// Keeps the demo's jobs to itself. By default they are in ~/.local/state/bashward/jobs, where every host sees them.
const jobs = new JobStore({ directory: mkdtempSync(join(tmpdir(), 'bashward-demo-')) })

const tool = createBashTool({ termGraceMs: 500, jobs })
// The default is 30 seconds: too long for a demo.
const impatientTool = createBashTool({ timeouts: { default: 1000 } })

// Empty and outside any repository: even if it ran, the refused command would do no harm here.
const emptyDirectory = mkdtempSync(join(tmpdir(), 'bashward-demo-'))
process.env.GIT_CEILING_DIRECTORIES = realpathSync(tmpdir())

const dim = (text) => styleText('dim', text)
const title = (why, command) => console.log(`${dim(`# ${why}`)}\n${styleText('bold', `$ ${command}`)}`)
const note = (text) => console.log(`${dim(`(${text})`)}\n`)

/** Leaves out the middle of a long text. The model reads all of it. */
function abridge(text) {
  const lines = text.split('\n')
  if (lines.length <= 10) return text
  const gap = dim(`(… ${lines.length - 6} more lines for the model …)`)
  return [...lines.slice(0, 3), gap, ...lines.slice(-3)].join('\n')
}

/** Runs a command and shows what the model reads. */
async function demonstrate(why, command, { mode = 'default', by = tool, ...context } = {}) {
  const result = await by.execute({ command, mode }, { workingDir: '/', ...context })
  title(why, command)
  const text = tool.toText(result).trimEnd()
  console.log(`${text.split('\n[snip]\n').map(abridge).join('\n[snip]\n')}\n`)
  return result
}

/** Runs a command and shows each piece of output when it arrives. */
async function watch(why, command) {
  title(why, command)
  const start = Date.now()
  for await (const event of tool.stream({ command }, { workingDir: '/' })) {
    if (event.type !== 'output') continue
    const seconds = ((Date.now() - start) / 1000).toFixed(1)
    for (const line of event.text.trimEnd().split('\n')) console.log(`${dim(`${seconds}s`)}  ${line}`)
  }
  console.log()
}

console.log('Every command is real. Below each one is what the model reads.\n')

await demonstrate('Success: just the output.', 'uname -s; echo "$((6 * 7)) is the answer"')

await demonstrate(
  'Failure: the exit code first, then stdout and stderr in their exact order.',
  'echo checking; ls /no-such-directory; echo giving up; exit 3',
)

await watch(
  'You can watch the output while a command runs.',
  'for step in 1 2 3; do echo "step $step of 3"; sleep 0.3; done',
)

await demonstrate(
  'Timeout: the model gets the output so far, and knows how far the command got.',
  'echo "step 1 of 2 is done"; sleep 60; echo "step 2 of 2 is done"',
  { by: impatientTool },
)

await demonstrate('A flood fills neither memory nor context: the model gets both ends.', 'seq 400000')

await demonstrate(
  'A harmful slip is refused before it runs, and the model learns what to type instead.',
  'git add -A',
  { workingDir: emptyDirectory },
)

await demonstrate(
  'Restricted mode: commands can read, and the kernel refuses every write.',
  'ls -d /etc; echo changed >file',
  { workingDir: emptyDirectory, sandbox: 'restricted' },
)
note(existsSync(join(emptyDirectory, 'file')) ? 'It was written!' : 'There is no such file.')

const server = await demonstrate(
  'A child that keeps the output open does not block the call. It becomes a job, and the model is told.',
  'sleep 300 & echo "the server is up"',
)
const { status } = await jobs.kill(server.jobId)
note(`The call took ${Math.round(server.durationMs)} ms. The job is ${status} now.`)

const job = await demonstrate(
  'A background job runs on its own, even after this program ends.',
  'for step in 1 2 3; do echo "step $step of 3"; sleep 0.3; done; exit 7',
  { mode: 'background' },
)
await jobs.wait(job.jobId)
await demonstrate('Its output file says how it ended.', `cat ${job.outputFile}`)

const cancellation = new AbortController()
const cancelled = await demonstrate(
  'Cancel: everything is killed, even a daemon in a session of its own.',
  '(setsid bash -c \'echo "daemon $$"; exec sleep 300\' &); sleep 300',
  { cancel: cancellation.signal, onEvent: ({ type }) => type === 'output' && cancellation.abort() },
)
const daemon = /\d+/.exec(cancelled.output)?.[0]
note(`Process ${daemon} is ${existsSync(`/proc/${daemon}`) ? 'still there' : 'gone'}.`)

await demonstrate(
  'Secrets in the host environment do not reach commands.',
  'env | grep DEMO_API_KEY || echo "there is no DEMO_API_KEY"',
)

rmSync(emptyDirectory, { recursive: true })
rmSync(jobs.directory, { recursive: true })
