import { failure } from '../../../../shared/domain/failure.ts'
import type { NodeTaint } from '../../../../shared/domain/kubernetes.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { OUT_OF_SERVICE_ANNOTATION, OUT_OF_SERVICE_TAINT } from '../../../../shared/domain/rescue.ts'
import { TAINT_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, evidence, fails, holds, readyUnless } from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { reportedNothing } from '../compute/compute-silence.ts'
import { staysAway } from './machine-away.ts'
import { reportsBlockers } from './machine-off.ts'

/** From here on Kubernetes acts on the taint by itself (feature gate NodeOutOfServiceVolumeDetach: beta in 1.26, GA in 1.28). */
const ACTS_SINCE_MINOR = 26

/**
 * Kubernetes lets go of a machine that is off (Kubernetes documentation, "Non-graceful node shutdown"): its pods are removed by force and their volumes
 * detached, so that StatefulSets start elsewhere. Only of one that does not report: a pod that runs there would share its volume with its successor.
 */
export const outOfServiceTaint: Step<MaintenanceWorld> = {
  kind: 'out-of-service-taint',
  role: 'general',
  risk: 'disruptive',
  why: 'Pods with volumes start nowhere else while Kubernetes takes them for still running on a machine that is off.',
  title: input => `Have Kubernetes let go of the pods of ${nodeOf(input)}`,
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 1_000,
  undo: 'Bring the node back into service once its machine runs: that takes the taint away.',
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const [node, taints, versions] = await Promise.all([
      ctx.world.kubernetes.getNode(name, ctx.signal),
      ctx.world.kubernetes.listTaints(name, ctx.signal),
      ctx.world.versions(ctx.signal),
    ])
    if (!node.ok) return cannotAsk(`Node ${name}`, node.failure)
    if (!taints.ok) return cannotAsk(`The taints of ${name}`, taints.failure)
    const read = evidence(`node/${name}`, ctx.at(), { taints: taints.value.map(taintWords) })
    if (taints.value.some(isOutOfService)) return done(`${name} has the taint already.`, { evidence: [read] })
    return readyUnless(
      [...reportsBlockers(node.value), ...tooOld(versions.Kubernetes)],
      `${name} is to get the taint ${TAINT_WORDS}.`,
      {
        evidence: [read],
        effects: [{ kind: 'change', target: `node/${name}`, from: 'its pods are kept', to: 'its pods are let go of' }],
        warnings: [
          `Every pod on ${name} is removed by force, and its volumes are detached. Whoever switches the machine on has to know that the taint goes only when the node is brought back into service.`,
        ],
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
    if (taints.value.some(isOutOfService)) return { kind: 'applied', note: `${name} has the taint already.` }
    const [reports] = reportsBlockers(node.value)
    if (reports !== undefined) {
      return {
        kind: 'failed',
        failure: failure('conflict', `${reports.message} It gets no taint.`, { target: `node/${name}` }),
      }
    }
    for (const proof of [await staysAway(input, ctx), await reportedNothing(ctx)]) {
      if (!proof.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: proof.failure }
    }
    return put(name, ctx)
  },
  verify: async (input, ctx) => {
    const name = nodeOf(input)
    const taints = await ctx.world.kubernetes.listTaints(name, ctx.signal)
    if (!taints.ok) return cannotVerify(`The taints of ${name}`, taints.failure)
    const read = evidence(`node/${name}`, ctx.at(), { taints: taints.value.map(taintWords) })
    return taints.value.some(isOutOfService)
      ? holds(`${name} has the taint ${TAINT_WORDS}.`, [read])
      : fails(`${name} does not have the taint ${TAINT_WORDS}.`, 'Somebody took it away; find out who.', [read])
  },
}

async function put(name: string, ctx: MaintenanceContext) {
  const { kubernetes } = ctx.world
  ctx.announce(TAINT_REQUESTED, `node/${name}`, { taint: TAINT_WORDS })
  // The note first: a taint without one is somebody else's, and stays.
  const noted = await kubernetes.annotateNode(name, { [OUT_OF_SERVICE_ANNOTATION]: ctx.runId }, ctx.signal)
  if (!noted.ok) return { kind: 'failed' as const, failure: noted.failure }
  const answer = await kubernetes.setTaint(name, OUT_OF_SERVICE_TAINT, true, ctx.signal)
  return answer.ok
    ? { kind: 'applied' as const, note: `${name} has the taint ${TAINT_WORDS}.` }
    : { kind: 'failed' as const, failure: answer.failure }
}

function tooOld(version: string | undefined): readonly Blocker[] {
  const minor = /^v?1\.(\d+)/.exec(version ?? '')?.[1]
  if (minor === undefined || Number(minor) >= ACTS_SINCE_MINOR) return []
  return [
    {
      code: 'taint-unknown',
      message: `Kubernetes ${version} does nothing by the taint ${TAINT_WORDS}.`,
      remedy:
        'Leave it out; delete the pods by force (`kubectl delete pod --force`) once you are sure that the machine is off.',
      override: { kind: 'never', why: 'it would come to nothing' },
    },
  ]
}

/** Whether it is the taint of a machine that is off. */
export function isOutOfService({ key, effect }: NodeTaint): boolean {
  return key === OUT_OF_SERVICE_TAINT.key && effect === OUT_OF_SERVICE_TAINT.effect
}

/** A taint as kubectl writes it. */
export function taintWords({ key, value, effect }: NodeTaint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`
}

const TAINT_WORDS = taintWords(OUT_OF_SERVICE_TAINT)
