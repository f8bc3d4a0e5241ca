import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Entry, Fields, NameOfKind, Part } from './model-fields.ts'
import type { RawObject } from './raw.ts'

/** The answer is not the expected object. Readers throw it and answers.ts catches it, so that no reader returns an empty value instead. */
export class MalformedAnswer extends Error {
  override readonly name: string = 'Misfit'
  readonly why: Finding

  constructor(why: Finding) {
    super(why.message)
    this.why = why
  }
}

/** The fields of an answer. A missing or null field is absent, since API servers omit empty values. A field of the wrong type makes the whole answer unreadable. */

export function objectIn<M, N extends NameOfKind<M, 'object'>>(parent: Fields<M>, field: N): Fields<Part<M, N>> {
  return objectOrNullIn<M, N>(parent, field) ?? {}
}

export function objectOrNullIn<M, N extends NameOfKind<M, 'object'>>(
  parent: Fields<M>,
  field: N,
): Fields<Part<M, N>> | null {
  const value = valueIn(parent, field)
  return isAbsent(value) ? null : asObject(value, field)
}

export function listIn<M>(parent: Fields<M>, field: NameOfKind<M, 'list'>): readonly unknown[] {
  const value = valueIn(parent, field)
  if (isAbsent(value)) return []
  if (!Array.isArray(value)) throw wrongType(field, value, 'list')
  return value
}

export function objectsIn<M, N extends NameOfKind<M, 'list'>>(
  parent: Fields<M>,
  field: N,
): readonly Fields<Entry<M, N>>[] {
  return listIn<M>(parent, field).map(entry => asObject(entry, field))
}

export function textsIn<M>(parent: Fields<M>, field: NameOfKind<M, 'list'>): readonly string[] {
  return listIn<M>(parent, field).map(entry => asText(entry, field))
}

export function textIn<M>(parent: Fields<M>, field: NameOfKind<M, 'text'>): string {
  return textOrNullIn<M>(parent, field) ?? ''
}

export function textOrNullIn<M>(parent: Fields<M>, field: NameOfKind<M, 'text'>): string | null {
  const value = valueIn(parent, field)
  return isAbsent(value) ? null : asText(value, field) || null
}

export function neededText<M>(parent: Fields<M>, field: NameOfKind<M, 'text'>): string {
  const text = textOrNullIn<M>(parent, field)
  if (text === null) throw new MalformedAnswer(because('FieldMissing', { field }))
  return text
}

export function timeOrNullIn<M>(parent: Fields<M>, field: NameOfKind<M, 'text'>): string | null {
  const text = textOrNullIn<M>(parent, field)
  if (text !== null && Number.isNaN(Date.parse(text))) throw new MalformedAnswer(because('FieldWithoutTime', { field }))
  return text
}

export function numberIn<M>(parent: Fields<M>, field: NameOfKind<M, 'number'>, absent = 0): number {
  const value = valueIn(parent, field)
  if (isAbsent(value)) return absent
  if (typeof value !== 'number') throw wrongType(field, value, 'number')
  return value
}

export function flagIn<M>(parent: Fields<M>, field: NameOfKind<M, 'flag'>): boolean {
  const value = valueIn(parent, field)
  if (isAbsent(value)) return false
  if (typeof value !== 'boolean') throw wrongType(field, value, 'boolean')
  return value
}

export function textMapIn<M>(parent: Fields<M>, field: NameOfKind<M, 'object'>): Readonly<Record<string, string>> {
  const map: RawObject = objectIn<M, NameOfKind<M, 'object'>>(parent, field)
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, asText(value, `${field} ${name}`)]))
}

export function asObject(value: unknown, what: string): RawObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrongType(what, value, 'object')
  }
  return value as RawObject
}

function asText(value: unknown, what: string): string {
  if (typeof value !== 'string') throw wrongType(what, value, 'text')
  return value
}

function valueIn(parent: object, field: string): unknown {
  return (parent as RawObject)[field]
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

type JsonType = 'nothing' | 'list' | 'object' | 'text' | 'number' | 'boolean'

function wrongType(field: string, value: unknown, wanted: JsonType): MalformedAnswer {
  return new MalformedAnswer(because('FieldOfOtherType', { field: shortened(field), found: typeOf(value), wanted }))
}

/** The JSON type of a value, never the value itself. */
function typeOf(value: unknown): JsonType {
  if (isAbsent(value)) return 'nothing'
  if (Array.isArray(value)) return 'list'
  switch (typeof value) {
    case 'string':
      return 'text'
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    default:
      return 'object'
  }
}

/** A foreign name for a message: short, and without terminal codes. */
export function shortened(text: string): string {
  return text
    .slice(0, 1000)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .slice(0, 80)
}
