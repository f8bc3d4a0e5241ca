import { ok } from '../../../shared/domain/result.ts'
import type { Step } from '../../engine/step.ts'
import { cannotAsk, evidence, readyUnless } from '../answers.ts'
import { nodeOf } from '../node-input.ts'
import { heldMessage } from '../node-lease.ts'
import { type MaintenanceWorld, UPDATE_LEASE } from '../ports.ts'

/** Nobody else works on the node (style G26): the Leases of the node and of its cluster's update are free, or this run's own. */
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
    const { leases } = ctx.world.kubernetes
    const [holder, update] = await Promise.all([
      leases.holder(node, ctx.signal),
      // An update asks for its own Lease once, not for each node of it.
      input.ofUpdate === true ? ok(null) : leases.holder(UPDATE_LEASE, ctx.signal),
    ])
    if (!holder.ok) return cannotAsk(`The Lease of ${node}`, holder.failure)
    if (!update.ok) return cannotAsk('The Lease of the update of the cluster', update.failure)
    const by = holder.value
    const read = evidence(`lease of ${node}`, ctx.at(), {
      holder: by?.identity ?? null,
      runId: by?.runId ?? null,
      since: by?.since ?? null,
      renewedAt: by?.renewedAt ?? null,
      updateRunId: update.value?.runId ?? null,
    })
    const free = by === null || by.runId === ctx.runId
    const updating = update.value !== null && update.value.runId !== ctx.runId ? update.value : null
    return readyUnless(
      [
        ...(free
          ? []
          : [
              {
                code: 'held-by-another-run',
                message: `${by.operator ?? 'Somebody'} on ${by.machine ?? 'another machine'} works on ${node} since ${by.since ?? 'an unknown time'}: run ${by.runId ?? by.identity}.`,
                remedy: `Let that run finish or abort it. If its console is gone for good, the Lease expires ${by.durationSeconds} s after ${by.renewedAt ?? 'its last renewal'}.`,
                override: { kind: 'never', why: 'two runs on one node undo each other' },
              } as const,
            ]),
        ...(updating === null
          ? []
          : [
              {
                code: 'cluster-is-updated',
                message: `The whole cluster is being updated. ${heldMessage(ctx.world.cluster.name, updating)}`,
                remedy: `Maintain ${node} when the update is over.`,
                override: { kind: 'never', why: 'an update takes every node in its turn' },
              } as const,
            ]),
      ],
      by === null ? `Nobody holds ${node}.` : `This run holds ${node} already.`,
      { evidence: [read] },
    )
  },
}
