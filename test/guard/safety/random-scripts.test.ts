// Scripts put together at random from pieces; the way they are put together decides the expected verdict.
import fc from 'fast-check'
import { checkCommand } from '../../../lib/guard/safety/check-command.js'
import { corpusOptions } from './corpus.js'

interface Piece {
  text: string
  /** Whether it is to be refused. */
  dangerous: boolean
}

const harmful = [
  'git add -A',
  'git add .',
  'git -C sub add --all',
  'git push --force origin main',
  'git push -fu origin HEAD',
  'git push origin +main',
  'rm -rf /',
  'rm -r -f "$HOME"',
  'rm --recursive --force ~/',
  'rm -rf ./.git',
  'rm -fr {build,.*}',
  'rm -rf /tmp/../*',
  'rm -rf "$UNSET_1/"*',
  'rm -rf ~/.ssh /var/lib',
  `rm\${IFS}-rf\${IFS}/`,
  'git push --mirror backup',
]

const harmless = [
  'ls -la',
  'git status --short',
  'git add src/main.ts',
  'git push --force-with-lease',
  'rm -rf ./build',
  'rm -rf "$TMPDIR/x" ~/x',
  'rm -r /tmp/x',
  `rm -rf "\${UNSET_2:?}/"*`,
  'rm -rf ~/.cache /var/lib/apt/lists/*',
  'true',
  'x=$((1 + 2))',
  '[ -f x ]',
  '[[ $x == y ]]',
  'echo $HOME {a,b} *',
]

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** What runs what is in it. */
const carriers: ((text: string) => string)[] = [
  (text) => `( ${text}\n)`,
  (text) => `{ ${text}\n}`,
  (text) => `if true; then\n${text}\nfi`,
  (text) => `if ${text}\nthen :; else :; fi`,
  (text) => `while ${text}\ndo break; done`,
  (text) => `for x in 1 2; do\n${text}\ndone`,
  (text) => `for ((i=0; i<2; i++)); do\n${text}\ndone`,
  (text) => `case x in\nx) ${text}\n;;\nesac`,
  (text) => `f() {\n${text}\n}`,
  (text) => `( ! { ${text}\n} )`,
  (text) => `echo "$( ${text}\n)"`,
  (text) => `cat <( ${text}\n) > log`,
  (text) => `x=$( ${text}\n)`,
  (text) => `bash -c ${quote(text)}`,
  (text) => `sudo -u dev sh -ec ${quote(text)}`,
  (text) => `eval ${quote(text)}`,
  (text) => `trap ${quote(text)} EXIT`,
  (text) => `ssh host ${quote(text)}`,
  (text) => `echo ${quote(text)} | bash`,
  (text) => `bash <<< ${quote(text)}`,
  (text) => `bash <<'EOF${text.length}'\n${text}\nEOF${text.length}`,
  (text) => `cat <<'EOF${text.length}' | sudo sh -s\n${text}\nEOF${text.length}`,
  (text) => `X=${quote(text)}; eval "$X"`,
  (text) => `timeout 5 env A=1 bash -lc ${quote(text)} > log 2>&1`,
  (text) => `flock /tmp/l -c ${quote(text)}`,
  (text) => `find build -name x -exec sh -c ${quote(text)} _ {} \\;`,
]

/** What merely has it in it. */
const mentions: ((text: string) => string)[] = [
  (text) => `echo ${quote(text)}`,
  (text) => `printf '%s\\n' ${quote(text)} >> notes.md`,
  (text) => `git commit -m ${quote(text)}`,
  (text) => `git commit -am "$(cat <<'EOF${text.length}'\n${text}\nEOF${text.length}\n)"`,
  (text) => `cat > x.sh <<'EOF${text.length}'\n${text}\nEOF${text.length}`,
  (text) => `grep -rn ${quote(text)} .`,
  (text) => `: ${quote(text)}`,
  (text) => `X=${quote(text)}`,
  (text) => `python3 -c ${quote(text)}`,
  (text) => `[ "$x" = ${quote(text)} ]`,
  (text) => `: ${text.replace(/^/gm, '# ')}`,
  (text) => `ssh host cat <<< ${quote(text)}`,
  (text) => `echo ${quote(text)} | tee notes.txt`,
  (text) => `bash -c ${quote(`echo ${quote(text)}`)}`,
]

const separators = ['; ', ' && ', ' || ', '\n', ' & ', ' | ']

/** A here-document begins on the next line; nothing can follow it, or a comment, on its own. */
const join = (first: string, separator: string, second: string): string =>
  /<<'EOF|: # /.test(first) ? `${first}\n${second}` : first + separator + second

const { script } = fc.letrec<{ script: Piece; leaf: Piece; carried: Piece; mentioned: Piece; pair: Piece }>(
  (tie) => ({
    script: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      tie('leaf'),
      { arbitrary: tie('carried'), weight: 3 },
      tie('mentioned'),
      { arbitrary: tie('pair'), weight: 2 },
    ),
    leaf: fc.oneof(
      fc.constantFrom(...harmful).map((text) => ({ text, dangerous: true })),
      { arbitrary: fc.constantFrom(...harmless).map((text) => ({ text, dangerous: false })), weight: 2 },
    ),
    carried: fc
      .tuple(fc.constantFrom(...carriers), tie('script'))
      .map(([carrier, { text, dangerous }]) => ({ text: carrier(text), dangerous })),
    mentioned: fc
      .tuple(fc.constantFrom(...mentions), tie('script'))
      .map(([mention, { text }]) => ({ text: mention(text), dangerous: false })),
    pair: fc
      .tuple(tie('script'), fc.constantFrom(...separators), tie('script'))
      .map(([first, separator, second]) => ({
        text: join(first.text, separator, second.text),
        dangerous: first.dangerous || second.dangerous,
      })),
  }),
)

test('random scripts have the verdict of their parts', async () => {
  await fc.assert(
    fc.asyncProperty(script, async ({ text, dangerous }) => {
      const { allowed } = await checkCommand(text, corpusOptions)

      expect({ text, allowed }).toEqual({ text, allowed: !dangerous })
    }),
    { numRuns: 1500, seed: 1 },
  )
}, 120_000)
