// The rule needs-terminal: refuses what would wait for a terminal until its timeout, and nothing else.
import { checkCommand, createBashSuite, createBashTool, createExecTool } from '../../../../lib/index.js'
import { endJobs, tempStore } from '../../../support/jobs.js'
import { removeTempDirs } from '../../../support/temp-dir.js'

afterEach(endJobs)
afterAll(removeTempDirs)

const check = async (command: string) =>
  checkCommand(command, { workingDir: '/srv', home: '/home/dev', terminal: false })

test.each([
  'vim f.txt',
  'vim',
  'vi f.txt',
  '/usr/bin/vim f.txt',
  'vim -R f.txt',
  'vim -O a b',
  'vim +5 f.txt',
  "vim '+/main' f.txt",
  'vim -u NONE f.txt',
  'vimdiff a b',
  'vim "$file"',
  'cd src && vim f.txt',
  'ls; vim f.txt',
  'ls\nvim f.txt\nls',
  'vim f.txt && make',
  'vim f.txt || true',
  'vim f.txt </dev/null',
  'vim f.txt >/dev/null; ls',
  'watch date 2>/dev/null',
  'time vim f.txt',
  '! vim f.txt',
  '(vim f.txt)',
  '(cd src && vim f.txt)',
  'ls; (vim f.txt); ls',
  '{ vim f.txt; }',
  'if true; then vim f.txt; fi',
  'while true; do watch date; done',
  'env -u DISPLAY vim f.txt',
  'sudo -u root vim f.txt',
  'sudo -n vim f.txt',
  'nice -n 5 vim f.txt',
  'f=z; vim $f',
  'vim *.txt',
  'vim {a,b}.txt',
  'vimtutor',
  "bash -c 'vim f.txt'",
  'sh -c "cd src && vim f.txt"',
  "sudo bash -lc 'vim f.txt'",
  "eval 'vim f.txt'",
  'vim f.txt 2>&1',
  'sudo vim /etc/hosts',
  'TERM=dumb vim f.txt',
  "echo 'if (' && vim f.txt",
  'cd src && \\\n  vim f.txt',
  'watch date',
  'watch -n1 ls',
  'watch -d -n 5 -- df -h',
  "watch 'ps aux | grep node'",
  'watch ls -g',
  'top',
  'top -d 2',
  'top -u root',
  'iotop',
  'atop',
  'nload',
])('%j is refused', async (command) => {
  const { allowed, rule, message } = await check(command)

  expect({ allowed, rule }).toEqual({ allowed: false, rule: 'needs-terminal' })
  expect(message).toMatch(
    /^`.*` needs a terminal, and there is none: it would run until its timeout\. Instead, /,
  )
})

test.each([
  // Other ways of calling them.
  "vim -es -c 's/a/b/' -c wq f.txt",
  'vim -Es f.txt',
  'vim -e f.txt',
  'vim -c wq f.txt',
  'vim +q f.txt',
  "vim +'%s/a/b/g' +wq f.txt",
  'vim --version',
  'vim -h',
  'vim -S script.vim',
  'vim --cmd q',
  'vim -s keys f.txt',
  'vim -r',
  'VIMINIT=q vim f.txt',
  'watch -g cat state',
  'watch -n1 -e curl localhost',
  'watch --chgexit date',
  'watch --version',
  'watch',
  'top -b -n1',
  'top -bn1',
  'top -cbn1',
  'top -n1',
  'top -hv',
  'atop 1 1',
  'iotop -b -n1',
  'nload eth0',
  // What fails, or ends, by itself.
  'nano f.txt',
  'emacs f.txt',
  'emacs --batch f.txt',
  'nvim f.txt',
  'nvim --headless +q',
  'less f.txt',
  'less f.txt | cat',
  'more f.txt',
  'man ls',
  'htop',
  'tmux',
  'tmux new -d',
  'tmux ls',
  'screen -ls',
  'ex f.txt',
  // Input, output, and company.
  "vim f.txt <<< ':wq'",
  "echo ':wq' | vim f.txt",
  'vim f.txt < commands',
  'vim f.txt <<EOF\n:wq\nEOF',
  'vim f.txt > log',
  'vim f.txt | head -3',
  'vim f.txt 2>&1 | head -3',
  'watch date > log &',
  'watch date & sleep 3; kill $!',
  '(vim f.txt) | head',
  '(vim f.txt) > log',
  '(vim f.txt) &',
  '(vim f.txt | head)',
  '{ vim f.txt; } < commands',
  'vim f.txt 2>/dev/null',
  'vim f.txt &>/dev/null',
  'timeout 5 watch date',
  'timeout 5 vim f.txt',
  'script -qc "vim f.txt" /dev/null',
  'unbuffer vim f.txt',
  'ssh host vim f.txt',
  'docker run -it image vim f.txt',
  "tmux new -d 'vim f.txt'",
  "bash -c 'vim f.txt' < commands",
  "bash -c 'vim f.txt | head'",
  "bash -c 'vim f.txt &'",
  "bash -c 'timeout 5 vim f.txt'",
  "bash -c 'vim -es f.txt'",
  "bash -c 'test -t 0 && vim f.txt'",
  "bash -c 'echo vim' vim",
  // It may not be reached.
  'if [ -t 0 ]; then vim f.txt; fi',
  'test -t 0 && vim f.txt',
  'tty && vim f.txt',
  'command -v nano || vim f.txt',
  'edit() { vim "$1"; }',
  'alias e=vim',
  'for f in *; do vim "$f"; done',
  'if [ -f f.txt ]; then vim f.txt; fi',
  'edit() { vim f.txt; }',
  // It may be something else.
  'vim $OPTIONS f.txt',
  'vim *',
  'f=-es; vim $f',
  '$EDITOR f.txt',
  './watch src',
  'bin/top',
  'npm run watch',
  'command -v vim',
  'which vim; man watch',
  'git config core.editor vim',
  'echo vim f.txt',
  "cat > notes <<'EOF'\nvim f.txt\nEOF",
  `: ${'x'.repeat(5000)}; vim f.txt`,
])('%j is let through', async (command) => {
  expect(await check(command)).toMatchObject({ allowed: true })
})

test.each([
  `${'-u '.repeat(1300)}vim f.txt`,
  `${'env -u env '.repeat(350)}vim f.txt`,
  `${'if true; then\n'.repeat(280)}vim f.txt`,
  `if true${'\n'.repeat(4000)}vim f.txt`,
  `${'( '.repeat(2000)}vim f.txt`,
])('text that is hard to match is checked to its end', async (command) => {
  expect((await check(command)).message).not.toBe('')
})

test('is asked last: other rules are about worse', async () => {
  expect(await check('watch git add .')).toMatchObject({ rule: 'git-add-blind' })
  expect(await check('vim f.txt; rm -rf /')).toMatchObject({ rule: 'rm-dangerous' })
})

test('is not asked about a command that will have a terminal, or may', async () => {
  for (const options of [{ terminal: true }, {}]) {
    expect(await checkCommand('vim f.txt', { workingDir: '/', ...options })).toMatchObject({ allowed: true })
  }
})

test('is switched off like any rule', async () => {
  const rules = { off: ['needs-terminal'] }

  expect(await checkCommand('vim f.txt', { workingDir: '/', rules, terminal: false })).toMatchObject({
    allowed: true,
  })
})

describe('a call that would wait', () => {
  const command = 'vim f.txt'
  const context = { workingDir: '/' }

  test('ends at once in every tool, and tells the model what to do instead', async () => {
    const bash = createBashTool()
    const suite = createBashSuite().bash
    const refusal = /^\[command rejected: needs-terminal\] `vim f\.txt` needs a terminal.*`sed -i`/

    expect(bash.toText(await bash.execute({ command }, context))).toMatch(refusal)
    expect(suite.toText(await suite.execute({ command }, context))).toMatch(refusal)
    expect((await createExecTool().execute({ command }, context)).error).toMatch(/needs-terminal/)
  })

  test('is none in the background: nothing waits for a job', async () => {
    const bash = createBashTool({ jobs: tempStore(), shellPath: '/bin/bash' })
    const watching = { command: 'watch true', mode: 'background' }

    expect(await bash.execute(watching, context)).toMatchObject({ status: 'background' })
    expect(await bash.execute({ ...watching, command: 'git add -A' }, context)).toMatchObject({
      status: 'rejected',
    })
  })
})
