// `bashward/anthropic`: tools for the SDK's tool runner.
import { createBashTool } from 'bashward'
import { anthropicTool, betaBashTool } from 'bashward/anthropic'
import { curious, modes } from './commands.mjs'

export const entries = {
  'bashward/anthropic: anthropicTool betaBashTool': async ({ project, works }) => {
    for (const sandbox of modes) {
      const command = curious[sandbox]
      const call = { toolUse: { id: 'id' } }
      await works(`${sandbox} anthropicTool`, () =>
        anthropicTool(createBashTool(), { workingDir: project, sandbox }).run({ command }, call),
      )
      const beta = betaBashTool({ workdir: project, sandbox })
      await works(`${sandbox} betaBashTool`, () => beta.run({ command }, call))
      await works(`${sandbox} restart`, () => beta.run({ restart: true }, call))
    }
  },
}
