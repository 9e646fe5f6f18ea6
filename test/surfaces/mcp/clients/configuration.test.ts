// What clients are told of the server: every client, with any path.
import {
  clientNamed,
  clientNames,
  configurationText,
} from '../../../../lib/surfaces/mcp/clients/configuration.js'
import { toml } from '../../../../lib/surfaces/mcp/clients/toml.js'

const server = { command: '/opt/a "b"\\c/bashward', args: ['mcp', '--cwd', '/srv/ä\n'] }

test('there are seven', () => {
  expect(clientNames).toEqual(['claude-code', 'codex', 'gemini', 'opencode', 'qwen', 'copilot', 'cline'])
  expect(() => clientNamed('toString')).toThrow('no client toString')
})

describe.each(clientNames)('%s', (name) => {
  const client = clientNamed(name)
  const files = client.files(server)

  test('its files are the person’s own, where commands of a project do not write', () => {
    for (const { path } of files) expect(path).toMatch(/^~\/\./)
  })

  test('its JSON has the program and all arguments, whatever they contain', () => {
    const texts = files.filter(({ language }) => language === 'json').map(({ text }) => JSON.parse(text))
    const strings = JSON.stringify(texts)

    if (name === 'codex') expect(texts).toEqual([])
    else for (const word of [server.command, ...server.args]) expect(strings).toContain(JSON.stringify(word))
  })

  test('the text has every file and every note', () => {
    const text = configurationText(client, server)

    for (const file of files) expect(text).toContain(`In ${file.path}:\n\n${file.text}`)
    for (const note of client.notes) expect(text).toContain(note.replaceAll('`', ''))
    expect(text).toContain(client.start ?? '')
    expect(text).toMatch(/takes its own shell away/)
    expect(text).not.toContain('npx')
  })
})

test('a value in TOML is escaped', () => {
  expect(toml('a"b\\c\n\x7f')).toBe('"a\\"b\\\\c\\n\\u007F"')
  expect(toml(['mcp', '"'])).toBe('["mcp", "\\""]')
})
