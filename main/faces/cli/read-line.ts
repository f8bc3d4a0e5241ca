import { createInterface } from 'node:readline'

/** One line of an input; null when it ended or the question was withdrawn. The terminal stays in line mode, so that Ctrl-C is a signal and not a key. */
export function readLineFrom(input: NodeJS.ReadableStream, signal: AbortSignal): Promise<string | null> {
  if (signal.aborted) return Promise.resolve(null)
  return new Promise(resolve => {
    const reader = createInterface({ input, terminal: false })
    const finish = (line: string | null) => {
      // Closing the reader emits `close` immediately, which must not count as the end of the input.
      reader.off('line', finish)
      reader.off('close', end)
      signal.removeEventListener('abort', end)
      reader.close()
      resolve(line)
    }
    const end = () => finish(null)
    reader.on('line', finish)
    reader.on('close', end)
    signal.addEventListener('abort', end)
  })
}
