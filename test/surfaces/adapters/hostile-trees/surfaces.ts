// Everything through which a host reads and writes files for a model: each method of each surface, in an order in which later
// ones still find what the earlier ones need.
import type { Experimental_SandboxSession } from 'ai'
import { harnessSandbox, sandboxSession } from '../../../../lib/surfaces/adapters/ai.js'
import { sessionOf } from '../openai-sandbox-agent.js'
import type { Place, Tree } from './tree.js'
import { nameless, trees } from './trees.js'

type Method = (path: string) => Promise<unknown>

export interface Surface {
  name: string
  /** Whether the kernel keeps its commands within the policy. */
  isConfined: boolean
  trees: readonly Tree[]
  /** Whether it reads the workspace only. */
  readsWorkspace?: boolean
  methods: (place: Place) => Promise<{ reading: Record<string, Method>; writing: Record<string, Method> }>
}

/** The first bytes of a stream: nobody reads a terabyte. */
async function startOf(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes = 1_000_000,
): Promise<string | null> {
  if (stream === null) return null
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) {
    pieces.push(piece)
    length += piece.length
    if (length >= maxBytes) break
  }
  return Buffer.concat(pieces).toString()
}

const textOf = async (bytes: PromiseLike<Uint8Array | null>) => {
  const found = await bytes
  return found && Buffer.from(found).toString()
}

const methodsOf = (session: Experimental_SandboxSession) => ({
  reading: {
    readTextFile: async (path: string) => await session.readTextFile({ path }),
    readBinaryFile: (path: string) => textOf(session.readBinaryFile({ path })),
    readFile: async (path: string) => await startOf(await session.readFile({ path })),
    stat: async (path: string) => await session.stat({ path }),
    listDirectory: async (path: string) => await session.listDirectory({ path }),
  },
  writing: {
    writeTextFile: async (path: string) => await session.writeTextFile({ path, content: 'written' }),
    writeBinaryFile: async (path: string) =>
      await session.writeBinaryFile({ path, content: Buffer.from('w') }),
    writeFile: async (path: string) =>
      await session.writeFile({ path, content: new Blob(['written']).stream() }),
    writeBelow: async (path: string) =>
      await session.writeTextFile({ path: `${path}/a/b`, content: 'written' }),
    deleteFile: async (path: string) => await session.deleteFile({ path }),
  },
})

const workspace = { unreadable: ['../secrets'] }

const openaiMethods = async ({ project }: Place, sandbox: 'workspace' | 'unrestricted') => {
  const session = await sessionOf({
    workingDir: project,
    sandbox,
    ...(sandbox === 'workspace' && { workspace }),
  })
  const editor = session.createEditor()
  const update = (path: string, moveTo?: string) =>
    editor.updateFile({
      type: 'update_file',
      path,
      diff: '@@\n-the text of the workspace\n+written\n',
      ...(moveTo && { moveTo }),
    })
  return {
    reading: {
      readFile: (path: string) => textOf(session.readFile({ path })),
      readStart: (path: string) => textOf(session.readFile({ path, maxBytes: 100 })),
      listDir: (path: string) => session.listDir({ path }),
      pathExists: (path: string) => session.pathExists(path),
      directoryExists: (path: string) => session.directoryExists(path),
      viewImage: (path: string) => session.viewImage({ path }),
    },
    writing: {
      createFile: async (path: string) =>
        await editor.createFile({ type: 'create_file', path, diff: '+written\n' }),
      createBelow: async (path: string) =>
        await editor.createFile({ type: 'create_file', path: `${path}/a/b`, diff: '+written\n' }),
      updateFile: async (path: string) => await update(path),
      moveFile: async (path: string) => await update(path, `${path}2`),
      materializeFile: (path: string) =>
        session.materializeEntry({ path, entry: { type: 'file', content: 'written' } }),
      materializeDirectory: (path: string) => session.materializeEntry({ path, entry: { type: 'dir' } }),
      deleteFile: async (path: string) => await editor.deleteFile({ type: 'delete_file', path }),
    },
  }
}

export const aiSurfaces: readonly Surface[] = [
  {
    name: 'sandboxSession() in Workspace mode',
    isConfined: true,
    trees,
    methods: async ({ project }) => methodsOf(sandboxSession(project, { sandbox: 'workspace', workspace })),
  },
  {
    name: 'sandboxSession() in Unrestricted mode',
    isConfined: false,
    trees: nameless,
    // What it writes may go anywhere.
    methods: async ({ project }) => ({ ...methodsOf(sandboxSession(project)), writing: {} }),
  },
  {
    name: 'harnessSandbox()',
    isConfined: true,
    trees: nameless,
    methods: async ({ project }) =>
      methodsOf(await harnessSandbox({ workingDir: project, workspace }).createSession()),
  },
]

export const openaiSurfaces: readonly Surface[] = [
  {
    name: 'openaiSandbox() in Workspace mode',
    isConfined: true,
    readsWorkspace: true,
    trees,
    methods: (place) => openaiMethods(place, 'workspace'),
  },
  {
    name: 'openaiSandbox() in Unrestricted mode',
    isConfined: false,
    readsWorkspace: true,
    trees: nameless,
    methods: (place) => openaiMethods(place, 'unrestricted'),
  },
]
