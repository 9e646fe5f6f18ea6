// The portable engine has no ledger, and says so.
import { execFileSync } from 'node:child_process'
import { packageRoot } from '../../support/as-user.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterAll(removeTempDirs)

test('on the portable engine a call with a ledger is refused by name, and does not run', () => {
  const directory = tempDir()
  const program = `
    const { createBashTool, CallLedger } = require('bashward')
    const calls = new CallLedger({ directory: '${directory}/calls' })
    const command = 'echo ran > ${directory}/ran'
    const context = { workingDir: '/', toolCallId: 'a' }
    const main = async () => {
      const { status, error } = await createBashTool({ calls }).execute({ command }, context)
      const refused = await calls.status({ callId: 'a' }).catch(({ code }) => code)
      console.log(JSON.stringify({ status, error, refused, ran: require('fs').existsSync('${directory}/ran') }))
    }
    main()`
  const env = { ...process.env, BASHWARD_ENGINE: 'portable' }
  const output = execFileSync(process.execPath, ['-e', program], { cwd: packageRoot, encoding: 'utf8', env })

  expect(JSON.parse(output)).toEqual({
    status: 'error',
    error: {
      code: 'ERR_UNSUPPORTED_PLATFORM',
      message: 'a CallLedger needs the native engine: the portable one cannot mark a call before it starts',
    },
    refused: 'ERR_UNSUPPORTED_PLATFORM',
    ran: false,
  })
})
