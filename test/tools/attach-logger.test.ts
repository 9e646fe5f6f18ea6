import { attachLogger, type CommandLogger, createBashTool } from '../../lib/index.js'

interface Line {
  level: string
  fields: Record<string, unknown>
  message: string
}

let detach = () => {}

afterEach(() => detach())

const attach = (): Line[] => {
  const lines: Line[] = []
  const log = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields: fields as Line['fields'], message })
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  detach = attachLogger(logger)
  return lines
}

const tool = createBashTool()
const hasty = createBashTool({ timeouts: { default: 200 } })

test('the start and the end of a command, with the fields of the channel', async () => {
  const lines = attach()
  await tool.execute({ command: 'echo secret' }, { workingDir: '/', conversationId: 'talk' })

  expect(lines).toMatchObject([
    { level: 'debug', message: 'command started', fields: { tool: 'bash', conversationId: 'talk' } },
    { level: 'info', message: 'command completed', fields: { status: 'completed', outputBytes: 7 } },
  ])
  expect(lines[0]?.fields.id).toBe(lines[1]?.fields.id)
  expect(lines[1]?.fields).not.toHaveProperty('output')
})

test.each([
  ['info', 'command failed', tool, { command: 'exit 3' }, '/'],
  ['warn', 'command timed out', hasty, { command: 'sleep 300' }, '/'],
  ['warn', 'command invalid', tool, { command: 5 }, '/'],
  ['error', 'command error', tool, { command: 'true' }, '/nonexistent'],
])('%s: %s', async (level, message, called, input, workingDir) => {
  const lines = attach()
  await called.execute(input, { workingDir })

  expect(lines.at(-1)).toMatchObject({ level, message })
})

test('once detached it hears nothing', async () => {
  const lines = attach()
  detach()
  await tool.execute({ command: 'true' }, { workingDir: '/' })

  expect(lines).toEqual([])
})

test.each(['debug', 'info', 'warn', 'error'])('a logger without %s is refused', (level) => {
  const logger: Record<string, unknown> = { debug() {}, info() {}, warn() {}, error() {} }
  delete logger[level]

  expect(() => attachLogger(logger as unknown as CommandLogger)).toThrow(
    `logger.${level}: must be a function`,
  )
})
