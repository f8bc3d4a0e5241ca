import { z } from 'zod'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import { createEndpoint, type EndpointAccess } from '../../../adapters/http/endpoint.ts'
import type { PrometheusPort, QueryAnswer } from '../../../ports/prometheus.ts'

/** Seconds since the epoch, and the value as text, because JSON has no `NaN` or `+Inf`. */
const Sample = z.tuple([z.number(), z.string()])

const Answer = z.discriminatedUnion('status', [
  z.looseObject({
    status: z.literal('success'),
    /** A store or remote did not answer, or the query may be wrong; the answer has data nevertheless (Prometheus, Thanos). */
    warnings: z.array(z.string()).nullish(),
    /** A part of the cluster did not answer (VictoriaMetrics). */
    isPartial: z.boolean().nullish(),
    data: z.discriminatedUnion('resultType', [
      z.looseObject({
        resultType: z.literal('vector'),
        result: z.array(z.looseObject({ metric: z.record(z.string(), z.string()), value: Sample })),
      }),
      z.looseObject({ resultType: z.literal('scalar'), result: Sample }),
    ]),
  }),
  z.looseObject({ status: z.literal('error'), errorType: z.string(), error: z.string() }),
])

/** A Prometheus by its HTTP API v1, or a program with the same API (Thanos, Mimir, VictoriaMetrics). */
export function createPrometheusPort(
  access: Omit<EndpointAccess, 'system'>,
  how: Omit<Parameters<typeof createEndpoint>[1], 'isExplained'>,
): PrometheusPort {
  // The body says if the query is wrong or took too long.
  const isExplained = (status: number) => status === 400 || status === 422
  const endpoint = createEndpoint({ ...access, system: 'Prometheus' }, { ...how, isExplained })
  const server = endpoint.name
  return {
    query: async (text, signal): Promise<Result<QueryAnswer>> => {
      const answer = await endpoint.request({
        method: 'POST',
        path: '/api/v1/query',
        query: { query: text },
        as: 'form',
        signal,
      })
      if (!answer.ok) return answer
      const read = Answer.safeParse(answer.value.json)
      if (!read.success) return failed(refusal('unreadable', because('NotAPrometheusAnswer', { server })))
      if (read.data.status === 'error') {
        const { errorType, error } = read.data
        return failed(
          refusal('bad-input', because('QueryRefused', { server, type: errorType, error: error.slice(0, 300) })),
        )
      }
      const { data, warnings, isPartial } = read.data
      const samples =
        data.resultType === 'scalar'
          ? [{ labels: '', sample: data.result }]
          : data.result.map(({ metric, value }) => ({ labels: labelText(metric), sample: value }))
      const values = samples.map(({ labels, sample: [, value] }) => ({ labels, value: numberIn(value) }))
      if (values.some(({ value }) => value === null))
        return failed(refusal('unreadable', because('NotAPrometheusValue', { server })))
      return ok({
        values: values.flatMap(({ labels, value }) => (value === null ? [] : [{ labels, value }])),
        atMs: samples.length === 0 ? how.clock.now() : Math.min(...samples.map(({ sample: [at] }) => at * 1000)),
        doubts: [
          ...(warnings ?? []).map(each => each.slice(0, 300)),
          ...(isPartial === true ? ['a part of the stores did not answer'] : []),
        ],
      })
    },
  }
}

function labelText(metric: Readonly<Record<string, string>>): string {
  const { __name__: name = '', ...labels } = metric
  const own = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`)
  return own.length === 0 ? name : `${name}{${own.join(', ')}}`
}

/** A number as Prometheus writes it (strconv.FormatFloat); null if it is not a number. */
function numberIn(text: string): number | null {
  if (text === 'NaN') return Number.NaN
  if (text === '+Inf' || text === 'Inf') return Number.POSITIVE_INFINITY
  if (text === '-Inf') return Number.NEGATIVE_INFINITY
  return /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : null
}
