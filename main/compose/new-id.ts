import { randomBytes } from 'node:crypto'

/** Short enough to type, long enough never to meet again: 10 letters and digits. */
export function newId(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .slice(-10)
    .padStart(10, '0')
}
