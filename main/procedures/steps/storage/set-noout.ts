import type { Effect } from '../../../../shared/domain/plan.ts'
import { NOOUT_SET_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { MicroCephPort } from '../../../ports/ceph.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { isOverridden, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { changeNoout, microCephFailure, noteNoout } from './noout-changes.ts'
import { hostsOf, type NooutStanding, nooutEvidence, readNoout } from './noout-holders.ts'
import { countedOsds, osdNames } from './storage-node.ts'

/**
 * Ceph keeps the node's OSDs in while they are away, and moves no data (seed 004, storage role, "Set noout"): by CRUSH host where Ceph can, for
 * all of Ceph by MicroCeph's action or on old releases; then the node is noted, so that nobody else's leave removes it (docs/domain.md C.1).
 */
export const setNoout: Step<MaintenanceWorld> = {
  kind: 'set-noout',
  role: 'storage',
  risk: 'reversible',
  why: 'OSDs that are away for ten minutes become out, and Ceph copies all their data elsewhere.',
  title: input => `Set noout for ${nodeOf(input)}`,
  verifyEarly: true,
  withinMs: 600_000,
  verifyEveryMs: 2_000,
  undo: 'Remove noout again: the leave procedure does it.',
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readNoout(node, ctx)
    if (!read.ok) return cannotAsk(`noout of ${node}`, read.failure)
    const seen = [nooutEvidence(node, read.value, ctx)]
    if (read.value.own.length === 0) return done(`Ceph has no OSDs on ${node}.`, { evidence: seen })
    const warnings = nooutWarnings(read.value, ctx)
    const counted = countedOsds(read.value.own)
    if (isProtected(read.value, ctx)) {
      return done(`noout is set for ${node} already.`, { evidence: seen, warnings, counted })
    }
    return ready(openWords(node, read.value), {
      evidence: seen,
      warnings,
      counted,
      effects: effectsOf(read.value, ctx),
    })
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readNoout(node, ctx)
    if (!read.ok) return { kind: 'failed', failure: read.failure }
    if (read.value.own.length === 0) return { kind: 'applied', note: `Ceph has no OSDs on ${node}.` }
    if (isProtected(read.value, ctx)) return { kind: 'applied', note: `noout is set for ${node} already.` }
    const { microceph } = ctx.world
    return microceph === null ? byHost(node, read.value, ctx) : byMicroCeph(node, read.value, microceph, ctx)
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readNoout(node, ctx)
    if (!read.ok) return cannotVerify(`noout of ${node}`, read.failure)
    const { own, everywhere, heldBy } = read.value
    const seen = [nooutEvidence(node, read.value, ctx)]
    const bare = own.filter(osd => !osd.noout)
    if (bare.length > 0) {
      return fails(
        `noout does not protect ${osdNames(bare)} of ${node}.`,
        'Somebody removed it; find out who, then resume the run to set it again.',
        seen,
      )
    }
    if (ctx.world.microceph !== null && own.length > 0 && heldBy === null) {
      return fails(
        `noout is set, but nothing notes that ${node} needs it: the next leave of another node would remove it.`,
        'Resume the run.',
        seen,
      )
    }
    return holds(
      own.length === 0
        ? `Ceph has no OSDs on ${node}.`
        : `noout protects ${osdNames(own)}${everywhere ? ', as all of Ceph' : ''}.`,
      seen,
    )
  },
}

/** Whether there is nothing to set. Flags for all of Ceph may go away with whoever set them, so where Ceph can, the host gets its own. */
function isProtected({ own, everywhere, heldBy }: NooutStanding, ctx: MaintenanceContext): boolean {
  const counted = everywhere && heldBy !== null
  return counted || (ctx.world.microceph === null && own.every(osd => osd.hostNoout))
}

async function byHost(node: string, { own }: NooutStanding, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  for (const host of hostsOf(own)) {
    const set = await changeNoout({ kind: 'host', host }, true, ctx)
    if (set.ok) continue
    if (set.failure.code !== 'bad-input') return { kind: 'failed', failure: set.failure }
    // Before Nautilus there is only the flag of the whole cluster.
    const noted = await noteNoout(node, true, ctx)
    if (!noted.ok) return { kind: 'failed', failure: noted.failure }
    const everywhere = await changeNoout({ kind: 'cluster' }, true, ctx)
    return everywhere.ok
      ? { kind: 'applied', note: 'noout is set for all of Ceph: this release has no flags by host.' }
      : { kind: 'failed', failure: everywhere.failure }
  }
  return { kind: 'applied', note: `noout is set for host ${hostsOf(own).join(', ')}.` }
}

async function byMicroCeph(
  node: string,
  { everywhere }: NooutStanding,
  microceph: MicroCephPort,
  ctx: MaintenanceContext,
): Promise<ApplyAnswer> {
  const noted = await noteNoout(node, true, ctx)
  if (!noted.ok) return { kind: 'failed', failure: noted.failure }
  if (everywhere) return { kind: 'applied', note: `noout was set for all of Ceph; it stays while ${node} needs it.` }
  ctx.announce(NOOUT_SET_REQUESTED, 'ceph', { reach: 'cluster', by: 'microceph' })
  // MicroCeph checks again before it acts: what was safe when the plan was made may not be now (docs/domain.md B.1, defect 5).
  const entered = await microceph.enterMaintenance(
    node,
    {
      setNoout: true,
      stopOsds: false,
      checkOnly: false,
      dryRun: false,
      ignoreCheck: false,
      force: isOverridden(ctx, 'force'),
    },
    ctx.signal,
  )
  if (!entered.ok) return { kind: 'failed', failure: entered.failure }
  if (!entered.value.succeeded) {
    // MicroCeph checks before it sets anything: a node that it refused needs no noout.
    const now = await readNoout(node, ctx)
    if (now.ok && !now.value.everywhere) await noteNoout(node, false, ctx)
    return { kind: 'failed', failure: microCephFailure(`set noout for ${node}`, entered.value.message) }
  }
  return { kind: 'applied', note: `noout is set for all of Ceph, for ${node}.` }
}

function nooutWarnings({ everywhere, heldBy, others }: NooutStanding, ctx: MaintenanceContext): readonly string[] {
  const { microceph } = ctx.world
  const foreign = everywhere && heldBy === null && others.length === 0
  return [
    ...(foreign && microceph !== null
      ? [
          'Somebody else has set noout for all of Ceph. MicroCeph knows only this one flag: it is removed when the last node leaves maintenance.',
        ]
      : []),
    ...(microceph === null
      ? [
          'Rook removes noout by itself after its osdMaintenanceTimeout (30 minutes by default): a longer maintenance starts rebalancing.',
        ]
      : [
          'MicroCeph sets noout for all of Ceph: OSDs of other nodes that break meanwhile are not replaced either, until the last node has left.',
        ]),
  ]
}

function effectsOf({ own, everywhere, others }: NooutStanding, { world }: MaintenanceContext): readonly Effect[] {
  if (world.microceph === null) {
    return hostsOf(own).map(host => ({
      kind: 'change',
      target: `noout of ceph-host/${host}`,
      from: 'not set',
      to: 'set',
    }))
  }
  const names = others.map(({ node }) => node).join(', ')
  return [
    {
      kind: 'change',
      target: 'noout of all of Ceph',
      from: everywhere ? `set${names === '' ? '' : `, needed by ${names}`}` : 'not set',
      to: everywhere ? 'set, needed by this node too' : 'set',
    },
  ]
}

function openWords(node: string, { own }: NooutStanding): string {
  const bare = own.filter(osd => !osd.noout)
  return bare.length === 0
    ? `noout protects ${osdNames(own)} of ${node} only as long as somebody else needs it.`
    : `noout does not protect ${osdNames(bare)} of ${node}.`
}
