// What the person who runs the tests keeps in bashward's own directory: the tests have directories of their own.
const { readdirSync, readFileSync } = require('node:fs')
const { userInfo } = require('node:os')
const { join } = require('node:path')

/**
 * Where programs of this user keep it, with this environment, with its HOME alone, and without any.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]}
 */
exports.stateDirectories = ({ XDG_STATE_HOME: state, HOME: home }) => {
  const states = [home, userInfo().homedir].map((directory) => directory && join(directory, '.local/state'))
  return [...new Set([state, ...states])].filter(Boolean).map((directory) => join(directory, 'bashward'))
}

/** What is missing, is no directory, or belongs to somebody else has no entries that tests could have made. */
const pathsIn = (directory) => {
  try {
    return readdirSync(directory).map((name) => join(directory, name))
  } catch {
    return []
  }
}

/** A job, a cache, what is known of a call: each has a name in one of the directories there. */
const entriesOf = (directory) => pathsIn(directory).flatMap(pathsIn)

/** The command of a job tells who has started it. */
const commandOf = (entry) => {
  try {
    const { command, workingDir } = JSON.parse(readFileSync(join(entry, 'job.json'), 'utf8'))
    return `, a job: ${JSON.stringify(command)} in ${workingDir}`
  } catch {
    return ''
  }
}

/**
 * Remembers what is there.
 *
 * @param {string[]} directories
 * @returns {() => void} throws when anything has been added since, and names it
 */
exports.watchState = (directories) => {
  const list = () => directories.flatMap(entriesOf)
  const before = new Set(list())
  return () => {
    const added = list().filter((entry) => !before.has(entry))
    if (added.length === 0) return
    const lines = added.map((entry) => `  ${entry}${commandOf(entry)}`)
    throw new Error(
      `The tests have written to the state directory of the person who runs them, unless another program did so \
meanwhile. Give each program that a test starts an XDG_STATE_HOME of its own:\n${lines.join('\n')}`,
    )
  }
}
