import type { NodeTaint } from '../../../../shared/domain/kubernetes.ts'
import { OUT_OF_SERVICE_ANNOTATION, OUT_OF_SERVICE_TAINT } from '../../../../shared/domain/rescue.ts'
import { TAINT_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { type Fault, fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { taintWords } from '../../../../shared/words/steps/general-machine.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import {
  applied,
  blocker,
  cannotAsk,
  cannotVerify,
  done,
  evidence,
  fails,
  holds,
  readyUnless,
  refusal,
} from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { reportedNothing } from '../compute/compute-silence.ts'
import { staysAway } from './machine-away.ts'
import { reportsOf } from './machine-off.ts'

/** Kubernetes acts on the taint since (feature gate NodeOutOfServiceVolumeDetach: beta in 1.26, GA in 1.28). */
const ACTS_SINCE_MINOR = 26

/**
 * Kubernetes deletes the pods of a machine that is off and detaches their volumes ("Non-graceful node shutdown"): StatefulSets then start elsewhere.
 */
export const outOfServiceTaint: Step<MaintenanceWorld> = {
  kind: 'out-of-service-taint',
  role: 'general',
  risk: 'disruptive',
  ...stepText('out-of-service-taint'),
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 1_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const [node, taints, versions] = await Promise.all([
      ctx.world.kubernetes.getNode(name, ctx.signal),
      ctx.world.kubernetes.listTaints(name, ctx.signal),
      ctx.world.versions(ctx.signal),
    ])
    if (!node.ok) return cannotAsk(thing('Node', { node: name }), node.failure)
    if (!taints.ok) return cannotAsk(thing('NodeTaints', { node: name }), taints.failure)
    const read = evidence(`node/${name}`, ctx.at(), { taints: taints.value.map(taintWords) })
    if (taints.value.some(isOutOfService)) return done(found('HasTaintAlready', { node: name }), { evidence: [read] })
    const reports = reportsOf(node.value)
    return readyUnless(
      [
        ...(reports === null ? [] : [blocker(fault('MachineReports', reports))]),
        ...tooOld(versions.Kubernetes).map(why => blocker(why)),
      ],
      found('WillGetTaint', { node: name, taint: TAINT_WORDS }),
      {
        evidence: [read],
        effects: [{ kind: 'change', target: `node/${name}`, from: 'its pods are kept', to: 'its pods are deleted' }],
        warnings: [found('PodsRemovedByForce', { node: name })],
      },
    )
  },
  apply: async (input, ctx) => {
    const name = nodeOf(input)
    const { kubernetes } = ctx.world
    const [node, taints] = await Promise.all([
      kubernetes.getNode(name, ctx.signal),
      kubernetes.listTaints(name, ctx.signal),
    ])
    if (!node.ok) return { kind: 'failed', failure: node.failure }
    if (!taints.ok) return { kind: 'failed', failure: taints.failure }
    if (taints.value.some(isOutOfService)) return applied(found('HasTaintAlready', { node: name }))
    const reports = reportsOf(node.value)
    if (reports !== null) {
      const refused = fault('GetsNoTaint', reports)
      return { kind: 'failed', failure: refusal('conflict', refused, { target: `node/${name}` }) }
    }
    for (const proof of [await staysAway(input, ctx), await reportedNothing(ctx)]) {
      if (!proof.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: proof.failure }
    }
    return put(name, ctx)
  },
  verify: async (input, ctx) => {
    const name = nodeOf(input)
    const taints = await ctx.world.kubernetes.listTaints(name, ctx.signal)
    if (!taints.ok) return cannotVerify(thing('NodeTaints', { node: name }), taints.failure)
    const read = evidence(`node/${name}`, ctx.at(), { taints: taints.value.map(taintWords) })
    return taints.value.some(isOutOfService)
      ? holds(found('HasTaint', { node: name, taint: TAINT_WORDS }), [read])
      : fails(fault('TaintGone', { node: name, taint: TAINT_WORDS }), [read])
  },
}

async function put(name: string, ctx: MaintenanceContext) {
  const { kubernetes } = ctx.world
  ctx.announce(TAINT_REQUESTED, `node/${name}`, { taint: TAINT_WORDS })
  // The note comes first: a taint without it is someone else's, and stays.
  const noted = await kubernetes.annotateNode(name, { [OUT_OF_SERVICE_ANNOTATION]: ctx.runId }, ctx.signal)
  if (!noted.ok) return { kind: 'failed' as const, failure: noted.failure }
  const answer = await kubernetes.setTaint(name, OUT_OF_SERVICE_TAINT, true, ctx.signal)
  return answer.ok
    ? applied(found('HasTaint', { node: name, taint: TAINT_WORDS }))
    : { kind: 'failed' as const, failure: answer.failure }
}

function tooOld(version: string | undefined): readonly Fault[] {
  const minor = /^v?1\.(\d+)/.exec(version ?? '')?.[1]
  if (version === undefined || minor === undefined || Number(minor) >= ACTS_SINCE_MINOR) return []
  return [fault('TaintNotKnown', { version, taint: TAINT_WORDS })]
}

export function isOutOfService({ key, effect }: NodeTaint): boolean {
  return key === OUT_OF_SERVICE_TAINT.key && effect === OUT_OF_SERVICE_TAINT.effect
}

const TAINT_WORDS = taintWords(OUT_OF_SERVICE_TAINT)
