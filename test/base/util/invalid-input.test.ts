// Fields that are not known are refused wherever they stand: in the object, its class or its prototype.

import { checkObject } from '../../../lib/base/util/invalid-input.js'
import {
  BashSession,
  createBashSuite,
  createBashTool,
  createExecTool,
  type RunOptions,
  run,
} from '../../../lib/index.js'

const check = (value: unknown) => checkObject('options', value, ['cwd', 'sandbox'])
const message = 'options.sandBox: unknown field; did you mean sandbox? (allowed: cwd, sandbox)'
const misspelt = { sandBox: 'restricted' }
const withoutPrototype = Object.assign(Object.create(null), misspelt)

class Misspelt {
  cwd = '/'
  get sandBox() {
    return 'restricted'
  }
}

test.each<[string, object]>([
  ['its own', { ...misspelt }],
  ['its own, and not enumerable', Object.defineProperty({}, 'sandBox', { value: 'restricted' })],
  ['its own, with a setter only', Object.defineProperty({}, 'sandBox', { set: () => {} })],
  ['of an object without a prototype', withoutPrototype],
  ['of its prototype', Object.create(misspelt)],
  ['of its prototype, and not enumerable', Object.create(Object.create({}, { sandBox: { value: 'x' } }))],
  ['of its prototype, with a setter only', Object.create(Object.create({}, { sandBox: { set: () => {} } }))],
  ['of a prototype that has none itself', Object.create(withoutPrototype)],
  ['of a prototype further up', Object.create(Object.create(misspelt))],
  ['of its class', new Misspelt()],
])('an unknown field is refused when it is %s', (_, value) => {
  expect(() => check(value)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_INPUT', message }))
})

class Options {
  cwd = '/'
  get sandbox() {
    return 'restricted'
  }
  describe() {
    return 'a method is no field'
  }
}

test.each<[string, object]>([
  ['its own', { cwd: '/', sandbox: 'restricted' }],
  [
    'of an object without a prototype',
    Object.assign(Object.create(null), { cwd: '/', sandbox: 'restricted' }),
  ],
  ['of its prototype', Object.create({ cwd: '/', sandbox: 'restricted' })],
  ['of its class', new Options()],
])('known fields are read when they are %s', (_, value) => {
  expect(check(value)).toEqual({ cwd: '/', sandbox: 'restricted' })
})

describe('nothing runs with less than what was asked for', () => {
  const refusal = expect.objectContaining({ code: 'ERR_INVALID_INPUT' })

  test.each<[string, unknown]>([
    ['a field', Object.create({ cwd: '/', sandBox: 'restricted' })],
    ['a field of env', { cwd: '/', env: Object.create({ inherits: 'none' }) }],
    ['a field of limits', { cwd: '/', limits: Object.create({ cpuSecond: 1 }) }],
  ])('run() refuses %s that is inherited and unknown', async (_, options) => {
    await expect(run('echo', options as RunOptions)).rejects.toEqual(refusal)
  })

  test.each<[string, (options: object) => unknown]>([
    ['createBashTool', createBashTool],
    ['createBashSuite', createBashSuite],
    ['createExecTool', createExecTool],
  ])('%s refuses options that are inherited and unknown', (_, create) => {
    expect(() => create(Object.create({ limit: {} }))).toThrow(refusal)
  })

  test('inherited options of a tool are in force', async () => {
    process.env.BASHWARD_TEST_INHERITED = 'x'
    try {
      for (const env of [{ inherit: 'none' }, Object.create({ inherit: 'none' })]) {
        const tool = createBashTool(Object.create({ env, limits: { openFiles: 99 } }))
        const command = 'ulimit -n; echo "[$BASHWARD_TEST_INHERITED]"'
        expect((await tool.execute({ command }, { workingDir: '/' })).output).toBe('99\n[]\n')
      }
    } finally {
      delete process.env.BASHWARD_TEST_INHERITED
    }
  })

  test.each<[string, object]>([
    ['unknown', { sandBox: 'restricted' }],
    ['unknown and inherited', Object.create({ sandBox: 'restricted' })],
    ['no mode', { sandbox: 'Restricted' }],
  ])('BashSession.enter() refuses an option that is %s', async (_, options) => {
    await expect(new BashSession({ workingDir: '/' }).enter(options)).rejects.toEqual(refusal)
  })
})
