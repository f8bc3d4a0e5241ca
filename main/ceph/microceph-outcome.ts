import { z } from 'zod'
import { failure } from '../../shared/domain/failure.ts'
import type { JujuActionOutcome } from '../../shared/domain/juju.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { MicroCephOutcome } from '../maintenance/ports.ts'

const Operation = z.object({
  id: z.string().default(''),
  description: z.string().default(''),
  error: z.string().default(''),
})

/** `{actions: {step-1: {id, description, error}, …}, errors, status}` (docs/domain.md C.2). */
const Output = z.object({
  actions: z.record(z.string(), Operation).default({}),
  errors: z.string().default(''),
  status: z.string().default(''),
})

/** Reads what the charm's action came to. Its own word counts beside Juju's: an action may complete and tell of a failure. */
export function readMicroCephOutcome(
  outcome: JujuActionOutcome,
  action: string,
  unit: string,
): Result<MicroCephOutcome> {
  const read = Output.safeParse(nested(outcome.output))
  if (!read.success) {
    return failed(
      failure('server-fault', `${unit} answered something unexpected to ${action}. Is its MicroCeph charm supported?`, {
        detail: read.error.issues[0]?.message,
        retryable: false,
      }),
    )
  }
  const { actions, errors, status } = read.data
  const steps = Object.entries(actions)
    .sort(([one], [other]) => numberOf(one) - numberOf(other))
    .map(([, step]) => step)
  const wrong = steps.filter(({ error }) => error !== '')
  const succeeded =
    outcome.status === 'completed' &&
    status !== 'failure' &&
    errors === '' &&
    (status === 'success' || wrong.length === 0)
  const said = wrong.map(({ description, error }) => `${description.replace(/\.$/, '')}: ${error}`).join('; ')
  return ok({
    succeeded,
    steps,
    message: succeeded ? '' : said || errors || outcome.message || `the action ended as ${outcome.status}`,
  })
}

/** `step-10` comes after `step-2`. */
function numberOf(key: string): number {
  return Number(/\d+$/.exec(key)?.[0] ?? 0)
}

/** Some versions of Juju hand on nested results as keys with dots. */
function nested(output: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const whole: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(output)) {
    const [first = '', second, third] = key.split('.')
    if (first !== 'actions' || second === undefined || third === undefined) {
      whole[key] = value
      continue
    }
    const actions = recordIn(whole, 'actions')
    recordIn(actions, second)[third] = value
  }
  return whole
}

function recordIn(of: Record<string, unknown>, key: string): Record<string, unknown> {
  const known = of[key]
  if (isRecord(known)) return known
  const made: Record<string, unknown> = {}
  of[key] = made
  return made
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
