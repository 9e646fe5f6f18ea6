// What a background job gets, and what becomes of its output, whatever the bytes.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gate, leaveNothing, liveJobs, textOf } from './live-jobs.js'

afterEach(leaveNothing)

test('invalid UTF-8 and NUL are in the file as they were printed, and shown as such by a read', async () => {
  const { store, start } = liveJobs()
  const { id, outputFile } = await start(String.raw`printf '\xff\x00\xe2\x82ok\n'`)
  const { exit } = await store.wait(id, { timeoutMs: 20_000 })

  const file = readFileSync(outputFile)
  expect(file.subarray(0, -(exit?.statusLineBytes ?? 0)).toString('latin1')).toBe('\xff\x00\xe2\x82ok\n')
  expect(await store.read(id)).toMatchObject({
    output: '\uFFFD␀\uFFFDok\n',
    binary: true,
    outputBytes: 7,
  })
})

test('a job that closes its output early runs to its end', async () => {
  const { wait, open } = gate()
  const { store, start } = liveJobs()
  const { id, outputFile } = await start(`echo first; exec >&- 2>&-; ${wait}; exit 2`)
  open()

  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({ status: 'failed', exitCode: 2 })
  expect(textOf(outputFile)).toBe('first\n\n\n[background process failed: exit code 2]')
})

test('stdout and stderr are one pipe, in the order of the writes', async () => {
  const { store, start } = liveJobs()
  const { id } = await start('for i in 1 2 3; do echo o$i; echo e$i >&2; done; echo x | tee /dev/stderr')
  await store.wait(id, { timeoutMs: 20_000 })

  expect((await store.read(id)).output).toBe('o1\ne1\no2\ne2\no3\ne3\nx\nx\n')
})

test('stdin is /dev/null, and no other descriptor is inherited', async () => {
  const { store, start } = liveJobs()
  const { id } = await start('readlink /proc/$$/fd/0; cat; echo /proc/$$/fd/*')
  const { record } = await store.wait(id, { timeoutMs: 20_000 })

  const descriptors = [0, 1, 2].map((fd) => `/proc/${record?.pid}/fd/${fd}`)
  expect((await store.read(id)).output.split('\n').slice(0, 2)).toEqual([
    '/dev/null',
    // The directory itself is open while bash reads it.
    expect.stringMatching(new RegExp(`^${descriptors.join(' ')}( \\S+/fd/3)?$`)),
  ])
})

test('a command of 300 kB runs, and the record has all of it', async () => {
  const { store, start } = liveJobs()
  const command = `cat <<'END' | wc -c\n${'é'.repeat(150_000)}\nEND\nexit 9`
  const { id } = await start(command)

  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({
    status: 'failed',
    exitCode: 9,
    record: { command },
  })
  expect((await store.read(id)).output.trim()).toBe('300001')
})

test('what is printed can be read at once, and goes on from nextOffset', async () => {
  const { wait, open } = gate()
  const { store, start } = liveJobs()
  const { id } = await start(`echo one; ${wait}; echo two`)
  const { nextOffset } = await store.read(id)
  open()
  await store.wait(id, { timeoutMs: 20_000 })

  const rest = await store.read(id, { offset: nextOffset })
  expect('one\n'.slice(0, nextOffset) + rest.output).toBe('one\ntwo\n')
  expect(rest.nextOffset).toBe(8)
})

test('the directory and the files are for their owner only', async () => {
  const { directory, store, start } = liveJobs()
  const { id } = await start('true')
  await store.wait(id, { timeoutMs: 20_000 })
  const modeOf = (name: string) => (statSync(join(directory, name)).mode & 0o777).toString(8)

  expect(['.', id, `${id}/job.json`, `${id}/output`, `${id}/exit.json`].map(modeOf)).toEqual([
    '700',
    '700',
    '600',
    '600',
    '600',
  ])
})
