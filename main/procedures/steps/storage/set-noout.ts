import { NOOUT_SET_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { Effect } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { MicroCephPort } from '../../../ports/ceph.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step } from '../../../runs/engine/step.ts'
import { applied, cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { isOverridden, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { changeNoout, microCephFailure, noteNoout } from './noout-changes.ts'
import { hostsOf, type NooutState, nooutEvidence, readNoout } from './noout-holders.ts'
import { countedOsds, idsOf } from './storage-node.ts'

/** Ceph moves no data while the OSDs are down (seed 004; docs/domain.md C.1): by CRUSH host, or cluster-wide with a note that keeps it for others. */
export const setNoout: Step<MaintenanceWorld> = {
  kind: 'set-noout',
  role: 'storage',
  risk: 'reversible',
  ...stepText('set-noout'),
  verifyEarly: true,
  withinMs: 600_000,
  verifyEveryMs: 2_000,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readNoout(node, ctx)
    if (!read.ok) return cannotAsk(thing('NodeNoout', { node }), read.failure)
    const seen = [nooutEvidence(node, read.value, ctx)]
    if (read.value.own.length === 0) return done(found('NoOsdsOnNode', { node }), { evidence: seen })
    const warnings = nooutWarnings(read.value, ctx)
    const counted = countedOsds(read.value.own)
    if (isProtected(read.value, ctx)) {
      return done(found('NooutIsSet', { node }), { evidence: seen, warnings, counted })
    }
    return ready(openFinding(node, read.value), {
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
    if (read.value.own.length === 0) return applied(found('NoOsdsOnNode', { node }))
    if (isProtected(read.value, ctx)) return applied(found('NooutIsSet', { node }))
    const { microceph } = ctx.world
    return microceph === null ? byHost(node, read.value, ctx) : byMicroCeph(node, read.value, microceph, ctx)
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readNoout(node, ctx)
    if (!read.ok) return cannotVerify(thing('NodeNoout', { node }), read.failure)
    const { own, everywhere, heldBy } = read.value
    const seen = [nooutEvidence(node, read.value, ctx)]
    const bare = own.filter(osd => !osd.noout)
    if (bare.length > 0) return fails(fault('NooutGone', { node, osds: idsOf(bare) }), seen)
    if (ctx.world.microceph !== null && own.length > 0 && heldBy === null) {
      return fails(fault('NooutNotNoted', { node }), seen)
    }
    return holds(
      own.length === 0 ? found('NoOsdsOnNode', { node }) : found('NooutProtects', { osds: idsOf(own), everywhere }),
      seen,
    )
  },
}

/** Nothing to set. Someone may remove a cluster-wide flag, so the host gets its own where Ceph has such flags. */
function isProtected({ own, everywhere, heldBy }: NooutState, ctx: MaintenanceContext): boolean {
  const counted = everywhere && heldBy !== null
  return counted || (ctx.world.microceph === null && own.every(osd => osd.hostNoout))
}

async function byHost(node: string, { own }: NooutState, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  for (const host of hostsOf(own)) {
    const set = await changeNoout({ kind: 'host', host }, true, ctx)
    if (set.ok) continue
    if (set.failure.code !== 'bad-input') return { kind: 'failed', failure: set.failure }
    // Before Nautilus only the cluster-wide flag exists.
    const noted = await noteNoout(node, true, ctx)
    if (!noted.ok) return { kind: 'failed', failure: noted.failure }
    const everywhere = await changeNoout({ kind: 'cluster' }, true, ctx)
    return everywhere.ok ? applied(found('NooutSetWithoutHosts')) : { kind: 'failed', failure: everywhere.failure }
  }
  return applied(found('NooutSetForHosts', { hosts: hostsOf(own) }))
}

async function byMicroCeph(
  node: string,
  { everywhere }: NooutState,
  microceph: MicroCephPort,
  ctx: MaintenanceContext,
): Promise<ApplyAnswer> {
  const noted = await noteNoout(node, true, ctx)
  if (!noted.ok) return { kind: 'failed', failure: noted.failure }
  if (everywhere) return applied(found('NooutWasSet', { node }))
  ctx.announce(NOOUT_SET_REQUESTED, 'ceph', { reach: 'cluster', by: 'microceph' })
  // MicroCeph checks again: what was safe for the plan may not be safe now (docs/domain.md B.1, defect 5).
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
    return { kind: 'failed', failure: microCephFailure(node, 'SetNoout', entered.value.message) }
  }
  return applied(found('NooutSetForNode', { node }))
}

function nooutWarnings({ everywhere, heldBy, others }: NooutState, ctx: MaintenanceContext): readonly Finding[] {
  const { microceph } = ctx.world
  const foreign = everywhere && heldBy === null && others.length === 0
  return [
    ...(foreign && microceph !== null ? [found('NooutOfSomebody')] : []),
    microceph === null ? found('RookRemovesNoout') : found('MicroCephSetsNoout'),
  ]
}

function effectsOf({ own, everywhere, others }: NooutState, { world }: MaintenanceContext): readonly Effect[] {
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

function openFinding(node: string, { own }: NooutState): Finding {
  const bare = own.filter(osd => !osd.noout)
  return bare.length === 0
    ? found('NooutLeansOnOthers', { node, osds: idsOf(own) })
    : found('NooutToBeSet', { node, osds: idsOf(bare) })
}
