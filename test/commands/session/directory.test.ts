// The working directory of a session: it follows the shell, and survives the loss of the directory.
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { BashError } from '../../../lib/base/errors.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

const failure = async (call: Promise<unknown>): Promise<BashError> => {
  try {
    await call
  } catch (error) {
    if (error instanceof BashError) return error
    throw error
  }
  throw new Error('it did not fail')
}

describe('the working directory', () => {
  test('is the given one at first, also a relative one', async () => {
    const dir = tempDir()
    expect(await new ShellSession({ workingDir: dir }).output('pwd')).toBe(`${dir}\n`)
    expect(new ShellSession({ workingDir: 'sub' }).session.workingDir).toBe(join(process.cwd(), 'sub'))
  })

  test('follows cd, pushd and popd', async () => {
    const shell = new ShellSession()
    await shell.output('cd /usr; pushd /tmp >/dev/null; pushd / >/dev/null; popd >/dev/null')
    expect(shell.session.workingDir).toBe('/tmp')
    expect(await shell.output('pwd; echo $PWD $OLDPWD')).toBe('/tmp\n/tmp /\n')
  })

  test('does not follow cd in a subshell', async () => {
    const shell = new ShellSession({ workingDir: '/usr' })
    await shell.output('(cd /); echo | cd /; x=$(cd /); cd / & wait')
    expect(await shell.output('pwd')).toBe('/usr\n')
  })

  test.each([
    ['a newline', 'a\nb\n'],
    ['quotes', `it's "a" \`b\` $c`],
    ['blanks and a minus', '-x  y '],
    ['letters of another alphabet', 'ñé漢'],
  ])('with %s in its name', async (_, name) => {
    const dir = join(tempDir(), name)
    mkdirSync(dir)
    const shell = new ShellSession()
    await shell.output(`cd -- $'${[...Buffer.from(dir)].map((byte) => `\\x${byte.toString(16)}`).join('')}'`)
    expect(shell.session.workingDir).toBe(dir)
    expect(await shell.output('pwd; x=1')).toBe(`${dir}\n`)
    expect(await shell.output('pwd')).toBe(`${dir}\n`)
  })

  test('whose name is not UTF-8', async () => {
    const shell = new ShellSession()
    await shell.output(`mkdir $'\\xff\\xfe'; cd $'\\xff\\xfe'; x=1`)
    expect(basename(shell.session.workingDir)).toBe('\ufffd\ufffd')
    const { bytes } = await shell.run(`printf %s "\${PWD##*/}"; cd ..`)
    expect(bytes).toEqual(Buffer.from([0xff, 0xfe]))
    expect(await shell.output('echo $x')).toBe('1\n')
  })

  test('reached through a symbolic link keeps its logical name', async () => {
    const dir = realpathSync(tempDir())
    mkdirSync(join(dir, 'real'))
    symlinkSync('real', join(dir, 'link'))
    const shell = new ShellSession({ workingDir: dir })
    await shell.output('cd link')
    expect(await shell.output('pwd; pwd -P; cd ..; pwd')).toBe(`${dir}/link\n${dir}/real\n${dir}\n`)
  })

  test('is the physical one when the shell was told so', async () => {
    const dir = realpathSync(tempDir())
    mkdirSync(join(dir, 'real'))
    symlinkSync('real', join(dir, 'link'))
    const shell = new ShellSession({ workingDir: dir })
    await shell.output('set -P; cd link')
    expect(shell.session.workingDir).toBe(join(dir, 'real'))
  })

  test.each(['PWD=/nonsense', 'unset PWD', 'readonly PWD'])('is right after %s', async (command) => {
    const shell = new ShellSession()
    await shell.run(`cd /usr; ${command}`)
    expect(await shell.output('pwd; echo $PWD')).toBe('/usr\n/usr\n')
  })

  test('renamed by the command is followed', async () => {
    const dir = realpathSync(tempDir())
    const shell = new ShellSession({ workingDir: dir })
    await shell.output('mkdir old; cd old; mv ../old ../new')
    expect(await shell.output('pwd')).toBe(`${dir}/new\n`)
  })
})

describe('a working directory that is gone', () => {
  test('gives a clear error once, and then the session goes on above it', async () => {
    const dir = tempDir()
    const shell = new ShellSession({ workingDir: dir })
    await shell.output('x=1; mkdir d; cd d; rm -rf ../d')
    const error = await failure(shell.run('echo hi > file'))

    expect(error).toMatchObject({ code: 'ERR_WORKING_DIR', step: 'chdir', errno: 2, path: join(dir, 'd') })
    expect(error.message).toBe(
      `the session's working directory ${dir}/d cannot be entered (chdir ${dir}/d: ENOENT (no such file or directory)); ` +
        `the command has not run, and the session is now in ${dir}`,
    )
    expect(shell.session.workingDir).toBe(dir)
    expect(await shell.output('echo $x; pwd; ls')).toBe(`1\n${dir}\n`)
  })

  test('moves the session to the nearest directory that exists', async () => {
    const dir = tempDir()
    const shell = new ShellSession({ workingDir: dir })
    await shell.output('mkdir -p a/b/c; cd a/b/c')
    rmSync(join(dir, 'a'), { recursive: true })
    await failure(shell.run(':'))
    expect(shell.session.workingDir).toBe(dir)
  })

  test('with all that was above it, moves it to the first directory that is left', async () => {
    const dir = tempDir()
    const shell = new ShellSession({ workingDir: dir })
    rmSync(dir, { recursive: true })
    await failure(shell.run(':'))
    expect(await shell.output('pwd')).toBe(`${dirname(dir)}\n`)
  })

  test('and has come back is used again', async () => {
    const dir = tempDir()
    const shell = new ShellSession({ workingDir: dir })
    await shell.output('mkdir d; cd d; rmdir ../d')
    mkdirSync(join(dir, 'd'))
    expect(await shell.output('pwd')).toBe(`${dir}/d\n`)
  })

  test('and has a name that is not UTF-8: the command does not run elsewhere', async () => {
    const dir = tempDir()
    const shell = new ShellSession({ workingDir: dir })
    await shell.output(`mkdir $'\\xff'; cd $'\\xff'; rmdir $'../\\xff'`)
    expect(await failure(shell.run('touch ran'))).toMatchObject({
      code: 'ERR_WORKING_DIR',
      path: `${dir}/\ufffd`,
    })
    expect(await shell.output('pwd; ls')).toBe(`${dir}\n`)
  })

  test('is left in the same call without harm', async () => {
    const dir = tempDir()
    const shell = new ShellSession({ workingDir: dir })
    const { unsaved } = await shell.run('mkdir d; cd d; rmdir ../d; cd ..; x=1')
    expect(unsaved).toBeUndefined()
    expect(await shell.output('echo $x; pwd')).toBe(`1\n${dir}\n`)
  })
})

test('a working directory that became a file is left too', async () => {
  const dir = tempDir()
  mkdirSync(join(dir, 'd'))
  const shell = new ShellSession({ workingDir: join(dir, 'd') })
  renameSync(join(dir, 'd'), join(dir, 'e'))
  symlinkSync('/dev/null', join(dir, 'd'))
  await failure(shell.run(':'))
  expect(shell.session.workingDir).toBe(dir)
})
