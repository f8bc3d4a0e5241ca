import { z } from 'zod'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import { createEndpoint, type EndpointAccess } from '../../../adapters/http/endpoint.ts'
import type { AlertmanagerPort } from '../ports/alertmanager.ts'

const Posted = z.looseObject({ silenceID: z.string().min(1) })
const Seen = z.looseObject({
  id: z.string(),
  status: z.looseObject({ state: z.enum(['active', 'pending', 'expired']) }),
  startsAt: z.iso.datetime({ offset: true }),
  endsAt: z.iso.datetime({ offset: true }),
})
const Listed = z.array(
  Seen.extend({
    comment: z.string(),
    matchers: z.array(
      z.looseObject({ name: z.string(), value: z.string(), isRegex: z.boolean(), isEqual: z.boolean().default(true) }),
    ),
  }),
)
const Status = z.looseObject({ versionInfo: z.looseObject({ version: z.string() }) })

/** What an answer should be, and was not. */
type NotThat = 'NotAnAlertmanagerStatus' | 'NotASilence' | 'NotASilenceId' | 'NotASilenceList'

/** An Alertmanager by its API v2. */
export function createAlertmanagerPort(
  access: Omit<EndpointAccess, 'system'>,
  how: Omit<Parameters<typeof createEndpoint>[1], 'isExplained'>,
): AlertmanagerPort {
  const endpoint = createEndpoint({ ...access, system: 'Alertmanager' }, how)
  const server = endpoint.name
  const read = <T>(schema: z.ZodType<T>, json: unknown, otherwise: NotThat): Result<T> => {
    const found = schema.safeParse(json)
    return found.success ? ok(found.data) : failed(refusal('unreadable', because(otherwise, { server })))
  }
  const version: AlertmanagerPort['version'] = async signal => {
    const answer = await endpoint.request({ method: 'GET', path: '/api/v2/status', signal })
    if (!answer.ok) return answer
    const status = read(Status, answer.value.json, 'NotAnAlertmanagerStatus')
    return status.ok ? ok(status.value.versionInfo.version) : status
  }
  return {
    keep: async ({ id, matchers, ...silence }, signal) => {
      const answer = await endpoint.request({
        method: 'POST',
        path: '/api/v2/silences',
        body: { ...(id === null ? {} : { id }), ...silence, matchers },
        signal,
      })
      if (!answer.ok) return answer
      const posted = read(Posted, answer.value.json, 'NotASilenceId')
      return posted.ok ? ok(posted.value.silenceID) : posted
    },
    find: async (words, signal) => {
      const answer = await endpoint.request({ method: 'GET', path: '/api/v2/silences', signal })
      if (!answer.ok) return answer
      const listed = read(Listed, answer.value.json, 'NotASilenceList')
      if (!listed.ok) return listed
      return ok(
        listed.value
          .filter(({ comment, status }) => status.state !== 'expired' && comment.includes(words))
          .map(({ id, status, startsAt, endsAt, matchers }) => ({
            id,
            state: status.state,
            startsAt,
            endsAt: new Date(endsAt).toISOString(),
            matchers: matchers.map(({ name, value, isRegex, isEqual }) => ({ name, value, isRegex, isEqual })),
          })),
      )
    },
    look: async (id, signal) => {
      const answer = await endpoint.request({
        method: 'GET',
        path: `/api/v2/silence/${encodeURIComponent(id)}`,
        signal,
      })
      if (!answer.ok) {
        // For an unknown silence Alertmanager answers 404 without a body (get_silence_responses.go); a proxy before it may also answer 404.
        if (answer.failure.code !== 'not-found' || answer.failure.detail !== '') return answer
        return (await version(signal)).ok ? ok(null) : answer
      }
      const seen = read(Seen, answer.value.json, 'NotASilence')
      if (!seen.ok) return seen
      if (seen.value.id !== id) {
        return failed(refusal('unreadable', because('OtherSilence', { server })))
      }
      const { status, startsAt, endsAt } = seen.value
      return ok({ state: status.state, startsAt, endsAt: new Date(endsAt).toISOString() })
    },
    end: async (id, signal) => {
      const answer = await endpoint.request({
        method: 'DELETE',
        path: `/api/v2/silence/${encodeURIComponent(id)}`,
        signal,
      })
      return answer.ok ? ok(undefined) : answer
    },
    version,
  }
}
