// Programs that ask for a secret, each of which is given one that is made for it and opens nothing.
import { execFileSync, spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'

const isRoot = process.getuid() === 0
const directories = (process.env.PATH ?? '').split(delimiter).concat('/usr/sbin', '/sbin')

const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
/** @param {string} name */
export const find = (name) => directories.map((each) => join(each, name)).find(isExecutable)

/** Root is not asked by programs that give rights: they are started by somebody else, who is in /etc/passwd. */
const other = isRoot ? 'setpriv --reuid 65534 --regid 65534 --clear-groups ' : ''

/**
 * `shows`: the program prints the secret itself. `seen`: a dialog, whose text is above its cursor. `most`: how often it asks.
 *
 * @typedef {{ name: string, command: string, needs?: string[], shows?: boolean, seen?: string, most?: number }} Program
 * @type {Program[]}
 */
export const programs = [
  { name: 'bash read -s', command: 'read -sp "Password: " x; echo; test -n "$x"' },
  { name: 'bash read -s, printed', command: 'read -sp "Password: " x; echo; echo "it is $x"', shows: true },
  {
    name: 'bash read -s, printed slowly',
    command:
      'read -sp "Password: " x; echo; for ((i = 0; i < ${#x}; i++)); do printf %s "${x:i:1}"; read -t .01 <> <(:); done',
    shows: true,
  },
  { name: 'bash read, echoed', command: 'read -p "Password: " x', shows: true },
  { name: 'bash read -es', command: 'read -esp "Password: " x; echo "$x"', shows: true },
  { name: 'bash read -s, typed early', command: 'printf "Password: "; read -t .1; read -s x; sleep .1' },
  { name: 'python getpass', command: 'python3 -c "import getpass; getpass.getpass()"', needs: ['python3'] },
  {
    name: 'python getpass, traceback',
    command: 'python3 -c "import getpass; raise ValueError(getpass.getpass())"',
    needs: ['python3'],
    shows: true,
  },
  {
    name: 'openssl genrsa',
    command: 'openssl genrsa -aes128 -out /dev/null 1024',
    needs: ['openssl'],
  },
  {
    name: 'gpg --symmetric',
    command:
      'gpg --homedir . --pinentry-mode loopback -c <<< x; gpg --homedir . --pinentry-mode loopback -o out.gpg -c file',
    needs: ['gpg'],
  },
  { name: 'ssh-keygen', command: 'ssh-keygen -q -t ed25519 -f key$RANDOM$RANDOM', needs: ['ssh-keygen'] },
  { name: 'sudo', command: `${other}sudo -k id`, needs: ['sudo'] },
  { name: 'su', command: `${other}su -c id`, needs: ['su'] },
  { name: 'passwd', command: `${other}passwd`, needs: ['passwd'] },
  {
    name: 'ssh: password',
    command: 'ssh $SSH -o PreferredAuthentications=password -o PubkeyAuthentication=no localhost true',
    needs: ['sshd'],
  },
  {
    name: 'ssh: read -s on the other side',
    command: `ssh -t $SSH localhost 'bash -c "read -sp \\"Password: \\" x; echo \\$x"'`,
    // Only root's server can give a terminal to somebody.
    needs: ['sshd', 'root'],
    shows: true,
  },
  {
    name: 'script: read -s',
    command: `script -qec 'bash -c "read -sp \\"Password: \\" x; echo \\$x"' /dev/null`,
    needs: ['script'],
    shows: true,
  },
  {
    name: 'whiptail',
    command: 'whiptail --passwordbox "Enter your password" 10 40 2>/dev/null',
    needs: ['whiptail'],
    seen: 'password',
    most: 1,
  },
  {
    name: 'dialog',
    command: 'dialog --insecure --passwordbox "Enter your password" 10 40 2>/dev/null',
    needs: ['dialog'],
    seen: 'password',
    most: 1,
  },
]

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/**
 * A server of its own on the loopback, whose key and user nobody else has.
 *
 * @param {string} directory
 * @returns {Promise<{ options: string, stop(): void } | undefined>} undefined where there can be none
 */
export async function startSshd(directory) {
  const sshd = find('sshd')
  if (sshd === undefined || find('ssh') === undefined) return undefined
  mkdirSync(directory)
  const file = (name) => join(directory, name)
  for (const name of ['host', 'user']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)])
  }
  const port = await freePort()
  const settings = {
    ListenAddress: '127.0.0.1',
    Port: port,
    HostKey: file('host'),
    AuthorizedKeysFile: file('user.pub'),
    PidFile: 'none',
    StrictModes: 'no',
    UsePAM: 'no',
    PasswordAuthentication: 'yes',
    PermitRootLogin: 'yes',
  }
  writeFileSync(
    file('config'),
    Object.entries(settings)
      .map((line) => `${line.join(' ')}\n`)
      .join(''),
  )
  const server = spawn(sshd, ['-D', '-e', '-f', file('config')], { stdio: 'ignore' })
  const options = [
    `-p ${port} -i ${file('user')}`,
    '-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o IdentitiesOnly=yes',
  ].join(' ')
  const end = Date.now() + 10_000
  while (Date.now() < end && server.exitCode === null) {
    try {
      execFileSync('bash', ['-c', `ssh ${options} -o BatchMode=yes localhost true`], { stdio: 'ignore' })
      return { options, stop: () => server.kill() }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  server.kill()
  return undefined
}
