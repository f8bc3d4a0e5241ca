import { describe, expect, it } from 'vitest'
import { demoSunbeam } from '../../../../../main/wings/simulators/scenarios/demo-sunbeam.ts'
import { JUJU_NAMESPACE } from '../../../../../main/wings/simulators/scenarios/demo-sunbeam-names.ts'
import { DEFAULT_ROLE_LABELS, rolesOf } from '../../../../../shared/domain/roles.ts'

const { kubernetes, openstack, ceph } = demoSunbeam()
const nodes = kubernetes.filter(object => object.kind === 'Node').map(({ metadata }) => metadata)
const on = (host: string) => openstack.servers.filter(server => server.host === host)

describe('demo-sunbeam', () => {
  it('has three nodes with every role, and hosts of Nova and Ceph by the same names', () => {
    for (const { labels } of nodes) {
      expect(rolesOf(labels ?? {}, DEFAULT_ROLE_LABELS)).toEqual(['control', 'gateway', 'compute', 'storage'])
    }
    const names = nodes.map(({ name }) => name)
    expect(names).toEqual(['sun-1', 'sun-2', 'sun-3'])
    expect(openstack.hosts.map(({ name }) => name)).toEqual(names)
    expect(ceph).toMatchObject({ hosts: names, monHosts: names, rook: null })
  })

  it('leaves sun-1 with active instances without ephemeral disks, and no pod that is the only one of its kind', () => {
    expect(on('sun-1').every(({ status, flavor }) => status === undefined && flavor !== 'm1.ephemeral')).toBe(true)
    const pinned = JSON.stringify(kubernetes.filter(object => object.kind !== 'Node'))
    expect(pinned).not.toContain('sun-1')
    expect(pinned).toContain('sun-2')
  })

  it('has what blocks elsewhere: a paused, a stopped and an ephemeral instance', () => {
    expect(on('sun-2').map(({ status }) => status)).toContain('PAUSED')
    expect(on('sun-3').map(({ status }) => status)).toContain('SHUTOFF')
    expect(on('sun-3').map(({ flavor }) => flavor)).toContain('m1.ephemeral')
  })

  it('has instances that share a name, two of them on sun-1', () => {
    expect(openstack.servers.filter(({ name }) => name === 'worker')).toHaveLength(3)
    expect(on('sun-1').filter(({ name }) => name === 'worker')).toHaveLength(2)
  })

  it('hosts the pod of the Juju controller where that is wanted, and only there', () => {
    const inside = demoSunbeam({ jujuControllerOn: 'sun-3' }).kubernetes
    const controllers = (objects: typeof inside) =>
      objects.filter(({ metadata }) => metadata.namespace === JUJU_NAMESPACE).map(({ metadata }) => metadata.name)
    expect(controllers(inside)).toEqual(['controller'])
    expect(controllers(kubernetes)).toEqual([])
  })
})
