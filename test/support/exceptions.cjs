// Test environments for runs in which some tests cannot pass. A table names each of them, with the reason.
const { relative } = require('node:path')
const { TestEnvironment } = require('jest-environment-node')

/**
 * Node's environment, in which a test that the table names has to fail, or is not run.
 *
 * @param {Record<string, Record<string, { cannot: string } | { notRun: string }>>} table by file below test/, and by
 *   the full name of a test, or `*` for all of the file: why it cannot pass. `cannot` is expected to fail; `notRun`
 *   would do harm, or may pass all the same
 * @param {string} where the words behind "not run"
 * @returns {typeof TestEnvironment}
 */
exports.environmentWith = (table, where) =>
  class extends TestEnvironment {
    constructor(config, context) {
      super(config, context)
      this.file = relative(`${config.projectConfig.rootDir}/test`, context.testPath)
      this.named = new Map(Object.entries(table[this.file] ?? {}))
      this.everyTest = this.named.get('*')
      this.named.delete('*')
      if (this.everyTest !== undefined) this.say('all of it', this.everyTest)
    }

    handleTestEvent({ name, test }) {
      if (name === 'test_start') this.mark(test, fullName(test))
      if (name === 'run_finish' && this.named.size > 0) {
        const names = [...this.named.keys()].join('; ')
        throw new Error(`named as exceptions, but not in ${this.file}: ${names}`)
      }
    }

    mark(test, name) {
      const entry = this.named.get(name) ?? this.everyTest
      if (entry === undefined) return
      if (this.named.delete(name) && 'notRun' in entry) this.say(name, entry)
      if ('notRun' in entry) test.mode = 'skip'
      // What jest's own test.failing() sets: the test is a failure when it passes.
      else test.failing = true
    }

    say(name, { notRun }) {
      process.stderr.write(`not run ${where}: ${this.file}: ${name}: ${notRun}\n`)
    }
  }

const fullName = ({ parent, name }) =>
  parent.name === 'ROOT_DESCRIBE_BLOCK' ? name : `${fullName(parent)} › ${name}`
