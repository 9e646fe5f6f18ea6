// docs/fleet.md: its programs, with a real fleet.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../support/as-user.js'
import { endFleets, fleetTest } from '../surfaces/fleet/describe-fleet.js'
import { TestFleet } from '../surfaces/fleet/test-fleet.js'
import { blocksOf } from './blocks.js'
import { snippetWith } from './snippets.js'

endFleets()

/** As its readers have it: only the addresses are others. */
const run = async (fleet: TestFleet, program: string): Promise<string> => {
  const key = join(fleet.directory, 'api.key')
  writeFileSync(key, fleet.clientOptions.signingKey)
  const filled = program
    .replace('redis://127.0.0.1:6379', fleet.redis.url)
    .replace('/etc/bashward/api.key', key)
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', filled], {
    cwd: packageRoot,
    env: { ...process.env, REDIS_PASSWORD: fleet.redis.password },
  })
  return stdout
}

fleetTest('the first program prints what the page says', async () => {
  const [first] = blocksOf('docs/fleet').filter(({ language }) => language === 'js')

  expect(await run(await TestFleet.start(), first?.code ?? '')).toBe(first?.printed)
})

/** A tracer and a meter that note what they are told, and print it at the end. */
const recorder = `
  import { metrics as metricsApi, trace as traceApi } from '@opentelemetry/api'
  const told = []
  const span = { setStatus: ({ message }) => told.push(message), end: () => told.push('end') }
  const startSpan = (name, { attributes }) => {
    told.push(name, attributes['bashward.worker'])
    return span
  }
  traceApi.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) })
  const createCounter = () => ({ add: (_, { outcome }) => told.push(outcome) })
  const createHistogram = () => ({ record: (value) => told.push(typeof value) })
  metricsApi.setGlobalMeterProvider({ getMeter: () => ({ createCounter, createHistogram }) })
  process.on('exit', () => console.log(JSON.stringify(told)))`

fleetTest('the recipe for OpenTelemetry has a span for each call, and counts its outcome', async () => {
  const [first] = blocksOf('docs/fleet').filter(({ language }) => language === 'js')
  const recipe = snippetWith('fleet', 'js', 'opentelemetry')
  const printed = await run(await TestFleet.start(), [recorder, recipe, first?.code].join('\n'))

  const told = JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '[]')
  const one = ['execute_tool bash', 'w1', 'completed', 'number', 'end']
  expect(told).toEqual([...one, ...one])
})
