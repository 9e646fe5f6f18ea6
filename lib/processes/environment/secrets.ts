// The rules that tell which environment variables hold a secret: by name, and by the shape of the value.

/** One reason to withhold a variable. `name` is stable: documentation and tests refer to it. */
export interface SecretRule {
  name: string
  /** Why a variable that matches is withheld, for documentation. */
  reason: string
  /** Tested against the variable's name in upper case, or against its value. No flags. */
  pattern: RegExp
}

/**
 * Rules by name. They ignore the value, and also hold for a name that only points at a secret
 * (`AWS_WEB_IDENTITY_TOKEN_FILE`): who has the pointer has the secret.
 */
export const secretNameRules: readonly SecretRule[] = [
  {
    name: 'token',
    reason: 'access tokens: GH_TOKEN, NPM_TOKEN, AWS_SESSION_TOKEN',
    pattern: /TOKEN(?!IZ)/,
  },
  {
    name: 'secret',
    reason: 'secrets by their own name: AWS_SECRET_ACCESS_KEY, AZURE_CLIENT_SECRET, SECRET_KEY_BASE',
    pattern: /SECRET(?!ARY)/,
  },
  {
    name: 'password',
    reason: 'passwords and passphrases: PGPASSWORD, MYSQL_PWD, SMTP_PASS',
    pattern:
      /PASSWORD|PASSWD|PASSPHRASE|_PASS$|_PW$|(?:^|_)(?:DB|DATABASE|SQL|MYSQL|MARIADB|MSSQL|SA|PG|POSTGRES|REDIS|MONGO|ADMIN|ROOT|USER|LOGIN|SMTP|MAIL|FTP|LDAP)_?PWD$/,
  },
  {
    name: 'credentials',
    reason: 'credentials and the files that hold them: GOOGLE_APPLICATION_CREDENTIALS, AZURE_CREDENTIALS',
    pattern: /CREDENTIALS|_CREDENTIAL$|(?:^|_)CREDS?(?:_|$)/,
  },
  {
    name: 'key',
    reason: 'keys: OPENAI_API_KEY, AWS_ACCESS_KEY_ID, AZURE_STORAGE_KEY, SSH_PRIVATE_KEY',
    pattern: /(?:API|ACCESS|PRIVATE|AUTH|ENCRYPTION|SIGNING|MASTER|ACCOUNT)_?KEY|(?:^|_)KEYS?$/,
  },
  {
    name: 'authorization',
    reason:
      'ready-made authorization: npm_config__auth, DOCKER_AUTH_CONFIG, REDISCLI_AUTH, CI_JOB_JWT, GITHUB_PAT',
    pattern:
      /(?:^|_)(?:AUTH|AUTH_IDENT|AUTH_CONFIG|AUTH_HEADER|AUTHORIZATION|BEARER|JWT(?:_V\d)?)$|(?:^|_)PAT$/,
  },
  {
    name: 'database-url',
    reason:
      'database addresses, which carry the password: DATABASE_URL, REDIS_URL, POSTGRES_PRISMA_URL, SENTRY_DSN',
    pattern:
      /(?:^|_)(?:DATABASE|DB|POSTGRES|POSTGRESQL|PG|MYSQL|MARIADB|MSSQL|MONGO|MONGODB|REDIS|RABBITMQ|AMQP|CLICKHOUSE|BROKER)_(?:[A-Z0-9]+_)*(?:URL|URI)(?:_|$)|(?:^|_)DSN$|CONNECTION_?STRING|CONN_?STR/,
  },
  {
    name: 'webhook',
    reason: 'addresses that are themselves the permission to post: SLACK_WEBHOOK_URL',
    pattern: /WEBHOOK(?:_[A-Z0-9]+)*_UR[LI]$/,
  },
  {
    name: 'mnemonic',
    reason: 'recovery phrases of wallets: MNEMONIC, SEED_PHRASE',
    pattern: /(?:^|_)(?:MNEMONIC|SEED_PHRASE)$/,
  },
  {
    name: 'saved-variables',
    reason:
      'what direnv and mise keep of other variables, compressed: DIRENV_DIFF, __MISE_DIFF, __MISE_SESSION',
    pattern: /^(?:DIRENV_DIFF|__MISE_DIFF|__MISE_SESSION)$/,
  },
]

/** Names that a rule by name would match although they hold no secret. Rules by value still hold for them. */
const harmlessNames: readonly RegExp[] = [
  // Limits of language models: MAX_OUTPUT_TOKENS, TOKEN_LIMIT, TOKENS_PER_MINUTE.
  /(?:^|_)MAX_(?:[A-Z]+_)*TOKENS?$|(?:^|_)TOKENS?_(?:LIMIT|BUDGET|COUNT|LENGTH)$|(?:^|_)TOKENS_PER_[A-Z]+$/,
  // pass(1) keeps its settings under this prefix, and no password.
  /^PASSWORD_STORE_/,
  // Public by design, or not cryptographic. GPG_KEY is a fingerprint in the images of python and others.
  /(?:^|_)(?:PUBLIC|PUBLISHABLE|ANON|SITE|GPG|PGP|AUTHORIZED|TRUSTED|CACHE|SORT|PARTITION|PRIMARY|FOREIGN|ROUTING|IDEMPOTENCY)_KEYS?$/,
  // Web frameworks compile these into the page that they serve.
  /^(?:NEXT|EXPO|NUXT)_PUBLIC_/,
  // Switches: npm_config_always_auth.
  /(?:^|_)(?:ALWAYS|ENABLE|DISABLE|REQUIRE|SKIP|USE|NO)_AUTH$/,
]

/** Rules by value, for secrets under a name that does not give them away. */
export const secretValueRules: readonly SecretRule[] = [
  {
    name: 'url-password',
    reason:
      'a URL with a password, also of a proxy or a package index: allow it by name where a build needs it',
    pattern: /[A-Za-z0-9]:\/\/[^\s/?#:@[]{0,256}:(?!\d+[?#])[^\s/@]{1,2048}@/,
  },
  {
    name: 'private-key',
    reason: 'a private key in PEM, plain or in base64',
    pattern: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|LS0tLS1CRUdJTi(?!BDRVJU|BQVUJMSUM)[A-Za-z0-9+/]{40}/,
  },
  {
    name: 'jwt',
    reason: 'a JSON Web Token',
    pattern: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/,
  },
  {
    name: 'aws-key',
    reason: 'an AWS access key id',
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/,
  },
  {
    name: 'google-key',
    reason: 'a Google API key, OAuth token or client secret',
    pattern: /(?<![\w-])(?:AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/,
  },
  {
    name: 'azure-key',
    reason: 'a key or signature of Azure storage or messaging',
    pattern: /(?:[Aa]ccount[Kk]ey|[Ss]haredAccess(?:Key|Signature))=[^;\s]{16}|[?&]sig=[\w%+/-]{20}/,
  },
  {
    name: 'forge-token',
    reason: 'a token of GitHub or GitLab',
    pattern:
      /(?<![A-Za-z0-9])(?:gh[pousr]_\w{30,}|github_pat_\w{22,}|gl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|oas|soat|ffct)-[\w.-]{20,})/,
  },
  {
    name: 'registry-token',
    reason: 'a token of npm, PyPI, RubyGems, Docker Hub or Hugging Face',
    pattern:
      /(?<![A-Za-z0-9])(?:npm_[A-Za-z0-9]{36}|pypi-[\w-]{50,}|rubygems_[a-f0-9]{48}|dckr_[a-z]{3}_[\w-]{20,}|hf_[A-Za-z0-9]{30,})/,
  },
  {
    name: 'model-key',
    reason: 'a key of a language model service: sk-…, gsk_…, xai-…',
    pattern:
      /(?<![\w./-])(?:sk-(?=[\w-]{0,200}\d)[\w-]{20,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{37})/,
  },
  {
    name: 'service-key',
    reason: 'a key of Stripe, SendGrid, Shopify, DigitalOcean, Vault, Linear, Telegram or age',
    pattern:
      /(?<![A-Za-z0-9])(?:[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,}|SG\.[\w-]{16,}\.[\w-]{16,}|shp[a-z]{2}_[a-fA-F0-9]{32}|do[opr]_v1_[a-f0-9]{64}|hv[sb]\.[\w-]{20,}|lin_api_[A-Za-z0-9]{32,}|\d{8,10}:AA[\w-]{33}|AGE-SECRET-KEY-1[A-Z0-9]{50,})/,
  },
  {
    name: 'chat-token',
    reason: 'a token of Slack, or a webhook of Slack or Discord',
    pattern:
      /(?<![A-Za-z0-9])(?:xox[a-z](?:\.xox[a-z])?-[\w-]{10,}|xapp-\d-[\w-]{10,})|hooks\.slack\.com\/(?:services|workflows|triggers)\/\w|discord(?:app)?\.com\/api\/webhooks\/\d/,
  },
  {
    name: 'authorization-header',
    reason: 'an HTTP Authorization header, as in OTEL_EXPORTER_OTLP_HEADERS or GIT_CONFIG_VALUE_0',
    pattern:
      /(?:[Aa]uthorization|AUTHORIZATION)["']?\s{0,8}[:=]\s{0,8}["']?(?:[Bb]asic|BASIC|[Bb]earer|BEARER|[Tt]oken)(?:\s|%20)/,
  },
  {
    name: 'password-setting',
    reason: 'a password inside a connection string, in JSON, or in options of Java',
    pattern:
      /(?:^|[;?&,\s]|-D[\w.]{0,80})(?:[Pp]assword|PASSWORD|[Pp]asswd|[Pp]wd|PWD)=(?!changeit)[^;&\s$%{]|"(?:[Pp]assword|[Cc]lient_?[Ss]ecret|secret_access_key|[Aa]ccess_?[Tt]oken|[Rr]efresh_?[Tt]oken|[Aa]pi_?[Kk]ey)"\s{0,8}:\s{0,8}"[^"]/,
  },
]

/** What no rule may take away: without them commands fail in ways that nobody traces back to a filter. */
const essentialNames: ReadonlySet<string> = new Set([
  'HOME',
  'LANG',
  'LOGNAME',
  'OLDPWD',
  'PATH',
  'PWD',
  'SHELL',
  'SHLVL',
  'SSH_AUTH_SOCK',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
])

/** Whether rules never apply to this variable, whatever its value. */
export function isEssentialName(name: string): boolean {
  return essentialNames.has(name)
}

/** The first rule by name that matches, or undefined. Case does not matter. */
export function findSecretNameRule(name: string): SecretRule | undefined {
  if (isEssentialName(name)) return undefined
  // In upper case, as an expression that ignores case takes V8 milliseconds to compile.
  const upper = name.toUpperCase()
  if (!anySecretName.test(upper) || anyHarmlessName.test(upper)) return undefined
  return secretNameRules.find((rule) => rule.pattern.test(upper))
}

/** The first rule by value that matches, or undefined. */
export function findSecretValueRule(value: string): SecretRule | undefined {
  if (!anySecretValue.test(value)) return undefined
  return secretValueRules.find((rule) => rule.pattern.test(value))
}

// Most variables match nothing: one alternation gives that answer without a loop over the rules.
const anySecretName = union(secretNameRules.map((rule) => rule.pattern))
const anyHarmlessName = union(harmlessNames)
const anySecretValue = union(secretValueRules.map((rule) => rule.pattern))

function union(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map((pattern) => `(?:${pattern.source})`).join('|'))
}
