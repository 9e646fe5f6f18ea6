// A proxy that cannot be started: what the host is told, and that it is tried anew.
import childProcess, { type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { constants } from 'node:os'
import { startProxy, whyNoProxy } from '../../../lib/guard/proxy/start.js'

const spawn = childProcess.spawn

afterEach(() => jest.restoreAllMocks())

/** Executes another program instead. */
const instead = (...words: [string, ...string[]]) =>
  jest
    .spyOn(childProcess, 'spawn')
    .mockImplementation(() => spawn(words[0], words.slice(1), { stdio: 'pipe' }) as never)

test('a program that is not there', async () => {
  instead('/nonexistent')

  await expect(startProxy()).rejects.toMatchObject({
    code: 'ERR_SPAWN',
    step: 'start the proxy',
    errno: constants.errno.ENOENT,
    message: 'start the proxy /nonexistent: ENOENT (no such file or directory)',
  })
})

test('no descriptor left', async () => {
  jest.spyOn(childProcess, 'spawn').mockImplementation(() => {
    const child = Object.assign(new EventEmitter(), { kill: () => false }) as ChildProcess
    const error = Object.assign(new Error('spawn EMFILE'), { errno: -constants.errno.EMFILE })
    process.nextTick(() => child.emit('error', error))
    return child as never
  })

  await expect(startProxy()).rejects.toMatchObject({ code: 'ERR_SPAWN', errno: constants.errno.EMFILE })
})

test('no permission to start anything', async () => {
  jest.spyOn(childProcess, 'spawn').mockImplementation(() => {
    throw Object.assign(new Error('Access to this API has been restricted'), { code: 'ERR_ACCESS_DENIED' })
  })

  await expect(startProxy()).rejects.toMatchObject({
    code: 'ERR_SPAWN',
    message: 'start the proxy: Access to this API has been restricted',
  })
})

test('a process that ends at once is quoted', async () => {
  instead('/bin/sh', '-c', 'echo something is wrong >&2')

  await expect(startProxy()).rejects.toMatchObject({
    code: 'ERR_SPAWN',
    message: 'the proxy ended before it listened: something is wrong',
  })
})

test('a process that cannot listen says why', async () => {
  const answer = {
    step: 'listen',
    errno: 99,
    message: 'listen EADDRNOTAVAIL: address not available 127.0.0.1',
  }
  instead('/bin/sh', '-c', 'echo "$1"', 'sh', JSON.stringify(answer))

  await expect(startProxy()).rejects.toMatchObject({
    code: 'ERR_SANDBOX_UNAVAILABLE',
    step: 'listen',
    errno: 99,
    message: expect.stringContaining('the proxy cannot listen on 127.0.0.1: listen EADDRNOTAVAIL'),
  })
})

test('an answer that is none', async () => {
  instead('/bin/sh', '-c', 'echo hello')

  await expect(startProxy()).rejects.toMatchObject({ code: 'ERR_SPAWN' })
})

test('Bun and Deno have no parser that is strict enough', () => {
  expect(whyNoProxy({ ...process.versions, bun: '1.0.0' })).toBe('the proxy needs Node, and this is Bun')
  expect(whyNoProxy({ ...process.versions, deno: '1.0.0' })).toBe('the proxy needs Node, and this is Deno')
  expect(whyNoProxy()).toBeUndefined()
})

test('the next command tries again', async () => {
  const failing = instead('/bin/false')
  await expect(startProxy()).rejects.toMatchObject({ code: 'ERR_SPAWN' })
  failing.mockRestore()

  const [first, second] = await Promise.all([startProxy(), startProxy()])

  expect(first).toBe(second)
  expect(first.port).toBeGreaterThan(0)
})
