import { isJsonObject, type Json, type JsonObject, listAt, recordAt, textAt } from './store/json.ts'

/** What the server would have answered; `body` is the text of an answer that is no JSON. */
export interface TrueAnswer {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly code: number
  readonly body: Json
}

/** What is sent instead. */
export interface LyingAnswer {
  readonly code: number
  readonly contentType: string
  readonly text: string
  /** The headers promise all of `text`, and the connection ends after so many bytes of it. */
  readonly cutAfterBytes?: number
}

/**
 * Makes of a true answer what is said instead; null lets the truth through. A watch has no answer of its own: its `body` is null, and what is
 * said instead ends it.
 */
export type Lie = (truth: TrueAnswer) => LyingAnswer | null

/** What a login page in front of an API server answers to everything. */
const LOGIN_PAGE =
  '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form action="/login"></form></body></html>\n'

/** Answers these words to everything. */
export function sayText(text: string, contentType = 'application/json', code = 200): Lie {
  return () => ({ code, contentType, text })
}

/** Answers this JSON to everything. */
export function sayJson(body: Json, code = 200): Lie {
  return sayText(JSON.stringify(body), 'application/json', code)
}

/** A login page, with a good status. */
export const sayLoginPage: Lie = sayText(LOGIN_PAGE, 'text/html; charset=utf-8')

/** A proxy's own 404 page: says nothing about what the cluster has. */
export const sayProxyNotFound: Lie = sayText('<html><body><h1>404 Not Found</h1></body></html>', 'text/html', 404)

/** The true answer, half of it, as if that were all. */
export const sayHalf: Lie = truth =>
  changed(
    truth,
    body => body,
    text => text.slice(0, Math.floor(text.length / 2)),
  )

/** The true answer, cut in the middle by a connection that ends. */
export const sayTorn: Lie = truth => {
  const text = JSON.stringify(truth.body)
  return { code: truth.code, contentType: 'application/json', text, cutAfterBytes: Math.floor(text.length / 2) }
}

/** A list without its items, whole and current otherwise; everything else is true. */
export const sayEmptyList: Lie = truth =>
  isList(truth.body)
    ? changed(truth, body => ({ ...body, metadata: without(recordAt(body, 'metadata'), 'continue'), items: [] }))
    : null

/** A list or an object without its resourceVersion. */
export const sayNoVersion: Lie = truth =>
  changed(truth, body => ({ ...body, metadata: without(recordAt(body, 'metadata'), 'resourceVersion') }))

/** A list that says at its end, always with the same token, that there is more. */
export const sayEndless: Lie = truth =>
  isList(truth.body)
    ? changed(truth, body => ({ ...body, metadata: { ...recordAt(body, 'metadata'), continue: 'more' } }))
    : null

/** A list or an object of another kind. */
export const sayAnotherKind: Lie = truth =>
  changed(truth, body => ({ ...body, kind: isList(body) ? 'ConfigMapList' : 'ConfigMap', apiVersion: 'v1' }))

/** Objects of another name and UID than those that are there. */
export const sayAnotherObject: Lie = truth =>
  changed(truth, body =>
    isList(body) ? { ...body, items: listAt(body, 'items').map(item => another(item)) } : another(body),
  )

function isList(body: Json): boolean {
  return (textAt(body, 'kind') ?? '').endsWith('List')
}

function changed(
  truth: TrueAnswer,
  change: (body: JsonObject) => Json,
  cut: (text: string) => string = text => text,
): LyingAnswer | null {
  if (!isJsonObject(truth.body)) return null
  return { code: truth.code, contentType: 'application/json', text: cut(JSON.stringify(change(truth.body))) }
}

function without(object: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== field))
}

function another(object: Json): JsonObject {
  const body = isJsonObject(object) ? object : {}
  const metadata = recordAt(body, 'metadata')
  return { ...body, metadata: { ...metadata, name: `not-${textAt(metadata, 'name') ?? ''}`, uid: 'another' } }
}
