import { expect, test } from 'vitest'
import { createCodec } from '../../../electron-stand-in/process/clone.ts'
import { strict } from '../../../electron-stand-in/process/strict.ts'

const { encode, decode } = createCodec()

test('the stand-in says by name what it lacks', () => {
  const shell = strict('shell', { opened: [] })
  expect(() => Reflect.get(shell, 'trashItem')).toThrow('The Electron stand-in has no shell.trashItem')
})

test('what crosses to the page keeps what a structured clone keeps', () => {
  const value = {
    none: undefined,
    at: new Date(5),
    map: new Map([['a', new Set([1])]]),
    big: 2n,
    bytes: new Uint8Array([1]),
  }
  expect(decode(encode([value, Number.NaN, -0]))).toEqual([value, Number.NaN, -0])
})

test.each([[() => {}], [Symbol('s')], [{ inner: Promise.resolve() }]])(
  '%o does not cross, in Electron’s words',
  value => {
    expect(() => encode(value)).toThrow('An object could not be cloned.')
  },
)

test('a class crosses as its values, without its prototype', () => {
  class Point {
    readonly x = 1
  }
  const crossed = decode(encode(new Point()))
  expect(crossed).toEqual({ x: 1 })
  expect(crossed).not.toBeInstanceOf(Point)
})
