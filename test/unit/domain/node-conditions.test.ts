import { describe, expect, test } from 'vitest'
import type { CephOsd } from '../../../shared/domain/ceph.ts'
import {
  allOf,
  isCordoned,
  isDisabledAndUp,
  isDrained,
  isEmptied,
  isProtected,
  type NodeCondition,
  osdTroubles,
  standingOf,
} from '../../../shared/domain/node-conditions.ts'
import { type RoleFacts, rolesOfNode, rolesToMaintain } from '../../../shared/domain/node-roles.ts'
import { DEFAULT_ROLE_LABELS } from '../../../shared/domain/roles.ts'

const osd = (id: number, host: string, more: Partial<CephOsd> = {}): CephOsd => ({
  id,
  host,
  up: true,
  in: true,
  noout: false,
  hostNoout: false,
  ...more,
})
const told = (holds: NodeCondition['holds'], role: NodeCondition['role'] = 'general'): NodeCondition => ({
  role,
  holds,
  text: `${role} ${holds}.`,
})

describe('what a role asks of a node in maintenance', () => {
  test('control: unschedulable', () => {
    expect(isCordoned({ name: 'n1', unschedulable: true })).toEqual({ holds: 'holds', text: 'n1 is unschedulable.' })
    expect(isCordoned({ name: 'n1', unschedulable: false }).holds).toBe('does-not-hold')
  })

  test('control: drained; pods that could not be asked are unknown, not none', () => {
    expect(isDrained('n1', 0).holds).toBe('holds')
    expect(isDrained('n1', 2)).toEqual({ holds: 'does-not-hold', text: '2 pods that are on n1 should have left.' })
    expect(isDrained('n1', null).holds).toBe('unknown')
  })

  test.each<['enabled' | 'disabled', 'up' | 'down', boolean, NodeCondition['holds']]>([
    ['disabled', 'up', false, 'holds'],
    ['enabled', 'up', false, 'does-not-hold'],
    // The hypervisor service has to stay, seed 004 ...
    ['disabled', 'down', false, 'does-not-hold'],
    // ... unless the whole machine is being worked on.
    ['disabled', 'down', true, 'holds'],
    ['enabled', 'down', true, 'does-not-hold'],
  ])('compute: nova-compute %s and %s, machine away %s: %s', (status, state, away, holds) => {
    expect(isDisabledAndUp({ host: 'n1', status, state }, away).holds).toBe(holds)
  })

  test('compute: no instance that had to leave', () => {
    expect(isEmptied('n1', 0).holds).toBe('holds')
    expect(isEmptied('n1', 1)).toEqual({ holds: 'does-not-hold', text: '1 instance that is on n1 had to leave.' })
    expect(isEmptied('n1', null).holds).toBe('unknown')
  })

  test('storage: each OSD is covered by noout, or down', () => {
    const covered = osd(0, 'n1', { noout: true })
    const down = osd(1, 'n1', { up: false })
    expect(isProtected('n1', [covered, down, osd(2, 'n2')])).toEqual({
      holds: 'holds',
      text: 'On n1: OSD 0 covered by noout; OSD 1 down.',
    })
    expect(isProtected('n1', [covered, osd(1, 'n1')])).toEqual({
      holds: 'does-not-hold',
      text: 'OSD 1 of n1: up, and not covered by noout.',
    })
    expect(isProtected('n1', null).holds).toBe('unknown')
  })

  test('one that does not hold decides over one that is unknown, and both kinds are said', () => {
    expect(allOf([told('holds'), told('unknown'), told('does-not-hold', 'compute')])).toEqual({
      holds: 'does-not-hold',
      text: 'compute does-not-hold.',
    })
    expect(allOf([told('holds'), told('unknown')])).toEqual({ holds: 'unknown', text: 'general unknown.' })
    expect(allOf([told('holds'), told('holds', 'compute')]).holds).toBe('holds')
  })
})

describe('where a node stands by its roles', () => {
  test.each<[string, NodeCondition[], boolean, string]>([
    ['every condition holds: maintenance', [told('holds'), told('holds', 'compute')], true, 'maintenance'],
    ['one does not hold: partial', [told('holds'), told('does-not-hold', 'storage')], true, 'partial'],
    ['one is unknown: never maintenance', [told('holds'), told('unknown', 'compute')], true, 'unknown'],
    ['one does not hold, whatever is unknown: partial', [told('does-not-hold'), told('unknown')], true, 'partial'],
    ['nothing is out of service: active', [told('does-not-hold'), told('does-not-hold', 'compute')], false, 'active'],
    [
      "a noout for all of Ceph is no maintenance of this node's own: active",
      [told('does-not-hold'), told('holds', 'storage')],
      false,
      'active',
    ],
    ['nothing seems out of service, but something is unknown: unknown', [told('unknown')], false, 'unknown'],
  ])('%s', (_rule, conditions, isOutOfService, state) => {
    expect(standingOf(conditions, isOutOfService)).toBe(state)
  })

  test('a noout speaks of one node only where it is set for its host, or the node notes that it needs it', () => {
    const everywhere = [osd(0, 'n1', { noout: true }), osd(1, 'n2', { noout: true })]
    expect(osdTroubles('n1', everywhere, null)).toEqual([])
    expect(osdTroubles('n1', everywhere, 'run-1')).toEqual(['run run-1 keeps noout for it'])
    expect(osdTroubles('n1', [osd(0, 'n1', { noout: true, hostNoout: true }), osd(1, 'n2')], null)).toEqual([
      'noout is set for its OSDs',
    ])
    expect(osdTroubles('n1', [osd(0, 'n1', { up: false }), osd(1, 'n2')], null)).toEqual(['OSD 0 of it is down'])
  })
})

describe('the roles of a node', () => {
  const cluster = (flavour: 'plain' | 'sunbeam') => ({ flavour, roleLabels: DEFAULT_ROLE_LABELS })
  const control = { labels: { 'node-role.kubernetes.io/control-plane': '' } }
  const all: RoleFacts = { computes: true, stores: true, routes: true }
  const silent: RoleFacts = { computes: null, stores: 'silent', routes: null }

  test('on Sunbeam what Nova, Ceph and Neutron tell counts beside the labels', () => {
    expect(rolesOfNode(control, cluster('sunbeam'), all)).toEqual(['control', 'gateway', 'compute', 'storage'])
  })

  test('elsewhere labels decide, but OSDs make a storage node', () => {
    expect(rolesOfNode(control, cluster('plain'), all)).toEqual(['control', 'storage'])
  })

  test('what could not be asked is no role to be shown, but one to be maintained; Nova and Neutron are asked on Sunbeam', () => {
    expect(rolesOfNode(control, cluster('sunbeam'), silent)).toEqual(['control'])
    expect(rolesToMaintain(control, cluster('sunbeam'), silent)).toEqual(['control', 'gateway', 'compute', 'storage'])
  })

  test('where labels tell who stores, a Ceph that is silent makes no storage node; one that contradicts itself does', () => {
    expect(rolesToMaintain(control, cluster('plain'), silent)).toEqual(['control'])
    const contradicts: RoleFacts = { ...silent, stores: 'contradicts' }
    expect(rolesToMaintain(control, cluster('plain'), contradicts)).toEqual(['control', 'storage'])
    expect(rolesOfNode(control, cluster('plain'), contradicts)).toEqual(['control'])
    const labelled = { labels: { role: 'ceph-osd-node' } }
    expect(rolesToMaintain(labelled, cluster('plain'), silent)).toEqual(rolesOfNode(labelled, cluster('plain'), all))
  })
})
