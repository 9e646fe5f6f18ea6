// Which variables the rules take for a secret, and which they must leave alone.

import { findSecretNameRule, findSecretValueRule } from '../../lib/environment/secrets.js'

const secretNames: Record<string, string[]> = {
  token: [
    'GH_TOKEN',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'NODE_AUTH_TOKEN',
    'npm_config_//registry.example.org/:_authToken',
    'AWS_SESSION_TOKEN',
    'AWS_WEB_IDENTITY_TOKEN_FILE',
    'AZURE_STORAGE_SAS_TOKEN',
    'CI_JOB_TOKEN',
    'VAULT_TOKEN',
    'CARGO_REGISTRIES_ACME_TOKEN',
    'slack_token',
    'API_TOKENS',
  ],
  secret: [
    'AWS_SECRET_ACCESS_KEY',
    'AZURE_CLIENT_SECRET',
    'ARM_CLIENT_SECRET',
    'SECRET_KEY_BASE',
    'clientSecret',
  ],
  password: [
    'PGPASSWORD',
    'MYSQL_PWD',
    'DB_PWD',
    'SMTP_PASS',
    'BACKUP_PW',
    'FTP_PASSWD',
    'MAVEN_GPG_PASSPHRASE',
    'npm_config__password',
    'RESTIC_PASSWORD_FILE',
  ],
  credentials: [
    'GOOGLE_APPLICATION_CREDENTIALS',
    'GOOGLE_CREDENTIALS',
    'AZURE_CREDENTIALS',
    'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
    'GOOGLE_GHA_CREDS_PATH',
  ],
  key: [
    'OPENAI_API_KEY',
    'FAKE_API_KEY',
    'GEMINI_APIKEY',
    'ANTHROPIC_API_KEY_2',
    'AWS_ACCESS_KEY_ID',
    'AZURE_STORAGE_KEY',
    'ARM_ACCESS_KEY',
    'GOOGLE_MAPS_KEY',
    'GCLOUD_SERVICE_KEY',
    'SSH_PRIVATE_KEY',
    'ANSIBLE_PRIVATE_KEY_FILE',
    'TS_AUTHKEY',
    'RAILS_MASTER_KEY',
    'STRIPE_KEY',
  ],
  authorization: [
    'npm_config__auth',
    'COMPOSER_AUTH',
    'DOCKER_AUTH_CONFIG',
    'YARN_NPM_AUTH_IDENT',
    'REDISCLI_AUTH',
    'CI_JOB_JWT',
    'CI_JOB_JWT_V2',
    'GITHUB_PAT',
    'PAT',
    'AZURE_DEVOPS_EXT_PAT',
  ],
  'database-url': [
    'DATABASE_URL',
    'TEST_DATABASE_URL',
    'DATABASE_URL_REPLICA',
    'POSTGRES_PRISMA_URL',
    'POSTGRES_URL_NON_POOLING',
    'MONGODB_URI',
    'REDIS_URL',
    'CELERY_BROKER_URL',
    'DB_URI',
    'SENTRY_DSN',
    'AZURE_STORAGE_CONNECTION_STRING',
    'SQLCONNSTR_MAIN',
  ],
  webhook: ['SLACK_WEBHOOK_URL', 'DISCORD_WEBHOOK_CI_URL'],
  mnemonic: ['MNEMONIC', 'WALLET_SEED_PHRASE'],
}

const plainNames = [
  ...[
    'PATH',
    'PWD',
    'OLDPWD',
    'HOME',
    'LANG',
    'LC_ALL',
    'TERM',
    'SHELL',
    'SHLVL',
    'USER',
    'TZ',
    'TMPDIR',
    '_',
  ],
  ...[
    'SSH_AUTH_SOCK',
    'SSH_AGENT_PID',
    'SSH_CONNECTION',
    'GPG_TTY',
    'GPG_AGENT_INFO',
    'XAUTHORITY',
    'KRB5CCNAME',
  ],
  ...[
    'DBUS_SESSION_BUS_ADDRESS',
    'XDG_RUNTIME_DIR',
    'DISPLAY',
    'WAYLAND_DISPLAY',
    'KEYBOARD_LAYOUT',
    'XKB_DEFAULT',
  ],
  ...[
    'MONKEY',
    'HOTKEY',
    'GPG_KEY',
    'PUBLIC_KEY',
    'CACHE_KEY',
    'SORT_KEY',
    'RECAPTCHA_SITE_KEY',
    'AWS_KMS_KEY_ID',
  ],
  ...[
    'TOKENIZERS_PARALLELISM',
    'MAX_TOKENS',
    'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
    'TOKEN_LIMIT',
    'TOKENS_PER_MINUTE',
  ],
  ...['npm_config_registry', 'npm_config_cache', 'npm_config_user_agent', 'npm_config_always_auth'],
  ...['npm_config_init_author_name', 'npm_lifecycle_event', 'npm_package_name', 'npm_execpath', 'INIT_CWD'],
  ...[
    'CI',
    'GITHUB_ACTIONS',
    'GITHUB_SHA',
    'GITHUB_PATH',
    'GITHUB_REPOSITORY',
    'CI_JOB_ID',
    'CI_COMMIT_AUTHOR',
  ],
  ...[
    'RUNNER_OS',
    'BUILDKITE_BUILD_ID',
    'JENKINS_URL',
    'BUILD_URL',
    'CI_PROJECT_URL',
    'SITE_URL',
    'BASE_URL',
  ],
  ...[
    'GOOGLE_CLOUD_PROJECT',
    'GCLOUD_PROJECT',
    'CLOUDSDK_CONFIG',
    'AWS_REGION',
    'AWS_DEFAULT_REGION',
    'AWS_PROFILE',
  ],
  ...[
    'AWS_CONFIG_FILE',
    'AWS_CA_BUNDLE',
    'AZURE_TENANT_ID',
    'AZURE_CLIENT_ID',
    'AZURE_SUBSCRIPTION_ID',
    'ARM_TENANT_ID',
  ],
  ...[
    'GIT_AUTHOR_NAME',
    'GIT_AUTHOR_EMAIL',
    'GIT_COMMITTER_NAME',
    'GIT_SSH_COMMAND',
    'GIT_ASKPASS',
    'GIT_CONFIG_KEY_0',
  ],
  ...[
    'PGHOST',
    'PGUSER',
    'PGPASSFILE',
    'MYSQL_HOST',
    'DB_HOST',
    'DB_NAME',
    'DATABASE_NAME',
    'REDIS_HOST',
    'DB_USER',
  ],
  ...[
    'JAVA_HOME',
    'NODE_OPTIONS',
    'NODE_PATH',
    'PYTHONPATH',
    'VIRTUAL_ENV',
    'GOPATH',
    'GOPROXY',
    'CARGO_HOME',
  ],
  ...[
    'HTTP_PROXY',
    'https_proxy',
    'NO_PROXY',
    'PIP_INDEX_URL',
    'NODE_EXTRA_CA_CERTS',
    'SSL_CERT_FILE',
    'LS_COLORS',
  ],
  ...[
    'LD_LIBRARY_PATH',
    'MAKEFLAGS',
    'CC',
    'CFLAGS',
    'KUBECONFIG',
    'DOCKER_HOST',
    'DOCKER_CONFIG',
    'COMPOSE_FILE',
  ],
  ...[
    'PASSWORD_STORE_DIR',
    'BYPASS',
    'COMPASS',
    'ALL_PASSED',
    'SECRETARY',
    'AUTHOR',
    'USE_AUTH',
    'OAUTH_ISSUER',
  ],
  ...[
    'NEXT_PUBLIC_SUPABASE_ANON_KEY',
    'EXPO_PUBLIC_API_URL',
    'PATTERN',
    'PATCH',
    'DSN_FORMAT',
    'FORCE_COLOR',
  ],
]

// Put together here, so that no scanner takes this file for a leak.
const mixed = (length: number) => 'aB3dE5gH7jK9'.repeat(20).slice(0, length)
const hex = (length: number) => '0123456789abcdef'.repeat(8).slice(0, length)

const secretValues: Record<string, string[]> = {
  'url-password': [
    'http://user:pass@proxy.example:8080',
    'https://oauth2:x@gitlab.example/a.git',
    'redis://:pass@localhost:6379/0',
    'postgres://u:p%40ss@db/app?sslmode=require',
    'mongodb+srv://u:p@cluster.example',
    'amqp://guest:p#?x@mq',
    'ALL https://one.example https://u:p@two.example',
  ],
  'private-key': [
    '-----BEGIN PRIVATE KEY-----\nMIIE',
    '-----BEGIN RSA PRIVATE KEY-----\\nMIIE',
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    '-----BEGIN PGP PRIVATE KEY BLOCK-----',
    '{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\\n"}',
    Buffer.from('-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7example').toString('base64'),
  ],
  jwt: [`eyJ${mixed(20)}.eyJ${mixed(40)}.${mixed(43)}`, `Bearer eyJ${mixed(20)}.eyJ${mixed(40)}.`],
  'aws-key': [`AKIA${'A1B2'.repeat(4)}`, `key=ASIA${'Z9Y8'.repeat(4)};`],
  'google-key': [`AIza${mixed(35)}`, `ya29.${mixed(60)}`, `GOCSPX-${mixed(28)}`],
  'azure-key': [
    `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${mixed(86)}==`,
    `Endpoint=sb://x.example/;SharedAccessKey=${mixed(43)}=`,
    `https://a.blob.example/c?sv=2022&sig=${mixed(43)}%3D`,
  ],
  'forge-token': [
    `ghp_${mixed(36)}`,
    `ghs_${mixed(36)}`,
    `github_pat_${mixed(22)}_${mixed(59)}`,
    `glpat-${mixed(20)}`,
    `glrt-${mixed(20)}`,
  ],
  'registry-token': [
    `npm_${mixed(36)}`,
    `//registry.example/:_authToken=npm_${mixed(36)}`,
    `pypi-${mixed(80)}`,
    `dckr_pat_${mixed(27)}`,
    `hf_${mixed(34)}`,
  ],
  'model-key': [
    `sk-${mixed(48)}`,
    `sk-proj-${mixed(48)}`,
    `sk-ant-api03-${mixed(48)}`,
    `sk-or-v1-${hex(64)}`,
    `gsk_${mixed(52)}`,
    `xai-${mixed(80)}`,
  ],
  'service-key': [
    `sk_live_${mixed(24)}`,
    `rk_test_${mixed(24)}`,
    `whsec_${mixed(32)}`,
    `SG.${mixed(22)}.${mixed(43)}`,
    `shpat_${hex(32)}`,
    `dop_v1_${hex(64)}`,
    `hvs.${mixed(40)}`,
    `123456789:AA${mixed(33)}`,
  ],
  'chat-token': [
    `xoxb-${hex(11)}-${mixed(24)}`,
    `xoxe.xoxp-1-${mixed(40)}`,
    `xapp-1-${mixed(40)}`,
    'https://hooks.slack.com/services/T0/B0/x',
    'https://discord.com/api/webhooks/1/x',
  ],
  'authorization-header': [
    'Authorization: Basic dXNlcjpwYXNz',
    'Authorization=Basic%20dXNlcjpwYXNz',
    "'http.extraheader'='AUTHORIZATION: bearer abc'",
    '{"Authorization":"token abc"}',
  ],
  'password-setting': [
    'Server=db;User Id=sa;Password=x1;',
    'host=db user=app password=x1',
    'jdbc:postgresql://db/app?user=app&password=x1',
    '-Xmx1g -Dhttp.proxyPassword=x1',
    '{"username":"app","password":"x1"}',
  ],
}

const plainValues = [
  '',
  '1',
  'true',
  'en_US.UTF-8',
  '/usr/local/sbin:/usr/local/bin:/usr/bin',
  'unix:path=/run/user/1000/bus,guid=0123456789abcdef',
  'rs=0:di=01;34:ln=01;36:*.tar=01;31:',
  'http://proxy.example:3128',
  'http://[::1]:8080/@scope/pkg',
  'http://proxy.example:3128?mail=a@b.example',
  'https://registry.example/@scope/pkg',
  'https://registry.example:4873/@scope/pkg',
  'ssh://git@host.example:22/repo.git',
  'git@github.com:owner/repo.git',
  'oci://registry.example:5000/image@sha256:0123',
  'https://proxy.golang.org,direct',
  'postgres://localhost:5432/app',
  'tcp://192.0.2.1:2376',
  'npm/10.8.2 node/v20.0.0 linux x64 workspaces/false',
  '--max-old-space-size=4096 --require /opt/hook.js',
  '-Xmx2g -Djavax.net.ssl.trustStorePassword=changeit',
  'ssh -i ~/.ssh/id_ed25519 -o BatchMode=yes',
  '-----BEGIN CERTIFICATE-----\nMIID',
  '-----BEGIN PUBLIC KEY-----\nMIIB',
  Buffer.from(`-----BEGIN CERTIFICATE-----\n${mixed(80)}`).toString('base64'),
  '/home/me/task-runner-with-a-long-name-2024',
  '/opt/sk-learn-models-2024-with-a-long-name',
  'sk-SK',
  '/nix/store/0123-glibc-locales-2.38-44-and-more/lib/locale',
  hex(40),
  '123e4567-e89b-12d3-a456-426614174000',
  '{"name":"app","private":true}',
  'pwd=$PWD',
]

describe('rules by name', () => {
  for (const [rule, names] of Object.entries(secretNames)) {
    test.each(names)(`${rule} finds %s`, (name) => {
      expect(findSecretNameRule(name)?.name).toBe(rule)
    })
  }

  test.each(secretNames.token?.concat(secretNames.key ?? []) ?? [])('case does not matter: %s', (name) => {
    expect(findSecretNameRule(name.toLowerCase())).toBeDefined()
    expect(findSecretNameRule(name.toUpperCase())).toBeDefined()
  })

  test.each(plainNames)('%s is left alone', (name) => {
    expect(findSecretNameRule(name)?.name).toBeUndefined()
  })
})

describe('rules by value', () => {
  for (const [rule, values] of Object.entries(secretValues)) {
    test.each(values)(`${rule} finds %j`, (value) => {
      expect(findSecretValueRule(value)?.name).toBe(rule)
    })
  }

  test.each(plainValues)('%j is left alone', (value) => {
    expect(findSecretValueRule(value)?.name).toBeUndefined()
  })

  test.each(['a', '://', 'a://b:', 'eyJa.', '-D', 'authorization: ', '"password" ', 'sk-'])(
    'a value of 100 KiB that repeats %j takes no more than linear time',
    (piece) => {
      const started = performance.now()
      findSecretValueRule(piece.repeat(100_000 / piece.length))
      expect(performance.now() - started).toBeLessThan(2_000)
    },
  )
})
