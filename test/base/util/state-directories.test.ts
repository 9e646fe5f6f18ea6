import { noteStateDirectory, stateDirectories } from '../../../lib/base/util/state-directories.js'

test('a directory that is noted twice is there once', () => {
  noteStateDirectory('/srv/jobs')
  noteStateDirectory('/srv/jobs')

  expect(stateDirectories().filter((directory) => directory === '/srv/jobs')).toHaveLength(1)
})

test('of very many the oldest are forgotten', () => {
  for (let index = 0; index < 1500; index++) noteStateDirectory(`/srv/${index}`)

  expect(stateDirectories()).toHaveLength(1000)
  expect(stateDirectories()).toContain('/srv/1499')
})

test('one below another one is not kept besides: it is protected with that', () => {
  noteStateDirectory('/srv/worker')
  noteStateDirectory('/srv/worker/jobs/1')
  noteStateDirectory('/srv/worker-2')

  expect(stateDirectories()).toContain('/srv/worker')
  expect(stateDirectories()).toContain('/srv/worker-2')
  expect(stateDirectories()).not.toContain('/srv/worker/jobs/1')
})
