// What a user of the package does, and what came of it. Run by consumer.mjs and consumer.cjs.

/** @param {typeof import('bashward')} bashward */
exports.probe = async (bashward) => {
  const { available } = await bashward.probeSandbox()
  return {
    command: await outcome(bashward, { sandbox: 'unrestricted' }),
    restricted: available ? await outcome(bashward, { sandbox: 'restricted' }) : null,
    check: check(bashward),
  }
}

/** A command that writes a file, and fails. Of bash alone: there is no other program. */
const outcome = async ({ run }, options) => {
  const command = 'echo hi; : > written && echo wrote; exit 3'
  const { output, exitCode, sandbox } = await run(command, { cwd: process.cwd(), ...options })
  return { output, exitCode, sandbox }
}

const check = ({ checkCommand }) => {
  if (checkCommand === undefined) return null
  const isAllowed = (command) => checkCommand(command, { workingDir: '/' }).allowed
  return { 'git status': isAllowed('git status'), 'git add -A': isAllowed('git add -A') }
}
