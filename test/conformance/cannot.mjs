// What of the conformance tests this server cannot pass: they want a server that was written for them. A failure that none of these
// describes is one.

const noTool = 'it calls a tool of a server that was written for these tests'

/** `scenario` and `message` say which failures are meant. */
export const cannot = [
  {
    scenario: /^(?:tools-call|elicitation|input-required-result)-/,
    message: /Unknown tool: test_\w+ \(there are bash, bash_output, kill_bash\)/,
    why: noTool,
  },
  {
    scenario: /^input-required-result-(?:multi-round|tampered-state)$/,
    message: /Expected InputRequiredResult|could not get initial InputRequiredResult/,
    why: noTool,
  },
  { scenario: /^json-schema-2020-12$/, message: /Tool 'json_schema_2020_12_tool' not found/, why: noTool },
  { scenario: /^server-stateless$/, message: /^Not testable: server does not list/, why: noTool },
  {
    scenario: /^(?:prompts|resources|completion)-|^input-required-result-non-tool-request$/,
    message: /Method not found$/,
    why: 'this server has tools only: no prompts, resources, completion',
  },
  {
    scenario: /^caching$/,
    message: /^(?:prompts|resources)\/\S+ returned JSON-RPC error -32601: Method not found$/,
    why: 'this server has tools only: no prompts, resources, completion',
  },
  {
    scenario: /^http-custom-header-server-validation$/,
    message: /^Not testable: server exposes no tool with x-mcp-header/,
    why: 'no argument of these tools belongs in a header',
  },
]
