// Commands and a session, which need the fewest permissions of Deno.
import { BashSession, createBashTool } from 'bashward'

const bash = createBashTool()
const context = { workingDir: process.cwd(), session: new BashSession({ workingDir: process.cwd() }) }
for (const command of ['greeting=hello', 'echo "$greeting"; exit 3']) {
  const { output, exitCode, error } = await bash.execute({ command }, context)
  console.log(JSON.stringify({ output, exitCode, error: error?.message }))
}
