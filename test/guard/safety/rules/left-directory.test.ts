// `rm -rf` of a directory that the command, or its session, has left. The commands are parsed, never run.

import { mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkWith } from '../../../../lib/guard/safety/check-command.js'
import { resolveCheckOptions } from '../../../../lib/guard/safety/options.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'

afterAll(removeTempDirs)

/** Below /tmp. `app` is a repository with `build`; `parts` holds one; `other` is where the conversation may be. */
const root = tempDir()
for (const path of ['app/.git', 'app/build/sub', 'parts/one/.git', 'parts/two', 'plain/sub', 'other']) {
  mkdirSync(join(root, path), { recursive: true })
}
for (const path of ['bare.git/objects', 'bare.git/HEAD', 'bare.git/sub'])
  mkdirSync(join(root, path), { recursive: true })
symlinkSync(join(root, 'app'), join(root, 'link'))

const isAllowed = async (command: string, at: string, context: string | undefined, home = '/home/dev') => {
  const contextDir = context?.startsWith('/') === false ? join(root, context) : context
  const workingDir = at.startsWith('/') ? at : join(root, at)
  const options = { ...resolveCheckOptions({ workingDir, home }), contextDir }
  return (await checkWith(command.replaceAll('ROOT', root), options)).allowed
}

describe('goes once the command has left', () => {
  test('also with many files in it, and a link to a repository', async () => {
    const full = join(root, 'full')
    mkdirSync(full)
    for (let entry = 0; entry < 1500; entry++) writeFileSync(join(full, String(entry)), '')
    symlinkSync(join(root, 'app'), join(full, 'src'))

    expect(await isAllowed('cd .. && rm -rf full', 'full', 'other')).toBe(true)
  })

  test.each([
    // In a session that stands in `build` of a repository.
    ['app/build', 'app', 'cd .. && rm -rf build && mkdir build && cd build && cmake ..'],
    ['app/build', 'app', 'cd .. && rm -rf ./build/'],
    ['app/build', 'app', 'cd -- .. && time rm -rf build'],
    ['app/build', 'app', 'cd .. && rm -fr "build"'],
    ['app/build', 'app', 'cd ..&&rm -rf build&&mkdir build'],
    ['app/build', 'app', 'cd .. &&\n  rm -rf build'],
    ['app/build', 'app', 'cd .. && rm -rf build/*'],
    ['app/build', 'app', 'cd ROOT/app && rm -rf build'],
    ['app/build', 'app', 'cd ROOT/app && rm -rf ROOT/app/build'],
    ['app/build', 'app', 'cd ROOT && rm -rf app/build'],
    ['app/build', 'app', 'cd .. && make clean && rm -rf build'],
    ['app/build', 'app', 'cd .. && V=$(date; pwd) && rm -rf build'],
    ['app/build', 'app', 'cd .. && sudo rm -rf build'],
    ['app/build', 'app', '(cd .. && rm -rf build)'],
    ['app/build', 'app', 'cd .. && { rm -rf build; mkdir build; }'],
    ['app/build', 'app', 'ls; cd .. && rm -rf build; ls'],
    ['app/build', 'app', 'if true; then cd .. && rm -rf build; fi'],
    ['app/build', 'app', 'set -e; cd ..; rm -rf build'],
    ['app/build', 'app', '# afresh\nset -euo pipefail\ncd ..\n# gone\nrm -rf build\nmkdir build'],
    ['app/build', 'app', 'set -o errexit\ncd .. && rm -rf build'],
    ['app/build', 'app', 'cd .. && cd build && cd .. && rm -rf build'],
    ['app/build/sub', 'app', 'cd ../.. && rm -rf build'],
    ['app/build', 'app', 'pwd && cd .. && rm -rf build 2>/dev/null && ls'],
    // Of a tool that works below /tmp.
    ['plain', undefined, 'cd / && rm -rf ROOT/plain'],
    ['plain', undefined, 'cd .. && rm -rf plain'],
    ['plain/sub', undefined, 'cd / && rm -rf ROOT/plain'],
    ['/tmp/no-such-dir', undefined, 'cd / && rm -rf /tmp/no-such-dir'],
    // In a session that has gone elsewhere.
    ['/srv/data/run', '/srv/app', 'cd .. && rm -rf run'],
    ['/srv/data/run', '/srv/app', 'cd / && rm -rf /srv/data'],
    ['/home/dev/code/build', '/home/dev/code', 'cd ~/code && rm -rf ~/code/build'],
    ['plain/sub', 'other', 'cd ROOT && rm -rf plain'],
  ])('%s of %s: %j', async (at, context, command) => {
    expect(await isAllowed(command, at, context)).toBe(true)
  })
})

describe('stays', () => {
  test.each([
    // It may not have left.
    ['app/build', 'app', 'rm -rf ../build'],
    ['app/build', 'app', 'cd ..; rm -rf ROOT/app/build'],
    ['app/build', 'app', 'cd ..\nrm -rf build'],
    ['app/build', 'app', 'cd .. || true; rm -rf build'],
    ['app/build', 'app', 'cd .. || exit; rm -rf build'],
    ['app/build', 'app', 'true || cd .. && rm -rf build'],
    ['app/build', 'app', '! cd .. && rm -rf build'],
    ['app/build', 'app', 'cd .. && make; rm -rf build'],
    ['app/build', 'app', 'set -e; cd .. && make; rm -rf build'],
    ['app/build', 'app', 'set -e; set +e; cd ..; rm -rf build'],
    ['app/build', 'app', '(set -e); ls; cd ..; rm -rf build'],
    ['app/build', 'app', 'set -e | cat; ls; cd ..; rm -rf build'],
    ['app/build', 'app', 'set -e; if ls; cd ..; rm -rf build; then ls; fi'],
    ['app/build', 'app', 'set -e; { ls; cd ..; rm -rf build; } || true'],
    ['app/build', 'app', 'set -e; f() { ls; cd ..; rm -rf build; }; f || true'],
    ['app/build', 'app', '(cd ..) && rm -rf ROOT/app/build'],
    ['app/build', 'app', 'cd .. | cat && rm -rf ROOT/app/build'],
    ['app/build', 'app', 'cd .. & rm -rf ROOT/app/build'],
    ['app/build', 'app', 'X=$(cd .. && pwd) && rm -rf ROOT/app/build'],
    ['app/build', 'app', 'f() { cd ..; }; rm -rf ROOT/app/build'],
    ['app/build', 'app', 'if cd ..; then rm -rf build; fi'],
    // It stands there.
    ['app/build', 'app', 'cd .. && cd build && rm -rf ROOT/app/build'],
    ['app/build', 'app', 'cd sub && rm -rf ../../build'],
    ['app/build', 'app', 'cd .. && rm -rf .'],
    ['app/build', 'app', 'cd .. && rm -rf *'],
    ['app/build', 'app', 'cd .. && rm -rf "$PWD"'],
    ['app/build/sub', 'app', 'cd .. && rm -rf ..'],
    // It is not named.
    ['app/build', 'app', 'cd .. && rm -rf "$OLDPWD"'],
    ['app/build', 'app', 'cd .. && rm -rf b*'],
    // The directory of the conversation, a repository, and what holds one of these.
    ['app/build', 'app', 'cd / && rm -rf ROOT/app'],
    ['app/build', 'other', 'cd / && rm -rf ROOT/app'],
    ['parts/two', 'other', 'cd / && rm -rf ROOT/parts'],
    ['bare.git/sub', 'other', 'cd / && rm -rf ROOT/bare.git'],
    ['/srv/app', undefined, 'cd .. && rm -rf app'],
    ['/srv/app/build', '/srv/app', 'cd / && rm -rf /srv/app'],
    ['/tmp/x', undefined, 'cd / && rm -rf tmp'],
    ['link/build', 'other', 'cd / && rm -rf ROOT/link'],
    // The system's, and the user's.
    ['/home/dev/code', '/srv/app', 'cd / && rm -rf /home/dev'],
    ['/home/dev/code', '/srv/app', 'cd / && rm -rf home'],
    ['/etc/ssh', '/srv/app', 'cd / && rm -rf etc'],
    ['/srv/data', '/srv/app', 'cd / && rm -rf srv'],
  ])('%s of %s: %j', async (at, context, command) => {
    expect(await isAllowed(command, at, context)).toBe(false)
  })

  test('also with more in it than is looked at', async () => {
    const many = join(root, 'many')
    mkdirSync(join(many, 'sub'), { recursive: true })
    for (let entry = 0; entry < 1000; entry++) mkdirSync(join(many, String(entry)))

    expect(await isAllowed('cd .. && rm -rf many', 'many', 'other')).toBe(false)
    rmdirSync(join(many, '0'))
    expect(await isAllowed('cd .. && rm -rf many', 'many', 'other')).toBe(true)
  })

  test('also where `cd` is a function, or something runs before each command', async () => {
    for (const first of ['cd() { :; }', 'trap "cd build" DEBUG']) {
      expect(await isAllowed(`${first}; cd .. && rm -rf ROOT/app/build`, 'app/build', 'app')).toBe(false)
    }
  })

  test('also as HOME under another name', async () => {
    expect(
      await isAllowed('cd / && rm -rf ROOT/app/build', 'app/build', 'other', join(root, 'link/build')),
    ).toBe(false)
  })
})

test('the refusal says how the directory may go', async () => {
  const options = { ...resolveCheckOptions({ workingDir: join(root, 'app/build') }), contextDir: root }

  expect((await checkWith('cd ..; rm -rf build', options)).message).toBe(
    '`rm -rf build` would delete the working directory, and nothing brings that back. Instead, join the `cd` to it: ' +
      '`cd .. && rm -rf build` runs only if it has left.',
  )
})
