import type { ActionRecord, Server, Token } from './cloud.ts'
import type { ApiAnswer, ApiRequest } from './http.ts'
import type { World } from './world.ts'

/** A request to Nova after its token and microversion were read. */
export interface NovaCall {
  readonly world: World
  readonly request: ApiRequest
  readonly token: Token
  readonly isAdmin: boolean
  /** Whether the user has the role manager in its project; null if this Nova does not have that role. */
  readonly isManager: boolean | null
  /** The minor of the microversion: 93 for 2.93. */
  readonly minor: number
  readonly params: Readonly<Record<string, string>>
}

export type NovaHandler = (call: NovaCall) => ApiAnswer | Promise<ApiAnswer>

const KINDS: Readonly<Record<number, string>> = {
  400: 'badRequest',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'itemNotFound',
  409: 'conflictingRequest',
}

/** Returns a refusal in Nova's form; the status decides the word before the colon. */
export function novaError(status: number, message: string): ApiAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    json: { [KINDS[status] ?? 'computeFault']: { code: status, message } },
  }
}

/** Returns the refusal of oslo.policy, with the rule. */
export function policyRefuses(rule: string): ApiAnswer {
  return novaError(403, `Policy doesn't allow ${rule} to be performed.`)
}

/** Nova's answer below the microversion of a feature, and for a path that is not always there. */
export const NOT_IN_THIS_VERSION: ApiAnswer = novaError(404, 'The resource could not be found.')

/** Limits a handler to administrators; others get 403 with the rule's name. */
export function adminOnly(rule: string, handle: NovaHandler): NovaHandler {
  return call => (call.isAdmin ? handle(call) : policyRefuses(rule))
}

/** Limits a handler to a microversion and newer ones. */
export function since(minor: number, handle: NovaHandler): NovaHandler {
  return call => (call.minor < minor ? NOT_IN_THIS_VERSION : handle(call))
}

/** Finds the server of a call; otherwise returns the refusal: unknown, another project's, or in a cell that is down. */
export function serverOf(call: NovaCall): Server | ApiAnswer {
  const id = call.params.id ?? ''
  const server = call.world.cloud.servers.get(id)
  if (server === undefined || (!call.isAdmin && server.projectId !== call.token.projectId))
    return novaError(404, `Instance ${id} could not be found.`)
  if (call.world.faults.downCells.has(server.cell))
    return novaError(
      500,
      "Unexpected API Error. Please report this at http://bugs.launchpad.net/nova/ and attach the Nova API log if possible.\n<class 'nova.exception.NovaException'>",
    )
  return server
}

export function isAnswer(value: Server | ApiAnswer): value is ApiAnswer {
  return !('vmState' in value)
}

/** Adds an entry to a server's action log, as each accepted action does. */
export function beginAction(call: NovaCall, server: Server, action: string): ActionRecord {
  const entry: ActionRecord = {
    action,
    requestId: call.request.requestId,
    userId: call.token.user.id,
    projectId: call.token.projectId ?? '',
    startedAt: call.world.cloud.clock.now(),
    updatedAt: null,
    message: null,
    events: [],
  }
  server.actions.push(entry)
  return entry
}

/** Ends an entry of the action log; Nova writes `Error` for a failure and nothing for a success. */
export function endAction(
  world: World,
  entry: ActionRecord,
  event: string,
  host: string | null,
  failed: boolean,
): void {
  const now = world.cloud.clock.now()
  entry.updatedAt = now
  if (failed) entry.message = 'Error'
  entry.events.push({
    event,
    startedAt: entry.startedAt,
    finishedAt: now,
    result: failed ? 'Error' : 'Success',
    host,
  })
}

/** Links to the next page if this page is full; Nova does so even if nothing follows. */
export function nextPage(
  call: NovaCall,
  name: string,
  limit: number | null,
  ids: readonly string[],
): Readonly<Record<string, unknown>> {
  const last = ids.at(-1)
  if (limit === null || last === undefined || ids.length !== limit) return {}
  const query = new URLSearchParams(call.request.query)
  query.delete('marker')
  query.sort()
  query.set('marker', last)
  return { [name]: [{ rel: 'next', href: `${call.request.base}${call.request.path}?${query}` }] }
}

/** Reads `limit`, capped as in nova.conf; `bad` is the refusal. */
export function pageLimit(call: NovaCall): { readonly limit: number | null; readonly bad?: ApiAnswer } {
  const asked = call.request.query.get('limit')
  if (asked === null) return { limit: null }
  if (!/^[0-9]*$/.test(asked))
    return {
      limit: null,
      bad: novaError(
        400,
        `Invalid input for query parameters limit. Value: ${asked}. '${asked}' does not match '^[0-9]*$'`,
      ),
    }
  return { limit: asked === '' ? null : Math.min(1000, Number(asked)) }
}

/** Reads a date-time parameter, or returns the refusal. */
export function dateParameter(call: NovaCall, name: string): { readonly at: number | null; readonly bad?: ApiAnswer } {
  const asked = call.request.query.get(name)
  if (asked === null) return { at: null }
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(asked) ? asked : `${asked}Z`)
  return Number.isNaN(at)
    ? {
        at: null,
        bad: novaError(
          400,
          `Invalid input for query parameters ${name}. Value: ${asked}. '${asked}' is not a 'date-time'`,
        ),
      }
    : { at }
}
