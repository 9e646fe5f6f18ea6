// Row 15: git neither pages, nor opens an editor, nor asks for a password: it returns.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { run } from '../../lib/index.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

/** Nothing of the user's own configuration, and no proxy between us and the server of this test. */
const set = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.invalid',
  GIT_COMMITTER_NAME: 'C',
  GIT_COMMITTER_EMAIL: 'c@example.invalid',
  no_proxy: '127.0.0.1',
}
const timeout = 40_000

let repository: string
beforeAll(async () => {
  repository = tempDir()
  const commits = 'git init -q . && for i in $(seq 60); do git commit -q --allow-empty -m "commit $i"; done'
  const result = await run(commits, { cwd: repository, env: { set } })
  expect(result).toMatchObject({ status: 'completed' })
})
afterAll(removeTempDirs)

describe('row 15: git that would ask a person', () => {
  test('`git -c core.pager=less log` prints', async () => {
    const result = await run('git -c core.pager=less log --oneline', {
      cwd: repository,
      timeout,
      env: { set },
    })

    expect(result).toMatchObject({ status: 'completed', exitCode: 0 })
    expect(result.output.trimEnd().split('\n')).toHaveLength(60)
  })

  test('`git commit --amend` fails at once and leaves the commit as it was', async () => {
    const before = await run('git rev-parse HEAD', { cwd: repository, env: { set } })
    const result = await run('git commit --amend --allow-empty', { cwd: repository, timeout, env: { set } })
    const after = await run('git rev-parse HEAD', { cwd: repository, env: { set } })

    expect(result).toMatchObject({ status: 'failed', exitCode: 1 })
    expect(result.output).toMatch(/editor/)
    expect(after.output).toBe(before.output)
  })

  describe('with a server that wants a password', () => {
    let server: Server
    let url: string
    beforeAll(async () => {
      server = createServer((_, response) => {
        response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="test"', Connection: 'close' }).end()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/repository.git`
    })
    afterAll(async () => {
      await new Promise((resolve) => server.close(resolve))
    })

    test('`git clone` fails and says that it may not ask', async () => {
      const result = await run(`git clone ${url} clone`, { cwd: repository, timeout, env: { set } })

      expect(result).toMatchObject({ status: 'failed', exitCode: 128 })
      expect(result.output).toMatch(/terminal prompts disabled/)
    })
  })
})
