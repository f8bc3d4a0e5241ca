import { UPDATE_LEASE } from '../../../../shared/domain/lease-name.ts'
import { isGone } from '../../../../shared/domain/lease-standing.ts'
import { cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import {
  LIVES_WITHIN_MS,
  seemsGone,
  seemsGoneWords,
  seenWords,
  sinceWords,
  skewAnswer,
  waitRemedy,
  watchHolder,
} from '../general/node-lease.ts'

/** One driver a cluster: nobody else holds the Lease of work on many nodes (style G26). */
export const noOtherDriver = checkStep({
  kind: 'no-other-driver',
  role: 'general',
  why: 'Two consoles that work on many nodes of one cluster undo each other.',
  title: () => 'Nobody else drives work on many nodes of this cluster',
  check: async (_input, ctx) => {
    const holder = await watchHolder(UPDATE_LEASE, ctx, LIVES_WITHIN_MS)
    if (!holder.ok) return cannotAsk('The Lease of work on many nodes of the cluster', holder.failure)
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
            {
              code: 'held-by-another-run',
              message: `${other.operator ?? 'Somebody'} on ${other.machine ?? 'another machine'} works on many nodes of ${cluster} since ${sinceWords(other)}: run ${other.runId ?? other.identity}. ${seenWords(other)}`,
              remedy: waitRemedy(other),
              override: { kind: 'never', why: 'two drivers on one cluster undo each other' },
            },
          ],
      by === null || isGone(by)
        ? 'Nobody drives work on many nodes.'
        : by.runId === ctx.runId
          ? 'This run holds the Lease already.'
          : 'The Lease is held by a console that seems gone.',
      {
        evidence: [
          evidence('lease of the update', ctx.at(), {
            holder: by?.identity ?? null,
            runId: by?.runId ?? null,
            unchangedForMs: by === null ? null : Math.round(by.unchangedForMs),
          }),
          ...skew.evidence,
        ],
        warnings: silent === null ? skew.warnings : [seemsGoneWords(cluster, silent), ...skew.warnings],
      },
    )
  },
})
