import { failure } from '../../../../shared/domain/failure.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { nodeOf } from '../../node-input.ts'
import { reportsBlockers } from './machine-off.ts'

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
  const read = await ctx.outlast(`node/${node}`, () => ctx.world.kubernetes.getNode(node, ctx.signal))
  if (!read.ok) return read
  const [reports] = reportsBlockers(read.value)
  if (reports !== undefined) return failed(refusal(node, reports.message))
  const { readinessSince } = read.value
  // Plans of earlier versions do not tell it.
  if (typeof input.silentSince !== 'string' || readinessSince === input.silentSince) return ok(undefined)
  return failed(
    refusal(
      node,
      `Kubernetes heard of ${node} again after this rescue was decided: it hears nothing since ${readinessSince ?? 'an unknown time'}, and heard nothing since ${input.silentSince} then. Its machine may run. Look at it: if it is off, abort this run and start a new rescue.`,
    ),
  )
}

function refusal(node: string, message: string) {
  return failure('conflict', `${message} Nothing more is done to it.`, { target: `node/${node}` })
}
