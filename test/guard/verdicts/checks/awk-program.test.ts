import { awkReads } from '../../../../lib/guard/verdicts/checks/awk-program.js'

test.each([
  '{print $1}',
  'NR>1 {sum+=$2} END {print sum}',
  '/ERROR/ {c++} END {print c}',
  '{ if ($3 > 2) print $0 }',
  '{ print ($1 > $2) }',
  '$1 ~ /a|b/ { print "x | y > z" }',
  'BEGIN { x = 6 / 2 # a | b > c\n print x }',
  '{ print a[$1 > 1] }',
  '{ print $1,\n $2 }',
])('only reads: %s', (program) => {
  expect(awkReads(program)).toBeNull()
})

test.each([
  ['a file', '{print > "f"}'],
  ['a file behind parentheses', '{print(1)(2) > "f"}'],
  ['a file in the next line', '{print 1,\n2 > "f"}'],
  ['a file in the line that goes on', '{print 1 \\\n> "f"}'],
  ['a file behind two expressions', '{ print /"/ > "f" /"/ }'],
  ['a pipe', '{print | "sh"}'],
  ['a pipe that is read', 'BEGIN {"date" | getline}'],
  ['a command', 'BEGIN {system("ls")}'],
  ['an extension', '@load "x"\nBEGIN {}'],
  ['an indirect call', 'BEGIN {@f("ls")}'],
  ['a string without an end', '{print "x}'],
])('not known: %s', (_, program) => {
  expect(awkReads(program)).not.toBeNull()
})
