// Node's environment, in which a test that cannot.json names has to fail.
const { relative } = require('node:path')
const { TestEnvironment } = require('jest-environment-node')

/**
 * By file, and by the full name of a test: why it cannot pass. `cannot` is expected to fail; `notRun` would do harm.
 *
 * @type {Record<string, Record<string, { cannot: string } | { notRun: string }>>}
 */
const table = require('./cannot.json')

class PortableEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    this.file = relative(`${config.projectConfig.rootDir}/test`, context.testPath)
    this.named = new Map(Object.entries(table[this.file] ?? {}))
  }

  handleTestEvent({ name, test }) {
    if (name === 'test_start') this.mark(test, fullName(test))
    if (name === 'run_finish' && this.named.size > 0) {
      const names = [...this.named.keys()].join('; ')
      throw new Error(`cannot.json names tests that ${this.file} does not have: ${names}`)
    }
  }

  mark(test, name) {
    const entry = this.named.get(name)
    if (entry === undefined) return
    this.named.delete(name)
    if ('cannot' in entry) {
      // What jest's own test.failing() sets: the test is a failure when it passes.
      test.failing = true
    } else {
      process.stderr.write(`not run on the portable engine: ${this.file}: ${name}: ${entry.notRun}\n`)
      test.mode = 'skip'
    }
  }
}

const fullName = ({ parent, name }) =>
  parent.name === 'ROOT_DESCRIBE_BLOCK' ? name : `${fullName(parent)} › ${name}`

module.exports = PortableEnvironment
