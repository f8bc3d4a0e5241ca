import { OUT_OF_SERVICE_ANNOTATION, OUT_OF_SERVICE_TAINT } from '../../../../shared/domain/rescue.ts'
import { UNTAINT_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { taintWords } from '../../../../shared/words/steps/general-machine.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { applied, cannotAsk, cannotVerify, evidence, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'
import { isOutOfService } from './out-of-service-taint.ts'

/** Removes the out-of-service taint of an earlier run with its note: Kubernetes keeps pods there again. */
export const takeBackTaint: Step<MaintenanceWorld> = {
  kind: 'take-back-taint',
  role: 'general',
  risk: 'reversible',
  ...stepText('take-back-taint'),
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 500,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const taints = await ctx.world.kubernetes.listTaints(name, ctx.signal)
    if (!taints.ok) return cannotAsk(thing('NodeTaints', { node: name }), taints.failure)
    const has = taints.value.some(isOutOfService)
    return ready(found(has ? 'TaintToGo' : 'TaintNoteToGo', { node: name }), {
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
    return applied(found(gone.value.changed ? 'TaintTaken' : 'HadNoTaint', { node: name }))
  },
  verify: async (input, ctx) => {
    const name = nodeOf(input)
    const taints = await ctx.world.kubernetes.listTaints(name, ctx.signal)
    if (!taints.ok) return cannotVerify(thing('NodeTaints', { node: name }), taints.failure)
    const read = evidence(`node/${name}`, ctx.at(), { taints: taints.value.map(taintWords) })
    return taints.value.some(isOutOfService)
      ? fails(fault('TaintedAgain', { node: name }), [read])
      : holds(found('HasNoTaint', { node: name }), [read])
  },
}
