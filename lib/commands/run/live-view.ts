// Pieces of bytes from the engine become output events.

import { notify } from '../../base/util/listeners.js'
import type { OutputListener } from '../../processes/engine/engine.js'
import { OutputRenderer } from '../../processes/output/render.js'
import { TextStream } from '../../processes/output/text-stream.js'
import type { OutputEvent } from './result.js'

/** Characters of a line that is still being printed; a longer one is shown in parts. */
const maxUnfinishedLine = 16 * 1024

export interface LiveView {
  readonly listener: OutputListener
  /** Gives what an unfinished character or line left over. */
  end(): void
}

/** @param normalize render the text as a terminal would: a line is shown when it has ended, or is very long */
export function liveView(
  onOutput: (event: OutputEvent) => void,
  separateStreams: boolean,
  normalize: boolean,
): LiveView {
  const names = separateStreams ? (['stdout', 'stderr'] as const) : (['output'] as const)
  const streams = names.map((stream) => {
    const text = new TextStream()
    const renderer = normalize ? new OutputRenderer() : undefined
    const emit = (piece: string, dropped: number) => {
      if (piece !== '' || dropped > 0) notify(onOutput, { type: 'output', stream, text: piece, dropped })
    }
    return {
      write(bytes: Buffer, dropped: number) {
        const decoded = text.write(bytes, dropped)
        const missing = dropped + text.cutBytes
        if (renderer === undefined) return emit(decoded, missing)
        // A line that a gap interrupts is shown as far as it came; so is one that will not end.
        if (dropped > 0) emit(renderer.end(), 0)
        const lines = renderer.write(decoded)
        const rest = renderer.unfinishedLength > maxUnfinishedLine ? renderer.takeUnfinished() : ''
        emit(lines + rest, missing)
      },
      end() {
        const decoded = text.end()
        emit(renderer === undefined ? decoded : renderer.write(decoded) + renderer.end(), 0)
      },
    }
  })
  return {
    listener: (index, bytes, dropped) => streams[index]?.write(bytes, dropped),
    end: () => {
      for (const stream of streams) stream.end()
    },
  }
}
