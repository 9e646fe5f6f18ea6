// Writes the page of a run and its charts into docs/.

import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chart } from './chart.mjs'
import { page } from './page.mjs'

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url))
const CHARTS = 'bench'

/** @param {import('../harness/suite.mjs').Results} results @returns {string[]} the files */
export function publish(results) {
  const titleOf = (contender) => results.titles[contender] ?? contender
  const charts = path.join(DOCS, CHARTS)
  // A chart of an earlier run would contradict the page's figures.
  fs.rmSync(charts, { recursive: true, force: true })
  fs.mkdirSync(charts, { recursive: true })
  const write = (file, text) => {
    fs.writeFileSync(file, text)
    return file
  }
  return [
    write(
      path.join(DOCS, 'benchmarks.md'),
      page(results, (name) => `${CHARTS}/${name}.svg`),
    ),
    ...results.metrics.map((metric) =>
      write(path.join(charts, `${metric.name}.svg`), chart(metric, titleOf)),
    ),
  ]
}
