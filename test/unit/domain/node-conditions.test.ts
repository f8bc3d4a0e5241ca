import { describe, expect, test } from 'vitest'
import { osdProblemFinding } from '../../../main/clusters/view/osd-trouble.ts'
import type { CephOsd } from '../../../shared/domain/ceph.ts'
import {
  allOf,
  type ConditionReported,
  isCordoned,
  isDisabledAndUp,
  isDrained,
  isEmptied,
  isProtected,
  type NodeCondition,
  nodeStateByRoles,
  osdProblems,
} from '../../../shared/domain/node-conditions.ts'
import {
  controlPodsOn,
  type RoleFacts,
  roleContradictions,
  rolesOfNode,
  rolesToMaintain,
} from '../../../shared/domain/node-roles.ts'
import { DEFAULT_ROLE_LABELS } from '../../../shared/domain/roles.ts'
import { conditionText } from '../../../shared/words/node-conditions.ts'
import { contradictionWords } from '../../../shared/words/node-roles.ts'
import { fakeOsd } from '../../fixtures/procedures/fake-records.ts'
import { fakePod } from '../../fixtures/procedures/fake-world.ts'

const osd = (id: number, host: string, more: Partial<CephOsd> = {}): CephOsd => fakeOsd(id, host, more)
const reported = (holds: NodeCondition['holds'], node = 'n1'): ConditionReported => ({
  holds,
  code: 'NodeDrained',
  values: { node },
})
/** Its verdict with its text. */
const said = (reported: ConditionReported) => ({ holds: reported.holds, text: conditionText(reported) })

describe('what a role asks of a node in maintenance', () => {
  test('control: unschedulable', () => {
    const cordoned = isCordoned({ name: 'n1', unschedulable: true })
    expect(cordoned).toEqual({ holds: 'holds', code: 'NodeUnschedulable', values: { node: 'n1' } })
    expect(conditionText(cordoned)).toBe('n1 is unschedulable.')
    expect(isCordoned({ name: 'n1', unschedulable: false }).holds).toBe('does-not-hold')
  })

  test('control: drained; pods that could not be asked are unknown, not none', () => {
    expect(isDrained('n1', 0).holds).toBe('holds')
    expect(said(isDrained('n1', 2))).toEqual({
      holds: 'does-not-hold',
      text: '2 pods that are on n1 should have left.',
    })
    expect(isDrained('n1', null).holds).toBe('unknown')
  })

  test.each<['enabled' | 'disabled', 'up' | 'down', boolean, NodeCondition['holds']]>([
    ['disabled', 'up', false, 'holds'],
    ['enabled', 'up', false, 'does-not-hold'],
    // The hypervisor service has to stay, seed 004 ...
    ['disabled', 'down', false, 'does-not-hold'],
    // ... unless the whole machine is in maintenance.
    ['disabled', 'down', true, 'holds'],
    ['enabled', 'down', true, 'does-not-hold'],
  ])('compute: nova-compute %s and %s, machine away %s: %s', (status, state, away, holds) => {
    expect(isDisabledAndUp({ host: 'n1', status, state }, away).holds).toBe(holds)
  })

  test('compute: no instance that had to leave', () => {
    expect(isEmptied('n1', 0).holds).toBe('holds')
    expect(said(isEmptied('n1', 1))).toEqual({ holds: 'does-not-hold', text: '1 instance that is on n1 had to leave.' })
    expect(isEmptied('n1', null).holds).toBe('unknown')
  })

  test('storage: each OSD is covered by noout, or down', () => {
    const covered = osd(0, 'n1', { noout: true })
    const down = osd(1, 'n1', { up: false })
    expect(said(isProtected('n1', [covered, down, osd(2, 'n2')], true))).toEqual({
      holds: 'holds',
      text: 'On n1: OSD 0 covered by noout; OSD 1 down.',
    })
    expect(said(isProtected('n1', [covered, osd(1, 'n1')], true))).toEqual({
      holds: 'does-not-hold',
      text: 'OSD 1 of n1: up, and not covered by noout.',
    })
    // Both are optional: without them it is still in maintenance; a machine that only stores has no other mark.
    expect(isProtected('n1', [osd(1, 'n1')], true).holds).toBe('holds')
    expect(isProtected('n1', [osd(1, 'n1')], false).holds).toBe('does-not-hold')
    expect(isProtected('n1', null, true).holds).toBe('unknown')
  })

  test('one that fails decides over one that is unknown, and each that matters is named', () => {
    const open = reported('does-not-hold', 'n2')
    expect(allOf([reported('holds'), reported('unknown'), open])).toEqual(open)
    expect(allOf([reported('holds'), reported('unknown')])).toEqual(reported('unknown'))
    expect(said(allOf([reported('holds'), reported('holds', 'n2')]))).toEqual({
      holds: 'holds',
      text: 'n1 has no pod left that had to leave. n2 has no pod left that had to leave.',
    })
    expect(allOf([isDrained('n1', null), reported('holds'), isEmptied('n1', null)])).toEqual({
      holds: 'unknown',
      code: 'Several',
      values: {
        of: [
          { code: 'PodsNotAsked', values: { node: 'n1' } },
          { code: 'InstancesNotKnown', values: { host: 'n1' } },
        ],
      },
    })
  })
})

describe('the state of a node by its roles', () => {
  test.each<[string, ConditionReported[], boolean, string]>([
    ['every condition holds: maintenance', [reported('holds'), reported('holds')], true, 'maintenance'],
    ['one does not hold: partial', [reported('holds'), reported('does-not-hold')], true, 'partial'],
    ['one is unknown: never maintenance', [reported('holds'), reported('unknown')], true, 'unknown'],
    [
      'one does not hold, whatever is unknown: partial',
      [reported('does-not-hold'), reported('unknown')],
      true,
      'partial',
    ],
    ['nothing is out of service: active', [reported('does-not-hold'), reported('does-not-hold')], false, 'active'],
    [
      'a noout for all of Ceph is not maintenance of this node: active',
      [reported('does-not-hold'), reported('holds')],
      false,
      'active',
    ],
    ['nothing seems out of service, but something is unknown: unknown', [reported('unknown')], false, 'unknown'],
  ])('%s', (_rule, conditions, isOutOfService, state) => {
    expect(nodeStateByRoles(conditions, isOutOfService)).toBe(state)
  })

  test('a noout speaks of one node only where it is set for its host, or the node notes that it needs it', () => {
    const troubles = (osds: readonly CephOsd[], run: string | null = null) =>
      osdProblems('n1', osds, run).map(trouble => osdProblemFinding(trouble).message)
    const everywhere = [osd(0, 'n1', { noout: true }), osd(1, 'n2', { noout: true })]
    expect(troubles(everywhere)).toEqual([])
    expect(troubles(everywhere, 'run-1')).toEqual(['run run-1 keeps noout for it'])
    expect(troubles([osd(0, 'n1', { noout: true, hostNoout: true }), osd(1, 'n2')])).toEqual([
      'noout is set for its OSDs',
    ])
    expect(troubles([osd(0, 'n1', { up: false }), osd(1, 'n2')])).toEqual(['OSD 0 of it is down'])
  })
})

describe('the roles of a node', () => {
  const cluster = (flavour: 'plain' | 'sunbeam') => ({ flavour, roleLabels: DEFAULT_ROLE_LABELS })
  const control = { name: 'n1', labels: { 'node-role.kubernetes.io/control-plane': '' } }
  const all: RoleFacts = { computes: true, stores: true, routes: true, controls: [] }
  const silent: RoleFacts = { computes: null, stores: 'silent', routes: null, controls: null }

  test('on Sunbeam what Nova, Ceph and Neutron tell counts beside the labels', () => {
    expect(rolesOfNode(control, cluster('sunbeam'), all)).toEqual(['control', 'gateway', 'compute', 'storage'])
  })

  test('elsewhere too: a compute node that lost its label computes as long as Nova has its service, and OSDs make a storage node', () => {
    expect(rolesOfNode(control, cluster('plain'), { ...all, routes: 'not-asked' })).toEqual([
      'control',
      'compute',
      'storage',
    ])
  })

  test('a control node that lost its label is one as long as pods of the control plane run there', () => {
    const facts: RoleFacts = {
      computes: false,
      stores: 'not-asked',
      routes: 'not-asked',
      controls: ['openstack/api-1'],
    }
    expect(rolesOfNode({ name: 'n1', labels: {} }, cluster('plain'), facts)).toEqual(['control'])
    const running = fakePod('api-1', { nodeName: 'n1', nodeSelector: { 'openstack-control-plane': 'enabled' } })
    const etcd = fakePod('etcd-n1', { nodeName: 'n1', namespace: 'kube-system', labels: { component: 'etcd' } })
    const pods = [
      running,
      etcd,
      fakePod('elsewhere', { ...running, name: 'elsewhere', nodeName: 'n2' }),
      fakePod('over', { ...running, name: 'over', phase: 'Succeeded' }),
      fakePod('any', { nodeName: 'n1' }),
    ]
    expect(controlPodsOn('n1', pods, DEFAULT_ROLE_LABELS)).toEqual(['kube-system/etcd-n1', 'openstack/api-1'])
  })

  const nothing: RoleFacts = { computes: 'not-asked', stores: 'not-asked', routes: 'not-asked', controls: null }
  test.each<[string, Record<string, string>, 'plain' | 'sunbeam', Partial<RoleFacts>, RegExp | null]>([
    [
      'no compute label, and Nova has the service',
      {},
      'plain',
      { computes: true },
      /Nova has a nova-compute service on n1/,
    ],
    ['Sunbeam labels no compute nodes', {}, 'sunbeam', { computes: true }, null],
    [
      'a compute label without the service',
      { 'openstack-compute-node': 'enabled' },
      'plain',
      { computes: false },
      /says compute, but Nova has no/,
    ],
    [
      'a compute label while Nova is silent',
      { 'openstack-compute-node': 'enabled' },
      'plain',
      { computes: null },
      null,
    ],
    ['no cloud at all', { 'openstack-compute-node': 'enabled' }, 'plain', {}, null],
    ['both agree', { 'openstack-compute-node': 'enabled' }, 'plain', { computes: true }, null],
    ['OSDs without a label: no label tells them on MOSK', {}, 'plain', { stores: true }, null],
    [
      'a storage label without OSDs',
      { role: 'ceph-osd-node' },
      'plain',
      { stores: false },
      /says storage, but Ceph has no OSD/,
    ],
    ['a storage label while Ceph is silent', { role: 'ceph-osd-node' }, 'plain', { stores: 'silent' }, null],
    [
      'pods of the control plane without a label',
      {},
      'plain',
      { controls: ['openstack/api-1'] },
      /n1 runs pod openstack\/api-1 of the control plane/,
    ],
    ['a control label without such pods', { 'openstack-control-plane': 'enabled' }, 'plain', { controls: [] }, null],
  ])('labels and what runs there: %s', (_rule, labels, flavour, facts, text) => {
    const found = roleContradictions({ name: 'n1', labels }, cluster(flavour), { ...nothing, ...facts })
    expect(found.map(contradictionWords)).toEqual(text === null ? [] : [expect.stringMatching(text)])
  })

  test('what could not be read is not shown as a role, but counts for maintenance; elsewhere labels name the roles', () => {
    expect(rolesOfNode(control, cluster('sunbeam'), silent)).toEqual(['control'])
    expect(rolesToMaintain(control, cluster('sunbeam'), silent)).toEqual(['control', 'gateway', 'compute', 'storage'])
  })

  test('where labels tell who stores, a Ceph that is silent makes no storage node; one that contradicts itself does', () => {
    expect(rolesToMaintain(control, cluster('plain'), silent)).toEqual(['control'])
    const contradicts: RoleFacts = { ...silent, stores: 'contradicts' }
    expect(rolesToMaintain(control, cluster('plain'), contradicts)).toEqual(['control', 'storage'])
    expect(rolesOfNode(control, cluster('plain'), contradicts)).toEqual(['control'])
    const labelled = { name: 'n1', labels: { role: 'ceph-osd-node' } }
    expect(rolesToMaintain(labelled, cluster('plain'), silent)).toEqual(['storage'])
  })
})
