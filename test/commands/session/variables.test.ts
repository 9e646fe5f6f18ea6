// Variables that live on from call to call, in every kind and with every content.
import { removeTempDirs } from '../../support/temp-dir.js'
import { ShellSession } from './real-shell.js'

afterAll(removeTempDirs)

/** What `show` prints in the call after `set`. */
const carriedOver = async (set: string, show: string): Promise<string> => {
  const shell = new ShellSession()
  await shell.output(set)
  return await shell.output(show)
}

/** All 255 bytes that a variable can hold, in octal escapes for printf. */
const everyByte = Array.from(
  { length: 255 },
  (_, index) => `\\${(index + 1).toString(8).padStart(3, '0')}`,
).join('')

describe('a variable', () => {
  test.each([
    ['of the shell', 'a=1', 'echo $a; declare -p a', '1\ndeclare -- a="1"\n'],
    ['exported', 'export a=1', 'bash -c "echo \\$a"', '1\n'],
    ['empty', 'a=', `echo "[\${a-unset}]"`, '[]\n'],
    ['exported without a value', 'export a', 'declare -p a', 'declare -x a\n'],
    ['with newlines', `a=$'x\\n\\n y\\n'`, 'declare -p a', `declare -- a=$'x\\n\\n y\\n'\n`],
    ['with every kind of quote', `a=\\'\\"\\\`\\\\`, 'echo "$a"', '\'"`\\\n'],
    ['an integer', 'declare -i a=2+3', 'a=a+1; echo $a', '6\n'],
    ['in lower case', 'declare -l a=ABC', 'a=$a-DEF; echo $a', 'abc-def\n'],
    ['in upper case', 'declare -u a=abc', 'a=$a-def; echo $a', 'ABC-DEF\n'],
    ['an exported integer in lower case', 'declare -ilx a=7', 'declare -p a', 'declare -ixl a="7"\n'],
    ['with an attribute newer than its value', 'a=abc; declare -u a', 'echo $a', 'abc\n'],
    ['an array', 'a=(x "y z" [7]=w)', 'declare -p a', 'declare -a a=([0]="x" [1]="y z" [7]="w")\n'],
    [
      'an array of text like elements',
      `a=('[5]=x' '[k]=y')`,
      'declare -p a',
      'declare -a a=([0]="[5]=x" [1]="[k]=y")\n',
    ],
    ['an empty array', 'a=()', 'declare -p a', 'declare -a a=()\n'],
    ['an array without a value', 'declare -a a', 'declare -p a', 'declare -a a\n'],
    [
      'an array of integers',
      'declare -ai a=(1+1)',
      'a[1]=2+2; declare -p a',
      'declare -ai a=([0]="2" [1]="4")\n',
    ],
    ['an associative array', 'declare -A a=([x]=1)', 'declare -p a', 'declare -A a=([x]="1" )\n'],
    ['an empty associative array', 'declare -A a=()', 'a[x]=1; declare -p a', 'declare -A a=([x]="1" )\n'],
    ['a reference', 'b=1; declare -n a=b', 'a=2; echo $b; declare -p a', '2\ndeclare -n a="b"\n'],
    ['a reference to an element', 'b=(1 2); declare -n a=b[1]', `a=5; echo \${b[1]}`, '5\n'],
    ['IFS', 'IFS=,', `a=1,2; set -- $a; echo "$1-$2"`, '1-2\n'],
    ['PS4', 'PS4="> "', 'echo "$PS4"', '> \n'],
    ['OLDPWD', 'cd /usr; cd /', 'cd -', '/usr\n'],
  ])('%s', async (_, set, show, expected) => {
    expect(await carriedOver(set, show)).toBe(expected)
  })

  test('with every byte', async () => {
    const shell = new ShellSession()
    await shell.output(`printf -v a '${everyByte}'; b=("$a"); declare -A c=([k]="$a")`)
    const { bytes } = await shell.run(`printf %s "$a" "\${b[0]}" "\${c[k]}"`)
    const expected = Buffer.from(Array.from({ length: 255 }, (_, index) => index + 1))
    expect(bytes).toEqual(Buffer.concat([expected, expected, expected]))
  })

  test('with every byte in another locale', async () => {
    const shell = new ShellSession()
    await shell.output(`LC_ALL=C; printf -v a '${everyByte}é'`)
    const { bytes } = await shell.run('printf %s "$a"')
    expect(bytes.subarray(255)).toEqual(Buffer.from('é'))
  })

  test('an associative array with unusual keys', async () => {
    const keys = [
      ']',
      '[',
      '@',
      '*',
      ' ',
      "'",
      '"',
      '\\',
      '$(echo)',
      '`',
      '!',
      'a=b',
      '\n',
      '\x01',
      '\x7f',
      'é',
      ';',
    ]
    const quoted = keys.map(
      (key) => `$'${[...Buffer.from(key)].map((byte) => `\\x${byte.toString(16)}`).join('')}'`,
    )
    const set = quoted.map((key, index) => `k=${key}; a["$k"]=${index}`).join('; ')
    const show = quoted.map((key) => `k=${key}; printf '%s ' "\${a["$k"]}"`).join('; ')
    const shell = new ShellSession()
    await shell.output(`declare -A a; ${set}`)
    expect(await shell.output(`${show}; echo "\${#a[@]}"`)).toBe(
      `${keys.map((_, index) => `${index} `).join('')}${keys.length}\n`,
    )
  })

  test('an associative array in its order, though many of its keys have the same hash', async () => {
    const shell = new ShellSession()
    const list = 'echo "${!a[@]}"'
    const order = await shell.output(`declare -A a; for i in {1..500}; do a[k$i]=$i; done; ${list}`)

    expect(await shell.output(list)).toBe(order)
    expect(await shell.output(list)).toBe(order)
  })

  test('of 1 MB', async () => {
    const shell = new ShellSession()
    await shell.output(`printf -v a '%*s' 1000000 x`)
    await shell.output(`a+=$'\\n'`)
    expect(await shell.output(`echo "\${#a} \${a: -2}"`)).toBe('1000001 x\n\n')
  })

  test('an array of 20,000 elements', async () => {
    expect(await carriedOver('a=({1..20000})', `echo "\${#a[@]} \${a[19999]}"`)).toBe('20000 20000\n')
  })

  test.each([
    ['text that looks like code', `a='$(touch pwned) \`touch pwned\` ; touch pwned'`],
    ['an integer attribute on such text', `a='x[$(touch pwned)]'; declare -i a`],
    ['an array of it', `declare -a a=('$(touch pwned)'); declare -i a`],
    ['keys of it', `declare -A a; k='$(touch pwned)'; a["$k"]='x[$(touch pwned)]'`],
    ['a reference to it', `a=(1); declare -n b='a[$(touch pwned)]' 2>/dev/null`],
  ])('%s does not run', async (_, set) => {
    const shell = new ShellSession()
    await shell.output(set)
    expect(await shell.output('ls')).toBe('')
  })

  test('changed again and again', async () => {
    const shell = new ShellSession()
    for (let count = 1; count <= 5; count += 1) {
      expect(await shell.output(`echo $((n += 1)); a+=(x); echo "\${#a[@]}"`)).toBe(`${count}\n${count}\n`)
    }
  })

  test('that changes its kind', async () => {
    const shell = new ShellSession()
    await shell.output('a=(1 2); declare -A b=([x]=1); c=1')
    await shell.output('unset a b c; a=plain; b=(y); declare -A c=([k]=v)')
    expect(await shell.output('declare -p a b c')).toBe(
      'declare -- a="plain"\ndeclare -a b=([0]="y")\ndeclare -A c=([k]="v" )\n',
    )
  })

  test('that is unset stays unset', async () => {
    const shell = new ShellSession()
    await shell.output('a=1')
    await shell.output('unset a')
    expect(await shell.output(`echo "\${a-unset}"`)).toBe('unset\n')
  })
})

describe('a variable of the environment', () => {
  const env = { GIVEN: 'host', OTHER: 'host' }

  test.each([
    ['changed', 'GIVEN=mine', 'declare -x GIVEN="mine"\n'],
    ['unexported', 'export -n GIVEN', 'declare -- GIVEN="host"\n'],
    ['made an array', 'unset GIVEN; GIVEN=(x)', 'declare -a GIVEN=([0]="x")\n'],
  ])('%s keeps that', async (_, set, expected) => {
    const shell = new ShellSession()
    await shell.output(set, { env })
    expect(await shell.output('declare -p GIVEN', { env })).toBe(expected)
    expect(await shell.output('declare -p GIVEN', { env })).toBe(expected)
  })

  test('unset stays unset', async () => {
    const shell = new ShellSession()
    await shell.output('unset GIVEN', { env })
    await shell.output(':', { env })
    expect(await shell.output(`echo "\${GIVEN-unset} $OTHER"; env | grep -c GIVEN`, { env })).toBe(
      'unset host\n0\n',
    )
  })

  test('follows the host when the session has not touched it', async () => {
    const shell = new ShellSession()
    await shell.output('GIVEN=mine', { env })
    const changed = { ...env, GIVEN: 'new', OTHER: 'new', MORE: 'new' }
    expect(await shell.output('echo $GIVEN $OTHER $MORE', { env: changed })).toBe('mine new new\n')
  })

  test('is not kept when it is gone from the host', async () => {
    const shell = new ShellSession()
    await shell.output('x=1', { env })
    expect(await shell.output(`echo "\${GIVEN-unset}"`)).toBe('unset\n')
  })
})

describe('a read-only variable', () => {
  test('is carried over by its value, and can be changed', async () => {
    expect(
      await carriedOver('readonly a=1; declare -rx b=2; declare -ra c=(x y)', 'a=3; declare -p a b c'),
    ).toBe('declare -- a="3"\ndeclare -x b="2"\ndeclare -a c=([0]="x" [1]="y")\n')
  })

  test('of any name does not stop the rest', async () => {
    const shell = new ShellSession()
    await shell.output('a=1; readonly IFS PATH PWD OLDPWD HOME LC_ALL=C POSIX_OTHER REPLY')
    expect(await shell.output('echo $a; IFS=,; PATH=$PATH:/x; cd /')).toBe('1\n')
  })
})

test("bash's own variables are its own in each call", async () => {
  const shell = new ShellSession()
  await shell.output('SECONDS=500; RANDOM=1; BASH_ARGV0=other; SHLVL=40; OPTIND=5; true | false')
  const output = await shell.output('echo $((SECONDS < 400)) $0 $SHLVL $OPTIND "$BASH_ENV"')
  expect(output).toBe('1 bash 1 1 \n')
})
