import type { Json, JsonObject } from '../store/json.ts'

type FieldKind =
  | 'text'
  | 'texts'
  | 'bytes'
  | 'number'
  | 'flag'
  | 'text-map'
  | 'bytes-map'
  | 'int-or-string'
  /** A known field that clients send empty, such as a status. */
  | 'ignored'
  | { readonly one: MessageShape }
  | { readonly many: MessageShape }

/** The fields of a message by number, with JSON name and kind. */
export type MessageShape = Readonly<Record<number, readonly [name: string, kind: FieldKind]>>

interface WireField {
  readonly number: number
  readonly value: number | Buffer
}

/** Decodes a message; null if it is damaged or has an unknown field, which must not be lost silently. */
export function decodeMessage(bytes: Buffer, shape: MessageShape): JsonObject | null {
  const fields = readFields(bytes)
  if (fields === null) return null
  const message: Record<string, Json> = {}
  for (const { number, value } of fields) {
    const [name, kind] = shape[number] ?? []
    if (name === undefined || kind === undefined) return null
    // Go writes empty texts, which JSON omits.
    if (kind === 'ignored' || (kind === 'text' && Buffer.isBuffer(value) && value.length === 0)) continue
    const json = fieldValue(kind, value, message[name])
    if (json === null) return null
    message[name] = json
  }
  return message
}

/** Splits a message into its fields; null if it is damaged. Kubernetes only uses the wire types varint and bytes. */
export function readFields(bytes: Buffer): readonly WireField[] | null {
  const fields: WireField[] = []
  let position = 0
  const varint = (): number | null => {
    let value = 0
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = bytes[position]
      if (byte === undefined) return null
      position += 1
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    return null
  }
  while (position < bytes.length) {
    const tag = varint()
    if (tag === null) return null
    const number = Math.floor(tag / 8)
    const length = varint()
    if (length === null) return null
    if (tag % 8 === 0) fields.push({ number, value: length })
    else if (tag % 8 === 2 && position + length <= bytes.length) {
      fields.push({ number, value: bytes.subarray(position, position + length) })
      position += length
    } else return null
  }
  return fields
}

function fieldValue(
  kind: Exclude<FieldKind, 'ignored'>,
  value: number | Buffer,
  before: Json | undefined,
): Json | null {
  if (typeof value === 'number') return kind === 'flag' ? value !== 0 : kind === 'number' ? signed(value) : null
  const list = Array.isArray(before) ? before : []
  if (kind === 'text') return value.toString()
  if (kind === 'texts') return [...list, value.toString()]
  if (kind === 'bytes') return value.toString('base64')
  if (kind === 'text-map' || kind === 'bytes-map') return withEntry(kind, value, before)
  if (kind === 'int-or-string') return intOrString(value)
  if (typeof kind !== 'object') return null
  if ('one' in kind) return decodeMessage(value, kind.one)
  const item = decodeMessage(value, kind.many)
  return item === null ? null : [...list, item]
}

/** Negative numbers travel as unsigned 64 bit; clients only send -1 (a grace period). */
function signed(value: number): number {
  return value >= 2 ** 63 ? value - 2 ** 64 || -1 : value
}

function withEntry(kind: 'text-map' | 'bytes-map', value: Buffer, before: Json | undefined): Json | null {
  const entry = decodeMessage(value, {
    1: ['key', 'text'],
    2: ['value', kind === 'text-map' ? 'text' : 'bytes'],
  })
  if (entry === null) return null
  const map = typeof before === 'object' && before !== null && !Array.isArray(before) ? before : {}
  return { ...map, [String(entry.key ?? '')]: entry.value ?? '' }
}

function intOrString(value: Buffer): Json | null {
  const decoded = decodeMessage(value, { 1: ['type', 'number'], 2: ['int', 'number'], 3: ['text', 'text'] })
  if (decoded === null) return null
  return decoded.type === 1 ? (decoded.text ?? '') : (decoded.int ?? 0)
}
