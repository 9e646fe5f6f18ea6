// What a user of the package does, and what came of it. Run by consumer.mjs and consumer.cjs.
const { join } = require('node:path')

/** @param {typeof import('bashward')} bashward */
exports.probe = async (bashward) => {
  const { available } = await bashward.probeSandbox()
  return {
    command: await outcome(bashward, { sandbox: 'unrestricted' }),
    restricted: available ? await outcome(bashward, { sandbox: 'restricted' }) : null,
    session: await session(bashward),
    job: await job(bashward),
    check: check(bashward),
  }
}

/** A command that writes a file, and fails. Of bash alone: there is no other program. */
const outcome = async ({ run }, options) => {
  const command = 'echo hi; : > written && echo wrote; exit 3'
  const { output, exitCode, sandbox } = await run(command, { cwd: process.cwd(), ...options })
  return { output, exitCode, sandbox }
}

/** What the second call finds of the first one. */
const session = async ({ BashSession, createBashTool }) => {
  const bash = createBashTool()
  const context = { workingDir: '/', session: new BashSession({ workingDir: '/' }) }
  await bash.execute({ command: 'cd /proc; greeting=hello; greet() { echo "$greeting $1"; }' }, context)
  const { output } = await bash.execute({ command: 'pwd; greet world' }, context)
  return output
}

/** A job that is read, and another one that is stopped. In a directory of this process: there is no other program. */
const job = async ({ createBashSuite, JobStore }) => {
  const jobs = new JobStore({ directory: join(process.cwd(), `jobs-${process.pid}`) })
  const { bash } = createBashSuite({ jobs })
  const start = (command) => bash.execute({ command, run_in_background: true }, { workingDir: '/' })
  const [{ jobId: short }, { jobId: endless }] = [await start('echo hi'), await start('while :; do :; done')]
  const { status } = await jobs.wait(short)
  const { output } = await jobs.read(short)
  await jobs.kill(endless)
  return { status, output, endless: (await jobs.wait(endless)).status }
}

const check = ({ checkCommand }) => {
  if (checkCommand === undefined) return null
  const isAllowed = (command) => checkCommand(command, { workingDir: '/' }).allowed
  return { 'git status': isAllowed('git status'), 'git add -A': isAllowed('git add -A') }
}
