// The main job on real commands: what an agent asks for, and what its model reads in answer. This is `npm run demo`.

import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { createBashTool, JobStore } from 'bashward'

// A reader such as head(1) may have seen enough: what was started is cleaned up all the same.
process.stdout.on('error', () => {})

process.env.DEMO_API_KEY = 'a secret of this program'

// Background jobs of the demo only. Without the option they are in ~/.local/state/bashward/jobs, for every host to see.
const jobs = new JobStore({ directory: mkdtempSync(join(tmpdir(), 'bashward-demo-')) })

const tool = createBashTool({ termGraceMs: 500, jobs })
// The default is 30 seconds, which nobody wants to wait for.
const impatientTool = createBashTool({ timeouts: { default: 1000 } })

// Empty, and no repository nor in one: the command that is refused there would do no harm either.
const emptyDirectory = mkdtempSync(join(tmpdir(), 'bashward-demo-'))
process.env.GIT_CEILING_DIRECTORIES = realpathSync(tmpdir())

const dim = (text) => styleText('dim', text)
const title = (why, command) => console.log(`${dim(`# ${why}`)}\n${styleText('bold', `$ ${command}`)}`)
const note = (text) => console.log(`${dim(`(${text})`)}\n`)

/** The model reads all of it; a person is spared the lines in the middle. */
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

/** Runs a command and shows what a person can see meanwhile: pieces of output, and when they come. */
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

console.log('Every command here is real. Below it stands what the model reads.\n')

await demonstrate('A success is its output and nothing else.', 'uname -s; echo "$((6 * 7)) is the answer"')

await demonstrate(
  'A failure says so first. stdout and stderr keep their order.',
  'echo checking; ls /no-such-directory; echo giving up; exit 3',
)

await watch(
  'While a command runs its output can be watched.',
  'for step in 1 2 3; do echo "step $step of 3"; sleep 0.3; done',
)

await demonstrate(
  'A timeout keeps what was printed before it, so that the model knows how far the command came.',
  'echo "step 1 of 2 is done"; sleep 60; echo "step 2 of 2 is done"',
  { by: impatientTool },
)

await demonstrate('A flood fills neither the memory nor the context: both ends are kept.', 'seq 400000')

await demonstrate(
  'A command that does damage by mistake is refused before it runs, with a better one.',
  'git add -A',
  { workingDir: emptyDirectory },
)

await demonstrate(
  'In Restricted mode a command can read, and the kernel refuses every write.',
  'wc -l </etc/passwd; echo changed >file',
  { workingDir: emptyDirectory, sandbox: 'restricted' },
)
note(existsSync(join(emptyDirectory, 'file')) ? 'It was written!' : 'There is no such file.')

const server = await demonstrate(
  'A child that holds the output open does not hold up the call. It becomes a job, and the model is told of it.',
  'sleep 300 & echo "the server is up"',
)
const { status } = await jobs.kill(server.jobId)
note(`The call took ${Math.round(server.durationMs)} ms. The job is ${status} now.`)

const job = await demonstrate(
  'A background job goes on by itself, also when this program ends.',
  'for step in 1 2 3; do echo "step $step of 3"; sleep 0.3; done; exit 7',
  { mode: 'background' },
)
await jobs.wait(job.jobId)
await demonstrate('Its file says how it has ended.', `cat ${job.outputFile}`)

const cancellation = new AbortController()
const cancelled = await demonstrate(
  'A cancel kills everything, also a daemon in a session of its own.',
  '(setsid bash -c \'echo "daemon $$"; exec sleep 300\' &); sleep 300',
  { cancel: cancellation.signal, onEvent: ({ type }) => type === 'output' && cancellation.abort() },
)
const daemon = /\d+/.exec(cancelled.output)?.[0]
note(`Process ${daemon} is ${existsSync(`/proc/${daemon}`) ? 'still there' : 'gone'}.`)

await demonstrate(
  'Secrets in the environment of the program are withheld from its commands.',
  'env | grep DEMO_API_KEY || echo "there is no DEMO_API_KEY"',
)

rmSync(emptyDirectory, { recursive: true })
rmSync(jobs.directory, { recursive: true })
