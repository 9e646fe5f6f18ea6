// The clients: which packages they are, how they are started without a person, and how they find the scripted model. Their
// configuration is that which `bashward mcp --print-config` prints.
import { join } from 'node:path'

/**
 * @typedef {object} DrivenClient
 * @property {Record<string, string>} packages what is installed, each with its version; the first is the client
 * @property {(modules: string) => string[]} program the words that start it
 * @property {string[]} args for one question, of which nobody is asked anything
 * @property {Record<string, string>} env without telemetry and updates
 * @property {(url: string) => { args?: string[], env?: Record<string, string>, files?: Record<string, object> }} model
 *   how it finds its model: files are merged with those of the configuration
 * @property {string[]} [codeMode] the `args` for a model that calls tools from programs of its own
 * @property {RegExp} ownShell the names of its own shell tools
 */

const { arch } = process
const triple = { x64: 'x86_64', arm64: 'aarch64' }[arch]
const node = { [`node-linux-${arch}`]: '22.23.3' }
const nodeIn = (modules) => join(modules, `node-linux-${arch}/bin/node`)

/** A model of chat completions, as environment variables name it. */
const key = 'dummy'

/** @type {Record<string, DrivenClient>} */
export const drivenClients = {
  'claude-code': {
    packages: { '@anthropic-ai/claude-code': '2.1.332' },
    program: (modules) => [join(modules, `@anthropic-ai/claude-code-linux-${arch}/claude`)],
    args: ['-p', 'go on'],
    env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    model: (url) => ({ env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key } }),
    ownShell: /^Bash$/,
  },
  codex: {
    packages: { '@openai/codex': '0.171.0' },
    program: (modules) => [
      join(modules, `@openai/codex-linux-${arch}/vendor/${triple}-unknown-linux-musl/bin/codex`),
    ],
    args: ['exec', '--skip-git-repo-check', '-m', 'scripted'],
    // Its default model.
    codeMode: ['exec', '--skip-git-repo-check'],
    env: {},
    model: (url) => ({
      env: { SCRIPTED_KEY: key },
      args: [
        ...['-c', 'check_for_update_on_startup=false', '-c', 'model_provider="scripted"', '-c'],
        `model_providers.scripted={name="scripted",base_url="${url}/v1",wire_api="responses",env_key="SCRIPTED_KEY"}`,
        'go on',
      ],
    }),
    ownShell: /^(shell|exec_command|local_shell|shell_command)$/,
  },
  gemini: {
    packages: { '@google/gemini-cli': '0.61.0' },
    program: (modules) => [process.execPath, join(modules, '@google/gemini-cli/bundle/gemini.js')],
    // Another model is asked which model is to answer.
    args: ['-m', 'gemini-2.5-pro', '-p', 'go on'],
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    model: (url) => ({
      env: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url },
      files: {
        '~/.gemini/settings.json': {
          security: { auth: { selectedType: 'gemini-api-key' } },
          privacy: { usageStatisticsEnabled: false },
          general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        },
      },
    }),
    ownShell: /^run_shell_command$/,
  },
  opencode: {
    packages: { 'opencode-ai': '1.18.33' },
    program: (modules) => [join(modules, `opencode-linux-${arch}/bin/opencode`)],
    args: ['run', 'go on'],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
    model: (url) => ({
      files: {
        '~/.config/opencode/opencode.json': {
          autoupdate: false,
          share: 'disabled',
          model: 'scripted/scripted',
          small_model: 'scripted/scripted',
          provider: {
            scripted: {
              npm: '@ai-sdk/openai-compatible',
              options: { baseURL: `${url}/v1`, apiKey: key },
              models: { scripted: {} },
            },
          },
        },
      },
    }),
    ownShell: /^bash$/,
  },
  qwen: {
    packages: { '@qwen-code/qwen-code': '0.24.4', ...node },
    program: (modules) => [nodeIn(modules), join(modules, '@qwen-code/qwen-code/cli-entry.js')],
    args: ['-p', 'go on'],
    env: {},
    model: (url) => ({
      env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted' },
      files: {
        '~/.qwen/settings.json': {
          security: { auth: { selectedType: 'openai' } },
          privacy: { usageStatisticsEnabled: false },
          general: { enableAutoUpdate: false },
        },
      },
    }),
    ownShell: /^run_shell_command$/,
  },
  copilot: {
    packages: { '@github/copilot': '1.0.102' },
    program: (modules) => [join(modules, `@github/copilot-linux-${arch}/copilot`)],
    args: ['-p', 'go on'],
    env: { COPILOT_OFFLINE: 'true', COPILOT_AUTO_UPDATE: 'false' },
    model: (url) => ({
      env: {
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_API_KEY: key,
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_MODEL: 'scripted',
      },
    }),
    ownShell: /^(bash|read_bash|stop_bash|list_bash)$/,
  },
  cline: {
    packages: { cline: '3.0.65' },
    program: (modules) => [join(modules, `@cline/cli-linux-${arch}/bin/cline`)],
    args: ['--json', 'go on with it'],
    env: {},
    model: (url) => ({
      files: {
        '~/.cline/data/settings/global-settings.json': { telemetryOptOut: true, autoUpdateEnabled: false },
        '~/.cline/data/settings/providers.json': {
          version: 1,
          lastUsedProvider: 'openai-compatible',
          modes: {},
          providers: {
            'openai-compatible': {
              settings: {
                provider: 'openai-compatible',
                apiKey: key,
                model: 'scripted',
                baseUrl: `${url}/v1`,
              },
              updatedAt: '2026-01-01T00:00:00.000Z',
              tokenSource: 'manual',
            },
          },
        },
      },
    }),
    ownShell: /^run_commands$/,
  },
}

/** The version of a client. @type {(name: string) => string} */
export const versionOf = (name) => Object.values(drivenClients[name].packages)[0]
