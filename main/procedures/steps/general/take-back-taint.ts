import { OUT_OF_SERVICE_ANNOTATION, OUT_OF_SERVICE_TAINT } from '../../../../shared/domain/rescue.ts'
import { UNTAINT_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, evidence, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'
import { isOutOfService, taintWords } from './out-of-service-taint.ts'

/** Kubernetes keeps pods on the node again: the taint of a machine that was off is taken away by whoever put it there, and by nobody else. */
export const takeBackTaint: Step<MaintenanceWorld> = {
  kind: 'take-back-taint',
  role: 'general',
  risk: 'reversible',
  why: 'Kubernetes removes every pod from a node that it was told is off, for as long as nobody says otherwise.',
  title: input => `Take the out-of-service taint from ${nodeOf(input)}`,
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 500,
  undo: 'Nothing to undo: the machine runs.',
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const taints = await ctx.world.kubernetes.listTaints(name, ctx.signal)
    if (!taints.ok) return cannotAsk(`The taints of ${name}`, taints.failure)
    const has = taints.value.some(isOutOfService)
    return ready(has ? `${name} has the taint.` : `${name} has the taint no more; the note of it is to go.`, {
      evidence: [evidence(`node/${name}`, ctx.at(), { taints: taints.value.map(taintWords) })],
      effects: has ? [{ kind: 'change', target: `node/${name}`, from: 'out of service', to: 'its pods are kept' }] : [],
    })
  },
  apply: async (input, ctx) => {
    const name = nodeOf(input)
    const { kubernetes } = ctx.world
    ctx.announce(UNTAINT_REQUESTED, `node/${name}`, { taint: taintWords(OUT_OF_SERVICE_TAINT) })
    const gone = await kubernetes.setTaint(name, OUT_OF_SERVICE_TAINT, false, ctx.signal)
    if (!gone.ok) return { kind: 'failed', failure: gone.failure }
    const noted = await kubernetes.annotateNode(name, { [OUT_OF_SERVICE_ANNOTATION]: null }, ctx.signal)
    if (!noted.ok) return { kind: 'failed', failure: noted.failure }
    return {
      kind: 'applied',
      note: gone.value.changed ? `${name} has the taint no more.` : `${name} had no such taint.`,
    }
  },
  verify: async (input, ctx) => {
    const name = nodeOf(input)
    const taints = await ctx.world.kubernetes.listTaints(name, ctx.signal)
    if (!taints.ok) return cannotVerify(`The taints of ${name}`, taints.failure)
    const read = evidence(`node/${name}`, ctx.at(), { taints: taints.value.map(taintWords) })
    return taints.value.some(isOutOfService)
      ? fails(`${name} still has the out-of-service taint.`, 'Somebody put it there again; find out who.', [read])
      : holds(`${name} has no out-of-service taint.`, [read])
  },
}
