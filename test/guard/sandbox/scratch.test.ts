// A scratch directory: what needs a temporary one works with it and fails without, and nothing else is opened.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BashResult } from '../../../lib/commands/run/result.js'
import { killHosts, runHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { whyNotRestricted } from '../../support/restricted.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { directoryOf, users } from './sandbox-hosts.js'

afterEach(killHosts)
afterAll(removeTempDirs)

let refusal: string | undefined

beforeAll(async () => {
  refusal = await whyNotRestricted()
})

/** Below it, 2000 lines; each command prints what it does without a sandbox. */
const makeFiles = (directory: string): void => {
  const lines = Array.from({ length: 2000 }, (_, i) => `line ${i}\n`)
  writeFileSync(join(directory, 'file'), lines.join(''))
  const patch = '--- a/file\n+++ b/file\n@@ -1,2 +1,2 @@\n-line 0\n+changed\n line 1\n'
  writeFileSync(join(directory, 'change.patch'), patch)
}

const needTemporaryFiles: { name: string; command: string; output: string }[] = [
  {
    name: 'a here-document over 64 KiB',
    command: `wc -c <<END\n${'x'.repeat(100_000)}\nEND`,
    output: '100001\n',
  },
  {
    name: 'sort with more than its memory holds',
    command: 'seq 200000 | sort -rn -S 64k | head -1',
    output: '200000\n',
  },
  {
    name: "python's tempfile",
    command: `python3 -c 'import tempfile\nf = tempfile.TemporaryFile()\nf.write(b"written")\nf.seek(0)\nprint(f.read())'`,
    output: "b'written'\n",
  },
  {
    name: 'patch --dry-run',
    command: 'patch -p1 --dry-run <change.patch',
    output: 'checking file file\n',
  },
]

describe.each(users)('as $user', ({ ordinaryUser }) => {
  const runAll = async (commands: string[], scratch: boolean) => {
    const directory = directoryOf(ordinaryUser)
    makeFiles(directory)
    const options = { cwd: directory, sandbox: 'restricted', scratch, timeout: 30_000 }
    const { results } = await runHost<{ results: BashResult[] }>('run-commands', {
      ordinaryUser,
      argument: { commands: commands.map((command) => ({ command, options })) },
    })
    return { directory, results }
  }

  test.each(needTemporaryFiles)('$name: fails without, works with it', async ({ command, output }) => {
    if (refusal !== undefined) return cannotTest(refusal)
    const { results: without } = await runAll([command], false)
    const { results } = await runAll([command], true)

    expect(without[0]?.output).not.toContain(output)
    expect(results).toMatchObject([{ status: 'completed', output: expect.stringContaining(output) }])
  })

  test('is private, named by TMPDIR, and gone when the command has ended', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const commands = [
      'stat -c "%a %u" "$TMPDIR"; id -u; echo "$TMPDIR"; echo x >"$TMPDIR/file"; cat "$TMPDIR/file"',
    ]
    const { results } = await runAll(commands, true)
    const [modeAndOwner, uid, path = '', content] = results[0]?.output.split('\n') ?? []

    expect(results).toMatchObject([{ status: 'completed' }])
    expect(modeAndOwner).toBe(`700 ${uid}`)
    expect(content).toBe('x')
    expect(path).toMatch(/^\//)
    expect(existsSync(path)).toBe(false)
  })

  test.each(['/tmp', '.'])('leaves %s closed', async (place) => {
    if (refusal !== undefined) return cannotTest(refusal)
    const name = `attack-${process.pid}-scratch`
    const { directory, results } = await runAll([`echo x >${place}/${name}`], true)

    expect(results).toMatchObject([{ status: 'failed' }])
    expect(results[0]?.output).toMatch(/Permission denied/)
    expect(existsSync(join('/tmp', name))).toBe(false)
    expect(readdirSync(directory).sort()).toEqual(['change.patch', 'file'])
  })

  test('allows no changes of modes and times in it', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const command = 'cd "$TMPDIR"; echo x >file; chmod 600 file; touch -d @1 file'
    const { results } = await runAll([command], true)

    expect(results).toMatchObject([{ status: 'failed' }])
    expect(results[0]?.output.match(/Operation not permitted/g)).toHaveLength(2)
  })
})
