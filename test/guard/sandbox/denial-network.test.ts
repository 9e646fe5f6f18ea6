// What programs say when Restricted mode keeps them from the network, in their own words.
import { probableCause } from './probable-cause.js'

type Messages = [program: string, exitCode: number, output: string][]

const network: Messages = [
  ['curl', 6, 'curl: (6) Could not resolve host: example.com\n'],
  [
    'curl with its progress',
    6,
    '  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0\rcurl: (6) Could not resolve host: example.com\n',
  ],
  [
    'curl of an address',
    7,
    "curl: (7) Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server\n",
  ],
  [
    'wget',
    4,
    'Resolving example.com (example.com)... failed: Temporary failure in name resolution.\nwget: unable to resolve host address ‘example.com’\n',
  ],
  ['wget of an address', 4, 'Connecting to 127.0.0.1:80... failed: Operation not permitted.\nGiving up.\n\n'],
  ['busybox wget', 1, "wget: bad address 'example.com'\n"],
  ['ssh', 255, 'ssh: Could not resolve hostname example.com: Temporary failure in name resolution\n'],
  [
    'ssh to an address',
    255,
    'socket: Operation not permitted\nssh: connect to host 127.0.0.1 port 22: failure\n',
  ],
  [
    'scp',
    255,
    'ssh: Could not resolve hostname example.com: Temporary failure in name resolution\nscp: Connection closed\n',
  ],
  ['ping', 2, 'ping: socket: Operation not permitted\n'],
  [
    'git over https',
    128,
    "fatal: unable to access 'https://example.com/x.git/': Could not resolve host: example.com\n",
  ],
  [
    'git over its own protocol',
    128,
    'fatal: unable to look up example.com (port 9418) (Temporary failure in name resolution)\n',
  ],
  [
    'git over ssh',
    128,
    'ssh: Could not resolve hostname example.com: Temporary failure in name resolution\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n',
  ],
  [
    'bash, /dev/tcp',
    1,
    'bash: socket: Operation not permitted\nbash: line 1: /dev/tcp/127.0.0.1/80: Operation not permitted\n',
  ],
  [
    'bash, /dev/tcp with a name',
    1,
    'bash: line 1: example.com: Temporary failure in name resolution\nbash: line 1: /dev/tcp/example.com/80: Invalid argument\n',
  ],
  [
    'npm install',
    1,
    "npm error code ENOTCACHED\nnpm error request to https://registry.example/left-pad failed: cache mode is 'only-if-cached' but no cached response is available.\nnpm error Log files were not written due to an error writing to the directory: /home/u/.npm/_logs\n",
  ],
  [
    'npm install that is not offline',
    1,
    'npm error code EAI_AGAIN\nnpm error syscall getaddrinfo\nnpm error errno EAI_AGAIN\nnpm error request to https://registry.example/left-pad failed, reason: getaddrinfo EAI_AGAIN registry.example\n',
  ],
  [
    'pip install',
    1,
    "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'NewConnectionError('Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/requests/\nERROR: Could not find a version that satisfies the requirement requests (from versions: none)\nERROR: No matching distribution found for requests\n",
  ],
  [
    'apt-get',
    100,
    "Err:1 http://mirror.example/debian bookworm InRelease\n  Temporary failure resolving 'mirror.example'\nE: Some index files failed to download.\n",
  ],
  [
    'cargo',
    101,
    'error: failed to download from `https://index.crates.io/config.json`\n\nCaused by:\n  [6] Could not resolve hostname (Could not resolve host: index.crates.io)\n',
  ],
  [
    'gem',
    2,
    "ERROR:  Could not find a valid gem 'rake' (>= 0), here is why:\n          Unable to download data from https://rubygems.org/ - Failed to open TCP connection to rubygems.org:443 (getaddrinfo: Temporary failure in name resolution)\n",
  ],
  ['go', 1, 'dial tcp: lookup proxy.golang.org: Temporary failure in name resolution\n'],
  [
    'go without the C library',
    1,
    'dial tcp: lookup proxy.golang.org on 1.1.1.1:53: dial udp 1.1.1.1:53: socket: operation not permitted\n',
  ],
  [
    'kubectl',
    1,
    'Unable to connect to the server: dial tcp 127.0.0.1:8080: socket: operation not permitted\n',
  ],
  [
    'psql',
    2,
    'psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: could not create socket: Operation not permitted\n',
  ],
  [
    'python, a socket',
    1,
    '  File "/usr/lib/python3.11/socket.py", line 232, in __init__\n    _socket.socket.__init__(self, family, type, proto, fileno)\nPermissionError: [Errno 1] Operation not permitted\n',
  ],
  ['python, getaddrinfo', 1, 'socket.gaierror: [Errno -3] Temporary failure in name resolution\n'],
  [
    'python, urllib',
    1,
    'urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>\n',
  ],
  [
    'python, urllib of an address',
    1,
    'urllib.error.URLError: <urlopen error [Errno 1] Operation not permitted>\n',
  ],
  [
    'python, requests',
    1,
    "requests.exceptions.ConnectionError: HTTPConnectionPool(host='example.com', port=80): Max retries exceeded with url: / (Caused by NameResolutionError(\"Failed to resolve 'example.com' ([Errno -2] Name or service not known)\"))\n",
  ],
  [
    'node, a name',
    1,
    "Error: getaddrinfo EAI_AGAIN example.com\n    at GetAddrInfoReqWrap.onlookup [as oncomplete] (node:dns:111:26) {\n  errno: -3001,\n  code: 'EAI_AGAIN',\n  syscall: 'getaddrinfo',\n  hostname: 'example.com'\n}\n",
  ],
  [
    'node, a resolver of its own',
    1,
    'Error: queryA ECONNREFUSED example.com\n    at QueryReqWrap.onresolve [as oncomplete]\n',
  ],
  [
    'node, an address',
    1,
    "Error: connect EPERM 127.0.0.1:1 - Local (undefined:undefined)\n    at internalConnect (node:net:1098:16) {\n  errno: -1,\n  code: 'EPERM',\n  syscall: 'connect',\n  address: '127.0.0.1',\n  port: 1\n}\n",
  ],
  [
    'node, a server',
    1,
    'Error: listen EPERM: operation not permitted 0.0.0.0\n    at Server.setupListenHandle [as _listen2] (node:net:1886:21)\n',
  ],
  ['node, a datagram socket', 1, 'Error: bind EPERM 0.0.0.0\n    at node:dgram:373:20\n'],
  ['node, fetch', 1, 'TypeError: fetch failed\n'],
  ['perl, a socket', 1, 'socket: Operation not permitted at -e line 1.\n'],
  ['perl, IO::Socket', 1, 'connect: IO::Socket::INET: Operation not permitted at -e line 1.\n'],
  ['perl, HTTP::Tiny', 1, "Could not connect to 'example.com:80': Temporary failure in name resolution\n"],
  ['ruby', 1, 'initialize\': Operation not permitted - socket(2) for "127.0.0.1" port 1 (Errno::EPERM)\n'],
  [
    'rust, a name',
    101,
    'called `Result::unwrap()` on an `Err` value: Custom { kind: Uncategorized, error: "failed to lookup address information: Temporary failure in name resolution" }\n',
  ],
  [
    'java, a name',
    1,
    'Exception in thread "main" java.net.UnknownHostException: example.com: Temporary failure in name resolution\n\tat java.base/java.net.Inet4AddressImpl.lookupAllHostAddr(Native Method)\n',
  ],
  [
    'java, a socket',
    1,
    'Exception in thread "main" java.net.SocketException: Operation not permitted\n\tat java.base/java.net.Socket.createImpl(Socket.java:533)\n',
  ],
  [
    'openssl',
    1,
    '809B:error:10080002:BIO routines:BIO_lookup_ex:system lib:bio_addr.c:746:Temporary failure in name resolution\nconnect:errno=11\n',
  ],
  ['ip', 2, 'RTNETLINK answers: Operation not permitted\n'],
  ['fuser', 1, 'Cannot open a network socket.\n'],
]

const sockets: Messages = [
  [
    'docker',
    1,
    'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://x/json": dial unix /var/run/docker.sock: socket: operation not permitted\n',
  ],
  [
    'psql',
    2,
    'psql: error: connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: could not create socket: Operation not permitted\n',
  ],
  [
    'node',
    1,
    'Error: connect EPERM /var/run/docker.sock\n    at PipeConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)\n',
  ],
  ['node, a server', 1, 'Error: listen EPERM: operation not permitted /tmp/s\n'],
  ['logger', 1, 'logger: socket /dev/log: Operation not permitted\n'],
  ['tmux', 1, 'error connecting to /tmp/tmux-0/default (Operation not permitted)\n'],
]

describe('probableCause', () => {
  test.each(network)('network: %s', (_, exitCode, output) => {
    expect(probableCause(output, exitCode)).toBe('network is blocked in Restricted mode')
  })

  test.each(sockets)('sockets: %s', (_, exitCode, output) => {
    expect(probableCause(output, exitCode)).toBe('sockets to other processes are blocked in Restricted mode')
  })
})
