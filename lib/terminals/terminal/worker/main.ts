// The thread that draws a screen: a terminal emulator behind a filter. It may be ended at any moment.

import { readlinkSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Terminal } from '@xterm/headless'
import { cellWidth } from '../cell-width.js'
import type { Drawn, FirstSize, Order, Ready, Step } from '../orders.js'
import { maxScrollback } from '../screen.js'
import { ScreenFilter } from '../screen-filter.js'
import { readLines, readScreenLines, readStyled } from './read-buffer.js'

/** The emulator gets so many bytes at a time. */
const pieceBytes = 64 * 1024

const size = workerData as FirstSize
const terminal = new Terminal({
  rows: size.rows,
  cols: size.columns,
  scrollback: maxScrollback,
  logLevel: 'off',
  allowProposedApi: true,
})
const filter = new ScreenFilter(size.rows, size.columns)

// A width and whether the character joins the one before, as the emulator packs them. The filter lets none join where there
// is no character before.
terminal.unicode.register({
  version: 'bashward',
  wcwidth: cellWidth,
  charProperties(codePoint, preceding) {
    const width = cellWidth(codePoint)
    return width > 0 || preceding === 0 ? width << 1 : (preceding & 0b110) | 1
  },
})
terminal.unicode.activeVersion = 'bashward'

let isCursorVisible = true
const onCursorMode = (isVisible: boolean) => (parameters: (number | number[])[]) => {
  if (parameters.includes(25)) isCursorVisible = isVisible
  return false
}
const resetCursor = () => {
  isCursorVisible = true
  return false
}
terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, onCursorMode(true))
terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, onCursorMode(false))
terminal.parser.registerCsiHandler({ intermediates: '!', final: 'p' }, resetCursor)
terminal.parser.registerEscHandler({ final: 'c' }, resetCursor)

async function take(step: Step): Promise<void> {
  if ('rows' in step) {
    terminal.resize(step.columns, step.rows)
    filter.resize(step.rows, step.columns)
    return
  }
  for (let at = 0; at < step.bytes.length; at += pieceBytes) {
    const text = filter.write(step.bytes.subarray(at, at + pieceBytes))
    await new Promise<void>((resolve) => terminal.write(text, resolve))
  }
}

async function draw({ steps, parts }: Order): Promise<Drawn> {
  for (const step of steps) await take(step)
  const { rows, cols, modes } = terminal
  const buffer = terminal.buffer.active
  return {
    rows,
    columns: cols,
    lines: readScreenLines(buffer, rows),
    cursor: {
      row: buffer.cursorY + 1,
      // Behind the last column until the next character wraps.
      column: Math.min(buffer.cursorX + 1, cols),
      visible: isCursorVisible,
    },
    alternate: buffer.type === 'alternate',
    applicationCursor: modes.applicationCursorKeysMode,
    bracketedPaste: modes.bracketedPasteMode,
    ...(parts.scrollback && {
      scrollback: readLines(terminal.buffer.normal, 0, terminal.buffer.normal.baseY),
    }),
    ...(parts.styles && { styled: readStyled(buffer, rows) }),
  }
}

function findThread(): string {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}`
  } catch {
    return ''
  }
}

// One order at a time: the host waits for the answer.
parentPort?.on('message', (order: Order) => {
  draw(order).then((drawn) => parentPort?.postMessage(drawn))
})
const ready: Ready = { thread: findThread() }
parentPort?.postMessage(ready)
