import type { Cluster } from '../../../../shared/domain/cluster.ts'
import { HealthGate, judgeGate, stopWords } from '../../../../shared/domain/health-gates.ts'
import type { Blocker, Evidence } from '../../../../shared/domain/plan.ts'
import { signalsOf } from '../../../../shared/domain/signals.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { BY_FORCE, evidence, passingOf, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import type { MaintenanceContext } from '../../node-input.ts'

/** Evidence shows so many values of one answer. */
const MOST_VALUES = 20

/** What the check counts: a gate, and whether it held when the operator looked. */
const GATE = 'health-gate'

/**
 * The operator's own measures of whether the cloud is well, asked of Prometheus before a node is taken: at the start, and again when each node's
 * turn comes. What cannot be told is not healthy. A person may go on in spite of it, with a reason. An override lifts the gates that were shown not
 * to hold: another one that fails later is news.
 */
export const healthGates = checkStep({
  kind: 'health-gates',
  role: 'general',
  why: 'You chose these measures: no node is taken while one of them says that the cloud is not well.',
  title: input =>
    `Health gates hold: ${gatesIn(input)
      .map(({ name }) => name)
      .join(', ')}`,
  check: async (input, ctx) => {
    const asked = await Promise.all(gatesIn(input).map(gate => askGate(gate, ctx)))
    const held = new Set(
      ctx.counted().flatMap(({ kind, id, values }) => (kind === GATE && values.held === true ? [id] : [])),
    )
    return readyUnless(
      asked.flatMap(({ name, blocker }) =>
        blocker === null ? [] : [held.has(name) ? { ...blocker, sinceConfirmed: true as const } : blocker],
      ),
      asked.map(({ words }) => words).join(' '),
      {
        evidence: asked.map(each => each.evidence),
        counted: asked.map(({ name, blocker }) => ({ kind: GATE, id: name, name, values: { held: blocker === null } })),
      },
    )
  },
})

/** The gates of a cluster as the input of their step: what was confirmed is what is asked, whatever is set meanwhile. Null: it has none. */
export function gatesInput(cluster: Cluster): StepInput | null {
  const gates = signalsOf(cluster).health?.gates ?? []
  return gates.length === 0 ? null : { gates: gates.map(gate => ({ ...gate, stopsWhen: { ...gate.stopsWhen } })) }
}

function gatesIn(input: StepInput): readonly HealthGate[] {
  return HealthGate.array().safeParse(input.gates).data ?? []
}

interface AskedGate {
  readonly name: string
  readonly words: string
  readonly blocker: Blocker | null
  readonly evidence: Evidence
}

async function askGate(gate: HealthGate, ctx: MaintenanceContext): Promise<AskedGate> {
  const { name, query, stopsWhen } = gate
  const { prometheus } = ctx.world
  const subject = `health gate ${name}`
  const told = { query, stopsWhen: stopWords(stopsWhen) }
  const unknown = (why: string, more: Partial<Blocker> = {}): Blocker => ({
    code: 'health-gate-unknown',
    message: `Whether ${name} is well cannot be told: ${why}.`,
    remedy: 'Look at Prometheus and at the query. What cannot be told is never taken for well.',
    override: BY_FORCE,
    mayGoOn: true,
    ...more,
  })
  if (prometheus === null) {
    const blocker = unknown('the settings of the cluster name no Prometheus')
    return { name, words: blocker.message, blocker, evidence: evidence(subject, ctx.at(), told) }
  }
  const answer = await prometheus.query(query, ctx.signal)
  if (!answer.ok) {
    const blocker = unknown(answer.failure.message.replace(/\.$/, ''), passingOf(answer.failure))
    return {
      name,
      words: blocker.message,
      blocker,
      evidence: evidence(subject, ctx.at(), { ...told, failure: answer.failure.message }),
    }
  }
  const { values, atMs } = answer.value
  const verdict = judgeGate(gate, answer.value, ctx.clock.now())
  const read = evidence(subject, ctx.at(), {
    ...told,
    // NaN and infinities are no JSON.
    values: values.slice(0, MOST_VALUES).map(({ labels, value }) => `${labels} ${value}`.trim()),
    count: values.length,
    evaluatedAt: new Date(atMs).toISOString(),
  })
  const words = `${name}: ${verdict.words}.`
  switch (verdict.kind) {
    case 'healthy':
      return { name, words, blocker: null, evidence: read }
    case 'cannot-tell':
      return { name, words, blocker: unknown(verdict.words), evidence: read }
    case 'stops':
      return {
        name,
        words,
        blocker: {
          code: 'health-gate-stops',
          message: `Health gate ${name} does not hold: ${verdict.words}.`,
          remedy: 'Wait until it is well again, then retry.',
          override: BY_FORCE,
          mayGoOn: true,
        },
        evidence: read,
      }
  }
}
