import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { refusal } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { nodeOf } from '../../node-input.ts'
import { reportsOf } from './machine-off.ts'

/** Since when Kubernetes heard nothing of a machine as a person decided to rescue it: in the input of each step of the plan that acts on that. */
export function silentSinceInput({ readiness, readinessSince }: ClusterNode): { readonly silentSince?: string } {
  return readiness === 'unknown' && readinessSince !== null ? { silentSince: readinessSince } : {}
}

/**
 * Proves by Kubernetes that a machine is off as it was when a person decided that: nothing is heard of it, and nothing was heard since. To be called before every effect
 * that is right only for a machine that is off: whoever resumes a run knows nothing of what the machine did meanwhile, and one that came back and was cut off from the
 * network looks as one that is off.
 */
export async function staysAway(input: StepInput, ctx: MaintenanceContext): Promise<Result<void>> {
  const node = nodeOf(input)
  const read = await ctx.retryTransient(`node/${node}`, () => ctx.world.kubernetes.getNode(node, ctx.signal))
  if (!read.ok) return read
  const target = { target: `node/${node}` }
  const reports = reportsOf(read.value)
  if (reports !== null) return failed(refusal('conflict', fault('MachineReportsAgain', reports), target))
  const { readinessSince } = read.value
  // Plans of earlier versions do not tell it.
  if (typeof input.silentSince !== 'string' || readinessSince === input.silentSince) return ok(undefined)
  const received = fault('HeardOfAgain', { node, since: readinessSince, decidedSince: input.silentSince })
  return failed(refusal('conflict', received, target))
}
