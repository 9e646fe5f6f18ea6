// The curves of a soak as an SVG, one panel a quantity.

const WIDTH = 760
const PANEL = 110
const LEFT = 70
const RIGHT = 20
const TOP = 34

const panels = [
  { name: 'rssBytes', title: 'resident memory, MiB', unit: 2 ** 20 },
  { name: 'fds', title: 'descriptors', unit: 1 },
  { name: 'threads', title: 'threads', unit: 1 },
  { name: 'children', title: 'children', unit: 1 },
  { name: 'jobs', title: 'jobs in their directory', unit: 1 },
]

/** @param {import('./growth.mjs').Sample[]} samples @returns {string} */
export function chart(samples) {
  const height = TOP + panels.length * PANEL + 30
  const last = samples.at(-1)
  const x = (commands) => LEFT + (commands / last.commands) * (WIDTH - LEFT - RIGHT)
  const body = panels.map(({ name, title, unit }, index) => {
    const values = samples.map((sample) => sample[name] / unit)
    // From zero, so that a flat line means a flat quantity.
    const top = Math.max(1, ...values) * 1.1
    const base = TOP + (index + 1) * PANEL - 20
    const y = (value) => base - (value / top) * (PANEL - 40)
    const points = samples.map((sample, i) => `${x(sample.commands).toFixed(1)},${y(values[i]).toFixed(1)}`)
    return [
      `<text x="${LEFT}" y="${base - PANEL + 34}" font-weight="bold">${title}</text>`,
      `<line x1="${LEFT}" y1="${base}" x2="${WIDTH - RIGHT}" y2="${base}" stroke="#999"/>`,
      `<text x="${LEFT - 6}" y="${base + 4}" text-anchor="end">0</text>`,
      `<text x="${LEFT - 6}" y="${y(values.at(-1)) + 4}" text-anchor="end">${values.at(-1).toFixed(unit === 1 ? 0 : 1)}</text>`,
      `<polyline points="${points.join(' ')}" fill="none" stroke="#0b62a4" stroke-width="1.5"/>`,
    ].join('\n')
  })
  const minutes = (last.seconds / 60).toFixed(1)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<title>What a host held over ${last.commands} commands</title>
<rect width="100%" height="100%" fill="white"/>
<text x="${LEFT}" y="20" font-size="14">${last.commands} commands in ${minutes} minutes, one host, looked at whenever nothing runs</text>
${body.join('\n')}
<text x="${WIDTH - RIGHT}" y="${height - 10}" text-anchor="end">commands</text>
</svg>
`
}
