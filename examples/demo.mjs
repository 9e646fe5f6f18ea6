// The main job on real commands: what an agent asks for, and what its model reads in answer.

import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBashTool, JobStore } from 'bashward'

process.env.DEMO_API_KEY = 'a secret of this program'

// Background jobs of the demo only. Without the option they are in ~/.local/state/bashward/jobs, for every host to see.
const jobs = new JobStore({ directory: mkdtempSync(join(tmpdir(), 'bashward-demo-')) })

// Short timeouts, so that nobody has to wait for the demo. The defaults are 30 seconds, and 15 minutes for mode "slow".
const tool = createBashTool({ timeouts: { default: 1000 }, termGraceMs: 500, jobs })

// Empty, and no repository nor in one: the command that is refused there would do no harm either.
const emptyDirectory = mkdtempSync(join(tmpdir(), 'bashward-demo-'))
process.env.GIT_CEILING_DIRECTORIES = realpathSync(tmpdir())

const hasColors = process.stdout.isTTY && process.stdout.hasColors()
const bold = (text) => (hasColors ? `\x1b[1m${text}\x1b[0m` : text)
const dim = (text) => (hasColors ? `\x1b[2m${text}\x1b[0m` : text)

function show(why, command, result) {
  console.log(`${dim(`# ${why}`)}\n${bold(`$ ${command}`)}`)
  console.log(tool.toText(result).trimEnd().split('\n[snip]\n').map(abridge).join('\n[snip]\n'))
  console.log()
}

/** The model reads all of it; a person is spared the lines in the middle. */
function abridge(text) {
  const lines = text.split('\n')
  if (lines.length <= 10) return text
  const note = dim(`(… ${lines.length - 6} more lines for the model …)`)
  return [...lines.slice(0, 3), note, ...lines.slice(-3)].join('\n')
}

/** Runs a command and shows what the model reads. */
async function demonstrate(why, command, { mode = 'default', workingDir = '/' } = {}) {
  const result = await tool.execute({ command, mode }, { workingDir })
  show(why, command, result)
  return result
}

/** Starts a command and cancels it as soon as it prints something. */
async function cancelAtFirstOutput(command) {
  const controller = new AbortController()
  const onEvent = (event) => {
    if (event.type === 'output') controller.abort()
  }
  return await tool.execute({ command }, { workingDir: '/', cancel: controller.signal, onEvent })
}

console.log(
  'Every command here runs for real, but for one that is refused. Below it stands what the model reads.\n',
)

await demonstrate('A success is its output and nothing else.', 'uname -s; echo "$((6 * 7)) is the answer"')

await demonstrate(
  'A failure says so first. stdout and stderr keep their order.',
  'echo checking; ls /no-such-directory; echo giving up; exit 3',
)

await demonstrate(
  'A timeout keeps what was printed before it, so that the model knows how far the command came.',
  'echo "step 1 of 2 is done"; sleep 60; echo "step 2 of 2 is done"',
)

await demonstrate('A flood fills neither the memory nor the context: both ends are kept.', 'seq 400000')

await demonstrate(
  'A command that does damage by mistake is refused before it runs, with a better one.',
  'git add -A',
  { workingDir: emptyDirectory },
)

const server = await demonstrate(
  'A child that holds the output open does not hold up the call. It becomes a job, and the model is told of it.',
  'sleep 300 & echo "the server is up"',
)
const { status } = await jobs.kill(server.jobId)
console.log(dim(`(The call took ${Math.round(server.durationMs)} ms. The job is ${status} now.)\n`))

const job = await demonstrate(
  'A background job goes on by itself, also when this program ends.',
  'for step in 1 2 3; do echo "step $step of 3"; sleep 0.3; done; exit 7',
  { mode: 'background' },
)
await jobs.wait(job.jobId)
await demonstrate('Its file says how it has ended.', `cat ${job.outputFile}`)

const daemonize = '(setsid bash -c \'echo "daemon $$"; exec sleep 300\' &); sleep 300'
const cancelled = await cancelAtFirstOutput(daemonize)
show('A cancel kills everything, also a daemon in a session of its own.', daemonize, cancelled)
const daemon = /\d+/.exec(cancelled.output)?.[0]
console.log(dim(`(Process ${daemon} is ${existsSync(`/proc/${daemon}`) ? 'still there' : 'gone'}.)\n`))

await demonstrate(
  'Secrets in the environment of the program are withheld from its commands.',
  'env | grep DEMO_API_KEY || echo "there is no DEMO_API_KEY"',
)

rmSync(emptyDirectory, { recursive: true })
rmSync(jobs.directory, { recursive: true })
