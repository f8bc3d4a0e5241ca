import { NOOUT_ANNOTATION, type NooutReach } from '../../../../shared/domain/ceph.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import {
  MICROCEPH_EXIT_REQUESTED,
  NOOUT_NOTED,
  NOOUT_SET_REQUESTED,
  NOOUT_UNSET_REQUESTED,
} from '../../../../shared/domain/run-facts.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type { MicroCephPort } from '../../../ports/ceph.ts'
import { refusal } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { noteRun } from '../general/run-notes.ts'
import { hostsOf, type NooutState, readNoout } from './noout-holders.ts'

export async function changeNoout(reach: NooutReach, noout: boolean, ctx: MaintenanceContext): Promise<Result<void>> {
  const subject = reach.kind === 'host' ? `ceph-host/${reach.host}` : 'ceph'
  ctx.announce(noout ? NOOUT_SET_REQUESTED : NOOUT_UNSET_REQUESTED, subject, { reach: reach.kind })
  return ctx.world.ceph.setNoout(reach, noout, ctx.signal)
}

/** Noted before the flag is set: without the note another node's leave would remove it. */
export async function noteNoout(node: string, needed: boolean, ctx: MaintenanceContext): Promise<Result<void>> {
  const run = needed ? ctx.runId : null
  return noteRun(node, NOOUT_ANNOTATION, run, ctx, () => ctx.announce(NOOUT_NOTED, `node/${node}`, { needed }))
}

/** MicroCeph's exit removes the cluster-wide noout for all nodes (docs/domain.md C.1): others get their own meanwhile, and the flag is set again. */
export async function exitMicroCeph(
  node: string,
  microceph: MicroCephPort,
  ctx: MaintenanceContext,
): Promise<Result<void>> {
  const before = await readNoout(node, ctx)
  if (!before.ok) return before
  const bridged = await bridge(before.value, ctx)
  if (!bridged.ok) return bridged
  ctx.announce(MICROCEPH_EXIT_REQUESTED, `node/${node}`)
  const exit = await microceph.exitMaintenance(
    node,
    { checkOnly: false, dryRun: false, ignoreCheck: false },
    ctx.signal,
  )
  // Also after a failure: MicroCeph removes the flag first.
  const kept = await keepForOthers(node, before.value.others.length > 0, ctx)
  if (!kept.ok) return kept
  for (const host of bridged.value) {
    const removed = await changeNoout({ kind: 'host', host }, false, ctx)
    if (!removed.ok) return removed
  }
  if (!exit.ok) return exit
  if (exit.value.succeeded) return ok(undefined)
  return failed(microCephFailure(node, 'EndMaintenance', exit.value.message))
}

/** Again if another node needed it before, or needs it now. */
async function keepForOthers(node: string, needed: boolean, ctx: MaintenanceContext): Promise<Result<void>> {
  const now = await readNoout(node, ctx)
  if (!now.ok) return now
  if (now.value.everywhere || !(needed || now.value.others.length > 0)) return ok(undefined)
  return changeNoout({ kind: 'cluster' }, true, ctx)
}

export function microCephFailure(
  node: string,
  what: 'SetNoout' | 'StopOsds' | 'EndMaintenance',
  output: string,
): Failure {
  return refusal('conflict', fault('MicroCephRefused', { node, what, output }))
}

/** Empty: this Ceph has no flags by host. */
async function bridge(status: NooutState, ctx: MaintenanceContext): Promise<Result<readonly string[]>> {
  const osds = await ctx.world.ceph.osds(ctx.signal)
  if (!osds.ok) return osds
  const bare = hostsOf(osds.value.filter(osd => !osd.hostNoout))
  const hosts: string[] = []
  for (const host of status.others.flatMap(other => other.hosts).filter(each => bare.includes(each))) {
    const set = await changeNoout({ kind: 'host', host }, true, ctx)
    if (set.ok) hosts.push(host)
    else if (set.failure.code !== 'bad-input') return set
  }
  return ok(hosts)
}
