import type { Step } from '../../engine/step.ts'
import { cannotAsk, evidence, readyUnless } from '../answers.ts'
import { nodeOf } from '../node-input.ts'
import type { MaintenanceWorld } from '../ports.ts'

/** Nobody else works on the node (style G26): the Lease of the node is free, or this run's own. */
export const noOtherRun: Step<MaintenanceWorld> = {
  kind: 'no-other-run',
  role: 'general',
  risk: 'none',
  why: 'Two consoles on one node undo each other.',
  title: input => `No other run holds ${nodeOf(input)}`,
  verifyEarly: false,
  withinMs: 30_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const holder = await ctx.world.kubernetes.leases.holder(node, ctx.signal)
    if (!holder.ok) return cannotAsk(`The Lease of ${node}`, holder.failure)
    const by = holder.value
    const read = evidence(`lease of ${node}`, ctx.at(), {
      holder: by?.identity ?? null,
      runId: by?.runId ?? null,
      since: by?.since ?? null,
      renewedAt: by?.renewedAt ?? null,
    })
    const free = by === null || by.runId === ctx.runId
    return readyUnless(
      free
        ? []
        : [
            {
              code: 'held-by-another-run',
              message: `${by.operator ?? 'Somebody'} on ${by.machine ?? 'another machine'} works on ${node} since ${by.since ?? 'an unknown time'}: run ${by.runId ?? by.identity}.`,
              remedy: `Let that run finish or abort it. If its console is gone for good, the Lease expires ${by.durationSeconds} s after ${by.renewedAt ?? 'its last renewal'}.`,
              override: { kind: 'never', why: 'two runs on one node undo each other' },
            },
          ],
      by === null ? `Nobody holds ${node}.` : `This run holds ${node} already.`,
      { evidence: [read] },
    )
  },
}
