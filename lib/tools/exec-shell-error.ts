// Tells from what bash itself has said that a command could not be executed.

/**
 * How bash begins its own messages: with its `$0`, which is `bash` here, or with `environment` inside a function. What a
 * script or another program says begins with another name.
 */
const shellMessage = /^(?:bash|environment): (?:line \d+: )?(.*)$/

const notFound = /^(?:exec: )?(.*): (?:command not found|not found|No such file or directory)$/
const cannotExecute = /^(.*): cannot execute: (.*)$/
const permissionDenied = /^(?:exec: )?(.*?)(?:: cannot execute)?: Permission denied$/
const resourcesExhausted =
  /^(?:fork|pipe error|cannot make (?:pipe|child) for [a-z ]+): (?:Resource temporarily unavailable|Cannot allocate memory|Too many open files(?: in system)?)$|^x(?:m|re)alloc: .*cannot allocate /

/**
 * Says why bash could not execute the command, or undefined when what has failed is the command. The exit status alone
 * does not tell: programs exit with 126 and 127 for reasons of their own, and bash does for an unbound variable. So its
 * message has to be there too, as the last line of a stream (of stdout after a `2>&1`). A command that hides the
 * message, or goes on after it, has failed as any other, and so has one where bash speaks another language than
 * English: nothing is set in its environment.
 *
 * Source: bash(1), "EXIT STATUS"; the messages of bash 4.2 to 5.2.
 *
 * @param exitCode not 0
 */
export function shellError(exitCode: number, stdout: string, stderr: string): string | undefined {
  const message = lastShellMessage(stderr) ?? lastShellMessage(stdout)
  if (message === undefined) return undefined
  if (resourcesExhausted.test(message)) return `system resources unavailable: ${message}`
  if (exitCode === 127) return describeMissing(message)
  if (exitCode === 126) return describeRefused(message)
  return undefined
}

function describeMissing(message: string): string | undefined {
  const name = notFound.exec(message)?.[1]
  if (name !== undefined) return `command not found: ${name}`
  const [, program, reason] = cannotExecute.exec(message) ?? []
  return program === undefined ? undefined : `command cannot be executed: ${program}: ${reason}`
}

function describeRefused(message: string): string {
  const name = permissionDenied.exec(message)?.[1]
  return name === undefined ? `command cannot be executed: ${message}` : `permission denied: ${name}`
}

function lastShellMessage(text: string): string | undefined {
  const end = text.endsWith('\n') ? text.length - 1 : text.length
  const line = text.slice(text.lastIndexOf('\n', end - 1) + 1, end)
  return shellMessage.exec(line)?.[1]
}
