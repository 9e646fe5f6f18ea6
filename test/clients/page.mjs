// Writes docs/mcp-clients.md: the configurations of lib/surfaces/mcp/clients/, and what the clients were seen to do.
import { hasEnd, runNamesOf, runsOf } from './acts.mjs'
import { drivenClients } from './clients.mjs'

/** @typedef {import('./outcomes.mjs').Outcome} Outcome */

/** As docs/mcp.md has it. @type {[command: string, options: string[]]} */
export const example = ['/usr/local/bin/bashward', ['--cwd', '/srv/project']]

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
const table = (titles, rows) =>
  [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')

const count = (number) => number.toLocaleString('en-US')

const lengthOf = ({ text }) => count(text.length)

/** Of how many characters a model reads a result, and whether that has its end. */
const lengthAndEnd = (shown) => `${lengthOf(shown)}, ${hasEnd(shown) ? 'with its end' : 'without'}`

/** Of two builds where there are two. */
const compared = (act, tell, after, before) => {
  const [now, then] = [after, before].map((outcome) => outcome && tell(outcome.acts[act]))
  return then === undefined || then === now ? now : `${then} → ${now}`
}

const protocols = {
  anthropic: 'Messages',
  responses: 'Responses',
  chat: 'Chat Completions',
  gemini: 'generateContent',
}

/** What the tested versions have. */
const hooks = {
  'claude-code': 'hooks, `PreToolUse`',
  codex: 'hooks, `PreToolUse`',
  gemini: 'hooks, `BeforeTool`',
  opencode: 'plugins, `tool.execute.before`',
  qwen: 'hooks, `PreToolUse`',
  copilot: '`hooks` in its settings',
  cline: 'hooks, `PreToolUse`, in `~/.cline/hooks`',
}

/** Whether a failure is marked as one. */
const marks = ({ acts: { plain, failing } }) => {
  if (failing.isError !== undefined) return failing.isError && !plain.isError ? 'yes' : 'no'
  const isTold = /"isError":true|reported tool error|^MCP server '/.test(failing.text)
  return isTold ? 'in the text' : 'no'
}

/** Anything but ours that stands around a text. */
const wraps = ({ acts: { plain } }) => {
  const text = plain.text.trim().replace(/\s+/g, ' ')
  return text === 'hello'
    ? ''
    : `\`${text
        .replace('hello', '…')
        .replace(/\d+\.\d+/, '…')
        .replaceAll('\\n', '')}\``
}

const seconds = (ms) =>
  ms === undefined ? 'no' : ms < 1000 ? 'within 1 s' : `within ${Math.ceil(ms / 1000)} s`

const endsBy = ({ commandGoneMs, clientGoneMs, left }) => {
  if (commandGoneMs === undefined) return '**goes on**'
  const after = clientGoneMs === undefined ? '; the client goes on' : ''
  const others = left.length > 0 ? `; **${left.length} processes are left**` : ''
  return `${seconds(commandGoneMs)}${after}${others}`
}

const leaves = ({ left, leftOwn }) => {
  if (left.length > 0) return `**${left.length} processes are left**`
  return leftOwn.length > 0 ? 'a process of its own is left' : 'nothing is left'
}

/** How long it waits for a result. */
const patience = ({ acts: { plain } }) => {
  if (plain === undefined) return '?'
  return plain.text.includes('finished') ? 'longer than 75 s' : `${Math.round(plain.afterMs / 1000)} s`
}

const finished = ({ acts: { slow, slowEnd } }) =>
  slow.text.includes('STILL RUNNING') && slowEnd.text.includes('finished')
    ? `after ${Math.round(slow.afterMs / 1000)} s and ${Math.round(slowEnd.afterMs / 1000)} s`
    : '**no**'

/**
 * @param {object} parts
 * @param {{ clientNames: string[], clientNamed: (name: string) => any, configurationMarkdown: Function }} parts.configuration
 *   dist/mcp/clients/configuration.js
 * @param {(name: string) => string} parts.versionOf
 * @param {(name: string, build: string, run: string) => Outcome | undefined} parts.find
 * @returns {string | undefined} undefined when a run of some client is missing
 */
export function clientsPage({ configuration, versionOf, find }) {
  const { clientNames, clientNamed, configurationMarkdown, serverFor } = configuration
  const runs = Object.keys(runsOf('after'))
  const isMissing = (row) => runNamesOf('after', row.driven).some((run) => row[run] === undefined)
  const seen = clientNames.map((name) => ({
    name,
    client: clientNamed(name),
    version: versionOf(name),
    driven: drivenClients[name],
    before: find(name, 'before', 'calls'),
    ...Object.fromEntries(runs.map((run) => [run, find(name, 'after', run)])),
  }))
  if (seen.some(isMissing)) return undefined
  const rows = (...cells) => seen.map((row) => [row.client.title, ...cells.map((each) => each(row))])
  const readers = seen.flatMap(({ name, client: { title }, calls, before, codeMode }) => [
    { title, calls, before },
    ...(codeMode === undefined
      ? []
      : [{ title: `${title}, code mode`, calls: codeMode, before: find(name, 'before', 'codeMode') }]),
  ])
  const readings = table(
    [
      'client',
      'protocol',
      '`true`',
      '`exit 3`',
      '200 KB',
      '200 KB, `exit 3`',
      'a failure is marked',
      'around the text',
    ],
    readers.map(({ title, calls, before }) => [
      title,
      protocols[calls.protocol],
      compared('silent', lengthOf, calls, before),
      compared('failing', lengthOf, calls, before),
      compared('long', lengthAndEnd, calls, before),
      compared('longFailing', lengthAndEnd, calls, before),
      marks(calls),
      wraps(calls),
    ]),
  )
  const limits = table(
    [
      'client',
      'of a result of 30,000 characters its model reads',
      'the end',
      '`--max-output`',
      'it waits for a result',
    ],
    rows(
      ({ whole }) => count(whole.acts.long.text.length),
      ({ whole }) => (hasEnd(whole.acts.long) ? 'yes' : '**no**'),
      ({ client }) => (client.maxOutput === undefined ? '' : count(client.maxOutput)),
      ({ patient }) => patience(patient),
    ),
  )
  const endings = table(
    [
      'client',
      'a command of 70 s',
      'SIGINT ends the command',
      'SIGKILL',
      'without a signal',
      'Restricted mode',
    ],
    rows(
      ({ calls }) => finished(calls),
      ({ SIGINT }) => endsBy(SIGINT),
      ({ SIGKILL }) => endsBy(SIGKILL),
      ({ calls }) => leaves(calls),
      ({ restricted }) =>
        /denied|Read-only|sandbox/i.test(restricted.acts.denied.text) ? 'refused, and told' : '**not told**',
    ),
  )
  const names = table(
    ['client', 'its name for `bash`', 'before a call'],
    rows(
      ({ restricted }) => `\`${restricted.toolName}\``,
      ({ name }) => hooks[name],
    ),
  )
  const sections = seen.map(({ client, version, calls }) => {
    const configured = configurationMarkdown(client, serverFor(client, ...example))
    const shell =
      calls.ownShell.length === 0
        ? ''
        : `\n**Its own shell is there all the same: ${calls.ownShell.join(', ')}.**\n`
    return `### ${client.title}\n\nTested: ${version}.\n\n${configured}${shell}`
  })
  return `${page({ sections: sections.join('\n'), readings, limits, endings, names })}`
}

const page = ({ sections, readings, limits, endings, names }) => `# MCP clients

How seven agent programs are told to start [\`bashward mcp\`](mcp.md), and what their models then read. \`npm run test:clients\` has
driven each of them with a model that follows a script, on a network that is loopback alone, and has written this page.

## Configuration

\`bashward mcp --print-config CLIENT\` prints what follows with the path of your installation, and with the options that you add:

\`\`\`sh
bashward mcp --print-config claude-code --cwd /srv/project --workspace
\`\`\`

- **The program is absolute, and no command can write to it.** Where commands can, nothing is printed, and the message says by which
  directory. \`npx bashward\` would start what a command may have left in the project ([SECURITY.md](../SECURITY.md#the-program-bashward)).
- **The files are your own.** A project can have such files, too, and the commands that run there can write them. Keep the server
  out of those.
- **Without \`--cwd\`** the server works where its client was started.
- What a file has already stays: add what is missing.

A client's own shell is not bashward's: no sandbox of \`bashward mcp\`, no rule and no verdict holds for it. So it is turned off. The
other tools of a client read and write files with the rights of the client.

${sections}
## What its model reads

Characters of a result${readings.includes('→') ? ', before and since results are [text alone](mcp.md#for-programs)' : ''}. The server's own text has 11
for \`true\` (\`[no output]\`), 41 for a failure with two lines, and 30,000 for 200 KB. The configurations above were used, with their
\`--max-output\`.

${readings}

In Codex's *code mode*, which its newest models have, a model writes programs that call the tools, and reads what they print: here all
of the result, as JSON. The row above it is for models that call tools themselves.

The first line of a text says how the command ended, so a model knows of a failure also where its client does not mark it.

## Limits

What a client does with a result of the default size, and how long it waits for one. \`bashward mcp\` answers within 50 seconds, and
each of them waits longer: no timeout has to be set. With a longer \`--background-after\` the client's own limit has to be longer, too.

${limits}

Qwen Code and Copilot CLI write a long result to a file, and show its beginning and their file's path; Cline cuts the middle. Of what
\`--max-output\` cuts the model reads the beginning, the end, and the name of the file with the whole output.

## Ends

When a command of 70 seconds was answered, and its end was read; how soon a command ends when its client is killed; whether
processes are left.

${endings}

SIGINT went to the process group of the client, as Ctrl-C does, and SIGKILL to all of its processes. Gemini CLI and Qwen Code have two:
when only the first is killed, the other goes on, and so do its server and the command.

Background jobs go on when a client ends, as they should: \`bashward jobs\` shows and kills them.

## Hooks and allow lists

Allow lists and hooks of a client name the tools as the client does. A rule or a hook for its own shell says
nothing about bashward's \`bash\`.

${names}

Each of these clients can run a program or a plugin of yours before a call, which may deny it. Hooks were not driven here. For the
client's own shell, where it stays on, a hook is the place to ask bashward:
[\`examples/verdict-hook.mjs\`](../examples/verdict-hook.mjs) does that for Claude Code.

The tools of \`bashward mcp\` need no hook. With \`--verdicts\` the server [judges](mcp.md#verdicts) each command itself, and asks the person if
the client can ask by forms. What would have to be asked about is rejected in runs without a person, such as \`codex exec\`.
`
