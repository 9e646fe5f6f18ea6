// Takes the place of `new Anthropic().messages` in agent-loop.mjs: a model that needs no network and no API key. It reads
// the last message and decides by it.

export const task = 'The test fails. Fix it, stage what you change, and try the server.'

export const projectFiles = {
  'answer.sh': 'echo 41\n',
  'test.sh': 'got=$(bash answer.sh); echo "want 42, got $got"; [ "$got" = 42 ]\n',
  'server.sh': 'echo "serving $(bash answer.sh)"; touch ready; exec sleep 300\n',
}

/** What it does after what it has read. */
const decisions = [
  { reads: /^The test fails/, does: () => bash('bash test.sh') },
  {
    reads: /^\[command failed: exit code 1\]\nwant (\d+), got (\d+)/,
    does: ([, want, got]) => bash(`sed -i s/${got}/${want}/ answer.sh; bash test.sh`),
  },
  { reads: /^want 42, got 42/, does: () => bash('git init --quiet && git add .') },
  {
    // The refusal names a better command: take that one.
    reads: /^\[command rejected: git-add-blind\].*`git add path\/to\/file`/,
    does: () => bash('git init --quiet && git add answer.sh && git status --short'),
  },
  { reads: /^A {2}answer\.sh/, does: () => bash('bash server.sh', { run_in_background: true }) },
  {
    reads: /^<bash_id>(\w+)/,
    does: ([, id]) => {
      server = id
      return bash('until [ -e ready ]; do sleep 0.1; done; echo ready')
    },
  },
  { reads: /^ready/, does: () => call('BashOutput', { bash_id: server }) },
  {
    reads: /^\[running\]\nserving 42/,
    does: () => bash('for n in {1..300}; do echo "request $n"; sleep 0.1; done'),
  },
  { reads: /^\[command cancelled\]/, does: () => call('KillBash', { bash_id: server }) },
  { reads: /^\[killed\]/, does: () => ({ type: 'text', text: 'Done: answer.sh is fixed and staged.' }) },
]

let server
let calls = 0

const bash = (command, options) => call('Bash', { command, ...options })

function call(name, input) {
  calls += 1
  return { type: 'tool_use', id: `toolu_${calls}`, name, input }
}

export async function create({ messages }) {
  const { content } = messages.at(-1)
  const text = typeof content === 'string' ? content : content[0].content
  for (const { reads, does } of decisions) {
    const match = reads.exec(text)
    if (match !== null) return { role: 'assistant', content: [does(match)] }
  }
  throw new Error(`the script has no answer to: ${text}`)
}
