// Programs that do not wait for input, among them some that look as if they did.

const password = [process.env.BASHWARD_TEST_PASSWORD ?? '']

/** @type {import('./waiting.mjs').Program[]} */
export const busy = [
  { name: 'sleep', command: 'sleep 30' },
  { name: 'bash: a busy loop', command: 'while :; do :; done' },
  { name: 'yes', command: 'yes >/dev/null' },
  { name: 'a question, and sleep', command: 'printf "Continue? [y/N] "; sleep 30' },
  {
    name: 'a prompt, and a computation',
    command: "python3 -c \"print('Password: ', end='', flush=True)\nwhile 1: pass\"",
    needs: ['python3'],
  },
  {
    name: 'lines that end as prompts do',
    command: 'python3 -c "import time\nwhile 1: print(\'a > b >\', flush=True); time.sleep(.5)"',
    needs: ['python3'],
  },
  { name: 'node: setTimeout', command: 'node -e "setTimeout(() => {}, 30000)"', needs: ['node'] },
  {
    name: 'node: a server',
    command: "node -e \"require('http').createServer().listen(0, () => console.log('up'))\"",
    needs: ['node'],
  },
  {
    name: 'python3 -m http.server',
    command: 'python3 -m http.server 0 --bind 127.0.0.1',
    needs: ['python3'],
  },
  {
    name: 'python3: asyncio.sleep',
    command: 'python3 -c "import asyncio; asyncio.run(asyncio.sleep(30))"',
    needs: ['python3'],
  },
  {
    name: 'python3: threads',
    command:
      'python3 -c "import threading, time\nfor i in range(4): threading.Thread(target=time.sleep, args=(30,)).start()"',
    needs: ['python3'],
  },
  { name: 'curl at a silent server', command: 'curl -s http://127.0.0.1:$SILENT/', needs: ['curl'] },
  { name: 'tail -f', command: 'tail -f long.txt' },
  { name: 'sha256sum of much', command: 'head -c 20G /dev/urandom | sha256sum' },
  { name: 'flock', command: '(flock 9; sleep 30) 9>lock$$ & sleep .2; flock lock$$ true', needs: ['flock'] },
  { name: 'cat at a FIFO', command: 'cat fifo' },
  { name: 'sudo sleep', command: 'sudo -k; sudo sleep 30', needs: ['sudo'], before: password },
  {
    name: 'sudo: prints, sleeps',
    command: 'sudo -k; sudo bash -c "echo working; sleep 30"',
    needs: ['sudo'],
    before: password,
  },
  { name: 'ssh: sleep', command: 'ssh $SSH sleep 30', needs: ['ssh'] },
  { name: 'ssh -t: sleep', command: 'ssh -t $SSH sleep 30', needs: ['ssh'] },
  { name: 'script: sleep', command: 'script -qc "sleep 30" /dev/null', needs: ['script'] },
  { name: 'tmux: sleep', command: 'tmux -L c$$ new "sleep 30"', needs: ['tmux'] },
  {
    name: 'psql: pg_sleep',
    command: 'psql -h /var/run/postgresql -c "select pg_sleep(30)" postgres',
    needs: ['postgres'],
  },
  { name: 'gdb: sleep', command: 'gdb -q -ex run --args sleep 30', needs: ['gdb'] },
  { name: 'watch date', command: 'watch -n 1 date', needs: ['watch'] },
  { name: 'make -j4', command: 'make -j4', needs: ['make'] },
  { name: 'read from a pipe', command: 'sleep 30 | while read x; do echo $x; done' },
  { name: 'wait for the background', command: 'sleep 30 & wait' },
  { name: 'xargs', command: 'sleep 30 | xargs echo' },
  {
    name: 'a server with keys of its own',
    command: 'node server_with_keys.js',
    needs: ['node'],
  },
  {
    name: 'a progress bar',
    command: 'for i in {1..300}; do printf "\\r%3d%%" $i; sleep .1; done',
  },
]
