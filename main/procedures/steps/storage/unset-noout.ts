import type { Result } from '../../../../shared/domain/result.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { applied, cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { changeNoout, exitMicroCeph, noteNoout } from './noout-changes.ts'
import { hostsOf, type NooutState, needsIn, nooutEvidence, readNoout } from './noout-holders.ts'
import { countedOsds } from './storage-node.ts'

/** Removes its host's flag always, the cluster-wide one only when no other node needs it (seed 004; docs/domain.md C.1). */
export const unsetNoout: Step<MaintenanceWorld> = {
  kind: 'unset-noout',
  role: 'storage',
  risk: 'reversible',
  ...stepText('unset-noout'),
  verifyEarly: false,
  withinMs: 600_000,
  verifyEveryMs: 2_000,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readNoout(node, ctx)
    if (!read.ok) return cannotAsk(thing('NodeNoout', { node }), read.failure)
    const seen = [nooutEvidence(node, read.value, ctx)]
    const counted = countedOsds(read.value.own)
    if (isSettled(read.value, ctx)) {
      const warnings = foreignWarnings(read.value, ctx)
      return done(settledFinding(node, read.value), { evidence: seen, counted, warnings })
    }
    const { everywhere } = read.value
    const kept = keptFor(read.value)
    const hosts = flaggedHosts(read.value)
    return ready(found('NooutNotNeeded', { node }), {
      evidence: seen,
      counted,
      warnings: kept.map(each => found('NooutStays', { others: needsIn([each]) })),
      effects: [
        ...hosts.map(host => ({
          kind: 'change' as const,
          target: `noout of ceph-host/${host}`,
          from: 'set',
          to: 'not set',
        })),
        ...(isOurs(read.value, ctx)
          ? [
              {
                kind: 'change' as const,
                target: 'noout of all of Ceph',
                from: everywhere ? 'set' : 'not set',
                to: kept.length > 0 ? 'set, for others' : 'not set',
              },
            ]
          : []),
      ],
    })
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readNoout(node, ctx)
    if (!read.ok) return { kind: 'failed', failure: read.failure }
    for (const host of flaggedHosts(read.value)) {
      const removed = await changeNoout({ kind: 'host', host }, false, ctx)
      if (!removed.ok) return { kind: 'failed', failure: removed.failure }
    }
    if (!isOurs(read.value, ctx)) return applied(found('NooutRemovedOfNode', { node }))
    const first = await settle(node, read.value, ctx)
    if (!first.ok) return { kind: 'failed', failure: first.failure }
    const noted = await noteNoout(node, false, ctx)
    if (!noted.ok) return { kind: 'failed', failure: noted.failure }
    // Of two nodes that return together, the one that removes its note last sees no other note.
    const again = await readNoout(node, ctx)
    if (!again.ok) return { kind: 'failed', failure: again.failure }
    const last = await settleFlag(again.value, ctx)
    if (!last.ok) return { kind: 'failed', failure: last.failure }
    const others = keptFor(again.value)
    return applied(others.length === 0 ? found('NooutRemoved') : found('NooutStays', { others: needsIn(others) }))
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readNoout(node, ctx)
    if (!read.ok) return cannotVerify(thing('NodeNoout', { node }), read.failure)
    const { others, everywhere, heldBy } = read.value
    const seen = [nooutEvidence(node, read.value, ctx)]
    const hosts = flaggedHosts(read.value)
    if (hosts.length > 0) return fails(fault('NooutStillSetForHosts', { hosts }), seen)
    if (heldBy !== null) return fails(fault('NooutStillNoted', { node }), seen)
    if (!everywhere && needsFlag(read.value)) {
      return fails(fault('NooutGoneForOthers', { others: needsIn(keptFor(read.value)) }), seen)
    }
    if (everywhere && others.length === 0 && isOurs(read.value, ctx)) return fails(fault('NooutStillSet'), seen)
    return holds(settledFinding(node, read.value), seen)
  },
}

/** Whether this node may remove it: by its note, or because MicroCeph sets no other. */
function isOurs({ heldBy, everywhere }: NooutState, { world }: MaintenanceContext): boolean {
  return heldBy !== null || (world.microceph !== null && everywhere)
}

function isSettled(status: NooutState, ctx: MaintenanceContext): boolean {
  const { heldBy, everywhere, others } = status
  if (flaggedHosts(status).length > 0 || heldBy !== null) return false
  return everywhere ? others.length > 0 || !isOurs(status, ctx) : !needsFlag(status)
}

/** Nodes with a note keep the cluster-wide flag; Ceph itself handles a host that is down without it. */
function keptFor({ everywhere, others }: NooutState): NooutState['others'] {
  return everywhere ? others : others.filter(({ noted }) => noted)
}

function needsFlag(status: NooutState): boolean {
  return keptFor(status).length > 0
}

/** MicroCeph removes the flag by its own action, which also starts the OSDs. */
async function settle(node: string, status: NooutState, ctx: MaintenanceContext): Promise<Result<void>> {
  const { microceph } = ctx.world
  if (microceph !== null && status.everywhere && status.others.length === 0) {
    return exitMicroCeph(node, microceph, ctx)
  }
  return settleFlag(status, ctx)
}

async function settleFlag(status: NooutState, ctx: MaintenanceContext): Promise<Result<void>> {
  if (status.everywhere && status.others.length === 0) return changeNoout({ kind: 'cluster' }, false, ctx)
  if (!status.everywhere && needsFlag(status)) return changeNoout({ kind: 'cluster' }, true, ctx)
  return ok(undefined)
}

function flaggedHosts({ own }: NooutState): readonly string[] {
  return hostsOf(own.filter(osd => osd.hostNoout))
}

function settledFinding(node: string, { own, everywhere, others }: NooutState): Finding {
  if (everywhere && others.length > 0) return found('NooutStays', { others: needsIn(others) })
  if (everywhere) return found('NooutStaysForSomebody')
  return own.some(osd => osd.noout) ? found('NooutRemovedUnderAnother', { node }) : found('NooutNotSet', { node })
}

function foreignWarnings(status: NooutState, ctx: MaintenanceContext): readonly Finding[] {
  const { everywhere, others } = status
  return everywhere && others.length === 0 && !isOurs(status, ctx) ? [found('NooutToRemoveByHand')] : []
}
