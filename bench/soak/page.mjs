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
    'Does anything grow in a host that runs for long? `npm run soak -- --commands 100000 --publish` writes this page; do not edit it by hand. [bench/README.md](../bench/README.md#soak) explains what runs and how growth is told from noise.',
    `${commands} commands in ${(seconds / 60).toFixed(0)} minutes, in one host. ${unexpected.length === 0 ? 'Every one gave the expected result.' : `${unexpected.length} gave an unexpected result:`}`,
    ...(unexpected.length === 0 ? [] : [unexpected.map((text) => `- ${text}`).join('\n')]),
    `![resident memory, descriptors, threads, children and jobs over ${commands} commands](${chart})`,
    'Measured after every 200 commands, while nothing runs. The table compares the first fifth after the warm-up with the last:',
    table(['', 'at first', 'at last', ''], verdicts.map(verdictRow)),
    'What ran:',
    table(['kind', 'commands'], Object.entries(kinds)),
    // A soak has no noise gate.
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
