import { describe, expect, it } from 'vitest'
import { demoEdge } from '../../../../../main/wings/simulators/scenarios/demo-edge.ts'
import { HOST_MODE_ANNOTATION } from '../../../../../shared/domain/instance-policy.ts'

const { kubernetes, openstack } = demoEdge()
const nodes = kubernetes.filter(object => object.kind === 'Node')

describe('demo-edge', () => {
  it('has three converged and three compute nodes, two in each rack', () => {
    const labelled = (label: string) => nodes.filter(node => Object.hasOwn(node.metadata.labels ?? {}, label))
    expect(labelled('openstack-control-plane')).toHaveLength(3)
    expect(labelled('openstack-compute-node')).toHaveLength(6)
    const racks = nodes.map(node => node.metadata.labels?.['topology.kubernetes.io/rack'])
    expect(racks.toSorted()).toEqual(['r1', 'r1', 'r2', 'r2', 'r3', 'r3'])
  })

  it('names each compute host as its node', () => {
    expect(openstack.hosts.map(host => host.name)).toEqual(nodes.map(node => node.metadata.name))
  })

  it('has a host mode that waits for owners, and an unknown one', () => {
    const modes = nodes.flatMap(node => node.metadata.annotations?.[HOST_MODE_ANNOTATION] ?? [])
    expect(modes).toEqual(['manual', 'evacuate'])
  })
})
