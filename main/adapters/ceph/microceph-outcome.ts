import { z } from 'zod'
import { failure } from '../../../shared/domain/failure.ts'
import type { JujuActionOutcome } from '../../../shared/domain/juju.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { firstWords } from '../../../shared/grammar/first-words.ts'
import { redactText } from '../../log/redact.ts'
import type { MicroCephOutcome } from '../../ports/ceph.ts'

const Operation = z.object({
  id: z.string().min(1),
  description: z.string().default(''),
  error: z.string().default(''),
})

/** `{actions: {step-1: {id, description, error}, …}, errors, status}` (docs/domain.md C.2). */
const Output = z.object({
  // Results hold no empty records: Juju leaves them out.
  actions: z.record(z.string(), Operation).default({}),
  errors: z.string().default(''),
  status: z.enum(['success', 'failure']),
})

/** Reads what the charm's action came to. Its own word counts beside Juju's: an action may complete and tell of a failure. */
export function readMicroCephOutcome(
  outcome: JujuActionOutcome,
  action: string,
  unit: string,
  /** Whether it has at least one operation to tell of: then an answer without any is none. */
  hasSteps: boolean,
): Result<MicroCephOutcome> {
  const isOver = outcome.status === 'completed'
  const read = Output.safeParse({ ...(isOver ? {} : { status: 'failure' }), ...nested(outcome.output) })
  const isTold = read.success && (!isOver || !hasSteps || Object.keys(read.data.actions).length > 0)
  if (!read.success || !isTold) {
    const words = firstWords(redactText(JSON.stringify(outcome.output)))
    const why = read.success
      ? 'no operations'
      : read.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join('; ')
    return failed(
      failure(
        'unreadable',
        `Could not run ${action} on ${unit}: the action ended as ${outcome.status}, and what it told (“${words}”) is not what MicroCeph's charm tells. It is unknown whether it was done: look before you try again. Is the charm supported?`,
        { detail: why, target: `unit/${unit}` },
      ),
    )
  }
  const { actions, errors, status } = read.data
  const steps = Object.entries(actions)
    .sort(([one], [other]) => numberOf(one) - numberOf(other))
    .map(([, step]) => ({ ...step, description: redactText(step.description), error: redactText(step.error) }))
  const wrong = steps.filter(({ error }) => error !== '')
  const succeeded = isOver && status === 'success' && errors === ''
  const said = wrong.map(({ description, error }) => `${description.replace(/\.$/, '')}: ${error}`).join('; ')
  return ok({
    succeeded,
    steps,
    message: succeeded ? '' : said || redactText(errors || outcome.message) || `the action ended as ${outcome.status}`,
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
