// Writes SVG elements as text.

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** @param {string} text */
const escapeText = (text) => text.replace(/[&<>"]/g, (character) => ESCAPES[character])

/**
 * @param {string} name
 * @param {Record<string, string | number | undefined>} attributes numbers are rounded to a tenth of a pixel
 * @param {string[]} children elements, or escaped text
 */
export function element(name, attributes, children = []) {
  let text = `<${name}`
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    const shown = typeof value === 'number' ? String(Math.round(value * 10) / 10) : escapeText(value)
    text += ` ${key}="${shown}"`
  }
  return children.length === 0 ? `${text}/>` : `${text}>${children.join('')}</${name}>`
}

/** Text whose baseline begins, or ends, at x and y. @param {'start' | 'middle' | 'end'} [anchor] */
export const textAt = (x, y, text, className, anchor) =>
  element('text', { x, y, class: className, 'text-anchor': anchor }, [escapeText(text)])
