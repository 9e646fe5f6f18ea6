// `bashward/openai`: tools of the Agents SDK, the shell of its shellTool, and its SandboxClient.
import { createBashTool } from 'bashward'
import { openaiSandbox, openaiShell, openaiShellTool, openaiTool } from 'bashward/openai'
import { curious, modes } from './commands.mjs'
import { readable, writable } from './files.mjs'

const clientIn = ({ project, outside }) =>
  openaiSandbox({
    workingDir: project,
    workspace: { writable: [project], unreadable: ['default', `${outside}/secret`] },
  })

/** With a workspace of its own, beside the links of the project. */
const clientBelow = ({ project }) => openaiSandbox({ baseDirectory: project })

/** A session, which is closed again. */
const withSession = (clientOf, act) => async (world) => {
  const session = await world.works('create', () => clientOf(world).create())
  await act(session, world)
  await world.works('close', () => session.close())
}

const update = (from, to) => `@@\n-${from}\n+${to}\n`

export const entries = {
  'bashward/openai: openaiTool openaiShell openaiShellTool': async ({ project: workingDir, attempt }) => {
    for (const sandbox of modes) {
      const command = curious[sandbox]
      const context = { workingDir, sandbox }
      await attempt(`${sandbox} openaiTool`, () =>
        openaiTool(createBashTool(), context).invoke({}, JSON.stringify({ command }), {
          toolCall: { callId: 'id' },
        }),
      )
      await attempt(`${sandbox} openaiShell`, () => openaiShell(context).run({ commands: [command] }))
    }
    const shell = openaiShellTool({ workingDir }, { verdicts: {} })
    await attempt('openaiShellTool', () => shell.shell.run({ commands: ['git status'] }))
  },
  'bashward/openai: openaiSandbox; openaiSandbox: create resume delete serializeSessionState deserializeSessionState resolveTrustedManifestForResume':
    async (world) => {
      const { works } = world
      const client = clientBelow(world)
      const session = await works('create', () => client.create())
      const state = await works('serialize', async () =>
        JSON.parse(JSON.stringify(await client.serializeSessionState(session.state))),
      )
      await works('close', () => session.close())
      const record = await client.deserializeSessionState(state)
      await world.attempt('manifest', () => client.resolveTrustedManifestForResume(record))
      const again = await works('resume', () => client.resume(record))
      await works('close', () => again.close())
      await works('delete', () => client.delete(session.state))
    },
  'OpenaiSandboxSession: exec execCommand writeStdin supportsPty resolveExposedPort running close':
    withSession(clientIn, async (session, { attempt }) => {
      await attempt('supportsPty', () => session.supportsPty())
      await attempt('running', () => session.running())
      await attempt('resolveExposedPort', () => session.resolveExposedPort(8080))
      await attempt('exec', () => session.exec({ cmd: curious.workspace }))
      await attempt('execCommand', () => session.execCommand({ cmd: curious.workspace }))
      await attempt('tty', () =>
        session.execCommand({ cmd: 'read -r line; echo "$line"', tty: true, yieldTimeMs: 200 }),
      )
      await attempt('writeStdin', () => session.writeStdin({ sessionId: 1, chars: 'typed\n' }))
    }),
  'OpenaiSandboxSession: readFile listDir viewImage pathExists directoryExists': withSession(
    clientIn,
    async (session, { attempt }) => {
      for (const path of readable) {
        await attempt(`readFile ${path}`, () => session.readFile({ path, maxBytes: 1024 ** 2 }))
        await attempt(`listDir ${path}`, () => session.listDir({ path }))
        await attempt(`viewImage ${path}`, () => session.viewImage({ path }))
        await attempt(`pathExists ${path}`, () => session.pathExists(path))
        await attempt(`directoryExists ${path}`, () => session.directoryExists(path))
      }
    },
  ),
  'OpenaiSandboxSession: createEditor materializeEntry; OpenaiEditor: createFile updateFile deleteFile':
    withSession(clientIn, async (session, { attempt }) => {
      const editor = session.createEditor()
      for (const path of writable) {
        await attempt(`createFile ${path}`, () =>
          editor.createFile({ type: 'create_file', path, diff: '+changed\n' }),
        )
        await attempt(`updateFile ${path}`, () =>
          editor.updateFile({ type: 'update_file', path, diff: update('unchanged', 'changed') }),
        )
        await attempt('createFile', () =>
          editor.createFile({ type: 'create_file', path: 'moved', diff: '+one\n' }),
        )
        await attempt(`moveTo ${path}`, () =>
          editor.updateFile({ type: 'update_file', path: 'moved', diff: update('one', 'two'), moveTo: path }),
        )
        await attempt(`materializeEntry ${path}`, () =>
          session.materializeEntry({ path, entry: { type: 'file', content: 'changed' } }),
        )
      }
      for (const path of ['up/victim', '../.ssh/id_ed25519'])
        await attempt(`deleteFile ${path}`, () => editor.deleteFile({ type: 'delete_file', path }))
    }),
  'OpenaiSandboxSession: setArchiveLimits stop shutdown delete': async (world) => {
    for (const name of ['stop', 'shutdown', 'delete']) {
      const session = await world.works('create', () => clientBelow(world).create())
      session.setArchiveLimits({})
      await world.attempt(name, () => session[name]())
      await world.attempt('close', () => session.close())
    }
  },
  'OpenaiSandboxSession: persistWorkspace hydrateWorkspace applyManifest': withSession(
    clientBelow,
    async (session, { attempt, works, outside }) => {
      const cmd = `ln -s /proc/self/environ environ; ln -s ${outside} up; ln -s up/victim victim; echo text >plain`
      await works('exec', () => session.exec({ cmd }))
      const archive = await works('persistWorkspace', () => session.persistWorkspace())
      await attempt('hydrateWorkspace', () => session.hydrateWorkspace(archive))
      await attempt('applyManifest', () =>
        session.applyManifest({ entries: { copy: { type: 'local_dir', src: outside } } }),
      )
    },
  ),
}
