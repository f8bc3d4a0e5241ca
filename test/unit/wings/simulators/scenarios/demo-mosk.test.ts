import { describe, expect, it } from 'vitest'
import { textsAt } from '../../../../../main/wings/simulators/kubernetes/store/json.ts'
import { demoMosk } from '../../../../../main/wings/simulators/scenarios/demo-mosk.ts'
import { MOSK_WORKER_GROUPS } from '../../../../../main/wings/simulators/scenarios/demo-mosk-kubernetes.ts'
import { HOST_MODE_ANNOTATION } from '../../../../../shared/domain/instance-policy.ts'
import { DEFAULT_ROLE_LABELS, rolesOf } from '../../../../../shared/domain/roles.ts'

const { kubernetes, openstack } = demoMosk({ tungstenFabric: false })
const nodes = kubernetes.filter(object => object.kind === 'Node')
const rolesBy = (name: string | undefined) =>
  rolesOf(nodes.find(node => node.metadata.name === name)?.metadata.labels ?? {}, DEFAULT_ROLE_LABELS)
const withRole = (role: string) => nodes.filter(node => rolesBy(node.metadata.name).some(one => one === role))

describe('demo-mosk', () => {
  it('has three control nodes (one is also a gateway), two gateways, eight computes and three storage nodes', () => {
    expect(withRole('control').map(node => rolesBy(node.metadata.name))).toEqual([
      ['control', 'gateway'],
      ['control'],
      ['control'],
    ])
    expect(withRole('gateway')).toHaveLength(3)
    expect(withRole('compute')).toHaveLength(8)
    expect(withRole('storage')).toHaveLength(3)
  })

  it('has four computes in each of two zones, and each compute host has the name of its node', () => {
    const zones = withRole('compute').map(node => [
      node.metadata.name,
      node.metadata.labels?.['topology.kubernetes.io/zone'],
    ])
    expect(openstack.hosts.map(host => [host.name, host.zone])).toEqual(zones)
    expect(zones.map(([, zone]) => zone)).toEqual(['az1', 'az1', 'az1', 'az1', 'az2', 'az2', 'az2', 'az2'])
  })

  it('mixes the modes of hosts: live by default and explicit, manual, skip', () => {
    const modes = withRole('compute').map(node => node.metadata.annotations?.[HOST_MODE_ANNOTATION] ?? null)
    expect(new Set(modes)).toEqual(new Set([null, 'live', 'manual', 'skip']))
  })

  it('updates every worker in exactly one group', () => {
    const grouped = MOSK_WORKER_GROUPS.flatMap(group => [...group.nodes] as string[])
    const workers = nodes.filter(node => !rolesBy(node.metadata.name).includes('control'))
    expect(grouped.toSorted()).toEqual(workers.map(node => node.metadata.name ?? '').toSorted())
  })

  it('has vRouters instead of agents with Tungsten Fabric', () => {
    const fabric = demoMosk({ tungstenFabric: true })
    const sets = fabric.kubernetes.filter(object => object.kind === 'DaemonSet')
    const vrouter = sets.find(set => set.metadata.namespace === 'tf')
    expect(textsAt(vrouter, 'spec', 'template', 'metadata', 'labels')).toEqual({ app: 'tf-vrouter-agent' })
    expect(sets.map(set => set.metadata.name)).not.toContain('neutron-ovs-agent-default')
    expect(fabric.openstack.networkNodes).toEqual([])
  })
})
