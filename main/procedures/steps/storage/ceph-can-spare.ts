import type { CephOkToStop, CephStatus } from '../../../../shared/domain/ceph.ts'
import { osdsOfNode, whyNotWhole } from '../../../../shared/domain/ceph-safety.ts'
import type { ClusterNode, Pod } from '../../../../shared/domain/kubernetes.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import { rolesOf } from '../../../../shared/domain/roles.ts'
import type { Blocker, CheckAnswer } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import { BY_FORCE, blocked, blocker, cannotAsk, done, evidence, orWarning, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { quorumOf } from '../control/control-quorum.ts'
import { awayAmong, type NodesAway, readNodesAway } from '../general/other-maintenances.ts'
import { cephDaemonOf } from './ceph-daemons.ts'
import { idsOf, osdEvidence, osdsUnplanned, readStorageNode, type StorageNode, silentOsds } from './storage-node.ts'

/** Ceph can spare what it has on the node: its OSDs may stop, all data is clean, and monitors keep their quorum (docs/domain.md C.3, E.14). */
export const cephCanSpare = checkStep({
  kind: 'ceph-can-spare',
  role: 'storage',
  ...stepText('ceph-can-spare'),
  check: orWarning(async (input, ctx: MaintenanceContext) => {
    const node = nodeOf(input)
    const { ceph, cluster, kubernetes } = ctx.world
    const [pods, known] = await Promise.all([
      kubernetes.listPodsOnNode(node, ctx.signal),
      kubernetes.getNode(node, ctx.signal),
    ])
    if (!pods.ok) return cannotAsk(thing('PodsOnNode', { node }), pods.failure)
    if (!known.ok) return cannotAsk(thing('Node', { node }), known.failure)
    const osds = await readStorageNode(node, ctx)
    const hasNoCeph = whereNoCeph(known.value, pods.value, osds, ctx)
    if (hasNoCeph !== null) return hasNoCeph
    // On MOSK the Ceph controller protects OSDs; elsewhere the plan has this check only if it found none.
    if (cluster.flavour !== 'mosk' && osds.ok && osds.value.own.length > 0) {
      const { own } = osds.value
      return blocked([osdsUnplanned(node, own)], { evidence: [osdEvidence(node, own, ctx)] })
    }
    const status = await ceph.status(ctx.signal)
    if (!osds.ok) return cannotAsk(thing('WhichOsds', { node }), osds.failure)
    if (!status.ok) return cannotAsk(thing('CephStatus'), status.failure)
    return checkCeph({ node, osds: osds.value, status: status.value, mons: monsAmong(pods.value, ctx) }, ctx)
  }),
})

/** What Ceph has on the node, and its status. */
interface CephOnNode {
  readonly node: string
  readonly osds: StorageNode
  readonly status: CephStatus
  readonly mons: readonly string[]
}

/** The other nodes that Ceph does without already: in maintenance they may be switched off at any moment. */
interface OthersAway {
  readonly away: NodesAway
  readonly withOsds: readonly string[]
  readonly withMons: readonly string[]
  /** Their running OSDs. */
  readonly osds: readonly number[]
  readonly mons: readonly string[]
}

/** The answer for a node without Ceph. A silent Ceph does not block a node that runs none of its pods; a contradictory answer does. */
function whereNoCeph(
  { name: node, labels }: ClusterNode,
  pods: readonly Pod[],
  osds: Result<StorageNode>,
  { world: { cluster } }: MaintenanceContext,
): CheckAnswer | null {
  if (rolesOf(labels, cluster.roleLabels).includes('storage')) return null
  if (pods.some(pod => cephDaemonOf(pod, cluster) !== null)) return null
  if (osds.ok) return osds.value.own.length === 0 ? done(found('CephHasNothing', { node })) : null
  if (silentOsds(osds.failure) !== 'silent') return null
  const silent = found('CephSilentOfOsds', { node, cause: osds.failure.message })
  return done(found('NoCephPod', { node }), { warnings: osds.failure.code === 'not-found' ? [] : [silent] })
}

async function checkCeph(here: CephOnNode, ctx: MaintenanceContext): Promise<CheckAnswer> {
  const { node, osds, mons } = here
  const { ceph, cluster, kubernetes } = ctx.world
  const { own } = osds
  const pods = await kubernetes.listPods(cluster.maintenanceApi.cephNamespace, ctx.signal)
  if (!pods.ok) return cannotAsk(thing('CephPods'), pods.failure)
  const monsOn = (name: string) =>
    monsAmong(
      pods.value.filter(pod => pod.nodeName === name),
      ctx,
    )
  const upOn = (name: string) => osdsOfNode(osds.all, name).filter(({ up }) => up)
  const hasOsds = (name: string) => upOn(name).length > 0
  const hasMons = (name: string) => monsOn(name).length > 0
  const read = await readNodesAway(
    node,
    ctx,
    ({ name }) => (own.length > 0 && hasOsds(name)) || (mons.length > 0 && hasMons(name)),
  )
  if (!read.ok) return cannotAsk(thing('OtherNodesAway'), read.failure)
  const { away, unread } = read.value
  const names = [...away.keys()]
  const others: OthersAway = {
    away,
    withOsds: names.filter(hasOsds),
    withMons: names.filter(hasMons),
    osds: idsOf(names.flatMap(upOn)),
    mons: names.flatMap(monsOn),
  }
  const okToStop = own.length === 0 ? null : await ceph.okToStop([...idsOf(own), ...others.osds], ctx.signal)
  if (okToStop?.ok === false) return cannotAsk(thing('OkToStop', { node }), okToStop.failure)
  return judgeCeph(here, others, okToStop?.value ?? null, unread, ctx)
}

function judgeCeph(
  { node, osds: { own }, status, mons }: CephOnNode,
  others: OthersAway,
  okToStop: CephOkToStop | null,
  unread: readonly Finding[],
  ctx: MaintenanceContext,
): CheckAnswer {
  const { away, withOsds, withMons, osds: beside } = others
  const staying = status.monsInQuorum.filter(mon => !mons.includes(mon) && !others.mons.includes(mon)).length
  const total = status.monsTotal
  const needed = quorumOf(total)
  const blockers: Blocker[] = []
  if (mons.length > 0 && staying < needed) {
    const lost = { node, gone: awayAmong(away, withMons), staying, total, needed }
    blockers.push(blocker(fault('MonQuorumLost', lost), BY_FORCE))
  }
  if (okToStop !== null && !okToStop.ok) {
    const gone = awayAmong(away, withOsds)
    const refused = fault('OsdsNotOkToStop', { node, osds: idsOf(own), gone, beside, output: okToStop.message })
    blockers.push(blocker(refused, BY_FORCE))
  }
  const unwhole = own.length === 0 ? null : whyNotWhole(status)
  if (unwhole !== null) blockers.push(blocker(fault('CephNotWhole', unwhole), BY_FORCE))
  const spared =
    own.length === 0 && mons.length === 0
      ? found('CephHasNothing', { node })
      : found('CephSpares', { node, osds: own.length, mons: mons.length === 0 ? null : { staying, total } })
  return readyUnless(blockers, spared, {
    evidence: [
      evidence('ceph', ctx.at(), {
        health: status.health,
        osds: own.map(osd => ({ id: osd.id, up: osd.up, in: osd.in, noout: osd.noout })),
        okToStop: okToStop?.ok ?? null,
        pgs: { ...status.pgs.byState },
        monitors: [...mons],
        monitorsInQuorum: [...status.monsInQuorum],
      }),
    ],
    warnings: [...unread, ...(own.length === 0 ? [] : [found('RookRemovesNoout')])],
  })
}

/** The names of the Ceph monitors among these pods. */
function monsAmong(pods: readonly Pod[], { world: { cluster } }: MaintenanceContext): readonly string[] {
  return pods.flatMap(pod => (cephDaemonOf(pod, cluster) === 'mon' ? (pod.labels.mon ?? []) : []))
}
