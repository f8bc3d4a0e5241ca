import type { Step } from '../../../engine/step.ts'
import { cannotAsk, evidence, readyUnless } from '../../../maintenance/answers.ts'
import { type MaintenanceWorld, UPDATE_LEASE } from '../../../maintenance/ports.ts'

/** One driver a cluster: nobody else holds the Lease of its update (style G26). */
export const noOtherDriver: Step<MaintenanceWorld> = {
  kind: 'no-other-driver',
  role: 'general',
  risk: 'none',
  why: 'Two consoles that update one cluster undo each other.',
  title: () => 'Nobody else drives an update of this cluster',
  verifyEarly: false,
  withinMs: 30_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (_input, ctx) => {
    const holder = await ctx.world.kubernetes.leases.holder(UPDATE_LEASE, ctx.signal)
    if (!holder.ok) return cannotAsk("The Lease of the cluster's update", holder.failure)
    const by = holder.value
    const isFree = by === null || by.runId === ctx.runId
    return readyUnless(
      isFree
        ? []
        : [
            {
              code: 'held-by-another-run',
              message: `${by.operator ?? 'Somebody'} on ${by.machine ?? 'another machine'} updates ${ctx.world.cluster.name} since ${by.since ?? 'an unknown time'}: run ${by.runId ?? by.identity}.`,
              remedy: `Let that run finish or abort it. If its console is gone for good, the Lease expires ${by.durationSeconds} s after ${by.renewedAt ?? 'its last renewal'}.`,
              override: { kind: 'never', why: 'two drivers on one cluster undo each other' },
            },
          ],
      by === null ? 'Nobody drives an update.' : 'This run drives the update already.',
      {
        evidence: [
          evidence('lease of the update', ctx.at(), { holder: by?.identity ?? null, runId: by?.runId ?? null }),
        ],
      },
    )
  },
}
