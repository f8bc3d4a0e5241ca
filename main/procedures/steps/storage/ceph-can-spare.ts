import { isActiveClean } from '../../../../shared/domain/ceph.ts'
import { osdsOfNode } from '../../../../shared/domain/ceph-safety.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { rolesOf } from '../../../../shared/domain/roles.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { BY_FORCE, blocked, cannotAsk, done, evidence, orWarning, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { quorumOf } from '../control/control-quorum.ts'
import { awayNames, besideAway, readNodesAway } from '../general/other-maintenances.ts'
import { cephDaemonOf } from './ceph-daemons.ts'
import { osdEvidence, osdsUnplanned, readStorageNode, unheardOsds } from './storage-node.ts'

/**
 * Ceph can spare what it has on the node: OSDs ok to stop together, every placement group active and clean, a quorum of monitors without its
 * own (docs/domain.md C.3, E.14).
 */
export const cephCanSpare = checkStep({
  kind: 'ceph-can-spare',
  role: 'storage',
  why: 'Stopping OSDs that are not ok to stop makes data unavailable.',
  title: input => `Ceph can spare ${nodeOf(input)}`,
  check: orWarning(async (input, ctx: MaintenanceContext) => {
    const node = nodeOf(input)
    const { ceph, cluster, kubernetes } = ctx.world
    const [pods, known] = await Promise.all([
      kubernetes.listPodsOnNode(node, ctx.signal),
      kubernetes.getNode(node, ctx.signal),
    ])
    if (!pods.ok) return cannotAsk(`The pods on ${node}`, pods.failure)
    if (!known.ok) return cannotAsk(`Node ${node}`, known.failure)
    const daemons = pods.value.map(pod => cephDaemonOf(pod, cluster))
    const mons = pods.value.flatMap(pod => (cephDaemonOf(pod, cluster) === 'mon' ? (pod.labels.mon ?? []) : []))
    const isStorage = rolesOf(known.value.labels, cluster.roleLabels).includes('storage')
    const osds = await readStorageNode(node, ctx)
    if (!isStorage && daemons.every(daemon => daemon === null)) {
      if (osds.ok && osds.value.own.length === 0) return done(`Ceph has nothing on ${node}.`)
      // A Ceph that is silent keeps no node in service on which no pod of it runs; one that contradicts itself does.
      if (!osds.ok && unheardOsds(osds.failure) === 'silent') {
        const silent = `Ceph could not be asked whether it has OSDs on ${node}: ${osds.failure.message}`
        return done(`No pod of Ceph runs on ${node}.`, {
          warnings: osds.failure.code === 'not-found' ? [] : [silent],
        })
      }
    }
    // On MOSK the controller of Ceph protects OSDs; elsewhere this check stands only in a plan that found none.
    if (cluster.flavour !== 'mosk' && osds.ok && osds.value.own.length > 0) {
      const { own } = osds.value
      return blocked([osdsUnplanned(node, own)], { evidence: [osdEvidence(node, own, ctx)] })
    }
    const status = await ceph.status(ctx.signal)
    if (!osds.ok) return cannotAsk(`Which OSDs ${node} has`, osds.failure)
    if (!status.ok) return cannotAsk('The status of Ceph', status.failure)
    const { own } = osds.value
    const ids = own.map(osd => osd.id)
    // A node that is in maintenance may be switched off at any moment: Ceph has to spare it together with this one.
    const here = await kubernetes.listPods(cluster.maintenanceApi.cephNamespace, ctx.signal)
    if (!here.ok) return cannotAsk("Ceph's pods", here.failure)
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
    if (!read.ok) return cannotAsk('Which other nodes are out of service', read.failure)
    const { away, unread } = read.value
    const others = [...away.keys()]
    const withOsds = others.filter(name => upOn(name).length > 0)
    const withMons = others.filter(name => monsOn(name).length > 0)
    const okToStop =
      own.length === 0 ? null : await ceph.okToStop([...ids, ...others.flatMap(upOn).map(osd => osd.id)], ctx.signal)
    if (okToStop?.ok === false) return cannotAsk('Whether the OSDs are ok to stop', okToStop.failure)
    const staying = status.value.monsInQuorum.filter(mon => ![...mons, ...others.flatMap(monsOn)].includes(mon))
    const needed = quorumOf(status.value.monsTotal)
    const blockers: Blocker[] = [
      ...(mons.length === 0 || staying.length >= needed
        ? []
        : [
            {
              code: 'mon-quorum-lost',
              message: `Without ${node}${besideAway(away, withMons)} Ceph has ${counted(staying.length, 'monitor')} in quorum of ${status.value.monsTotal}; it needs ${needed}.`,
              remedy: 'Bring the other monitors back first.',
              override: BY_FORCE,
            },
          ]),
      ...(okToStop === null || okToStop.value.ok
        ? []
        : [
            {
              code: 'osds-not-ok-to-stop',
              message: `The OSDs of ${node} (${ids.join(', ')})${withOsds.length === 0 ? '' : ` together with those of ${awayNames(away, withOsds)}`} are not ok to stop: ${okToStop.value.message}.`,
              remedy: 'Let Ceph recover, or bring the other OSDs back first.',
              override: BY_FORCE,
            },
          ]),
      ...(own.length === 0 || isActiveClean(status.value)
        ? []
        : [
            {
              code: 'ceph-not-clean',
              message: `Not every placement group is active+clean: ${Object.entries(status.value.pgs.byState)
                .map(([state, groups]) => `${groups} ${state}`)
                .join(', ')}.`,
              remedy: 'Wait until Ceph has recovered; the next storage node is taken only then.',
              override: BY_FORCE,
            },
          ]),
    ]
    const spared = [
      ...(own.length === 0 ? [] : [`${counted(own.length, 'OSD')} of ${node} may be stopped`]),
      ...(mons.length === 0 ? [] : [`${staying.length} of ${status.value.monsTotal} monitors stay in quorum`]),
    ]
    return readyUnless(blockers, `${spared.join('; ') || `Ceph has nothing on ${node}`}.`, {
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
      warnings: [
        ...unread,
        ...(own.length === 0
          ? []
          : [
              'Rook removes noout by itself after its osdMaintenanceTimeout (30 minutes by default): a longer maintenance starts rebalancing.',
            ]),
      ],
    })
  }),
})
