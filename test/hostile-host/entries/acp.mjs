// `bashward/acp`: the terminals that a client of the Agent Client Protocol gives its agent.
import { acpTerminals } from 'bashward/acp'
import { curious, modes } from './commands.mjs'

export const entries = {
  'bashward/acp: acpTerminals': async ({ project: workingDir, works }) => {
    for (const sandbox of modes) {
      const terminals = acpTerminals({ workingDir, sandbox })
      const sessionId = 's'
      const { terminalId } = await works(`${sandbox} create`, () =>
        terminals.create({ params: { sessionId, command: curious[sandbox] } }),
      )
      const params = { sessionId, terminalId }
      await works(`${sandbox} waitForExit`, () => terminals.waitForExit({ params }))
      await works(`${sandbox} output`, () => terminals.output({ params }))
      await works(`${sandbox} kill`, () => terminals.kill({ params }))
      await works(`${sandbox} release`, () => terminals.release({ params }))
      await works(
        `${sandbox} register`,
        () =>
          typeof terminals.register({
            onRequest() {
              return this
            },
          }),
      )
      await works(`${sandbox} close`, () => terminals.close())
    }
  },
}
