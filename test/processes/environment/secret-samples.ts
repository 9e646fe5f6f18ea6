// Values that hold secrets, by the rule that finds them.

// Put together here, so that no scanner takes this file for a leak.
export const mixed = (length: number) => 'aB3dE5gH7jK9'.repeat(20).slice(0, length)
export const hex = (length: number) => '0123456789abcdef'.repeat(8).slice(0, length)

export const secretValues: Record<string, string[]> = {
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
