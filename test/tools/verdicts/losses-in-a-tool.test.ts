// Tools look what git would discard, and tell it to the person they ask.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApprovalRequest, BashSession, createBashTool } from '../../../lib/index.js'
import { testRestricted } from '../../support/restricted.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { type SetUp, setUp } from './losing-repository.js'

afterAll(removeTempDirs)

describe('a tool', () => {
  const asking = (repository: SetUp) => {
    const requests: ApprovalRequest[] = []
    const tool = createBashTool({
      verdicts: {
        approve: async (request) => {
          requests.push(request)
          return request.command.startsWith('git') ? { deny: 'no' } : 'once'
        },
      },
    })
    const run = (command: string, session?: BashSession) =>
      tool.execute({ command }, { workingDir: repository.workingDir, ...(session && { session }) })
    return { requests, run }
  }

  testRestricted('looks before it asks, and its result has what was told', async () => {
    const repository = setUp()
    repository.write('a', 'x')
    const { requests, run } = asking(repository)
    const { judgement, status } = await run('git reset --hard')

    expect(status).toBe('rejected')
    expect(requests).toMatchObject([{ kind: 'command', judgement }])
    // Under load there may be no time to look.
    expect(judgement?.reasons[0]?.message).toMatch(
      /This would lose the changes in 1 file|could not be found out/,
    )
    expect(readFileSync(join(repository.workingDir, 'a'), 'utf8')).toBe('x')
  })

  testRestricted('does not look where the shell of the session may run something else', async () => {
    const repository = setUp()
    const { requests, run } = asking(repository)
    const session = new BashSession({ workingDir: repository.workingDir })
    await run('export GIT_DIR=/nonexistent', session)
    await run('git stash drop', session)

    expect(requests.at(-1)).toMatchObject({
      command: 'git stash drop',
      judgement: { reasons: [{ message: expect.stringContaining('could not be found out') }] },
    })
  })

  test('does not look where nobody is asked', async () => {
    const repository = setUp()
    repository.write('a', 'x')
    const result = await createBashTool({ verdicts: {} }).execute(
      { command: 'git reset --hard' },
      { workingDir: repository.workingDir },
    )

    expect(result.rejection?.rule).toBe('needs-approval')
    expect(result.error?.message).not.toContain('lose')
  })
})
