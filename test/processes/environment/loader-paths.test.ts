// No command begins with a library that another one has left in its directory.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../lib/index.js'
import { filterEnvironment } from '../../../lib/processes/environment/filter.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

test.each([
  ['LD_LIBRARY_PATH', '/opt/lib:', '/opt/lib'],
  ['LD_LIBRARY_PATH', ':/opt/lib::/srv/lib', '/opt/lib:/srv/lib'],
  ['LD_LIBRARY_PATH', '/opt/lib;lib;.;$LIB/x', '/opt/lib'],
  ['LD_LIBRARY_PATH', '$ORIGIN/lib:${ORIGIN}/../lib:$ORIGINAL/lib', '$ORIGIN/lib:${ORIGIN}/../lib'],
  ['LD_PRELOAD', './a.so libjemalloc.so.2:lib/b.so /opt/c.so', 'libjemalloc.so.2:/opt/c.so'],
  ['LD_AUDIT', 'audit/a.so:/opt/b.so', '/opt/b.so'],
  ['GCONV_PATH', '/opt/gconv::gconv', '/opt/gconv'],
  ['LD_LIBRARY_PATH', '/opt/lib', '/opt/lib'],
  ['LD_PRELOAD', 'a.so b.so', 'a.so b.so'],
])('%s=%s is passed on without what is relative', (name, value, kept) => {
  expect(filterEnvironment({ [name]: value }).env[name]).toBe(kept)
  expect(filterEnvironment({ [name]: value }, { inherit: 'none', allow: [name] }).env[name]).toBe(kept)
  expect(filterEnvironment({ [name]: value }).removed).toEqual([])
})

test('a variable of which nothing is left is withheld', () => {
  const { env, removed } = filterEnvironment({ LD_LIBRARY_PATH: ':lib' })

  expect(env).not.toHaveProperty('LD_LIBRARY_PATH')
  expect(removed).toEqual(['LD_LIBRARY_PATH'])
})

test('what the caller sets, and what inherit: all passes on, stays as it is', () => {
  const variables = { LD_LIBRARY_PATH: ':lib' }

  expect(filterEnvironment({}, { set: variables }).env).toMatchObject(variables)
  expect(filterEnvironment(variables, { inherit: 'all' }).env).toEqual(variables)
})

test('bash loads no library that lies in the working directory', async () => {
  const cwd = tempDir()
  // The loader refuses to start a program for which it finds these.
  for (const name of ['libtinfo.so.6', 'libc.so.6', 'libdl.so.2', 'libreadline.so.8'])
    writeFileSync(join(cwd, name), 'no library')
  const { LD_LIBRARY_PATH } = process.env
  process.env.LD_LIBRARY_PATH = '/nonexistent:'
  try {
    expect(await run('echo ran', { cwd })).toMatchObject({ status: 'completed', output: 'ran\n' })
  } finally {
    if (LD_LIBRARY_PATH === undefined) delete process.env.LD_LIBRARY_PATH
    else process.env.LD_LIBRARY_PATH = LD_LIBRARY_PATH
  }
})
