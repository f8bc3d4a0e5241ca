import { type LeaseName, nodeLease, UPDATE_LEASE } from '../../../../shared/domain/lease-name.ts'
import { isGone, type LeaseState } from '../../../../shared/domain/lease-state.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import { blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { isListedFree, LIVES_WITHIN_MS, seemsGone, skewAnswer, WORTH_WAITING_MS, watchHolder } from './node-lease.ts'

/** Nobody else works on the node (style G26): the Leases of the node and of work on many nodes are free, or this run's own. */
export const noOtherRun = checkStep({
  kind: 'no-other-run',
  role: 'general',
  ...stepText('no-other-run'),
  withinMs: 120_000,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const isOfUpdate = input.ofUpdate === true
    // A node's run reads the update's Lease after it took its own. An update takes no node's Lease, so this check must prove that none is held.
    const look = async (name: LeaseName) =>
      (await isListedFree(name, ctx)) ? ok(null) : watchHolder(name, ctx, LIVES_WITHIN_MS)
    const [holder, update] = await Promise.all([
      isOfUpdate ? watchHolder(nodeLease(node), ctx, WORTH_WAITING_MS) : look(nodeLease(node)),
      // An update checks its own Lease and the clocks once, not for each node.
      isOfUpdate ? ok(null) : look(UPDATE_LEASE),
    ])
    if (!holder.ok) return cannotAsk(thing('NodeLease', { node }), holder.failure)
    if (!update.ok) return cannotAsk(thing('ManyLease'), update.failure)
    const by = holder.value
    const read = evidence(`lease of ${node}`, ctx.at(), {
      holder: by?.identity ?? null,
      runId: by?.runId ?? null,
      since: by?.since ?? null,
      renewedAt: by?.renewedAt ?? null,
      unchangedForMs: by === null ? null : Math.round(by.unchangedForMs),
      seenRenewed: by?.seenRenewed ?? null,
      updateRunId: update.value?.runId ?? null,
    })
    const ofOther = (status: LeaseState | null) =>
      status === null || status.runId === ctx.runId || isGone(status) ? null : status
    const [other, updating] = [ofOther(by), ofOther(update.value)]
    const maySilentlyBeGone = (status: LeaseState | null) => status !== null && !isOfUpdate && seemsGone(status)
    const silent = [other, updating].filter(maySilentlyBeGone).filter(status => status !== null)
    const warnings = silent.map(status =>
      found('HolderSeemsGone', {
        subject: status === updating ? ctx.world.cluster.name : node,
        holder: status,
      }),
    )
    const clocks = isOfUpdate ? [] : await ctx.world.clocks(ctx.signal)
    const skew = skewAnswer(clocks, ctx.at())
    return readyUnless(
      [
        ...skew.blockers,
        ...(other === null || maySilentlyBeGone(other)
          ? []
          : [blocker(fault('HeldByOtherRun', { node, holder: other }))]),
        ...(updating === null || maySilentlyBeGone(updating)
          ? []
          : [blocker(fault('ManyUnderWay', { node, cluster: ctx.world.cluster.name, holder: updating }))]),
      ],
      freeFinding(node, by, ctx.runId),
      { evidence: [read, ...skew.evidence], warnings: [...warnings, ...skew.warnings] },
    )
  },
})

function freeFinding(node: string, by: LeaseState | null, runId: string): Finding {
  if (by === null) return found('NobodyHolds', { node })
  if (by.runId === runId) return found('ThisRunHolds', { node })
  return isGone(by) ? found('HolderGone', { node, holder: by }) : found('HolderSilent', { node })
}
