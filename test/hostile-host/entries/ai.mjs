// `bashward/ai`: the tool of the AI SDK, its SandboxSession, and the sandbox of its harnesses.
import { BashSession, createBashTool } from 'bashward'
import { aiApproval, aiTool, harnessSandbox, sandboxSession } from 'bashward/ai'
import { curious, drain, harmless, modes } from './commands.mjs'
import { readable, writable } from './files.mjs'

const policyOf = ({ outside, project }) => ({
  writable: [project],
  unreadable: ['default', `${outside}/secret`],
})

/** The three modes of a session; what is unreadable is named where that can be. */
const sessionIn = (world, sandbox) =>
  sandboxSession(
    world.project,
    sandbox === 'workspace' ? { sandbox: 'workspace', workspace: policyOf(world) } : { sandbox },
  )

const read = async (session, { attempt }, paths = readable) => {
  for (const path of paths) {
    await attempt(`readTextFile ${path}`, () => session.readTextFile({ path }))
    await attempt(`readBinaryFile ${path}`, () => session.readBinaryFile({ path }))
    await attempt(`readFile ${path}`, async () => drain((await session.readFile({ path })) ?? []))
    await attempt(`stat ${path}`, () => session.stat({ path }))
    await attempt(`listDirectory ${path}`, () => session.listDirectory({ path }))
  }
}

const write = async (session, { attempt }) => {
  for (const path of writable) {
    await attempt(`writeTextFile ${path}`, () => session.writeTextFile({ path, content: 'changed\n' }))
    await attempt(`writeBinaryFile ${path}`, () =>
      session.writeBinaryFile({ path, content: new Uint8Array([1]) }),
    )
    await attempt(`writeFile ${path}`, () =>
      session.writeFile({ path, content: new Blob(['changed']).stream() }),
    )
  }
  for (const path of ['up/victim', 'up/marks', '../.ssh/id_ed25519', 'sub/made'])
    await attempt(`deleteFile ${path}`, () => session.deleteFile({ path }))
}

/** A session of a harness whose agent has made links. */
const withLinks = async ({ project: baseDirectory, outside, works }, act) => {
  const session = await works('createSession', () => harnessSandbox({ baseDirectory }).createSession())
  const command = `ln -s /proc/self/environ environ; ln -s /proc/self/maps maps; ln -s ${outside} up; ln -s up/victim victim`
  await works('links', () => session.run({ command }))
  await act(session)
  await works('destroy', () => session.destroy())
}

const execute = async (session, { works }, command) => {
  await works('run', () => session.run({ command }))
  await works('spawn', async () => {
    const { stdout, stderr, wait } = await session.spawn({ command })
    return [await drain(stdout), await drain(stderr), await wait()]
  })
}

export const entries = {
  'bashward/ai: aiTool aiApproval': async ({ project: workingDir, attempt }) => {
    for (const sandbox of modes) {
      const context = { workingDir, sandbox, session: new BashSession({ workingDir }) }
      const tool = aiTool(createBashTool(), context)
      await attempt(`${sandbox} execute`, () =>
        drain(tool.execute({ command: curious[sandbox] }, { toolCallId: 'id', messages: [] })),
      )
    }
    const judging = createBashTool({ verdicts: {} })
    const approval = { approval: true }
    const tool = aiTool(judging, { workingDir }, approval)
    await attempt('needsApproval', () => tool.needsApproval({ command: 'git status' }, { toolCallId: 'id' }))
    await attempt('aiApproval', () =>
      aiApproval(judging, { workingDir })({ command: 'git status' }, { toolCallId: 'id', messages: [] }),
    )
  },
  'bashward/ai: sandboxSession; SandboxSession: run spawn': async (world) => {
    for (const sandbox of modes) await execute(sessionIn(world, sandbox), world, curious[sandbox])
  },
  'SandboxSession: readFile readTextFile readBinaryFile stat listDirectory': async (world) =>
    await read(sessionIn(world, 'workspace'), world),
  'SandboxSession: writeFile writeTextFile writeBinaryFile deleteFile': async (world) =>
    await write(sessionIn(world, 'workspace'), world),
  // There reading is not refused, but for what only the host can read.
  'SandboxSession: readFile readTextFile readBinaryFile, in Restricted mode': async (world) =>
    await read(sessionIn(world, 'restricted'), world, ['plain', 'environ', 'maps', 'descriptors/0', 'fifo']),
  'SandboxSession: writeFile writeTextFile writeBinaryFile deleteFile, in Restricted mode': async (world) =>
    await write(sessionIn(world, 'restricted'), world),
  'bashward/ai: harnessSandbox; harnessSandbox: createSession resumeSession; HarnessSandboxSession: run spawn restricted stop destroy':
    async ({ project: baseDirectory, ...world }) => {
      const sandbox = harnessSandbox({ baseDirectory })
      const session = await world.works('createSession', () => sandbox.createSession({ sessionId: 'one' }))
      await execute(session, world, harmless)
      await execute(session.restricted(), world, harmless)
      await world.works('stop', () => session.stop())
      const again = await world.works('resumeSession', () => sandbox.resumeSession({ sessionId: 'one' }))
      await world.works('destroy', () => again.destroy())
    },
  'HarnessSandboxSession: getPortUrl getPortEndpoint': async ({ project: baseDirectory, works }) => {
    const session = await harnessSandbox({ baseDirectory }).createSession()
    const [port] = session.ports
    await works('getPortUrl', () => session.getPortUrl({ port }))
    await works('getPortEndpoint', () => session.getPortEndpoint({ port }))
    await session.destroy()
  },
  'HarnessSandboxSession: readFile readTextFile readBinaryFile stat listDirectory': async (world) =>
    await withLinks(world, (session) => read(session, world, ['environ', 'maps'])),
  'HarnessSandboxSession: writeFile writeTextFile writeBinaryFile deleteFile': async (world) =>
    await withLinks(world, (session) => write(session, world)),
  'HarnessSandboxSession: spawn, with stdin': async ({ project: baseDirectory, works }) => {
    const session = await harnessSandbox({ baseDirectory }).createSession()
    await works('spawn', async () => {
      const { stdin, stdout, wait } = await session.spawn({
        command: 'read -r line; echo "$line"',
        stdin: true,
      })
      const writer = stdin.getWriter()
      await writer.write(new TextEncoder().encode('typed\n'))
      await writer.close()
      return [await drain(stdout), await wait()]
    })
    await session.destroy()
  },
}
