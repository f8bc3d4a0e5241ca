import { describe, expect, it } from 'vitest'
import { crushHostsBeside, osdsLeftOver, osdsOfNode } from '../../../shared/domain/ceph-safety.ts'
import { fakeOsd } from '../../fixtures/procedures/fake-records.ts'

const GONE = { up: false, in: false }
const STOPPED = { up: false, in: true }
const ids = (osds: readonly { readonly id: number }[]) => osds.map(({ id }) => id)

describe('OSDs of a node, by every CRUSH host that fits it', () => {
  it.each<[what: string, node: string, hosts: (readonly [string, object?])[], own: number[], leftOver: number[]]>([
    ['none', 'st-1', [['st-10'], ['st-2']], [], []],
    ['one host of its name', 'st-1', [['st-1'], ['st-1']], [0, 1], []],
    ['the first label of its FQDN', 'st-1.example.org', [['st-1']], [0], []],
    ['the FQDN of a node of the first label', 'st-1', [['st-1.example.org']], [0], []],
    ['dashes for dots, as Rook writes it', 'st-1.example.org', [['st-1-example-org']], [0], []],
    ['not the host of another domain', 'st-1.example.org', [['st-1.other.org']], [], []],
    ['renamed with a dead leftover', 'st-1', [['st-1', GONE], ['st-1.example.org']], [1], [0]],
    [
      'renamed with a dead leftover, in maintenance',
      'st-1',
      [
        ['st-1', GONE],
        ['st-1.example.org', STOPPED],
      ],
      [1],
      [0],
    ],
    ['two hosts that serve', 'st-1', [['st-1'], ['st-1.example.org']], [0, 1], []],
    [
      'none of it serves: all are its own',
      'st-1',
      [
        ['st-1', GONE],
        ['st-1.example.org', GONE],
      ],
      [0, 1],
      [],
    ],
    ['one dead disk beside one that serves on one host is its own', 'st-1', [['st-1', GONE], ['st-1']], [0, 1], []],
  ])('%s', (_, node, hosts, own, leftOver) => {
    const osds = hosts.map(([host, change], id) => fakeOsd(id, host, change))
    expect([ids(osdsOfNode(osds, node)), ids(osdsLeftOver(osds, node))]).toEqual([own, leftOver])
  })

  it('a leftover host is not a machine outside Kubernetes', () => {
    const osds = [fakeOsd(0, 'st-1', GONE), fakeOsd(1, 'st-1.example.org'), fakeOsd(2, 'box-1')]
    expect(crushHostsBeside([{ name: 'st-1' }], osds)).toEqual(['box-1'])
  })
})
