// What the check sees each command run that runs another one: a rule of the test gets the commands.
import { wrappers } from '../../../../lib/guard/safety/wrappers/table.js'
import { commandsIn } from './commands-in.js'

/** Each runs `x 1`, and nothing else; text and words alike. */
const running = [
  'builtin x 1',
  'chroot --userspec=a:b /mnt x 1',
  'chronic x 1',
  'chrt -f 10 x 1',
  'command x 1',
  'command -p -- x 1',
  'coproc x 1',
  'dbus-run-session -- x 1',
  'doas -u dev x 1',
  'eatmydata x 1',
  'exec -a name x 1',
  'exec x 1',
  'fakeroot -- x 1',
  'gosu dev x 1',
  'ionice -c 2 -n 7 x 1',
  'ionice -c3 x 1',
  'linux32 x 1',
  'linux64 x 1',
  'ltrace -o log x 1',
  'nice -n 5 x 1',
  'nice -5 x 1',
  'nice --adjustment 5 x 1',
  'nohup x 1',
  'nsenter -t 1 -m x 1',
  'numactl -N 0 x 1',
  'pkexec --user dev x 1',
  'prlimit --nofile=10 x 1',
  'setarch x86_64 x 1',
  'setpriv --reuid 1000 --clear-groups x 1',
  'setsid -w x 1',
  'stdbuf -o L -eL x 1',
  'strace -f -o log -e trace=file x 1',
  'su-exec dev x 1',
  'sudo x 1',
  'sudo -u dev -H -- x 1',
  'sudo -Hu dev x 1',
  'sudo --user dev --login x 1',
  'sudo --chdir=/tmp A=1 B=2 x 1',
  'sudo -s x 1',
  'systemd-run --user -p A=b --unit u x 1',
  'taskset -c 0-3 x 1',
  'taskset 0x3 x 1',
  '\\time -f %e -o log x 1',
  'timeout -k 5 -s KILL 10 x 1',
  'timeout --preserve-status 10 x 1',
  'toybox x 1',
  'busybox x 1',
  'unbuffer x 1',
  'unshare -rn x 1',
  'xvfb-run -a -s "-screen 0" x 1',
  'env x 1',
  'env -i A=1 B=2 x 1',
  'env -u A -C /tmp x 1',
  'env - A=1 x 1',
  'runuser -u dev -- x 1',
  'script -q log -- x 1',
  'flock -n 9 x 1',
  'flock -w 5 /tmp/lock x 1',
  'watch -n 1 -x x 1',
  'git bisect run x 1',
  'git submodule foreach --recursive x 1',
  'find build -name a -exec x 1 \\;',
  'find build -name a -ok x 1 \\;',
  // Text
  "ash -c 'x 1'",
  "bash -c 'x 1'",
  "bash -lc 'x 1'",
  "bash -exo pipefail -c 'x 1'",
  "bash --norc --rcfile y -O extglob +x -c -e 'x 1' name 2",
  "dash -c 'x 1'",
  "ksh -c 'x 1'",
  "mksh -c 'x 1'",
  "rbash -c 'x 1'",
  "sh -c 'x 1'",
  "zsh -fc 'x 1'",
  'eval x 1',
  "eval -- 'x 1'",
  "trap 'x 1' EXIT",
  "trap -- 'x 1' INT TERM",
  "su -c 'x 1'",
  "su - dev -c 'x 1'",
  "su --command='x 1' dev",
  "runuser -l dev -c 'x 1'",
  "script -qec 'x 1' log",
  "flock /tmp/lock -c 'x 1'",
  'ssh host x 1',
  "ssh -p 22 -i key dev@host 'x 1'",
  'ssh host -p 22 -t -- x 1',
  'watch -d x 1',
  "env -S 'A=1 x 1'",
  "git rebase -x 'x 1' main",
  "git rebase main --exec='x 1'",
  "git submodule foreach 'x 1'",
  "git filter-branch --tree-filter 'x 1' HEAD",
  "git -c alias.y='!x 1' y",
  'parallel x ::: 1',
  "parallel ::: 'x 1'",
  // Standard input
  'xargs x <<< 1',
  'echo 1 | xargs -n 1 -P 4 x',
  'echo 1 | xargs -I{} x {}',
  "printf '1\\0' | xargs -0 x",
  'echo x 1 | bash',
  'echo x 1 | bash -s y z',
  'echo x 1 | bash -',
  'echo x 1 | bash /dev/stdin',
  'echo x 1 | sudo -i',
  'echo x 1 | sudo -s',
  'echo x 1 | doas -s',
  'echo x 1 | su - dev',
  'echo x 1 | ssh host',
  'echo x 1 | chroot /mnt',
  'echo x 1 | unshare -r',
  'echo x 1 | at now',
  'echo x 1 | batch ',
  'echo x 1 | parallel',
  'bash <<< "x 1"',
  'bash < <(echo x 1)',
  'bash <(echo x 1)',
  '. <(echo x 1)',
  'source /dev/stdin <<< "x 1"',
]

/** Those that run nothing, or nothing that can be known. */
const notRunning = [
  'command -v x 1',
  'command -V x',
  'chrt -p 10 1234',
  'ionice -c 3 -p 1234',
  'taskset -p 1234',
  'prlimit --pid 1234',
  'sudo -l x',
  'sudo -e x',
  'sudo -v',
  'sudo',
  'env',
  'exec',
  'exec 3<x',
  'nice',
  'bash',
  'bash -n -c "x 1"',
  'bash script.sh x',
  'bash x <<< "x 1"',
  'bash < script.sh',
  'bash -c',
  'eval',
  '. ./script.sh',
  'source script.sh <<< "x 1"',
  'trap - EXIT',
  'trap',
  "trap 'x 1'",
  'su dev',
  'ssh host',
  'ssh -N -L 1:b:2 host',
  'ssh -O exit host',
  'script log',
  'flock 9',
  'xargs',
  'xargs -a list',
  'find . -name x',
  'find . -print',
  'at -l <<< "x 1"',
  'git submodule update',
  'git bisect good',
  'git rebase main',
  'watch',
]

/** What the commands of the lists print or do on the way, which a rule sees, too. */
const isSideCommand = (command: string): boolean => /^(echo|printf|env A=1) /.test(command)

describe('wrappers', () => {
  test.each(running)('%s', async (command) => {
    const commands = (await commandsIn(command)).filter((each) => !isSideCommand(each))

    expect(commands.at(-1)).toBe('x 1')
  })

  test.each(notRunning)('%s runs nothing that is known', async (command) => {
    expect((await commandsIn(command)).filter((each) => /^x\b/.test(each))).toEqual([])
  })

  test('each of the table is tried', () => {
    const tried = running.join('\n')

    expect([...wrappers.keys()].filter((name) => !tried.includes(`${name} `))).toEqual([])
  })

  test('wrappers in wrappers', async () => {
    expect(await commandsIn("sudo env A=1 timeout 5 bash -c 'nice x 1'")).toEqual([
      'sudo env A=1 timeout 5 bash -c nice x 1',
      'env A=1 timeout 5 bash -c nice x 1',
      'timeout 5 bash -c nice x 1',
      'bash -c nice x 1',
      'nice x 1',
      'x 1',
    ])
  })

  test('text in text, ten deep', async () => {
    const nested = Array.from({ length: 10 }).reduce<string>(
      (text) => `bash -c ${JSON.stringify(text)}`,
      'x 1',
    )

    expect((await commandsIn(nested)).at(-1)).toBe('x 1')
  })
})

describe('what a payload is given', () => {
  test.each([
    ['the arguments of bash -c', `bash -c 'x $0 "$1" $2' a 'b c' d`, 'x a b c d'],
    ['all arguments of bash -c', `bash -c 'x "$@"' a b c`, 'x b c'],
    ['variables', `Y=1 bash -c 'x $Y'`, 'x 1'],
    ['variables of env', `env Y=1 bash -c 'x $Y'`, 'x 1'],
    ['what eval knows', `Y=1; eval 'x $Y'`, 'x 1'],
    ['what eval changes', `eval Y=1; x $Y`, 'x 1'],
    ['nothing of what bash -c changes', `Y=1; bash -c 'Y=2'; x $Y`, 'x 1'],
    ['an unknown part', `bash -c "x $Y/a"`, 'x ?/a'],
    ['an unknown item of xargs', 'cat list | xargs x', 'x ?'],
    ['items of xargs with quotes', `echo "a 'b c' d\\ e" | xargs x`, 'x a b c d e'],
    ['lines of xargs -d', `printf 'a b\\nc\\n' | xargs -d '\\n' x`, 'x a b c'],
    ['items of parallel', `parallel x {} y ::: "a b"`, 'x a b y'],
    ['what find finds by name', 'find a b -name c -exec x {} +', 'x a/c b/c'],
    ['what find finds by path', "find . -path './a/*' -exec x {} +", 'x ./a/*'],
    ['the roots of find', 'find a b -type f -exec x {} +', 'x a b'],
    ['all in the roots of find', 'find a -mindepth 1 -exec x {} +', 'x a/*'],
    ['a path of find in a word', 'find a -exec x {}/b \\;', 'x a/b'],
    ['what find selects otherwise', 'find a -mtime +3 -exec x {} +', 'x ?'],
    [
      'only what stands in the same alternative of find',
      'find . -name a -print -o -name b -exec x {} +',
      'x ./b',
    ],
    ['each name of a group of find', 'find . \\( -name a -o -name b \\) -exec x {} +', 'x ./a ./b'],
    ['nothing of what find leaves out', 'find . ! -name a -exec x {} +', 'x ?'],
    ['an alias and its arguments', "git -c alias.y='z -a' y b", 'git z -a b'],
    ['an alias that was configured', "git config --global alias.y 'z -a' && git y", 'git z -a'],
    ['an alias that is a command', "git -c alias.y='!x 1' y '2 3'", 'x 1 2 3'],
  ])('%s', async (_, command, expected) => {
    expect((await commandsIn(command)).at(-1)).toBe(expected)
  })
})
