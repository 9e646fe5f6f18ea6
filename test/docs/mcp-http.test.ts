// The programs of docs/mcp-http.md, and a server started as the page says, on another port.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { killPrograms, startProgram } from '../surfaces/cli/program.js'
import { newToken, startHttpProgram } from '../surfaces/mcp/http/servers.js'
import { blocksOf } from './blocks.js'

afterEach(async () => {
  await killPrograms()
  removeTempDirs()
})

const programs = blocksOf('docs/mcp-http').filter(({ language }) => language === 'js')

test.each(programs)('docs/mcp-http.md, line $line', async ({ code, printed }) => {
  const project = tempDir()
  const token = newToken()
  const server = await startHttpProgram([token], ['--cwd', project])
  mkdirSync(join(project, 'client'))
  symlinkSync(join(packageRoot, 'node_modules'), join(project, 'client/node_modules'))
  writeFileSync(join(project, 'client/token'), `${token}\n`)
  writeFileSync(join(project, 'client/main.mjs'), code.replaceAll('8931', String(server.port)))
  const client = startProgram(process.execPath, ['main.mjs'], { cwd: join(project, 'client') })

  expect(await client.exited()).toMatchObject({ code: 0, stdout: printed, stderr: '' })
})
