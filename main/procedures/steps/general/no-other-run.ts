import { type LeaseName, nodeLease, UPDATE_LEASE } from '../../../../shared/domain/lease-name.ts'
import { isGone, type LeaseStanding } from '../../../../shared/domain/lease-standing.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import {
  heldMessage,
  isListedFree,
  LIVES_WITHIN_MS,
  MANY_UNDER_WAY,
  seemsGone,
  seemsGoneWords,
  seenWords,
  sinceWords,
  skewAnswer,
  WORTH_WAITING_MS,
  waitRemedy,
  watchHolder,
} from './node-lease.ts'

/** Nobody else works on the node (style G26): the Leases of the node and of work on many nodes are free, or this run's own. */
export const noOtherRun = checkStep({
  kind: 'no-other-run',
  role: 'general',
  why: 'Two consoles on one node undo each other.',
  title: input => `No other run holds ${nodeOf(input)}`,
  withinMs: 120_000,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const isOfUpdate = input.ofUpdate === true
    // A run of a node takes its Lease and looks at the update's then; an update takes none of a node, so its holder has to be seen gone here.
    const look = async (name: LeaseName) =>
      (await isListedFree(name, ctx)) ? ok(null) : watchHolder(name, ctx, LIVES_WITHIN_MS)
    const [holder, update] = await Promise.all([
      isOfUpdate ? watchHolder(nodeLease(node), ctx, WORTH_WAITING_MS) : look(nodeLease(node)),
      // An update asks for its own Lease once, not for each node of it.
      isOfUpdate ? ok(null) : look(UPDATE_LEASE),
    ])
    if (!holder.ok) return cannotAsk(`The Lease of ${node}`, holder.failure)
    if (!update.ok) return cannotAsk('The Lease of work on many nodes of the cluster', update.failure)
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
    const ofOther = (standing: LeaseStanding | null) =>
      standing === null || standing.runId === ctx.runId || isGone(standing) ? null : standing
    const [other, updating] = [ofOther(by), ofOther(update.value)]
    const maySilentlyBeGone = (standing: LeaseStanding | null) =>
      standing !== null && !isOfUpdate && seemsGone(standing)
    const silent = [other, updating].filter(maySilentlyBeGone).filter(standing => standing !== null)
    const warnings = silent.map(standing =>
      seemsGoneWords(standing === updating ? ctx.world.cluster.name : node, standing),
    )
    // An update asks once, not for each node of it.
    const clocks = isOfUpdate ? [] : await ctx.world.clocks(ctx.signal)
    const skew = skewAnswer(clocks, ctx.at())
    return readyUnless(
      [
        ...skew.blockers,
        ...(other === null || maySilentlyBeGone(other)
          ? []
          : [
              {
                code: 'held-by-another-run',
                message: `${other.operator ?? 'Somebody'} on ${other.machine ?? 'another machine'} works on ${node} since ${sinceWords(other)}: run ${other.runId ?? other.identity}. ${seenWords(other)}`,
                remedy: waitRemedy(other),
                override: { kind: 'never', why: 'two runs on one node undo each other' },
              } as const,
            ]),
        ...(updating === null || maySilentlyBeGone(updating)
          ? []
          : [
              {
                code: 'cluster-is-updated',
                message: `${MANY_UNDER_WAY} ${heldMessage(ctx.world.cluster.name, updating)}`,
                remedy: `Maintain ${node} when that run is over.`,
                override: { kind: 'never', why: 'that run takes its nodes in turn' },
              } as const,
            ]),
      ],
      freeWords(node, by, ctx.runId),
      { evidence: [read, ...skew.evidence], warnings: [...warnings, ...skew.warnings] },
    )
  },
})

function freeWords(node: string, by: LeaseStanding | null, runId: string): string {
  if (by === null) return `Nobody holds ${node}.`
  if (by.runId === runId) return `This run holds ${node} already.`
  if (isGone(by)) return `${heldMessage(node, by)} It may be taken over.`
  return `${node} is held by a console that seems gone.`
}
