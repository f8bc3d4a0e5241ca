import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Proof } from './credentials.ts'

/** One request on the wire. */
export interface WireRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string | null
  /** Until the headers, for an open answer; until the last byte for a whole one. */
  readonly timeoutMs: number
  /** A body longer than this is not an answer. */
  readonly largestBytes: number
  readonly signal: AbortSignal | undefined
}

/** A whole answer. */
export interface WireAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An answer whose body still comes: a watch. */
export interface WireStream {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: IncomingMessage
  readonly cancel: () => void
}

/** A WebSocket over the same connection settings; the request has no body. */
interface WireConversation extends Omit<WireRequest, 'method' | 'body' | 'largestBytes'> {
  readonly protocols: readonly string[]
  readonly onMessage: (message: Buffer) => void
}

/** Sends requests over one keep-alive agent. Throws what Node throws, NoAnswerInTime or GivenUp; the session turns that into failures. */
export interface Transport {
  send(request: WireRequest, proof: Proof): Promise<WireAnswer>
  open(request: WireRequest, proof: Proof): Promise<WireStream>
  /** Answers when the conversation is over, with 101; or with what the server refused it. */
  converse(request: WireConversation, proof: Proof): Promise<WireAnswer>
  close(): void
}
