// How a secret could go elsewhere, each with what happens otherwise.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { constants as systemConstants } from 'node:os'
import { dirname, join } from 'node:path'
import { Connection } from '../../../lib/terminals/terminal/connection.js'
import { secretFrame } from '../../../lib/terminals/terminal/frames.js'
import { replayScreen } from '../../../lib/terminals/terminal/replay.js'
import { secretAsked } from '../../../lib/terminals/terminal/secret-prompt.js'
import { leaveNothing, textOf, waitForOutput } from '../../commands/jobs-live/live-jobs.js'
import { cannotTest } from '../../support/must-work.js'
import { tempDir } from '../../support/temp-dir.js'
import { closeTerminals, startTerminal } from './live-terminal.js'

afterEach(async () => {
  closeTerminals()
  await leaveNothing()
})

const timeoutMs = 30_000
const secret = 'correct-horse-7'
const { EPERM, ESTALE, EBUSY, EINVAL, EMSGSIZE } = systemConstants.errno

describe('another session reads the terminal first', () => {
  const command = (thief: string) => `t=$(tty); ${thief}; read -sp "Password: " x; echo; echo "<\${#x}>"`

  test('it is named, and gets nothing', async () => {
    const ready = join(tempDir(), 'ready')
    const reads = `exec 3<$1; : >$2; read -r y <&3; echo "stolen: $y" >$2; exec sleep 300`
    const steal = `setsid -f bash -c '${reads}' thief $t ${ready} </dev/null >/dev/null 2>&1; until [ -e ${ready} ]; do sleep .02; done; sleep .3`
    const { terminal } = await startTerminal(command(steal))
    const state = await terminal.wait({ timeoutMs })
    expect(state).toMatchObject({ asksSecret: 'certain' })
    await expect(terminal.writeSecret(secret, { prompt: state })).rejects.toMatchObject({
      code: 'ERR_TERMINAL',
      errno: EBUSY,
      message: expect.stringMatching(/not typed: \d+ "bash" reads the same terminal/),
    })
    // What is no secret would be stolen.
    await terminal.write('anything')
    await waitForOutput(ready, 'stolen: anything')
  })

  test('without it the program gets it', async () => {
    const { terminal, outputFile } = await startTerminal(command(':'))
    const state = await terminal.wait({ timeoutMs })
    await terminal.writeSecret(secret, { prompt: state })
    await waitForOutput(outputFile, '<15>')
  })
})

test('somebody outside of the job who has the terminal open is named', async () => {
  const { terminal, outputFile } = await startTerminal('tty; read -sp "Password: " x; echo "<${#x}>"')
  const prompt = await terminal.wait({ timeoutMs })
  const [path = ''] = /\/dev\/pts\/\d+/.exec(textOf(outputFile)) ?? []
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOCTTY)
  const stranger = spawn('sleep', ['300'], { stdio: [descriptor, 'ignore', 'ignore'] })
  closeSync(descriptor)
  try {
    await expect(terminal.writeSecret(secret, { prompt })).rejects.toMatchObject({
      errno: EBUSY,
      message: expect.stringContaining(`${stranger.pid} "sleep"`),
    })
  } finally {
    stranger.kill('SIGKILL')
    await once(stranger, 'exit')
  }
  await terminal.writeSecret(secret, { prompt })
  await waitForOutput(outputFile, '<15>')
})

describe('a host that does not check', () => {
  const send = async (bytes: Buffer): Promise<unknown> => {
    const { terminal, outputFile } = await startTerminal('read -sp "Password: " x; echo "<${#x}>"')
    const { pid = 0, startTime = 0, offset } = await terminal.wait({ timeoutMs })
    const connection = new Connection(async () => dirname(outputFile))
    try {
      const place = { seen: false, pid, startTime, offset }
      return await connection.request((tag) => secretFrame(tag, bytes, place))
    } finally {
      connection.close()
    }
  }
  test.each([
    ['a new line', Buffer.from('one\ntwo'), EINVAL],
    ['an escape sequence', Buffer.from('one\x1b[A'), EINVAL],
    ['a DEL', Buffer.from('one\x7f'), EINVAL],
    ['1,025 bytes', Buffer.alloc(1025, 'x'), EMSGSIZE],
    ['60,000 bytes', Buffer.alloc(60_000, 'x'), EMSGSIZE],
    ['1,024 bytes', Buffer.alloc(1024, 'x'), 0],
  ])('%s', async (_, bytes, error) => {
    expect(await send(bytes)).toMatchObject({ type: 'secretTaken', error })
  })
})

describe('a late answer', () => {
  test('does not reach the next program', async () => {
    const { terminal, outputFile } = await startTerminal(
      'read -t 1 -sp "Password: " x; read -sp "Secret: " y; echo "<$y>"',
    )
    const prompt = await terminal.wait({ timeoutMs })
    await waitForOutput(outputFile, 'Secret: ')
    await terminal.wait({ timeoutMs })
    const late = terminal.writeSecret(secret, { prompt })
    await expect(late).rejects.toMatchObject({ code: 'ERR_TERMINAL', errno: ESTALE })
    await terminal.writeSecret('another')
    await waitForOutput(outputFile, '<[secret]>')
  })

  test('does not reach another process at the same prompt', async () => {
    const { terminal, outputFile } = await startTerminal(
      'printf "Password: "; bash -c "read -t 1 -s x"; bash -c "read -s y; echo \\"<\\${#y}>\\""',
    )
    const prompt = await terminal.wait({ timeoutMs })
    const next = async () => {
      for (;;) {
        const state = await terminal.wait({ timeoutMs })
        if (state.pid !== prompt.pid) return state
      }
    }
    const state = await next()
    expect(state).toMatchObject({ asksSecret: 'certain', offset: prompt.offset })
    await expect(terminal.writeSecret(secret, { prompt })).rejects.toMatchObject({ errno: ESTALE })
    await terminal.writeSecret(secret, { prompt: state })
    await waitForOutput(outputFile, '<15>')
  })

  test('in time it does', async () => {
    const { terminal, outputFile } = await startTerminal('read -t 60 -sp "Password: " x; echo "<${#x}>"')
    await terminal.writeSecret(secret, { prompt: await terminal.wait({ timeoutMs }) })
    await waitForOutput(outputFile, '<15>')
  })
})

describe('the echo is switched on between look and write', () => {
  const toggling = [
    'import termios, threading, time',
    'def set(echo):',
    '    mode = termios.tcgetattr(0)',
    '    mode[3] = mode[3] | termios.ECHO if echo else mode[3] & ~termios.ECHO',
    '    termios.tcsetattr(0, termios.TCSANOW, mode)',
    'def toggle():',
    '    while True:',
    '        set(True); set(False); time.sleep(0.0003)',
    'set(False)',
    'print("Password: ", end="", flush=True)',
    'threading.Thread(target=toggle, daemon=True).start()',
    'print("<%d>" % len(input()), flush=True)',
  ]
  test('it is refused, or hidden', async () => {
    const script = toggling.join('\n')
    const { terminal, outputFile } = await startTerminal(`python3 -c '${script}'`)
    await terminal.wait({ timeoutMs })
    const end = Date.now() + timeoutMs
    for (let typed = false; !typed && Date.now() < end; ) {
      const { cursorLine, ...prompt } = await terminal.state()
      typed = await terminal.writeSecret(secret, { prompt: { ...prompt, asksSecret: 'certain' } }).then(
        () => true,
        ({ errno }) => expect([EPERM, ESTALE]).toContain(errno) ?? false,
      )
    }
    await waitForOutput(outputFile, '<15>')
    expect(textOf(outputFile)).not.toContain(secret)
  })

  test('what is typed otherwise is shown', async () => {
    const { terminal, outputFile } = await startTerminal('read -p "Password: " x; echo "<${#x}>"')
    await terminal.wait({ timeoutMs })
    await terminal.write(secret)
    await waitForOutput(outputFile, '<15>')
    expect(textOf(outputFile)).toContain(secret)
  })
})

test('a program within is asked through its own terminal', async () => {
  const { terminal, outputFile } = await startTerminal(
    `script -qec 'bash -c "read -sp Password: x; echo; echo \\"<\\\${#x} \\$x>\\""' /dev/null`,
  )
  const prompt = await terminal.wait({ timeoutMs })
  expect(prompt).toMatchObject({ asksSecret: 'certain', nested: true, program: 'bash' })
  await terminal.writeSecret(secret, { prompt })
  await waitForOutput(outputFile, 'completed')
  expect(textOf(outputFile)).toContain('<15 [secret]>')
})

test('a line editor that shows nothing is asked for by what it says', async () => {
  const { terminal, outputFile } = await startTerminal('read -esp "Password: " x; echo "<${#x} $x>"')
  const prompt = await terminal.wait({ timeoutMs })
  expect(prompt).toMatchObject({ verdict: 'keys', asksSecret: 'likely' })
  await terminal.writeSecret(secret, { prompt })
  await waitForOutput(outputFile, 'completed')
  expect(textOf(outputFile)).toContain('<15 [secret]>')
  expect(textOf(outputFile)).not.toContain(secret)
})

const lacks = (program: string): boolean => spawnSync(program, ['--version']).error !== undefined

test.each([
  ['whiptail', 'whiptail --passwordbox "Enter your password" 10 40'],
  ['dialog', 'dialog --insecure --passwordbox "Enter your password" 10 40'],
])('%s is asked for by what is on its screen', async (program, command) => {
  if (lacks(program)) return cannotTest(`${program} is missing`)
  const { terminal, outputFile } = await startTerminal(`x=$(${command} 3>&1 1>&2 2>&3); echo "<\${#x}>"`)
  const prompt = await terminal.wait({ timeoutMs })
  expect(prompt.asksSecret).toBeUndefined()
  const screen = await replayScreen({ bytes: readFileSync(outputFile) })
  expect('lines' in screen && secretAsked(prompt, screen)).toBe('likely')
  await expect(terminal.writeSecret(secret, { prompt })).rejects.toMatchObject({ errno: EPERM })
  await terminal.writeSecret(secret, { prompt, seen: true })
  await waitForOutput(outputFile, '<15>')
  expect(textOf(outputFile)).not.toContain(secret)
})

test('a dialog that asks for something else is not taken for one that asks for a secret', async () => {
  if (lacks('whiptail')) return cannotTest('whiptail is missing')
  const { terminal, outputFile } = await startTerminal('whiptail --inputbox "Enter your name" 10 40')
  const state = await terminal.wait({ timeoutMs })
  const screen = await replayScreen({ bytes: readFileSync(outputFile) })
  expect('lines' in screen && secretAsked(state, screen)).toBeUndefined()
})
