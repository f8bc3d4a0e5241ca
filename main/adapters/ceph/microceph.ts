import { z } from 'zod'
import { minutes, seconds } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { JujuActionOutcome, JujuUnit } from '../../../shared/domain/juju.ts'
import { jujuMachinesOf } from '../../../shared/domain/juju-units.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { firstWords } from '../../../shared/grammar/first-words.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { itemsOf } from '../../../shared/words/steps/coded.ts'
import { redactText } from '../../platform/log/redact.ts'
import type { MicroCephOutcome, MicroCephPort } from '../../ports/ceph.ts'
import type { JujuPort } from '../../ports/juju.ts'
import type { CommandOutput } from '../../ports/kubernetes.ts'
import type { RunCeph } from './toolbox.ts'

const APPLICATION = 'microceph'

const ACTION_LIMIT_MS = minutes(5)
const COMMAND_LIMIT_MS = seconds(60)

/** MicroCeph's charm actions, on the unit of one node (docs/domain.md C.2). */
export function createMicroCeph(juju: JujuPort): MicroCephPort {
  async function act(
    node: string,
    action: 'enter-maintenance' | 'exit-maintenance',
    parameters: Readonly<Record<string, boolean>>,
    hasSteps: boolean,
    signal?: AbortSignal,
  ) {
    const units = await microCephUnits(juju, signal)
    if (!units.ok) return units
    const machines = jujuMachinesOf(units.value, node)
    if (machines.kind === 'several')
      return failed(
        unitsOnOneNode(
          node,
          machines.records.flatMap(machine => machine.units),
        ),
      )
    const unit = machines.kind === 'one' ? machines.record.units[0] : undefined
    if (unit === undefined) return failed(noUnitOnNode(node, units.value))
    const more = { timeoutMs: ACTION_LIMIT_MS, ...(signal === undefined ? {} : { signal }) }
    const outcome = await juju.runAction(unit.name, action, parameters, more)
    return outcome.ok ? readMicroCephOutcome(outcome.value, action, unit.name, hasSteps) : outcome
  }
  return {
    // The charm's defaults differ from ours (set-noout is true), so every option is sent.
    enterMaintenance: (node, choices, signal) =>
      act(
        node,
        'enter-maintenance',
        {
          'set-noout': choices.setNoout,
          'stop-osds': choices.stopOsds,
          'check-only': choices.checkOnly,
          'dry-run': choices.dryRun,
          'ignore-check': choices.ignoreCheck,
          force: choices.force,
        },
        !choices.ignoreCheck || (!choices.checkOnly && (choices.setNoout || choices.stopOsds)),
        signal,
      ),
    exitMaintenance: (node, choices, signal) =>
      act(
        node,
        'exit-maintenance',
        {
          'check-only': choices.checkOnly,
          'dry-run': choices.dryRun,
          'ignore-check': choices.ignoreCheck,
        },
        !choices.checkOnly,
        signal,
      ),
  }
}

/** `ceph` by `juju exec` on a MicroCeph unit, first on the unit that answered last. A unit that does not answer may be in maintenance and is skipped. */
export function cephByJuju(juju: JujuPort): RunCeph {
  let known: string | null = null
  return async (words, signal) => {
    const command = ['microceph.ceph', ...words, '--format', 'json'].map(quoted).join(' ')
    const run = (unit: string) =>
      juju.exec(unit, command, { timeoutMs: COMMAND_LIMIT_MS, ...(signal === undefined ? {} : { signal }) })
    const passed = new Set<string>()
    let last: Result<CommandOutput> | null = null
    if (known !== null) {
      last = await run(known)
      if (!mayTryAnotherUnit(last, words)) return last
      passed.add(known)
      known = null
    }
    const units = await microCephUnits(juju, signal)
    if (!units.ok) return units
    for (const { name } of units.value.filter(doesAnswer)) {
      if (passed.has(name)) continue
      last = await run(name)
      if (last.ok) known = name
      if (!mayTryAnotherUnit(last, words)) return last
    }
    return last ?? failed(noUnitAnswers(units.value))
  }
}

async function microCephUnits(juju: JujuPort, signal?: AbortSignal): Promise<Result<readonly JujuUnit[]>> {
  const status = await juju.status(signal)
  if (!status.ok) return status
  const units = status.value.units.filter(({ application }) => application === APPLICATION)
  if (units.length > 0) return ok(units)
  const { model } = status.value
  return failed(refusal('not-found', because('MicroCephAbsent', { model, application: APPLICATION })))
}

/** A unit whose agent is lost or still being set up does not answer. */
function doesAnswer({ agent }: JujuUnit): boolean {
  return agent.status === 'idle' || agent.status === 'executing'
}

/** Whether another unit may be tried: this one did nothing, or the command only reads. A change without an answer is never repeated. */
function mayTryAnotherUnit(answer: Result<CommandOutput>, words: readonly string[]): boolean {
  if (answer.ok) return false
  const { code } = answer.failure
  if (code === 'not-found') return true
  return (code === 'timed-out' || code === 'unreachable') && !CHANGES.test(words.join(' '))
}

const CHANGES = /^osd (un)?set(-group)? /

function unitsOnOneNode(node: string, units: readonly JujuUnit[]): Failure {
  const reported = units.map(({ name, hostname }) => ({ unit: name, host: hostname }))
  return refusal('conflict', because('MicroCephSeveralUnits', { node, units: itemsOf(reported) }), {
    target: `node/${node}`,
  })
}

function noUnitOnNode(node: string, units: readonly JujuUnit[]): Failure {
  const others = units.map(({ name, hostname }) => ({ unit: name, host: hostname }))
  return refusal('not-found', because('MicroCephNotOnNode', { node, units: itemsOf(others) }), {
    target: `node/${node}`,
  })
}

function noUnitAnswers(units: readonly JujuUnit[]): Failure {
  const states = units.map(({ name, agent }) => ({ unit: name, agent: agent.status }))
  return refusal('unreachable', because('MicroCephSilent', { units: itemsOf(states) }))
}

function quoted(word: string): string {
  return /^[\w.,:=/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

const Operation = z.object({
  id: z.string().min(1),
  description: z.string().default(''),
  error: z.string().default(''),
})

/** `{actions: {step-1: {id, description, error}, …}, errors, status}` (docs/domain.md C.2). */
const Output = z.object({
  // Juju omits empty records.
  actions: z.record(z.string(), Operation).default({}),
  errors: z.string().default(''),
  status: z.enum(['success', 'failure']),
})

/** Reads the outcome of a charm action. The charm's own result counts too: a completed action may report a failure. */
function readMicroCephOutcome(
  outcome: JujuActionOutcome,
  action: string,
  unit: string,
  hasSteps: boolean,
): Result<MicroCephOutcome> {
  const hasEnded = outcome.status === 'completed'
  const read = Output.safeParse({ ...(hasEnded ? {} : { status: 'failure' }), ...nested(outcome.output) })
  const isReported = read.success && (!hasEnded || !hasSteps || Object.keys(read.data.actions).length > 0)
  if (!read.success || !isReported) {
    const output = firstWords(redactText(JSON.stringify(outcome.output)))
    const why = read.success
      ? 'no operations'
      : read.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join('; ')
    const strange = because('MicroCephAnswerUnreadable', { action, unit, status: outcome.status, output })
    return failed(refusal('unreadable', strange, { detail: why, target: `unit/${unit}` }))
  }
  const { actions, errors, status } = read.data
  const steps = Object.entries(actions)
    .sort(([one], [other]) => numberOf(one) - numberOf(other))
    .map(([, step]) => ({ ...step, description: redactText(step.description), error: redactText(step.error) }))
  const wrong = steps.filter(({ error }) => error !== '')
  const succeeded = hasEnded && status === 'success' && errors === ''
  const said = wrong.map(({ description, error }) => `${description.replace(/\.$/, '')}: ${error}`).join('; ')
  return ok({
    succeeded,
    steps,
    message: succeeded
      ? ''
      : said ||
        redactText(errors || outcome.message) ||
        because('MicroCephActionEnded', { status: outcome.status }).message,
  })
}

function numberOf(key: string): number {
  return Number(/\d+$/.exec(key)?.[0] ?? 0)
}

/** Some versions of Juju return nested results as keys with dots. */
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
