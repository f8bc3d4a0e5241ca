import { osdsOfNode, whyNotWhole } from '../../../../shared/domain/ceph-safety.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { rolesOf } from '../../../../shared/domain/roles.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocked, blocker, cannotAsk, done, evidence, orWarning, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { quorumOf } from '../control/control-quorum.ts'
import { awayAmong, readNodesAway } from '../general/other-maintenances.ts'
import { cephDaemonOf } from './ceph-daemons.ts'
import { idsOf, osdEvidence, osdsUnplanned, readStorageNode, silentOsds } from './storage-node.ts'

/**
 * Ceph can spare what it has on the node: OSDs ok to stop together, all placement groups active and clean, a quorum of monitors without this node's
 * (docs/domain.md C.3, E.14).
 */
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
    const daemons = pods.value.map(pod => cephDaemonOf(pod, cluster))
    const mons = pods.value.flatMap(pod => (cephDaemonOf(pod, cluster) === 'mon' ? (pod.labels.mon ?? []) : []))
    const isStorage = rolesOf(known.value.labels, cluster.roleLabels).includes('storage')
    const osds = await readStorageNode(node, ctx)
    if (!isStorage && daemons.every(daemon => daemon === null)) {
      if (osds.ok && osds.value.own.length === 0) return done(found('CephHasNothing', { node }))
      // A silent Ceph does not block a node that runs none of its pods; a contradictory answer does.
      if (!osds.ok && silentOsds(osds.failure) === 'silent') {
        const silent = found('CephSilentOfOsds', { node, cause: osds.failure.message })
        return done(found('NoCephPod', { node }), {
          warnings: osds.failure.code === 'not-found' ? [] : [silent],
        })
      }
    }
    // On MOSK the Ceph controller protects OSDs; elsewhere the plan has this check only if it found none.
    if (cluster.flavour !== 'mosk' && osds.ok && osds.value.own.length > 0) {
      const { own } = osds.value
      return blocked([osdsUnplanned(node, own)], { evidence: [osdEvidence(node, own, ctx)] })
    }
    const status = await ceph.status(ctx.signal)
    if (!osds.ok) return cannotAsk(thing('WhichOsds', { node }), osds.failure)
    if (!status.ok) return cannotAsk(thing('CephStatus'), status.failure)
    const { own } = osds.value
    // A node in maintenance may be switched off at any moment: Ceph must spare it together with this one.
    const here = await kubernetes.listPods(cluster.maintenanceApi.cephNamespace, ctx.signal)
    if (!here.ok) return cannotAsk(thing('CephPods'), here.failure)
    const monsOn = (name: string) =>
      here.value.flatMap(pod =>
        pod.nodeName === name && cephDaemonOf(pod, cluster) === 'mon' ? (pod.labels.mon ?? []) : [],
      )
    const upOn = (name: string) => osdsOfNode(osds.value.all, name).filter(({ up }) => up)
    const read = await readNodesAway(
      node,
      ctx,
      ({ name }) => (own.length > 0 && upOn(name).length > 0) || (mons.length > 0 && monsOn(name).length > 0),
    )
    if (!read.ok) return cannotAsk(thing('OtherNodesAway'), read.failure)
    const { away, unread } = read.value
    const others = [...away.keys()]
    const withOsds = others.filter(name => upOn(name).length > 0)
    const withMons = others.filter(name => monsOn(name).length > 0)
    const beside = idsOf(others.flatMap(upOn))
    const okToStop = own.length === 0 ? null : await ceph.okToStop([...idsOf(own), ...beside], ctx.signal)
    if (okToStop?.ok === false) return cannotAsk(thing('OkToStop', { node }), okToStop.failure)
    const staying = status.value.monsInQuorum.filter(mon => ![...mons, ...others.flatMap(monsOn)].includes(mon))
    const needed = quorumOf(status.value.monsTotal)
    const total = status.value.monsTotal
    const lost = { node, gone: awayAmong(away, withMons), staying: staying.length, total, needed }
    const gone = awayAmong(away, withOsds)
    const unwhole = own.length === 0 ? null : whyNotWhole(status.value)
    const blockers: Blocker[] = [
      ...(mons.length === 0 || staying.length >= needed ? [] : [blocker(fault('MonQuorumLost', lost), BY_FORCE)]),
      ...(okToStop === null || okToStop.value.ok
        ? []
        : [
            blocker(
              fault('OsdsNotOkToStop', { node, osds: idsOf(own), gone, beside, output: okToStop.value.message }),
              BY_FORCE,
            ),
          ]),
      ...(unwhole === null ? [] : [blocker(fault('CephNotWhole', unwhole), BY_FORCE)]),
    ]
    const spared =
      own.length === 0 && mons.length === 0
        ? found('CephHasNothing', { node })
        : found('CephSpares', {
            node,
            osds: own.length,
            mons: mons.length === 0 ? null : { staying: staying.length, total },
          })
    return readyUnless(blockers, spared, {
      evidence: [
        evidence('ceph', ctx.at(), {
          health: status.value.health,
          osds: own.map(osd => ({ id: osd.id, up: osd.up, in: osd.in, noout: osd.noout })),
          okToStop: okToStop?.value.ok ?? null,
          pgs: { ...status.value.pgs.byState },
          monitors: [...mons],
          monitorsInQuorum: [...status.value.monsInQuorum],
        }),
      ],
      warnings: [...unread, ...(own.length === 0 ? [] : [found('RookRemovesNoout')])],
    })
  }),
})
