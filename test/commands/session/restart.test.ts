// No shell survives getting this state: the session goes on without it, and says so.
import { BashSession } from '../../../lib/commands/session/bash-session.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'
import { type Ended, runIn } from './run-in.js'

afterAll(removeTempDirs)

/** What is left of a record when the shell ends before the command. */
const cutBeforeReady = (state: Buffer) =>
  Buffer.from(state.toString('latin1').replace(/\n[0-9a-f]{24} ready\n[\s\S]*$/, '\n'), 'latin1')

const usedSession = async (): Promise<ShellSession> => {
  const shell = new ShellSession()
  await shell.output('x=1; cd /usr')
  return shell
}

test('a shell that dies of a signal before the command makes the session as new, in its directory', async () => {
  const shell = await usedSession()
  const died = await shell.run('kill -SEGV $$', { tamper: cutBeforeReady })

  expect(died).toMatchObject({
    isFresh: true,
    unsaved:
      'the shell ended while it was given what earlier calls left; the session is as new, but for its directory',
  })
  expect(await shell.output(`echo "\${x-unset} $PWD"`)).toBe('unset /usr\n')
})

test('one that exits does so when the next one has done it, too', async () => {
  const shell = await usedSession()
  expect(await shell.run(':', { tamper: cutBeforeReady })).toMatchObject({ isFresh: false })
  expect(await shell.run(':', { tamper: cutBeforeReady })).toMatchObject({ isFresh: true })
  expect(await shell.output(`echo "\${x-unset} $PWD"`)).toBe('unset /usr\n')
})

test('one that exits costs nothing when the next one does not', async () => {
  const shell = await usedSession()
  await shell.run(':', { tamper: cutBeforeReady })
  expect(await shell.output('echo $x')).toBe('1\n')
  expect(await shell.run(':', { tamper: cutBeforeReady })).toMatchObject({ isFresh: false })
})

test('a timeout or a cancel before the command costs nothing', async () => {
  const shell = await usedSession()
  const outcome: Ended = { end: 'stopped', state: undefined }
  const call = await runIn(shell.session, {}, async () => outcome)

  expect(call?.isFresh).toBeUndefined()
  expect(await shell.output('echo $x')).toBe('1\n')
})

test('a bash that is too old is refused by its version', async () => {
  const session = new BashSession({ workingDir: '/' })
  const call = runIn(session, {}, async ({ prologue }) => {
    const text = prologue.toString('latin1')
    const nonce = /bashward-session-2 (\w+)/.exec(text)?.[1]
    const secret = /(\w+) old /.exec(text)?.[1]
    const record = `bashward-session-2 ${nonce}\n${secret} old 4.3.48(1)-release\n`
    return { end: 'exited' as const, state: Buffer.from(record) }
  })

  await expect(call).rejects.toMatchObject({
    code: 'ERR_SPAWN',
    message: 'sessions need bash 4.4 or newer (the shell is bash 4.3.48(1)-release); the command has not run',
  })
})
