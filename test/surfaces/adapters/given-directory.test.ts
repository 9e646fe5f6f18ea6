// Workspaces of adapters, in directories to which a command has made a link.
import { mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { rememberWritable } from '../../../lib/guard/sandbox/ever-writable.js'
import { harnessSandbox } from '../../../lib/surfaces/adapters/ai.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { clientWith } from './openai-sandbox-agent.js'

afterAll(removeTempDirs)

const clients = {
  openaiSandbox: async (options: object): Promise<unknown> => await clientWith(options).create(),
  harnessSandbox: (options: object): Promise<unknown> => harnessSandbox(options).createSession(),
}

describe.each(Object.entries(clients))('%s', (_name, sessionWith) => {
  test.each(['workingDir', 'baseDirectory'])(
    'has no workspace where such a link leads: %s',
    async (field) => {
      const base = realpathSync(tempDir())
      const [project, outside] = [join(base, 'project'), join(base, 'outside')]
      mkdirSync(project)
      mkdirSync(outside)
      symlinkSync('../outside', join(project, 'led'))
      rememberWritable([project])

      await expect(sessionWith({ [field]: join(project, 'led') })).rejects.toMatchObject({
        code: 'ERR_INVALID_INPUT',
        message: `options.${field}: ${project}/led: cannot be a workspace: a symbolic link in ${project}, where commands can write, leads to ${outside}`,
      })
      expect(readdirSync(outside)).toEqual([])
    },
  )
})
