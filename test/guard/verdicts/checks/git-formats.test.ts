// Some placeholders of git run the program that the configuration of a repository names for looking at signatures.
import { judgeCommand } from '../../../../lib/index.js'

const decisionOn = async (command: string) =>
  (await judgeCommand(command, { workingDir: '/srv/project', home: '/home/dev' })).decision

const ofCommits = [
  'git log --format=X',
  'git log --format X',
  'git log --pretty=X',
  'git show -s --format=X',
  'git rev-list --format=X HEAD',
  'git diff-tree --pretty=X HEAD',
  'git shortlog --format=X',
  'git shortlog --group=X',
  'git shortlog --group X',
  'git reflog --format=X',
  'git whatchanged --format=X',
  'git stash list --format=X',
]
const ofReferences = ['git for-each-ref --format=X', 'git branch --format X', 'git tag -l --format=X']
const sorting = ['git for-each-ref --sort=X', 'git branch --sort X', 'git tag --sort=X']

const decisions = async (commands: readonly string[], value: string) =>
  new Set(await Promise.all(commands.map((form) => decisionOn(form.replace('X', () => `'${value}'`)))))

test.each([
  ...[
    '%G?',
    '%+G?',
    '%-GG',
    '% GS',
    '%<(9)%GK',
    '%<(9)% GK',
    '%C(red)%GF',
    'format:%GP',
    'tformat:a %+GT',
    '%h%G',
  ],
  // Where git does not know what it reads, it goes on in the middle of it.
  ...['%+%G?', '%x2%G?', '%(none)%G?', '%(trailers:x=%G?)', '%(decorate:x=%+G?)', '%C(%G?)', '%<(%G?)'],
  // With a colour between, git takes the second `%` for the beginning of a placeholder.
  '%<(9)%C(red)%%G?',
  ...['%(describe)', '%(describe:tags)', '% (describe)', '%(signature)', '%Q', 'evil'],
])('of commits, the format %s asks', async (value) => {
  expect(await decisions(ofCommits, value)).toEqual(new Set(['ask']))
})

test.each([
  ...[
    '%H',
    '%h %an %ad %s',
    '%h%x09%ae%n%b',
    '%C(auto)%h%C(reset) %s',
    '%Cred%h%Creset%d',
    '%<(20,trunc)%an %>(12)%ar',
  ],
  ...[
    '%w(72,2,4)%B',
    '%+b',
    '%-N',
    '% D',
    '%(trailers:key=Fixes,valueonly,separator=%x2C )',
    '%(decorate:prefix=,suffix=)',
  ],
  ...['%s: 100%%', 'format:%cI', 'tformat:%aN <%aE>', '%gd %gs', '%P', '%f'],
])('of commits, the format %s is allowed', async (value) => {
  expect(await decisions(ofCommits, value)).toEqual(new Set(['allow']))
})

test.each(['', 'oneline', 'short', 'medium', 'full', 'fuller', 'reference', 'email', 'mboxrd', 'raw'])(
  'the format %j, which no configuration can change, is allowed',
  async (value) => {
    expect(await decisionOn(`git log --pretty='${value}'`)).toBe('allow')
  },
)

test.each(['author', 'committer', 'trailer:x'])(
  'the name %s is a group, and no format: a configuration may give it to one',
  async (name) => {
    expect(await decisionOn(`git shortlog --group=${name}`)).toBe('allow')
    expect(await decisionOn(`git log --pretty=${name}`)).toBe('ask')
  },
)

test.each([
  ...[
    '%(signature)',
    '%(*signature)',
    '%(signature:grade)',
    '%(*signature:key)',
    '%(if)%(signature)%(then)x%(end)',
  ],
  ...[
    '%(describe)',
    '%(*describe:tags)',
    '%(contents:signature)',
    '%(none)',
    '%(refname',
    '%(refname)%%(signature)',
  ],
])('of references, the format %s asks', async (value) => {
  expect(await decisions(ofReferences, value)).toEqual(new Set(['ask']))
})

test.each([
  ...[
    '%(refname)',
    '%(refname:short) %(committerdate:relative)',
    '%(*objectname) %(taggerdate:format:%Y-%m-%d)',
  ],
  ...[
    '%(if)%(HEAD)%(then)* %(else)  %(end)%(align:20,left)%(refname:lstrip=-1)%(end)',
    '%(color:bold red)%(subject)',
  ],
  ...[
    '%(upstream:track,nobracket) %(push:remotename)',
    '%(contents:lines=2)',
    '%(trailers:key=A)',
    '%(ahead-behind:main)',
  ],
])('of references, the format %s is allowed', async (value) => {
  expect(await decisions(ofReferences, value)).toEqual(new Set(['allow']))
})

test.each(['signature', '-signature', '*signature', '-*signature:key', 'describe', 'v:signature', 'none'])(
  'the sort key %s asks',
  async (key) => {
    expect(await decisions(sorting, key)).toEqual(new Set(['ask']))
  },
)

test.each(['committerdate', 'refname', 'v:refname', 'version:refname', '*authordate', 'objectsize'])(
  'the sort key %s is allowed, also the other way round',
  async (key) => {
    const plain = ['git for-each-ref --sort=X', 'git tag --sort=X']
    expect(await decisions(plain, key)).toEqual(new Set(['allow']))
    expect(await decisions(plain, `-${key}`)).toEqual(new Set(['allow']))
  },
)

test.each([
  ["git cat-file --batch-check='%(objectname) %(objecttype) %(objectsize:disk) %(rest)'", 'allow'],
  ["git cat-file --batch='%(signature)'", 'ask'],
  ["git ls-files --format='%(objectmode) %(eolinfo:index) %(path)'", 'allow'],
  ["git ls-files --format='%(signature)'", 'ask'],
  ["git ls-tree --format='%(objectsize:padded)%x09%(path)' HEAD", 'allow'],
  ["git ls-tree --format='%(none)' HEAD", 'ask'],
  ['git log --format="%h$x"', 'ask'],
  ['git for-each-ref --sort="$x"', 'ask'],
])('%s: %s', async (command, decision) => {
  expect(await decisionOn(command)).toBe(decision)
})
