// What has to work in Restricted mode as it does without: the commands, and the files that they read.

export interface Case {
  name: string
  command: string
  /** Programs without which it cannot be tried. */
  needs: string[]
}

/** Run in an empty directory. Programs that are not there are left out: so are then the commands that need them. */
export const setUp = `
has() { type -P "$1" >/dev/null; }
seq 2000 >numbers
printf 'b 2\\na 1\\nc 3\\n' >table
printf '{"name": "value", "list": [1, 2, 3]}\\n' >data.json
printf 'all: one two\\n\\techo all\\none two:\\n\\techo $@\\n' >Makefile
printf 'int twice(int n) { return 2 * n; }\\n' >twice.c
mkdir folder
cp numbers table folder
if has tar; then tar -cf archive.tar folder; tar -czf archive.tar.gz folder; fi
if has sqlite3; then sqlite3 base.db 'create table t(n); insert into t values (1), (2), (3)'; fi
printf '{"name": "package", "version": "1.0.0", "dependencies": {"leaf": "1.0.0"}}\\n' >package.json
mkdir -p node_modules/leaf
printf '{"name": "leaf", "version": "1.0.0"}\\n' >node_modules/leaf/package.json
printf 'process.on("message", (n) => { process.send(n * 2, () => process.disconnect()) })\\n' >child.js
if has javac; then
  printf 'class Hello { public static void main(String[] a) { System.out.println("hello"); } }\\n' >Hello.java
  javac Hello.java
fi
if has git; then
  mkdir repository
  cd repository
  git init -q -b main
  git config user.name Somebody
  git config user.email somebody@example.org
  seq 100 >file
  git add file
  git commit -qm first
  seq 2 101 >file
  git commit -qam second
  echo changed >>file
  echo new >untracked
fi
`

const plain = (needs: string[], commands: string[]): Case[] =>
  commands.map((command) => ({ name: command, command, needs }))

const shell = plain(
  [],
  [
    'echo lost >/dev/null; echo $?',
    'head -c 4 /dev/zero | od -An -tx1',
    'echo lost >/dev/full; echo $?',
    'head -c 8 /dev/urandom | wc -c; head -c 8 /dev/random | wc -c',
    'echo one >/dev/stderr; echo two >/dev/stdout; echo three >/dev/fd/1',
    'cat /dev/fd/3 3<<<three; cat </dev/stdin <<<four; ls /dev/fd/1',
    'cat <<END\nhere $((1 + 1))\nEND',
    'x=$(seq 10000); cat <<<"$x" | tail -1',
    'diff <(seq 3) <(seq 2 4); seq 9 | tee >(wc -l) >/dev/null | cat',
    'coproc cat; echo hi >&"$' + '{COPROC[1]}"; read -r x <&"$' + '{COPROC[0]}"; echo "$x"',
    'set -m; sleep 0.05 & fg %1 >/dev/null; jobs; echo on',
    'sleep 20 & kill %1; wait %1; echo $?; set -m; sleep 20 & kill -STOP %1; kill -CONT %1; kill %1; wait %1; echo $?',
    'timeout 0.1 sleep 20; echo $?; timeout -s HUP 0.1 sleep 20; echo $?',
    "trap 'echo usr1' USR1; kill -USR1 $$; trap 'echo end' EXIT; exit 3",
    'kill -SEGV $$',
    'false; echo $?; nothing-of-that-name; echo $?; exit 7',
    'cd /; pwd; cd - >/dev/null; [ -r numbers ] && echo readable; [ -x / ] && echo searchable',
    'for i in 1 2 3; do (echo "$i"; exit "$i") & wait $!; echo "status $?"; done',
    'bash -c "exec bash -c \'echo nested\'"; exec echo replaced',
    'ulimit -n 100; ulimit -n',
    'tty; echo $?',
  ],
)

const tools = [
  ...plain(
    [],
    [
      'sort -rn numbers | head -2; sort -k2 table; seq 50000 | sort -R | wc -l; sort -u table | uniq -c',
      'grep -rc 1 folder; find . -name "*.json" -newermt 2000-01-01 | sort; wc -l numbers table; du -a folder | wc -l',
      "sed -n 2p table; awk '{ n += $2 } END { print n }' table; cut -d' ' -f2 table; tr a-c x-z <table",
      'head -c 100000 /dev/zero | sha256sum; base64 table; od -c table; date -ud @0; uname -s; nproc; id',
      'seq 8 | xargs -P 4 -n 2 | sort; seq 4 | xargs -P 4 -I{} bash -c "echo {}" | sort -n',
      'nice -n 5 nice; nohup true; stat -c %s table; readlink -f table; test table -nt /proc; df / >/dev/null; echo $?',
      'cat /proc/self/comm; cat /proc/sys/kernel/ostype; grep -c processor /proc/cpuinfo; ls -l /sys | wc -l',
      'cat /etc/passwd | wc -l; getent passwd root; ls -la / | wc -l',
    ],
  ),
  ...plain(
    ['git'],
    [
      'status --short',
      'status',
      'log',
      'diff',
      'show',
      'blame file',
      'grep -n 50',
      'fsck',
      'branch -a',
      'stash list',
    ].map((words) => `cd repository && git ${words}; echo $?`),
  ),
  ...plain(['jq'], ["jq -c '.list | map(. * 2)' data.json"]),
  ...plain(['tar'], ['tar tf archive.tar; tar tzf archive.tar.gz; tar xOf archive.tar folder/table']),
  ...plain(['diff'], ['diff -u numbers folder/numbers; diff -u numbers table | tail -1; cmp numbers table']),
  ...plain(['less'], ['less table', 'less numbers | tail -1']),
  ...plain(['ps'], ['ps -o comm= -p $$; ps -e -o pid= | grep -cx " *1"; ps -o pid= --ppid $$ | wc -l']),
  ...plain(['pgrep'], ['pgrep -c bash >/dev/null; echo $?']),
  ...plain(['make'], ['make -n', 'make -j2 | sort']),
  ...plain(
    ['perl'],
    [
      "perl -ne 'print scalar reverse' table; perl -e 'print `echo child`; fork || exit 3; wait; print $? >> 8'",
    ],
  ),
  ...plain(['openssl'], ['openssl dgst -sha256 table; openssl rand -hex 4 | wc -c; openssl version']),
  ...plain(['strace'], ["strace -f -e trace=execve -o '|grep -c execve' bash -c 'true; /bin/true'; echo $?"]),
  ...plain(
    ['gcc'],
    ['gcc -S -o - twice.c | grep -c twice; gcc -fsyntax-only twice.c; gcc -E twice.c | tail -1'],
  ),
  ...plain(['java'], ['java -Xmx64m -Xshare:auto -cp . Hello', 'java -version']),
  ...plain(['sqlite3'], ["sqlite3 base.db 'select sum(n) from t'"]),
  ...plain(['ip'], ['ip -o link show lo | cut -d: -f2']),
  ...plain(['ionice'], ['ionice -c 3 echo idle']),
  ...plain(['taskset'], ['taskset -c 0 echo pinned']),
  ...plain(['prlimit'], ['prlimit --nofile=100 bash -c "ulimit -n"']),
  ...plain(['setsid'], ['setsid -w echo session']),
]

const python = (program: string): string => `python3 - <<'END'\n${program}\nEND`

const languages: Case[] = [
  {
    name: 'python: subprocesses',
    command: python(
      'import subprocess\nprint(subprocess.run(["sort", "table"], capture_output=True, text=True, check=True).stdout)',
    ),
    needs: ['python3'],
  },
  {
    name: 'python: threads',
    command: python(
      'from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(4) as pool:\n  print(sum(pool.map(abs, range(100))))',
    ),
    needs: ['python3'],
  },
  {
    name: 'python: asyncio with subprocesses',
    command: python(
      'import asyncio\nasync def main():\n  child = await asyncio.create_subprocess_exec("cat", "table", stdout=asyncio.subprocess.PIPE)\n  print((await child.communicate())[0])\nasyncio.run(main())',
    ),
    needs: ['python3'],
  },
  {
    name: 'python: a database read',
    command: python(
      'import sqlite3\nprint(sqlite3.connect("file:base.db?mode=ro", uri=True).execute("select sum(n) from t").fetchall())\nprint(sqlite3.connect("base.db").execute("select max(n) from t").fetchall())',
    ),
    needs: ['python3', 'sqlite3'],
  },
  {
    name: 'python: an exception',
    command: python('open("nothing-of-that-name")'),
    needs: ['python3'],
  },
  {
    name: 'node: child processes',
    command: `node -e 'console.log(require("child_process").execSync("sort table; exit 0").toString())'`,
    needs: ['node'],
  },
  {
    name: 'node: messages with a fork',
    command: `node -e 'const c = require("child_process").fork("./child.js"); c.on("message", console.log); c.send(21)'`,
    needs: ['node'],
  },
  {
    name: 'node: workers',
    command: `node -e 'const { Worker } = require("worker_threads"); new Worker("require(\\"worker_threads\\").parentPort.postMessage(42)", { eval: true }).on("message", console.log)'`,
    needs: ['node'],
  },
  {
    name: 'node: network interfaces, files, compression',
    command: `node -e 'console.log(Object.keys(require("os").networkInterfaces()), require("zlib").gunzipSync(require("zlib").gzipSync("x")).toString(), require("fs").readdirSync("folder"))'`,
    needs: ['node'],
  },
  ...plain(['npm'], ['npm ls', 'npm pkg get name']),
]

export const cases: Case[] = [...shell, ...tools, ...languages]
