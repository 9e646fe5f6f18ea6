// docs/soak.md: what a soak has found.

/**
 * @param {{ machine: Record<string, unknown>, kinds: Record<string, number>, unexpected: string[],
 *   verdicts: ReturnType<import('./growth.mjs').judge>, samples: import('./growth.mjs').Sample[] }} results
 * @param {string} chart path of the curves, from the page
 * @returns {string} Markdown
 */
export function page({ machine, kinds, unexpected, verdicts, samples }, chart) {
  const { commands, seconds } = samples.at(-1)
  return `${[
    '# Soak',
    'Written by `npm run soak -- --commands 100000 --publish`, not by hand. [bench/README.md](../bench/README.md#soak) says what is run and how growth is told from noise.',
    `${commands} commands in ${(seconds / 60).toFixed(0)} minutes, in one host. ${unexpected.length === 0 ? 'Each gave what it had to give.' : `${unexpected.length} gave something unexpected:`}`,
    ...(unexpected.length === 0 ? [] : [unexpected.map((text) => `- ${text}`).join('\n')]),
    `![resident memory, descriptors, threads, children and jobs over ${commands} commands](${chart})`,
    'After every 200 commands, when nothing runs. The first fifth of what was noted after the warm-up, and the last:',
    table(['', 'at first', 'at last', ''], verdicts.map(verdictRow)),
    'What ran:',
    table(['kind', 'commands'], Object.entries(kinds)),
    // No noise was told from anything here.
    table(
      ['machine', ''],
      Object.entries(machine).filter(([name]) => name !== 'noise gate'),
    ),
  ].join('\n\n')}\n`
}

const names = {
  rssBytes: 'resident memory',
  fds: 'descriptors',
  jobs: 'jobs in their directory',
  jobBytes: 'their files',
}

const verdictRow = ({ name, first, last, grown, text }) => [
  names[name] ?? name,
  first,
  last,
  [grown ? '**grown**' : 'flat', ...(text === undefined ? [] : [text])].join(', '),
]

function table(header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(header), `|${header.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
