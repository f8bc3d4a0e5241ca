import type { z } from 'zod'
import {
  type Contract,
  events,
  type RequestInput,
  type RequestName,
  type RequestOutput,
  requests,
} from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { failed, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { Events } from './events.ts'

type Handler<N extends RequestName> = (
  input: z.output<(typeof requests)[N]['input']>,
) => Promise<Result<RequestOutput<N>>>

export type Handlers = { readonly [N in RequestName]: Handler<N> }

/** The router for all faces (style G13): validates, answers in envelopes, turns crashes into failures, logs durations. */
export function createRouter(
  /** A build without a wing lacks the handlers of its requests. */
  handlers: Partial<Handlers>,
  heard: Pick<Events, 'on'>,
  clock: Clock,
  log: Logger,
  /** Why a request is refused before its handler. */
  refusalOf: (name: RequestName) => Failure | null = () => null,
): Contract {
  async function ask<N extends RequestName>(name: N, input: RequestInput<N>): Promise<Result<RequestOutput<N>>> {
    if (!Object.hasOwn(requests, name)) {
      return failed(refusal('bad-input', because('NoSuchApiRequest', { request: String(name).slice(0, 60) })))
    }
    const parsed = requests[name].input.safeParse(input)
    if (!parsed.success)
      return failed(refusal('bad-input', because('ApiInputUnfit', { request: name, issues: issuesOf(parsed.error) })))
    const refused = refusalOf(name)
    if (refused !== null) return failed(refused)
    const handler: Handler<N> | undefined = handlers[name]
    if (handler === undefined) return failed(refusal('not-found', because('PartLeftOut', { what: name })))
    const began = clock.now()
    try {
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
      return failed(refusal('internal', because('ApiCrashed', { request: name })))
    }
  }

  return {
    ask,
    listen: (name, onEvent) => {
      if (!Object.hasOwn(events, name)) throw new Error(`Broken invariant: there is no event named ${String(name)}`)
      return heard.on(name, onEvent)
    },
  }
}

/** The problems of an invalid input by path, without values and unknown keys, which may be secret. */
function issuesOf(error: z.ZodError) {
  return error.issues.slice(0, 5).map(issue => ({
    path: issue.path.join('.') || 'input',
    issue: issue.code === 'unrecognized_keys' ? null : issue.message,
  }))
}
