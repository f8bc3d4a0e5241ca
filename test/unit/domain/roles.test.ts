import { describe, expect, it } from 'vitest'
import { DEFAULT_ROLE_LABELS, openstackRolesOf, rolesOf } from '../../../shared/domain/roles.ts'

const MASTER = { 'node-role.kubernetes.io/control-plane': '' }
const OLD_MASTER = { 'node-role.kubernetes.io/master': 'true' }
const CONTROL = { 'openstack-control-plane': 'enabled' }

describe('what OpenStack has on a node (docs/domain.md A.10)', () => {
  it.each([
    ['seed 003: nothing on a master of Kubernetes alone', MASTER, []],
    ['nor on one with the label of old', OLD_MASTER, []],
    ['nor where disks are all there is', { ...MASTER, role: 'ceph-osd-node' }, []],
    ['its control plane, where its own label says so', { ...MASTER, ...CONTROL }, ['control']],
    ['gateway and compute, on a master too', { ...MASTER, 'openstack-gateway': 'enabled' }, ['gateway']],
    ['and on a worker', { 'openstack-compute-node': 'enabled' }, ['compute']],
  ])('%s', (_rule, labels, roles) => {
    expect(openstackRolesOf(labels, DEFAULT_ROLE_LABELS)).toEqual(roles)
  })

  it('a master is a control node all the same, and the settings may say that OpenStack’s control plane is there', () => {
    expect(rolesOf(MASTER, DEFAULT_ROLE_LABELS)).toEqual(['control'])
    for (const rule of ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/control-plane=']) {
      expect(openstackRolesOf(MASTER, { ...DEFAULT_ROLE_LABELS, control: [rule] })).toEqual(['control'])
    }
  })
})
