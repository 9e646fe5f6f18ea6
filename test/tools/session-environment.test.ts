// Variables that the caller sets for commands, where bash or the session has a use of its own for them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BashSession, createBashTool } from '../../lib/index.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterAll(removeTempDirs)

const conversation = (set: Record<string, string>) => {
  const tool = createBashTool({ env: { set } })
  const session = new BashSession({ workingDir: '/' })
  return async (command: string): Promise<string> => {
    const { output, sessionUnsaved } = await tool.execute({ command }, { workingDir: '/', session })
    expect(sessionUnsaved).toBeUndefined()
    return output
  }
}

test('the file that BASH_ENV names is read at the beginning of each call, and before what earlier calls left', async () => {
  const file = join(tempDir(), 'env.sh')
  writeFileSync(file, 'read=$((read + 1)); greeting=hello; greet() { echo "$greeting"; }\n')
  const ask = conversation({ BASH_ENV: file })

  expect(await ask('greet; echo "$read $BASH_ENV"; bash -c greet; greeting=mine')).toBe(
    `hello\n1 ${file}\nhello\n`,
  )
  expect(await ask('greet; echo "$read"; bash -c greet')).toBe('mine\n1\nhello\n')
})

test('a BASH_ENV that names no file is passed on to programs all the same', async () => {
  const ask = conversation({ BASH_ENV: '/nonexistent' })
  expect(await ask('echo "$BASH_ENV"; env | grep -c ^BASH_ENV=')).toBe('/nonexistent\n1\n')
})

test('OLDPWD is the one that was set until a call changes the directory', async () => {
  const ask = conversation({ OLDPWD: '/usr' })
  expect(await ask('echo "$OLDPWD"')).toBe('/usr\n')
  expect(await ask('cd -; cd /var; cd /')).toBe('/usr\n')
  expect(await ask('echo "$OLDPWD"')).toBe('/var\n')
})

test('PWD is the working directory, whatever was set', async () => {
  const ask = conversation({ PWD: '/usr' })
  expect(await ask('echo "$PWD"; cd /var')).toBe('/\n')
  expect(await ask('echo "$PWD"; pwd -P')).toBe('/var\n/var\n')
})
