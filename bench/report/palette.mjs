// The style sheet of a chart. A chart cannot know the colours of the page around it, so it brings its own background
// and follows the reader's choice of light or dark. No CSS variables: not every SVG renderer knows them.

const LIGHT = {
  ground: '#ffffff',
  text: '#1f2328',
  quiet: '#59636e',
  grid: '#d1d9e0',
  ours: '#0969da',
  peer: '#9aa4af',
  limit: '#c8d1da',
  goal: '#bc4c00',
}
const DARK = {
  ground: '#0d1117',
  text: '#f0f6fc',
  quiet: '#9198a1',
  grid: '#30363d',
  ours: '#4493f8',
  peer: '#656c76',
  limit: '#3d444d',
  goal: '#f0883e',
}

const colours = ({ ground, text, quiet, grid, ours, peer, limit, goal }) => `
  .ground { fill: ${ground} } text { fill: ${text} } .quiet { fill: ${quiet} } .goal-text { fill: ${goal} }
  .ours { fill: ${ours} } .peer { fill: ${peer} } .limit { fill: ${limit} }
  .grid { stroke: ${grid} } .range { stroke: ${text} } .goal { stroke: ${goal} }
  .figure { stroke: ${ground} }`

export const CHART_STYLE = `
  text { font: 12px system-ui, sans-serif } .title { font-size: 14px; font-weight: 600 } .strong { font-weight: 600 }
  .figure { stroke-width: 3; stroke-linejoin: round; paint-order: stroke } .range { opacity: .55 } .goal { stroke-width: 2 }${colours(LIGHT)}
  @media (prefers-color-scheme: dark) {${colours(DARK)}
  }
`
