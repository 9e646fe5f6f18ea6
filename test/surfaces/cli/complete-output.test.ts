import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { CompleteOutput, SavedOutput } from '../../../lib/surfaces/cli/complete-output.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'

class Sink {
  text = ''
  writableLength = 0
  write(text: string, onTaken?: () => void): void {
    this.text += text
    onTaken?.()
  }
}

const opened: SavedOutput[] = []
const descriptors: number[] = []

/** `append` writes to its file as the engine does, which is made when there is something to write. */
const newSavedOutput = (): { saved: SavedOutput; append: (bytes: string | Buffer) => void } => {
  const saved = new SavedOutput()
  opened.push(saved)
  let file: number | undefined
  const append = (bytes: string | Buffer) => {
    file ??= openSync(join(saved.options?.directory ?? '', 'file'), 'wx')
    if (!descriptors.includes(file)) descriptors.push(file)
    writeSync(file, Buffer.from(bytes))
  }
  return { saved, append }
}

afterAll(removeTempDirs)

afterEach(async () => {
  for (const saved of opened.splice(0)) await saved.remove()
  for (const descriptor of descriptors.splice(0)) closeSync(descriptor)
})

const show = (output: CompleteOutput, text: string, dropped = 0) =>
  output.show({ type: 'output', stream: 'output', text, dropped })

const whole = (output: string) => ({ output, truncated: false, tail: output })
const truncated = (output = 'the result') => ({ output, truncated: true, tail: output })

describe('without a gap', () => {
  test('pieces are written as they come, and nothing is added at the end', async () => {
    const sink = new Sink()
    const output = new CompleteOutput(sink, {})
    show(output, 'one ')
    show(output, 'two')
    expect(sink.text).toBe('one two')

    expect(await output.end(whole('one two'))).toBe(Number.POSITIVE_INFINITY)
    expect(sink.text).toBe('one two')
  })

  test('nor when there was too much for the result', async () => {
    const sink = new Sink()
    const { saved, append } = newSavedOutput()
    const output = new CompleteOutput(sink, { saved })
    show(output, 'one two')
    append('one two')

    expect(await output.end(truncated())).toBe(Number.POSITIVE_INFINITY)
    expect(sink.text).toBe('one two')
  })
})

describe('after a gap', () => {
  test('short output is completed by the result', async () => {
    const sink = new Sink()
    const output = new CompleteOutput(sink, newSavedOutput())
    show(output, 'one ')
    show(output, 'three', 4)
    show(output, ' four')
    expect(sink.text).toBe('one ')

    expect(await output.end(whole('one two three four'))).toBe(Number.POSITIVE_INFINITY)
    expect(sink.text).toBe('one two three four')
  })

  test('output of any size is complete, whatever was skipped', async () => {
    const piece = fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 50 }), skip: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.boolean(), async (parts, isLong) => {
        const sink = new Sink()
        const { saved, append } = newSavedOutput()
        const output = new CompleteOutput(sink, { saved })
        const text = parts.map((part) => part.text).join('')
        if (isLong) append(text)
        for (const part of parts) {
          if (part.skip) show(output, '', Buffer.byteLength(part.text))
          else show(output, part.text)
        }
        await output.end(isLong ? truncated() : whole(text))
        expect(sink.text).toBe(text)
        await saved.remove()
      }),
      { numRuns: 50 },
    )
  })

  test('the file is followed while it grows', async () => {
    const sink = new Sink()
    const { saved, append } = newSavedOutput()
    const output = new CompleteOutput(sink, { saved })
    show(output, 'one ')
    show(output, 'three', 4)
    append('one two three')
    await waitFor(() => sink.text === 'one two three', { what: 'the text of the file' })
    append(' four')
    await waitFor(() => sink.text === 'one two three four', { what: 'the rest of it' })
    append(' five')

    expect(await output.end(truncated())).toBe('one two three four five'.length)
    expect(sink.text).toBe('one two three four five')
  })

  test('the file is that of its own directory, wherever the path of it leads meanwhile', async () => {
    const sink = new Sink()
    const { saved, append } = newSavedOutput()
    const { directory = '' } = saved.options ?? {}
    const other = tempDir()
    writeFileSync(join(other, 'file'), "somebody else's")
    append('one two three')
    renameSync(directory, `${directory}.moved`)
    symlinkSync(other, directory)
    const output = new CompleteOutput(sink, { saved })
    show(output, 'one ')
    show(output, 'three', 4)
    await output.end(truncated())
    await opened.pop()?.remove()

    expect(sink.text).toBe('one two three')
    expect(readFileSync(join(other, 'file'), 'utf8')).toBe("somebody else's")
    expect(readdirSync(`${directory}.moved`)).toEqual([])
    unlinkSync(directory)
    rmdirSync(`${directory}.moved`)
  })

  test('the file is followed also before a gap is seen, as the last one is told of at the end only', async () => {
    const sink = new Sink()
    const { saved, append } = newSavedOutput()
    const output = new CompleteOutput(sink, { saved })
    const window = 'a'.repeat(64 * 1024)
    show(output, window)
    append(`${window}one`)
    await waitFor(() => sink.text === `${window}one`, { what: 'the rest of the file' })
    show(output, 'one', 0)
    await output.end(truncated())

    expect(sink.text).toBe(`${window}one`)
  })

  test('a character may come in two parts, or not at all', async () => {
    const sink = new Sink()
    const { saved, append } = newSavedOutput()
    const output = new CompleteOutput(sink, { saved })
    show(output, '', 1)
    append(Buffer.from([0x61, 0xc3]))
    await waitFor(() => sink.text === 'a', { what: 'the first character' })
    append(Buffer.from([0xb6, 0x00, 0xc3]))
    await output.end(truncated())

    expect(sink.text).toBe('aö\u2400\uFFFD')
  })

  test('text that replaces bytes is found again in the file', async () => {
    const sink = new Sink()
    const { saved, append } = newSavedOutput()
    const output = new CompleteOutput(sink, { saved })
    show(output, '\uFFFD\u2400😀')
    show(output, 'b', 1)
    append(Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from('😀ab')]))
    await output.end(truncated())

    expect(sink.text).toBe('\uFFFD\u2400😀ab')
  })

  test('a reader who is too slow for the live view gets it from the file', async () => {
    const sink = new Sink()
    const { saved, append } = newSavedOutput()
    const output = new CompleteOutput(sink, { saved })
    show(output, 'one ')
    sink.writableLength = 17 * 1024 * 1024
    show(output, 'two ')
    sink.writableLength = 0
    show(output, 'three')
    append('one two three')
    await output.end(truncated())

    expect(sink.text).toBe('one two three')
  })

  test('without a file the reader has what came before', async () => {
    const sink = new Sink()
    const output = new CompleteOutput(sink, newSavedOutput())
    show(output, 'zwölf ')
    show(output, 'three', 4)

    expect(await output.end(truncated())).toBe(7)
    expect(sink.text).toBe('zwölf ')
  })

  test('a reader who does not read is not waited for once that is over', async () => {
    const stopped = { writableLength: 0, write: () => {} }
    const { saved, append } = newSavedOutput()
    const controller = new AbortController()
    const output = new CompleteOutput(stopped, { saved, signal: controller.signal })
    append('one two')
    show(output, 'two', 4)
    const ended = output.end(truncated())
    controller.abort()

    expect(await ended).toBe(0)
  })

  test('a reader who has gone away gets nothing more', async () => {
    let writes = 0
    const gone = {
      writableLength: 0,
      write: (_: string, onTaken?: (error: Error) => void) => {
        writes += 1
        onTaken?.(new Error('EPIPE'))
      },
    }
    const { saved, append } = newSavedOutput()
    const output = new CompleteOutput(gone, { saved })
    append('a'.repeat(1_000_000))
    show(output, '', 1_000_000)
    await output.end(truncated())

    expect(writes).toBe(1)
  })
})

describe('without a file, and a limit on what is live', () => {
  test('the result tells what comes behind the limit', async () => {
    const sink = new Sink()
    const output = new CompleteOutput(sink, { liveBytes: 5 })
    show(output, 'one ')
    show(output, 'two ')
    show(output, 'three')
    expect(sink.text).toBe('one ')

    expect(await output.end(truncated('one t... (truncated)'))).toBe(Number.POSITIVE_INFINITY)
    expect(sink.text).toBe('one t... (truncated)')
  })

  test('with a limit of 0 it tells all', async () => {
    const sink = new Sink()
    const output = new CompleteOutput(sink, { liveBytes: 0 })
    show(output, 'one')
    await output.end(truncated('o[cut]e'))
    expect(sink.text).toBe('o[cut]e')
  })
})

describe('endsLine', () => {
  test.each([
    ['', true],
    ['one\n', true],
    ['one\ntwo', false],
  ])('after %p is %p', async (text, expected) => {
    const live = new CompleteOutput(new Sink(), {})
    show(live, text)
    expect(live.endsLine).toBe(expected)

    const late = new CompleteOutput(new Sink(), { liveBytes: 0 })
    await late.end(whole(text))
    expect(late.endsLine).toBe(expected)
  })
})

describe('SavedOutput', () => {
  test('leaves nothing behind', async () => {
    const { saved, append } = newSavedOutput()
    const directory = saved.options?.directory ?? ''
    append('one')
    await saved.remove()
    expect(() => readdirSync(directory)).toThrow('ENOENT')
  })

  test('takes a file that is being read off the disk, should this process be killed', async () => {
    const { saved, append } = newSavedOutput()
    append('one')
    expect(await saved.copy(async () => true, false)).toBe(true)
    expect(readdirSync(saved.options?.directory ?? '')).toEqual([])
  })
})
