import { expect, it } from 'vitest'
import { bytes, memoryWords } from '../../../shared/grammar/bytes.ts'

it.each([
  [0, '0 B'],
  [1536, '1.5 KiB'],
  [512 * 1024 ** 2, '512 MiB'],
  [64 * 1024 ** 3, '64 GiB'],
  [40.5 * 1024 ** 3, '40.5 GiB'],
  [400.5 * 1024 ** 3, '401 GiB'],
])('%d bytes are %s', (amount, text) => {
  expect(bytes(amount)).toBe(text)
})

it('memory that Nova counts in MiB reads as bytes do', () => {
  expect(memoryWords(512)).toBe('512 MiB')
  expect(memoryWords(1536)).toBe('1.5 GiB')
})
