// Names below which anybody can have one: a wildcard there would let through the servers of everybody.

/**
 * Not the Public Suffix List, which has ten thousand entries and changes weekly, but what somebody might write with a
 * wildcard: hosting, storage and tunnels. Registries of countries are told by their form.
 */
const suffixes: readonly string[] = [
  ...['akamaized.net', 'amazonaws.com', 'amazonaws.com.cn', 'amplifyapp.com', 'appspot.com'],
  ...['appspot.googleapis.com', 'awsapprunner.com', 'azurecontainerapps.io', 'azureedge.net', 'azurefd.net'],
  ...['azurestaticapps.net', 'azurewebsites.net', 'b-cdn.net', 'backblazeb2.com', 'bitbucket.io'],
  ...['blob.core.windows.net', 'blogspot.com', 'cloudapp.azure.com', 'cloudapp.net', 'cloudfront.net'],
  ...['cloudfunctions.net', 'codeberg.page', 'codesandbox.io', 'csb.app', 'ddns.net', 'deno.dev'],
  ...['deno.net', 'digitaloceanspaces.com', 'duckdns.org', 'dyndns.org', 'eu.org', 'fastly.net'],
  ...['firebaseapp.com', 'firebaseio.com', 'fly.dev', 'fly.io', 'framer.app', 'gitbook.io', 'github.io'],
  ...['githubpreview.dev', 'githubusercontent.com', 'gitlab.io', 'glitch.me', 'googleapis.com'],
  ...['googleusercontent.com', 'herokuapp.com', 'hf.space', 'kinsta.app', 'lambda-url.us-east-1.on.aws'],
  ...['linodeobjects.com', 'localtunnel.me', 'loca.lt', 'modal.run', 'myftp.org', 'myshopify.com'],
  ...['netlify.app', 'ngrok.app', 'ngrok.dev', 'ngrok.io', 'ngrok-free.app', 'ngrok-free.dev', 'nip.io'],
  ...['no-ip.org', 'notion.site', 'on.aws', 'onrender.com', 'oraclecloud.com', 'pages.dev', 'pipedream.net'],
  ...['pythonanywhere.com', 'r2.cloudflarestorage.com', 'r2.dev', 'railway.app', 'readthedocs.io'],
  ...[
    'repl.co',
    'replit.app',
    'replit.dev',
    'run.app',
    'scw.cloud',
    'serveo.net',
    'sourceforge.io',
    'sslip.io',
  ],
  ...['stackblitz.io', 'streamlit.app', 'supabase.co', 'surge.sh', 'trafficmanager.net', 'trycloudflare.com'],
  ...['tumblr.com', 'uk.com', 'up.railway.app', 'us.com', 'vercel.app', 'vercel.dev', 'wasabisys.com'],
  ...['web.app', 'web.core.windows.net', 'webcontainer.io', 'webflow.io', 'weebly.com', 'wixsite.com'],
  ...['wordpress.com', 'workers.dev', 'xip.io'],
]

/** As in `co.uk`, `com.br`, `ac.jp`. */
const secondLevel =
  /^(?:ac|co|com|edu|firm|gen|go|gob|gov|gouv|id|in|info|ltd|me|mil|ne|net|nom|or|org|plc|sch|web)$/

/**
 * Whether a wildcard on `name` would reach what belongs to different people: the name is a public suffix, or has one
 * below it.
 *
 * @param name in canonical form
 */
export function isPublicSuffix(name: string): boolean {
  const labels = name.split('.')
  if (labels.length < 2) return true
  const [second = '', country = ''] = labels
  if (labels.length === 2 && country.length === 2 && secondLevel.test(second)) return true
  return suffixes.some((suffix) => suffix === name || suffix.endsWith(`.${name}`))
}
