import type { Cluster } from '../../../../shared/domain/cluster.ts'
import { type GateVerdict, HealthGate, judgeGate, stopWords } from '../../../../shared/domain/health-gates.ts'
import { signalsOf } from '../../../../shared/domain/signals.ts'
import type { Blocker, Evidence, Passing } from '../../../../shared/domain/step-answers.ts'
import { type Fault, fault, found, stepText } from '../../../../shared/words/step-texts.ts'
import type { UnknownGate } from '../../../../shared/words/steps/general.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { BY_FORCE, blocker, evidence, passingIfTransient, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import type { MaintenanceContext } from '../../node-input.ts'

const MOST_VALUES = 20

/** The kind of counted object: a gate, and whether it passed when the operator read the plan. */
const GATE = 'health-gate'

/** The operator's health gates, read from Prometheus before each node's turn. With a reason an operator may pass gates that had already failed. */
export const healthGates = checkStep({
  kind: 'health-gates',
  role: 'general',
  ...stepText('health-gates'),
  check: async (input, ctx) => {
    const asked = await Promise.all(gatesIn(input).map(gate => askGate(gate, ctx)))
    const held = new Set(
      ctx.counted().flatMap(({ kind, id, values }) => (kind === GATE && values.held === true ? [id] : [])),
    )
    return readyUnless(
      asked.flatMap(({ name, blocker }) =>
        blocker === null ? [] : [held.has(name) ? { ...blocker, sinceConfirmed: true as const } : blocker],
      ),
      found('HealthGatesHold', {
        gates: asked.flatMap(({ name, held: verdict }) => (verdict === null ? [] : [{ gate: name, verdict }])),
      }),
      {
        evidence: asked.map(each => each.evidence),
        counted: asked.map(({ name, blocker }) => ({ kind: GATE, id: name, name, values: { held: blocker === null } })),
      },
    )
  },
})

/** The confirmed gates as step input: later settings change nothing. Null if the cluster has none. */
export function gatesInput(cluster: Cluster): StepInput | null {
  const gates = signalsOf(cluster).health?.gates ?? []
  return gates.length === 0 ? null : { gates: gates.map(gate => ({ ...gate, stopsWhen: { ...gate.stopsWhen } })) }
}

function gatesIn(input: StepInput): readonly HealthGate[] {
  return HealthGate.array().safeParse(input.gates).data ?? []
}

interface AskedGate {
  readonly name: string
  readonly blocker: Blocker | null
  /** Null if it did not pass. */
  readonly held: Extract<GateVerdict, { kind: 'healthy' }> | null
  readonly evidence: Evidence
}

async function askGate(gate: HealthGate, ctx: MaintenanceContext): Promise<AskedGate> {
  const { name, query, stopsWhen } = gate
  const { prometheus } = ctx.world
  const subject = `health gate ${name}`
  const asked = { query, stopsWhen: stopWords(stopsWhen) }
  const unanswered = (why: UnknownGate['why'], passing: { readonly passing?: Passing }, more: Evidence['values']) => ({
    name,
    blocker: { ...blockerOf(fault('HealthGateUnknown', { gate: name, why })), ...passing },
    held: null,
    evidence: evidence(subject, ctx.at(), { ...asked, ...more }),
  })
  if (prometheus === null) return unanswered({ code: 'NoPrometheus' }, {}, {})
  const answer = await prometheus.query(query, ctx.signal)
  if (!answer.ok) {
    const { message: cause } = answer.failure
    return unanswered({ code: 'NoAnswer', cause }, passingIfTransient(answer.failure), { failure: cause })
  }
  const { values, atMs } = answer.value
  const verdict = judgeGate(gate, answer.value, ctx.clock.now())
  const read = evidence(subject, ctx.at(), {
    ...asked,
    // NaN and infinities are not valid JSON.
    values: values.slice(0, MOST_VALUES).map(({ labels, value }) => `${labels} ${value}`.trim()),
    count: values.length,
    evaluatedAt: new Date(atMs).toISOString(),
  })
  switch (verdict.kind) {
    case 'healthy':
      return { name, blocker: null, held: verdict, evidence: read }
    case 'cannot-tell':
      return {
        name,
        blocker: blockerOf(fault('HealthGateUnknown', { gate: name, why: verdict.why })),
        held: null,
        evidence: read,
      }
    case 'stops':
      return { name, blocker: blockerOf(fault('HealthGateStops', { gate: name, verdict })), held: null, evidence: read }
  }
}

function blockerOf(reason: Fault): Blocker {
  return { ...blocker(reason, BY_FORCE), mayGoOn: true }
}
