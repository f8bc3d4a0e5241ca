import type { z } from 'zod'
import {
  type Contract,
  type EventName,
  type EventPayload,
  events,
  type RequestInput,
  type RequestName,
  type RequestOutput,
  requests,
} from '../../shared/contract/index.ts'
import { type Failure, failure } from '../../shared/domain/failure.ts'
import { failed, type Result } from '../../shared/domain/result.ts'
import type { Clock } from '../clock/clock.ts'
import type { Logger } from '../log/logger.ts'

/** What answers one request: its input is parsed already, its expected failures are values. */
type Handler<N extends RequestName> = (
  input: z.output<(typeof requests)[N]['input']>,
) => Promise<Result<RequestOutput<N>>>

/** A handler for every name of the contract; a missing one does not compile. */
export type Handlers = { readonly [N in RequestName]: Handler<N> }

/** Sends an event to every listener of the faces. */
export type Emit = <N extends EventName>(name: N, payload: EventPayload<N>) => void

/** The one router every face talks to (style G13): validates, answers in envelopes, turns crashes into failures, logs durations. */
interface Router {
  readonly contract: Contract
  readonly emit: Emit
}

/** Builds the router; `handlersOf` gets the way to send events. */
export function createRouter(
  handlersOf: (emit: Emit) => Handlers,
  clock: Clock,
  log: Logger,
  /** Why a request is not answered at all just now. */
  refusalOf: (name: RequestName) => Failure | null = () => null,
): Router {
  const listeners = new Map<EventName, Set<(payload: never) => void>>()
  const emit: Emit = (name, payload) => {
    for (const listener of listeners.get(name) ?? []) {
      try {
        listener(payload as never)
      } catch (error) {
        log.error('a listener of an event failed', { event: name, error })
      }
    }
  }
  const handlers = handlersOf(emit)

  async function ask<N extends RequestName>(name: N, input: RequestInput<N>): Promise<Result<RequestOutput<N>>> {
    if (!Object.hasOwn(requests, name)) {
      return failed(failure('bad-input', `There is no request named ${String(name).slice(0, 60)}.`))
    }
    const parsed = requests[name].input.safeParse(input)
    if (!parsed.success)
      return failed(failure('bad-input', `${name} cannot be used like this: ${issuesOf(parsed.error)}.`))
    const refused = refusalOf(name)
    if (refused !== null) return failed(refused)
    const began = clock.now()
    try {
      const handler = handlers[name] as Handler<N>
      const answer = await handler(parsed.data as z.output<(typeof requests)[N]['input']>)
      log.debug('request', {
        name,
        ok: answer.ok,
        code: answer.ok ? undefined : answer.failure.code,
        ms: clock.now() - began,
      })
      return answer
    } catch (error) {
      log.error('a request crashed', { name, error })
      return failed(
        failure(
          'internal',
          `Lockkeeper failed on its own side while handling ${name}. Nothing more was done; the log has the details.`,
        ),
      )
    }
  }

  return {
    emit,
    contract: {
      ask,
      listen: (name, onEvent) => {
        if (!Object.hasOwn(events, name)) throw new Error(`Broken invariant: there is no event named ${String(name)}`)
        const set = listeners.get(name) ?? new Set()
        listeners.set(name, set)
        const listener = onEvent as (payload: never) => void
        set.add(listener)
        return () => set.delete(listener)
      },
    },
  }
}

/** The issues of a refused input, by path, without its values and without keys that are not ours (they may be secret). */
function issuesOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map(issue => {
      const message = issue.code === 'unrecognized_keys' ? 'has keys that are not known' : issue.message
      return `${issue.path.join('.') || 'input'}: ${message}`
    })
    .join('; ')
}
