import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { refusal } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { nodeOf } from '../../node-input.ts'
import { reportsOf } from './machine-off.ts'

/** Since when Kubernetes has received nothing, at the decision to rescue: the input of every step that relies on it. */
export function silentSinceInput({ readiness, readinessSince }: ClusterNode): { readonly silentSince?: string } {
  return readiness === 'unknown' && readinessSince !== null ? { silentSince: readinessSince } : {}
}

/** Proves before each effect that the machine has not reported since the decision: a resumed run does not know what it did meanwhile. */
export async function staysAway(input: StepInput, ctx: MaintenanceContext): Promise<Result<void>> {
  const node = nodeOf(input)
  const read = await ctx.retryTransient(`node/${node}`, () => ctx.world.kubernetes.getNode(node, ctx.signal))
  if (!read.ok) return read
  const target = { target: `node/${node}` }
  const reports = reportsOf(read.value)
  if (reports !== null) return failed(refusal('conflict', fault('MachineReportsAgain', reports), target))
  const { readinessSince } = read.value
  // Plans of earlier versions lack it.
  if (typeof input.silentSince !== 'string' || readinessSince === input.silentSince) return ok(undefined)
  const received = fault('HeardOfAgain', { node, since: readinessSince, decidedSince: input.silentSince })
  return failed(refusal('conflict', received, target))
}
