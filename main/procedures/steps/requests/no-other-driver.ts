import { UPDATE_LEASE } from '../../../../shared/domain/lease-name.ts'
import { isGone } from '../../../../shared/domain/lease-state.ts'
import { seenWords, sinceWords, waitRemedy } from '../../../../shared/words/leases.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { LIVES_WITHIN_MS, seemsGone, skewAnswer, watchHolder } from '../general/node-lease.ts'

/** Nobody else holds the Lease of work on many nodes (style G26). */
export const noOtherDriver = checkStep({
  kind: 'no-other-driver',
  role: 'general',
  ...stepText('no-other-driver'),
  check: async (_input, ctx) => {
    const holder = await watchHolder(UPDATE_LEASE, ctx, LIVES_WITHIN_MS)
    if (!holder.ok) return cannotAsk(thing('ManyLease'), holder.failure)
    const by = holder.value
    const cluster = ctx.world.cluster.name
    const other = by === null || by.runId === ctx.runId || isGone(by) ? null : by
    const silent = other !== null && seemsGone(other) ? other : null
    const clocks = await ctx.world.clocks(ctx.signal)
    const skew = skewAnswer(clocks, ctx.at())
    return readyUnless(
      other === null || silent !== null
        ? skew.blockers
        : [
            ...skew.blockers,
            blocker(
              fault('ManyNodesHeldByAnotherRun', {
                operator: other.operator,
                machine: other.machine,
                cluster,
                since: sinceWords(other),
                run: other.runId ?? other.identity,
                seen: seenWords(other),
                wait: waitRemedy(other),
              }),
            ),
          ],
      found(
        by === null || isGone(by)
          ? 'NoOtherDriver'
          : by.runId === ctx.runId
            ? 'UpdateLeaseIsOurs'
            : 'UpdateLeaseSeemsGone',
      ),
      {
        evidence: [
          evidence('lease of the update', ctx.at(), {
            holder: by?.identity ?? null,
            runId: by?.runId ?? null,
            unchangedForMs: by === null ? null : Math.round(by.unchangedForMs),
          }),
          ...skew.evidence,
        ],
        warnings:
          silent === null
            ? skew.warnings
            : [found('HolderSeemsGone', { subject: cluster, holder: silent }), ...skew.warnings],
      },
    )
  },
})
