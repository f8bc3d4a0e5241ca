import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readLineFrom } from '../../../../main/faces/cli/read-line.ts'

const forever = () => new AbortController().signal

describe('a line typed by the operator', () => {
  it('is answered without its line break', async () => {
    const input = new PassThrough()
    const line = readLineFrom(input, forever())
    input.write('yes\n')
    expect(await line).toBe('yes')
  })

  it('is read again for the next question', async () => {
    const input = new PassThrough()
    const first = readLineFrom(input, forever())
    input.write('one\n')
    expect(await first).toBe('one')
    const second = readLineFrom(input, forever())
    input.write('two\n')
    expect(await second).toBe('two')
  })

  it('may be empty, which is not the end', async () => {
    const input = new PassThrough()
    const line = readLineFrom(input, forever())
    input.write('\n')
    expect(await line).toBe('')
  })

  it('is null when the input ends', async () => {
    const input = new PassThrough()
    const line = readLineFrom(input, forever())
    input.end()
    expect(await line).toBeNull()
  })

  it('is null when the question is withdrawn, and leaves nothing listening', async () => {
    const input = new PassThrough()
    const asking = new AbortController()
    const line = readLineFrom(input, asking.signal)
    asking.abort()
    expect(await line).toBeNull()
    expect(await readLineFrom(input, asking.signal)).toBeNull()
    expect(input.listenerCount('data')).toBe(0)
  })
})
