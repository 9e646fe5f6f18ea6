// What is said of an MCP client.

/** What a client has to start. */
export interface ServerCommand {
  /** An absolute path. */
  command: string
  args: readonly string[]
}

export interface ConfigFile {
  /** Of the person's own: `~/.codex/config.toml`. */
  path: string
  language: 'json' | 'toml'
  /** What the file has to say; where there is one, this belongs into it. */
  text: string
}

export interface McpClient {
  title: string
  files(server: ServerCommand): ConfigFile[]
  /** A command line with which it is to be started besides, where files cannot say all of it. */
  start?: string
  /** Characters of output that it shows whole, where that is less than a result has: `--max-output`. */
  maxOutput?: number
  /** What turns its own shell tool off, what then needs no question, and what to know besides. */
  notes: readonly string[]
}
