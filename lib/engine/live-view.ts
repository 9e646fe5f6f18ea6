// Pieces of bytes from the engine become output events.

import { notify } from '../listener.js'
import { OutputRenderer } from '../output/render.js'
import { TextStream } from '../output/text-stream.js'
import type { OutputEvent } from '../result.js'
import type { NativeOutputListener } from './native.js'

export interface LiveView {
  readonly listener: NativeOutputListener
  /** Gives what an unfinished character or line left over. */
  end(): void
}

/** @param normalize render the text as a terminal would: an event then holds whole lines only */
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
        // What came before a gap is shown before it, even when it is only the beginning of a line.
        if (dropped > 0 && renderer !== undefined) emit(renderer.end(), 0)
        const decoded = text.write(bytes, dropped)
        emit(renderer === undefined ? decoded : renderer.write(decoded), dropped)
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
