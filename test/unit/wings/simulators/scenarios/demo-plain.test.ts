import { describe, expect, it } from 'vitest'
import { demoPlain } from '../../../../../main/wings/simulators/scenarios/demo-plain.ts'

const ACTION = 'openstack.lcm.mirantis.com:maintenance_action='
const { kubernetes, openstack } = demoPlain()
const nodes = kubernetes.filter(object => object.kind === 'Node')
const on = (host: string) => openstack.servers.filter(server => server.host === host)
const actions = (tags: readonly string[] = []) => tags.filter(tag => tag.startsWith(ACTION))

describe('demo-plain', () => {
  it('has 3 control, 8 compute and 3 storage nodes', () => {
    const labelled = (label: string) => nodes.filter(node => Object.hasOwn(node.metadata.labels ?? {}, label))
    expect(labelled('openstack-control-plane')).toHaveLength(3)
    expect(labelled('openstack-compute-node')).toHaveLength(8)
    expect(labelled('ceph_role_osd')).toHaveLength(3)
    expect(nodes).toHaveLength(14)
  })

  it('names each compute host as its node, in the same zone', () => {
    const zones = Object.fromEntries(
      nodes.map(node => [node.metadata.name, node.metadata.labels?.['topology.kubernetes.io/zone']]),
    )
    for (const host of openstack.hosts) expect(zones[host.name], host.name).toBe(host.zone)
    expect(new Set(openstack.hosts.map(host => host.zone))).toEqual(new Set(['az1', 'az2']))
  })

  it('has about 60 instances with unique names, in every state and with every tag that matters', () => {
    expect(openstack.servers.length).toBeGreaterThanOrEqual(55)
    expect(openstack.servers.length).toBeLessThanOrEqual(65)
    expect(new Set(openstack.servers.map(server => server.name)).size).toBe(openstack.servers.length)
    expect(new Set(openstack.servers.map(server => server.status ?? 'ACTIVE'))).toEqual(
      new Set(['ACTIVE', 'PAUSED', 'SHUTOFF', 'SUSPENDED', 'ERROR', 'SHELVED_OFFLOADED']),
    )
    const tags = new Set(openstack.servers.flatMap(server => actions(server.tags)))
    for (const action of ['live_migrate', 'poweroff', 'notify']) expect(tags).toContain(`${ACTION}${action}`)
    expect(openstack.servers.some(server => actions(server.tags).length === 2)).toBe(true)
    expect(tags.size).toBeGreaterThan(3)
    expect(openstack.servers.some(server => server.flavor === 'm1.ephemeral')).toBe(true)
    expect(openstack.servers.some(server => server.bootFromVolume)).toBe(true)
    expect(openstack.servers.some(server => server.locked)).toBe(true)
    expect(openstack.servers.some(server => server.pinnedZone !== undefined)).toBe(true)
  })

  it('keeps members of an anti-affinity group apart, and leaves a free host in the zone they are pinned to', () => {
    for (const group of openstack.serverGroups ?? []) {
      if (group.policy !== 'anti-affinity') continue
      const members = openstack.servers.filter(server => server.group === group.name)
      const hosts = new Set(members.map(server => server.host))
      expect(hosts.size, group.name).toBe(members.length)
      const zone = members[0]?.pinnedZone
      const available = openstack.hosts.filter(host => zone === undefined || host.zone === zone)
      expect(available.length, group.name).toBeGreaterThan(members.length)
    }
  })

  it('lets cmp-01 be entered: nothing in ERROR, nobody to notify, yet paused, stopped and power-off instances', () => {
    const here = on('cmp-01')
    expect(here.length).toBeGreaterThanOrEqual(6)
    expect(here.some(server => server.status === 'ERROR')).toBe(false)
    expect(here.flatMap(server => server.tags ?? [])).not.toContain(`${ACTION}notify`)
    expect(here.some(server => server.status === 'PAUSED')).toBe(true)
    expect(here.some(server => server.status === 'SHUTOFF')).toBe(true)
    expect(here.flatMap(server => server.tags ?? [])).toContain(`${ACTION}poweroff`)
  })

  it('has the instances that stop an entering where the comments say', () => {
    const hostsWith = (test: (server: (typeof openstack.servers)[number]) => boolean) =>
      [...new Set(openstack.servers.filter(test).map(server => server.host))].sort()
    expect(hostsWith(server => server.status === 'ERROR')).toEqual(['cmp-04', 'cmp-07'])
    expect(hostsWith(server => server.tags?.includes(`${ACTION}notify`) === true)).toEqual(['cmp-06'])
    expect(hostsWith(server => server.group === 'pair')).toEqual(['cmp-08'])
    expect(hostsWith(server => server.locked === true)).toEqual(['cmp-03'])
  })
})
