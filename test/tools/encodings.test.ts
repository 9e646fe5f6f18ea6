// Output in other encodings, as the tools' texts show it.
import { createBashSuite, createBashTool, createExecTool, run } from '../../lib/index.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { removeTempDirs } from '../support/temp-dir.js'

afterEach(endJobs)
afterAll(removeTempDirs)

const context = { workingDir: '/' }
const utf16 = String.raw`printf '\xff\xfeh\0\xe4\0l\0l\0o\0\n\0'`
const decoded = 'hällo\n[output is not text: it is UTF-16, decoded here]'

test('the texts have UTF-16 decoded, and `output` stays as it is', async () => {
  const tool = createBashTool()
  const result = await tool.execute({ command: utf16 }, context)
  expect(tool.toText(result)).toBe(decoded)
  expect(result).toMatchObject({
    output: '\uFFFD\uFFFDh\u2400\uFFFD\u2400l\u2400l\u2400o\u2400\n\u2400',
    binary: true,
  })
  const { bash } = createBashSuite({ session: false, jobs: tempStore() })
  expect(bash.toText(await bash.execute({ command: utf16 }, context))).toBe(decoded)
})

test('a background command has it, too, also from an offset', async () => {
  const { bash, bashOutput } = createBashSuite({ session: false, jobs: tempStore() })
  const { jobId = '' } = await bash.execute({ command: utf16, run_in_background: true }, context)
  const read = async (offset: number) =>
    bashOutput.toText(await bashOutput.execute({ bash_id: jobId, offset, wait_ms: 60_000 }, context))
  expect(await read(0)).toBe(`[completed]\n${decoded}`)
  expect(await read(6)).toBe(`[completed]\n${decoded.replace('hä', '')}`)
})

test('withheld values are taken out of what is decoded', async () => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
  process.env.BASHWARD_TEST_TOKEN = secret
  try {
    const tool = createBashTool()
    const command = String.raw`printf '\xff\xfe'; printf ${secret} | sed 's/./&\x00/g'; printf '\n\0'`
    const result = await tool.execute({ command }, context)
    expect(result.readable?.output).toBe('[removed: BASHWARD_TEST_TOKEN]\n')
    expect(tool.toText(result)).not.toContain(secret)
  } finally {
    delete process.env.BASHWARD_TEST_TOKEN
  }
})

test.each([
  ['one', '\\0'],
  ['more', '\\0\\0\\0'],
])('nor is one shown with NULs in it, %s after each letter', async (_, nuls) => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
  process.env.BASHWARD_TEST_TOKEN = secret
  try {
    const tool = createBashTool()
    const command = `printf ${secret} | sed 's/./&${nuls.replaceAll('\\0', '\\x00')}/g'`
    const text = tool.toText(await tool.execute({ command }, context))
    expect(text).toContain('with withheld values, and is not shown: | iconv -f')
    expect(text).not.toMatch(/g.*h.*p.*_.*0.*1.*2/)
  } finally {
    delete process.env.BASHWARD_TEST_TOKEN
  }
})

test('withheld values are taken out of UTF-16 with a gap, whole ones and pieces, and are counted', async () => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
  process.env.BASHWARD_TEST_TOKEN = secret
  try {
    const tool = createBashTool()
    const wide = `sed 's/./&\\x00/g; s/$/\\n\\x00/' | tr -d '\\n' | sed 's/\\x00\\x00/\\x00\\n\\x00/g'`
    const command = `printf '\\xff\\xfe'; { echo ${secret}; seq 100000; echo ${secret}; } | ${wide}`
    const result = await tool.execute({ command }, context)
    const text = tool.toText(result)
    expect(text).toContain('\n[removed: BASHWARD_TEST_TOKEN]\n1\n2\n')
    expect(text).toContain(
      '\n100000\n[removed: BASHWARD_TEST_TOKEN]\n[output is not text: it is UTF-16, decoded here]',
    )
    expect(text).not.toContain('\u2400')
    expect(result.redacted).toEqual({ BASHWARD_TEST_TOKEN: 2 })
    // At the edges of what is kept, in whatever place that is.
    const many = `printf '\\xff\\xfe'; yes ${secret} | head -n 5000 | tr '\\n' - | sed 's/./&\\x00/g'`
    expect(tool.toText(await tool.execute({ command: many }, context))).not.toMatch(/[0-9a-jA-J]{4}/)
  } finally {
    delete process.env.BASHWARD_TEST_TOKEN
  }
})

test('errors behind binary output stay', async () => {
  const tool = createBashTool()
  const command = 'head -c 3000 /bin/ls; LC_ALL=C ls /nonexist'
  expect(tool.toText(await tool.execute({ command }, context))).toMatch(
    /^\[command failed: exit code 2\]\n00000000: 7f45 [\s\S]*\n[^\n]*ls: cannot access '\/nonexist': No such file or directory\n\[output is not text: 2\.\dKB, an ELF file; /,
  )
  const long = await tool.execute({ command: 'cat "$BASH"; echo "curl: (18)" >&2; exit 18' }, context)
  expect(tool.toText(long)).toMatch(/\n[^\n]*curl: \(18\)\n\[output is not text: [0-9.]+MB, an ELF file; /)
})

test('a program is not put into the text, and the line about a cut neither', async () => {
  const tool = createBashTool()
  const text = tool.toText(await tool.execute({ command: 'cat "$BASH" "$BASH"' }, context))
  expect(text).toMatch(
    /^00000000: 7f45 4c46 .*\n(?:000000[123]0: .*\n){3}\[output is not text: [0-9.]+MB, an ELF file; of it, the first 64 bytes are shown\. To look at it: \| file -, \| strings, \| xxd or \| base64\]$/,
  )
})

test('decoded output that is too long is cut as any other', async () => {
  const command = String.raw`printf '\xff\xfe'; seq 100000 | sed 's/./&\x00/g; s/$/\n\x00/' | tr -d '\n' | sed 's/\x00\x00/\x00\n\x00/g'`
  const tool = createBashTool({ redact: false })
  expect(tool.toText(await tool.execute({ command }, context))).toMatch(
    /^\[output truncated in middle: got 1\.1MB, max is 128\.0KB\]\n1\n2\n[\s\S]*\n\n\[snip\]\n\n[\s\S]*\n99999\n100000\n\[output is not text: it is UTF-16, decoded here\]$/,
  )
})

test('run() with two streams and the exec tool are as they were', async () => {
  expect(await run(utf16, { cwd: '/', streams: 'separate' })).not.toHaveProperty('readable')
  const { stdout } = await createExecTool().execute({ command: utf16 }, context)
  expect(stdout).toContain('\u2400')
})
