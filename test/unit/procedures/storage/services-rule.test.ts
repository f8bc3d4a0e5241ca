import { describe, expect, test } from 'vitest'
import type { CephDaemon, CephServices } from '../../../../shared/domain/ceph.ts'
import { cephServicesRuleOf, servicesWithout } from '../../../../shared/domain/ceph-services.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../../shared/domain/role-maintenance.ts'

const daemon = (kind: CephDaemon['kind'], node: string | null, active = true): CephDaemon => ({
  kind,
  name: `${kind}-${node ?? 'nowhere'}`,
  node,
  active,
})
const on = (kind: CephDaemon['kind'], nodes: readonly (string | null)[]) => nodes.map(node => daemon(kind, node))
const services = (daemons: readonly CephDaemon[], more: Partial<CephServices> = {}): CephServices => ({
  release: 19,
  daemons,
  monsTotal: daemons.filter(({ kind }) => kind === 'mon').length,
  filesystems: 0,
  ...more,
})
const short = (...given: Parameters<typeof servicesWithout>) =>
  servicesWithout(...given)
    .filter(({ staying, needed }) => staying < needed)
    .map(({ kind, staying, needed }) => `${kind} ${staying}/${needed}`)

const THREE = ['n1', 'n2', 'n3']
const FULL = [...on('mon', THREE), ...on('mgr', THREE), ...on('mds', THREE)]

describe('services that stay without a node (seed 004, storage role; docs/domain.md C.1)', () => {
  test.each([
    ['three monitors fail the fixed rule', FULL, 'n1', 'fixed', ['mon 2/3']],
    ['three monitors pass the majority', FULL, 'n1', 'majority', []],
    ['four monitors pass the fixed rule', [...FULL, daemon('mon', 'n4')], 'n1', 'fixed', []],
    ['a node without any monitor leaves three', FULL, 'n9', 'fixed', []],
    [
      'two monitors have none to spare',
      [...on('mon', ['n1', 'n2']), ...on('mgr', THREE)],
      'n1',
      'majority',
      ['mon 1/2'],
    ],
    ['the only manager is missed', [...on('mon', THREE), ...on('mgr', ['n1'])], 'n1', 'majority', ['mgr 0/1']],
    [
      'the only mds is missed',
      [...on('mon', THREE), ...on('mgr', THREE), daemon('mds', 'n1')],
      'n1',
      'majority',
      ['mds 0/1'],
    ],
    [
      'no mds is needed where there is no file system',
      [...on('mon', THREE), ...on('mgr', THREE)],
      'n1',
      'majority',
      [],
    ],
    [
      'a monitor out of quorum does not stay',
      [...on('mon', ['n1', 'n2']), daemon('mon', 'n3', false), ...on('mgr', THREE)],
      'n1',
      'majority',
      ['mon 1/2'],
    ],
    [
      'a standby manager takes over',
      [...on('mon', THREE), daemon('mgr', 'n1'), daemon('mgr', 'n2', false)],
      'n1',
      'majority',
      [],
    ],
    [
      'a daemon nobody can place counts as one on the node',
      [...on('mon', ['n1', 'n2', null]), ...on('mgr', [null])],
      'n1',
      'majority',
      ['mon 1/2', 'mgr 0/1'],
    ],
    ['a host is its node by the first label too', FULL, 'n1.cloud.example', 'fixed', ['mon 2/3']],
  ] as const)('%s', (_, daemons, node, rule, expected) => {
    expect(short(services(daemons), [node], rule)).toEqual(expected)
  })

  test('what is on a node that is in maintenance already does not stay either', () => {
    expect(short(services(FULL), ['n1', 'n2'], 'majority')).toEqual(['mon 1/2'])
    expect(short(services([...on('mon', THREE), ...on('mgr', ['n1', 'n2'])]), ['n1', 'n2'], 'majority')).toEqual([
      'mon 1/2',
      'mgr 0/1',
    ])
  })

  test('a file system whose metadata servers are all gone still needs one', () => {
    expect(short(services([...on('mon', THREE), ...on('mgr', THREE)], { filesystems: 1 }), ['n1'], 'majority')).toEqual(
      ['mds 0/1'],
    )
  })
})

test.each([
  // Seed 004: "3 mons, 1 mds, 1 mgr" unless the operator chose otherwise.
  ['sunbeam', null, 18, 'fixed'],
  ['sunbeam', null, 19, 'fixed'],
  ['mosk', null, 19, 'majority'],
  ['sunbeam', 'by-version', 18, 'fixed'],
  ['sunbeam', 'by-version', 19, 'majority'],
  ['sunbeam', 'by-version', null, 'fixed'],
  ['mosk', 'by-version', 16, 'majority'],
  ['sunbeam', 'majority', 17, 'majority'],
  ['mosk', 'fixed', 19, 'fixed'],
] as const)('flavour %s, setting %s, release %s: %s', (flavour, cephServicesRule, release, rule) => {
  const roleMaintenance = { ...DEFAULT_ROLE_MAINTENANCE, cephServicesRule }
  expect(cephServicesRuleOf({ flavour, roleMaintenance }, release)).toBe(rule)
})
