import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../../platform/clock/clock.ts'
import type { FaultTable, LyingAnswer, MetFaults } from '../faults.ts'
import type { ApiRequest, PlainAnswer, WatchRequest } from '../rest/api-request.ts'
import { handleRequest, refusal } from '../rest/handle-request.ts'
import { unreadableBody } from '../rest/handle-resource.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { type ApiStatus, apiStatus } from '../store/api-status.ts'
import { isJsonObject, type Json, listAt, numberAt } from '../store/json.ts'
import type { Release } from '../store/release.ts'
import { decodeProtobufObject, PROTOBUF_TYPE } from './protobuf-objects.ts'
import type { RequestLog } from './request-log.ts'

interface WireCall {
  readonly method: string
  readonly target: string
  readonly accept: string
  readonly contentType: string
  readonly userAgent: string
  readonly body: Buffer
  readonly user: string | null
}

/** Returns the headers of every answer, watches included: the date and, in newer releases, the Audit-ID of the client or a new one. */
export function answerHeaders(
  clock: Pick<Clock, 'now'>,
  { auditIds }: Pick<Release, 'auditIds'>,
  askedId: string | undefined,
): Readonly<Record<string, string>> {
  const date = new Date(clock.now()).toUTCString()
  return auditIds ? { 'audit-id': askedId || randomUUID(), date } : { date }
}

type Served =
  | {
      readonly kind: 'whole'
      readonly code: number
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
    }
  | { readonly kind: 'watch'; readonly watch: WatchRequest }
  | { readonly kind: 'lie'; readonly reported: LyingAnswer }
  | { readonly kind: 'cut' }

/** The API server without sockets, so that code in this process can send requests too. */
export interface ApiFront {
  serve(call: WireCall): Promise<Served>
}

/** Makes the front of a cluster: it applies faults, answers and logs. Waiting requests are cut when `stopped` aborts. */
export function createApiFront(parts: {
  readonly cluster: SimulatedCluster
  readonly table: FaultTable
  readonly log: RequestLog
  readonly stopped: AbortSignal
}): ApiFront {
  const { cluster, table, log, stopped } = parts

  async function answer(call: WireCall): Promise<Served> {
    const { method, target, user } = call
    const contentType = call.contentType.split(';')[0]?.trim() ?? ''
    const parsed = parseBody(call.body, contentType)
    const url = new URL(target, 'https://127.0.0.1')
    const dryRun = url.searchParams.getAll('dryRun').includes('All') || asksForDryRun(parsed)
    const record = (status: number): void =>
      log.add({ at: new Date(cluster.clock.now()).toISOString(), method, path: target, status, dryRun, user })

    const met = table.meet(method, target)
    if (met.delayMs > 0) await cluster.clock.sleep(met.delayMs, stopped)
    if (stopped.aborted) return { kind: 'cut' }
    if (met.drop === 'before') {
      record(0)
      return { kind: 'cut' }
    }
    if (met.failure !== null) {
      record(met.failure.status)
      return whole(refusal(scriptedStatus(met.failure)))
    }
    if (parsed === 'unreadable') {
      const status = unreadableBody(contentType)
      record(status.code)
      return whole(refusal(status))
    }
    const request: ApiRequest = {
      method,
      path: url.pathname.length > 1 ? url.pathname.replace(/\/+$/, '') : url.pathname,
      query: url.searchParams,
      accept: call.accept,
      contentType,
      userAgent: call.userAgent,
      body: parsed,
      user,
    }
    const lie = (code: number, truth: Json): Served | null => {
      const reported = met.lie?.report({ method, path: target, code, body: truth }) ?? null
      if (reported === null) return null
      record(reported.code)
      return { kind: 'lie', reported }
    }
    const instead = met.lie?.carriedOut === false ? lie(200, null) : null
    if (instead !== null) return instead
    const outcome = await handleRequest(cluster, table, request)
    if (met.drop === 'after') {
      record(0)
      return { kind: 'cut' }
    }
    const truth = outcome.kind === 'watch' ? { code: 200, body: null } : outcome
    const reported = met.lie?.carriedOut === true ? lie(truth.code, truth.body) : null
    if (reported !== null) return reported
    record(outcome.kind === 'watch' ? 200 : outcome.code)
    return outcome.kind === 'watch' ? { kind: 'watch', watch: outcome.watch } : whole(outcome)
  }

  return {
    serve: async call => {
      try {
        return await answer(call)
      } catch (problem) {
        const why = problem instanceof Error ? problem.message : String(problem)
        return whole(refusal(apiStatus(500, 'InternalError', `Internal error occurred: ${why}`)))
      }
    },
  }
}

/** Returns the status of a scripted failure. */
export function scriptedStatus(failure: NonNullable<MetFaults['failure']>): ApiStatus {
  const reasons: Readonly<Record<number, string>> = {
    401: 'Unauthorized',
    403: 'Forbidden',
    404: 'NotFound',
    409: 'Conflict',
    429: 'TooManyRequests',
    500: 'InternalError',
    503: 'ServiceUnavailable',
    504: 'Timeout',
  }
  const details = failure.retryAfterSeconds > 0 ? { retryAfterSeconds: failure.retryAfterSeconds } : {}
  return apiStatus(failure.status, reasons[failure.status], failure.message, details)
}

function whole({ body, code }: PlainAnswer): Extract<Served, { kind: 'whole' }> {
  const isText = isJsonObject(body) && typeof body.text === 'string' && Object.keys(body).length === 1
  const text = isText ? String(body.text) : `${JSON.stringify(body)}\n`
  const retryAfter = numberAt(isText ? undefined : body, 'details', 'retryAfterSeconds') ?? 0
  const headers = {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
    'cache-control': 'no-cache, private',
    'content-length': String(Buffer.byteLength(text)),
    ...(retryAfter > 0 ? { 'retry-after': String(retryAfter) } : {}),
  }
  return { kind: 'whole', code, headers, text }
}

function parseBody(body: Buffer, contentType: string): Json | undefined {
  if (body.length === 0) return undefined
  if (contentType === PROTOBUF_TYPE) return decodeProtobufObject(body) ?? 'unreadable'
  try {
    return JSON.parse(body.toString()) as Json
  } catch {
    return 'unreadable'
  }
}

function asksForDryRun(body: Json | undefined): boolean {
  return listAt(body, 'dryRun').includes('All') || listAt(body, 'deleteOptions', 'dryRun').includes('All')
}
