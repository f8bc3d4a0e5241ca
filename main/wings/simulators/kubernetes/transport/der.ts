/** Writes one DER element: tag, length, content (ITU-T X.690). */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

export function sequence(...elements: readonly Uint8Array[]): Buffer {
  return der(0x30, ...elements)
}

/** Writes a SET of one element. */
export function setOf(element: Uint8Array): Buffer {
  return der(0x31, element)
}

/** Writes a non-negative INTEGER from big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const [first = 0] = bytes
  return der(0x02, first > 0x7f ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

/** Writes an OBJECT IDENTIFIER from its dotted form. */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

export function utf8(text: string): Buffer {
  return der(0x0c, Buffer.from(text))
}

/** Writes a UTCTime such as `491231235959Z`. */
export function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text, 'ascii'))
}

/** Writes a BIT STRING without unused bits. */
export function bitString(bytes: Uint8Array): Buffer {
  return der(0x03, Buffer.from([0]), bytes)
}

export function octetString(bytes: Uint8Array): Buffer {
  return der(0x04, bytes)
}

/** The BOOLEAN true. */
export const TRUE: Buffer = der(0x01, Buffer.from([0xff]))

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff])
}

function base128(value: number): readonly number[] {
  const digits = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}
