// Random scripts with everything that bash has, for comparing two ways to read them.
import * as fc from 'fast-check'

const name = fc.constantFrom('a', 'b', 'foo', 'x1')
const blank = fc.constantFrom(' ', ' ', ' ', '\t', '  ', ' \\\n ', '\\\n ')
const newline = fc.constantFrom('\n', '\n', '\n\n', ' # it\'s "a" $(comment\n', '\n  ', '\n\t#c\n')
const plain = fc.constantFrom(
  'a',
  'git',
  '-A',
  '/',
  '~',
  '*',
  '.',
  'x=y',
  '{b,c}',
  '1',
  '--',
  'é',
  '^',
  '%',
  '2',
  '-rf',
  ',',
  ':',
  '+f',
)

const joined = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join(''))

const some = (
  part: fc.Arbitrary<string>,
  max: number,
  separator: fc.Arbitrary<string>,
): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(part, separator), { minLength: 1, maxLength: max })
    .map((pairs) =>
      pairs.map(([text, between], at) => (at === pairs.length - 1 ? text : text + between)).join(''),
    )

/** Bodies come after the next newline: `text` has marks where they belong. */
const { script } = fc.letrec<Record<string, string>>((tie) => ({
  literal: fc.oneof(
    { weight: 5, arbitrary: plain },
    fc.constantFrom(
      "'s q'",
      "''",
      '""',
      "$'\\x41\\n'",
      '\\~',
      '\\ ',
      '\\\n',
      '\\$',
      "'\n'",
      "'it'\\''s'",
      '$',
      '\\\\',
      '$"l"',
    ),
  ),
  quotedPiece: fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'a',
        ' ',
        "'",
        '\\"',
        '\\$',
        '\\x',
        '*',
        '\n',
        '$',
        '#',
        '\\\n',
        '<(',
        ';',
        '(',
      ),
    },
    tie('expansion'),
  ),
  quoted: fc.array(tie('quotedPiece'), { maxLength: 3 }).map((parts) => `"${parts.join('')}"`),
  expansion: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    joined(fc.constant('$'), name),
    fc.constantFrom('$1', '$@', '${a}', '${#a}', '${!a}', '${a[1]}', '$?', '$$'),
    joined(
      fc.constant('${'),
      name,
      fc.constantFrom(':-', '-', ':+', '?', '%', '##', '/', '^^', '='),
      tie('operand'),
      fc.constant('}'),
    ),
    joined(fc.constant('$('), tie('list'), fc.constantFrom('', '\n', ' '), fc.constant(')')),
    joined(
      fc.constant('$(('),
      fc.constantFrom('1+', 'a*', ''),
      fc.oneof(fc.constant('2'), tie('expansion')),
      fc.constant('))'),
    ),
    joined(fc.constant('`'), tie('backticked'), fc.constant('`')),
  ),
  backticked: fc.constantFrom('a', 'a | b', 'a $b "c"', 'a \\`b\\`', 'a >b', "a '\\$c'", 'a; b', 'a $(b)'),
  operand: fc.oneof(fc.constantFrom('', 'a', 'b c', '*', '\\}', '{', '/'), tie('expansion'), tie('quoted')),
  word: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    { weight: 4, arbitrary: plain },
    some(fc.oneof(tie('literal'), tie('expansion'), tie('quoted')), 3, fc.constant('')),
    joined(fc.constantFrom('<(', '>('), tie('list'), fc.constant(')')),
  ),
  redirect: fc.oneof(
    joined(
      fc.constantFrom('>', '>>', '<', '2>', '&>', '<<<', '>|', '3<', '>&', '<&', '{fd}>', '&>>'),
      fc.constantFrom('', ' '),
      tie('word'),
    ),
    fc.constantFrom('2>&1', '>&2', '>&-', '<&-', '2>/dev/null'),
  ),
  assignment: fc.oneof(
    joined(name, fc.constantFrom('=', '+='), fc.oneof(tie('word'), fc.constant(''))),
    joined(name, fc.constant('=('), some(tie('word'), 2, blank), fc.constant(')')),
    joined(name, fc.constantFrom('[1]=', '[$a]='), tie('word')),
  ),
  argument: fc.oneof({ weight: 4, arbitrary: tie('word') }, tie('redirect')),
  simple: fc.oneof(
    { weight: 6, arbitrary: some(tie('argument'), 4, blank) },
    some(tie('assignment'), 2, blank),
    joined(tie('assignment'), blank, some(tie('word'), 2, blank)),
    joined(
      fc.constantFrom('export', 'local', 'declare -x', 'readonly'),
      blank,
      some(fc.oneof(tie('assignment'), name), 2, blank),
    ),
    joined(
      fc.constantFrom('[ ', 'test '),
      tie('word'),
      fc.constantFrom(' = ', ' -lt ', ' != ', ' -a '),
      tie('word'),
      fc.constant(' ]'),
    ),
    joined(fc.constant('unset '), name),
    joined(
      fc.constantFrom('cat ', 'x a '),
      fc.constantFrom('<<E', "<<'E'", '<<-E', '<<"E"', '<<\\E'),
      fc.constantFrom(
        '',
        ' >f',
        ' a',
        ' && b',
        ' | b',
        ' | b && c >d',
        ' || a | b',
        '; b',
        ' &',
        ' 2>&1 | b',
      ),
      fc.constant('\n'),
      tie('body'),
      fc.constant('E'),
    ),
  ),
  body: fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'text\n',
          '\n',
          "it's\n",
          '\ttab\n',
          '  E\n',
          '\\$a\n',
          '"q"\n',
          'E E\n',
          '#c\n',
          'a\\\nb\n',
        ),
        joined(tie('expansion'), fc.constant('\n')),
      ),
      { maxLength: 3 },
    )
    .map((lines) => lines.join('')),
  compound: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    joined(fc.constant('('), tie('list'), fc.constantFrom(')', '\n)')),
    joined(fc.constant('{ '), tie('list'), fc.constantFrom('\n}', '; }')),
    joined(
      fc.constant('if '),
      tie('list'),
      fc.constant('\nthen '),
      tie('list'),
      fc.constantFrom('\nfi', '\nelse a\nfi', '\nelif b; then c\nfi'),
    ),
    joined(
      fc.constantFrom('while ', 'until '),
      tie('list'),
      fc.constant('\ndo '),
      tie('list'),
      fc.constant('\ndone'),
    ),
    joined(
      fc.constant('for a in '),
      some(tie('word'), 3, blank),
      fc.constantFrom('; do ', '\ndo\n'),
      tie('list'),
      fc.constant('\ndone'),
    ),
    joined(
      fc.constant('case '),
      tie('word'),
      fc.constant(' in\n'),
      fc.constantFrom('a', '(a', '"a b"|c', '*', '[ab]*', '-h | --help'),
      fc.constant(') '),
      tie('list'),
      fc.constantFrom('\n;;\nesac', '\nesac', ' ;;\n*) x;; esac'),
    ),
    joined(fc.constant('f() {\n'), tie('list'), fc.constant('\n}')),
    joined(
      fc.constant('[[ '),
      tie('word'),
      fc.constantFrom(' == ', ' && -f ', ' =~ ', ' != '),
      tie('word'),
      fc.constant(' ]]'),
    ),
    joined(
      fc.constant('(( a '),
      fc.constantFrom('+ ', '= '),
      fc.oneof(fc.constant('1'), tie('expansion')),
      fc.constant(' ))'),
    ),
  ),
  command: fc.oneof(
    { weight: 5, arbitrary: tie('simple') },
    tie('compound'),
    joined(tie('compound'), fc.constant(' '), tie('redirect')),
    joined(fc.constantFrom('! ', 'time '), tie('simple')),
  ),
  pipeline: some(tie('command'), 3, fc.constantFrom(' | ', '|', ' |& ', ' |\n')),
  list: some(
    tie('pipeline'),
    3,
    fc.oneof(fc.constantFrom('; ', ' && ', ' || ', ' & ', ';', '&&', ' &&\n', ' ||\n\t'), newline),
  ),
  script: joined(tie('list'), fc.constantFrom('', '\n', ';', ' &\n')),
}))

export const scripts: fc.Arbitrary<string> = script as fc.Arbitrary<string>
