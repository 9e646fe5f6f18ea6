// What consumer/probe.cjs reports where everything works.
import { cannotTest } from '../../support/must-work.js'

interface Report {
  command: unknown
  restricted: unknown
  session: unknown
  job: unknown
  check: unknown
}

/** What a consumer printed, as an object. */
export const parseReport = (text: string): Report => JSON.parse(text)

/** Expects that commands, sessions and jobs ran, a restricted command was confined, and a check found what it should. */
export const expectWorking = ({ command, restricted, session, job, check }: Report): void => {
  expect(command).toEqual({ output: 'hi\nwrote\n', exitCode: 3, sandbox: 'unrestricted' })
  if (restricted === null) cannotTest('there is no Restricted mode here')
  else
    expect(restricted).toEqual({
      output: expect.stringMatching(confined),
      exitCode: 3,
      sandbox: 'restricted',
    })
  expect(session).toBe('/proc\nhello world\n')
  expect(job).toEqual({ status: 'completed', output: 'hi\n', endless: 'killed' })
  expect(check).toEqual({ 'git status': true, 'git add -A': false })
}

/** The directory cannot be written to. */
const confined = /^hi\nbash: line 1: written: Permission denied\n$/
