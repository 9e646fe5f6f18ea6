// A call of which the session takes over nothing, or a selection: its record cannot move the session or make it anew.
import type { Selection } from '../../../lib/commands/session/session-mode.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

const takeAll: Selection = async (_, left) => ({ ...left, dropped: [] })

const recordWith = (ending: 'lost' | 'old 4.3.48(1)-release' | 'unready') => (state: Buffer) => {
  const text = state.toString('latin1')
  const secret = /^([0-9a-f]{24}) state$/m.exec(text)?.[1]
  const begun = text.replace(/\n[0-9a-f]{24} (?:ready|state)\n[\s\S]*$/, '\n')
  return Buffer.from(ending === 'unready' ? begun : `${begun}${secret} ${ending}\n`, 'latin1')
}

describe.each([
  ['nothing', 'nothing'],
  ['a selection', takeAll],
] as const)('with %s', (_, takes) => {
  test.each(['lost', 'old 4.3.48(1)-release', 'unready'] as const)(
    'a record that says %s',
    async (ending) => {
      const shell = new ShellSession({ workingDir: '/usr/lib' })
      await shell.output('x=1; umask 027; f() { :; }')
      // Of two shells that exit, the second one would be believed; of those that are killed, the first.
      for (const command of [ending === 'unready' ? 'kill -KILL $$' : ':', ':', ':']) {
        expect(await shell.run(command, { tamper: recordWith(ending), takes })).toMatchObject({
          unsaved: expect.stringContaining('the session is as before the call'),
          isFresh: false,
        })
      }

      expect(await shell.output('pwd; echo $x; umask; type -t f')).toBe('/usr/lib\n1\n0027\nfunction\n')
    },
  )
})
