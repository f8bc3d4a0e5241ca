import { expect, it } from 'vitest'
import { requestIdOf } from '../../main/adapters/openstack/fresh-answers.ts'
import { must } from '../../shared/domain/must.ts'
import { askedByTest } from '../fixtures/asked-by-test.ts'
import { type ContractTarget, failureOf, until, value } from './target.ts'

/** What our OpenStack adapter relies on: the same tests run against the embedded cloud and the real lab. Where they differ, the demo is wrong. */
export function openstackContract(target: () => ContractTarget): void {
  const cloud = () => target().openstack

  async function serverNamed(name: string) {
    const listed = value(await cloud().listInstances())
    return must(
      listed.items.find(instance => instance.name === name),
      `the cloud has a server ${name}`,
    )
  }

  async function serviceOf(host: string) {
    return must(value(await cloud().computeService(host)), `${host} has a compute service`)
  }

  it.each([
    ['compute', '/os-services'],
    ['network', '/agents'],
    ['placement', '/resource_providers'],
    ['identity', '/projects'],
  ] as const)('%s gives each answer its own request id, which exposes a cached answer', async (service, path) => {
    const { openstackSession: session } = target()
    const asked = { method: 'GET', path, call: askedByTest('read headers') } as const
    const ids: string[] = []
    for (let time = 0; time < 3; time += 1)
      ids.push(requestIdOf(value(await session.request(service, asked)).headers) ?? '')
    for (const id of ids) expect(id).toMatch(/^req-[0-9a-f-]{36}$/)
    expect(new Set(ids).size).toBe(3)
  })

  it('a refusal of Nova has a request id too', async () => {
    const refusal = async () => failureOf(await cloud().getInstance('00000000-0000-4000-8000-000000000000')).detail
    const [first, second] = [await refusal(), await refusal()]
    expect(first).toMatch(/^HTTP 404, req-[0-9a-f-]{36}$/)
    expect(second).not.toBe(first)
  })

  it('lists nova-compute services with zone, status and state', async () => {
    const services = value(await cloud().computeServices())
    const own = must(
      services.find(service => service.host === target().computeNode),
      'the compute node has one',
    )
    expect(own).toMatchObject({ binary: 'nova-compute', state: 'up', zone: expect.stringMatching(/^az\d$/) })
    expect(services.every(service => /^[0-9a-f-]{36}$/.test(service.id))).toBe(true)
  })

  it('disables a service with a reason, keeps it up, and enables it without one', async () => {
    const before = await serviceOf(target().computeNode)
    const disabled = value(await cloud().disableComputeService(before.id, 'contract test'))
    expect(disabled).toMatchObject({ status: 'disabled', disabledReason: 'contract test' })
    expect(await serviceOf(target().computeNode)).toMatchObject({
      status: 'disabled',
      state: 'up',
      disabledReason: 'contract test',
    })
    const enabled = value(await cloud().enableComputeService(before.id))
    expect(enabled).toMatchObject({ status: 'enabled', disabledReason: null })
  })

  it('answers not-found for a service that does not exist', async () => {
    const refused = failureOf(await cloud().disableComputeService('00000000-0000-4000-8000-000000000000', 'x'))
    expect(refused.code).toBe('not-found')
  })

  it('lists the servers of exactly one host, of every project, with tags', async () => {
    const all = value(await cloud().listInstances()).items
    for (const service of value(await cloud().computeServices())) {
      const onHost = value(await cloud().instancesOnHost(service.host)).items
      const expected = all.filter(instance => instance.host === service.host).map(instance => instance.id)
      expect(onHost.map(instance => instance.id).sort()).toEqual(expected.sort())
    }
    expect(all.some(instance => instance.tags.includes('openstack.lcm.mirantis.com:maintenance_action=poweroff'))).toBe(
      true,
    )
  })

  it('a host whose name is the beginning of another host’s name has no servers', async () => {
    const prefix = target().computeNode.slice(0, -1)
    expect(value(await cloud().instancesOnHost(prefix)).items).toEqual([])
  })

  it('a plain user may not list everybody’s servers, and the failure names the rule', async () => {
    const refused = failureOf(await target().openstackAsUser.listInstances())
    expect(refused.code).toBe('not-permitted')
    expect(refused.message).toContain('os_compute_api:')
  })

  it('a plain user may not disable a service', async () => {
    const service = await serviceOf(target().computeNode)
    expect(failureOf(await target().openstackAsUser.disableComputeService(service.id, 'x')).code).toBe('not-permitted')
  })

  it.each([
    ['stopped', (t: ContractTarget) => t.stoppedServer],
    ['in ERROR', (t: ContractTarget) => t.erroredServer],
  ])('refuses to live-migrate a server that is %s: conflict', async (_state, name) => {
    const server = await serverNamed(name(target()))
    expect(failureOf(await cloud().liveMigrate(server.id, null)).code).toBe('conflict')
  })

  it('reads states as Nova has them', async () => {
    expect(await serverNamed(target().pausedServer)).toMatchObject({
      status: 'PAUSED',
      vmState: 'paused',
      powerState: 3,
    })
    expect(await serverNamed(target().stoppedServer)).toMatchObject({
      status: 'SHUTOFF',
      vmState: 'stopped',
      powerState: 4,
    })
    expect(await serverNamed(target().erroredServer)).toMatchObject({ status: 'ERROR', vmState: 'error' })
  })

  it('live-migrates: MIGRATING at once, then ACTIVE elsewhere, and the record says completed soon after', async () => {
    const before = await serverNamed(target().movableServer)
    const known = Math.max(0, ...value(await cloud().migrations({ instanceId: before.id })).map(record => record.id))
    value(await cloud().liveMigrate(before.id, null))
    const asked = value(await cloud().getInstance(before.id))
    expect([asked.taskState, asked.status]).toEqual(['migrating', 'MIGRATING'])
    expect(failureOf(await cloud().liveMigrate(before.id, null)).code).toBe('conflict')
    const arrived = await until('the server is elsewhere', async () => {
      const now = value(await cloud().getInstance(before.id))
      return now.taskState === null ? now : null
    })
    expect(arrived.status).toBe('ACTIVE')
    expect(arrived.host).not.toBe(before.host)
    const record = await until('its record is completed', async () => {
      const newest = value(await cloud().migrations({ instanceId: before.id })).find(candidate => candidate.id > known)
      return newest?.status === 'completed' ? newest : null
    })
    expect(record).toMatchObject({ type: 'live-migration', sourceHost: before.host, destHost: arrived.host })
    const actions = value(await cloud().instanceActions(before.id))
    expect(actions.some(action => action.action === 'live-migration')).toBe(true)
  })

  it('a PAUSED server can be live-migrated and stays PAUSED', async () => {
    const before = await serverNamed(target().pausedServer)
    value(await cloud().liveMigrate(before.id, null))
    const arrived = await until('the server is elsewhere', async () => {
      const now = value(await cloud().getInstance(before.id))
      return now.taskState === null ? now : null
    })
    expect(arrived.status).toBe('PAUSED')
    expect(arrived.host).not.toBe(before.host)
  })

  it('accepts a migration to a disabled host and fails it later: only the record says so', async () => {
    const before = await serverNamed(target().movableServer)
    const services = value(await cloud().computeServices())
    const other = must(
      services.find(service => service.host !== before.host),
      'there are other hosts',
    )
    value(await cloud().disableComputeService(other.id, 'contract test'))
    try {
      value(await cloud().liveMigrate(before.id, other.host))
      const back = await until('the server settled', async () => {
        const now = value(await cloud().getInstance(before.id))
        return now.taskState === null ? now : null
      })
      expect(back).toMatchObject({ status: 'ACTIVE', host: before.host })
      const record = await until('its record has ended', async () => {
        const newest = value(await cloud().migrations({ instanceId: before.id }))[0]
        return newest !== undefined && ['error', 'failed'].includes(newest.status) ? newest : null
      })
      expect(record.destHost === null || record.destHost === other.host).toBe(true)
    } finally {
      value(await cloud().enableComputeService(other.id))
    }
  })

  it('answers not-found for a server that does not exist', async () => {
    expect(failureOf(await cloud().getInstance('00000000-0000-4000-8000-000000000000')).code).toBe('not-found')
  })

  it.each([
    ['one that runs', (t: ContractTarget) => t.movableServer],
    ['a paused one', (t: ContractTarget) => t.pausedServer],
    ['a stopped one', (t: ContractTarget) => t.stoppedServer],
  ])('adds and removes one tag of a server, %s, and leaves the others alone', async (_state, name) => {
    const before = await serverNamed(name(target()))
    const tag = 'lockkeeper:contract=a b+c%?'
    value(await cloud().addInstanceTag(before.id, tag))
    value(await cloud().addInstanceTag(before.id, tag))
    const tagged = value(await cloud().getInstance(before.id))
    expect([...tagged.tags].sort()).toEqual([...before.tags, tag].sort())
    expect(tagged.updatedAt, 'tags do not count as a change of the server').toBe(before.updatedAt)
    value(await cloud().removeInstanceTag(before.id, tag))
    expect(failureOf(await cloud().removeInstanceTag(before.id, tag)).code).toBe('not-found')
    expect([...value(await cloud().getInstance(before.id)).tags].sort()).toEqual([...before.tags].sort())
  })

  it('refuses tags of a server in ERROR: conflict, with its vm_state', async () => {
    const server = await serverNamed(target().erroredServer)
    for (const answer of [
      await cloud().addInstanceTag(server.id, 'lockkeeper:contract=x'),
      await cloud().removeInstanceTag(server.id, 'lockkeeper:contract=x'),
    ]) {
      const refused = failureOf(answer)
      expect(refused.code).toBe('conflict')
      expect(refused.message).toContain('vm_state error')
    }
  })

  it('resets the state of a server in ERROR: only its record changes, and a plain user may not', async () => {
    const server = await serverNamed(target().erroredServer)
    expect(failureOf(await target().openstackAsUser.resetInstanceState(server.id)).code).toMatch(
      /not-permitted|not-found/,
    )
    try {
      value(await cloud().resetInstanceState(server.id))
      expect(value(await cloud().getInstance(server.id))).toMatchObject({
        ...{ status: 'ACTIVE', vmState: 'active', taskState: null, host: server.host, powerState: server.powerState },
      })
    } finally {
      const asked = {
        method: 'POST',
        path: `/servers/${server.id}/action`,
        body: { 'os-resetState': { state: 'error' } },
        call: askedByTest('put the server back into ERROR'),
      } as const
      value(await target().openstackSession.request('compute', asked))
    }
  })

  it('refuses a tag that is too long, and more than fifty', async () => {
    const server = await serverNamed(target().stoppedServer)
    expect(failureOf(await cloud().addInstanceTag(server.id, 'x'.repeat(61))).code).toBe('bad-input')
    expect(failureOf(await cloud().addInstanceTag(server.id, 'a,b')).code).toBe('bad-input')
    const fillers = Array.from({ length: 50 - server.tags.length }, (_, index) => `lockkeeper:contract=${index}`)
    // The whole list at once, which our port never writes: one by one needs a hundred requests.
    const writeAll = (tags: readonly string[]) => {
      const asked = {
        method: 'PUT',
        path: `/servers/${server.id}/tags`,
        body: { tags },
        call: askedByTest('fill the tags'),
      } as const
      return target().openstackSession.request('compute', asked)
    }
    try {
      value(await writeAll([...server.tags, ...fillers]))
      const refused = failureOf(await cloud().addInstanceTag(server.id, 'lockkeeper:contract=one-more'))
      expect(refused).toMatchObject({ code: 'bad-input', message: expect.stringMatching(/number of tags/) })
    } finally {
      value(await writeAll(server.tags))
    }
  })

  it('a plain user may not tag a server of another project, and the failure names rule and role', async () => {
    const server = await serverNamed(target().stoppedServer)
    const refused = failureOf(await target().openstackAsUser.addInstanceTag(server.id, 'lockkeeper:contract=x'))
    expect(refused.code).toBe('not-permitted')
    expect(refused.message).toContain('os_compute_api:os-server-tags:update')
    expect(refused.message).toContain('the role member in the project of the instance, or admin')
  })

  it('lists the zones and their hosts', async () => {
    const zones = value(await cloud().availabilityZones())
    expect(zones.find(zone => zone.hosts.includes(target().computeNode))?.name).toMatch(/^az\d$/)
  })

  it('lists the network agents of a host, alive', async () => {
    const agents = value(await cloud().networkAgents(target().computeNode))
    expect(agents.length).toBeGreaterThan(0)
    expect(agents.every(agent => agent.host === target().computeNode && agent.alive && agent.adminStateUp)).toBe(true)
  })

  it('lists the hypervisors, each with its nova-compute and with the instances of its host', async () => {
    const host = target().computeNode
    const hypervisors = value(await cloud().hypervisors())
    expect(hypervisors.map(each => each.host).sort()).toEqual(
      value(await cloud().computeServices())
        .map(each => each.host)
        .sort(),
    )
    const own = must(
      hypervisors.find(each => each.host === host),
      'every nova-compute has a hypervisor',
    )
    expect(own).toMatchObject({ serviceId: (await serviceOf(host)).id, state: 'up' })
    const listed = value(await cloud().instancesOnHost(host)).items.map(({ id }) => id)
    expect([...value(await cloud().hypervisorInstances(own.id))].sort()).toEqual([...listed].sort())
    const none = failureOf(await cloud().hypervisorInstances('00000000-0000-4000-8000-000000000000'))
    expect(none.code).toBe('not-found')
  })

  it('a plain user may not list the hypervisors, and the failure names the rule', async () => {
    const refused = failureOf(await target().openstackAsUser.hypervisors())
    expect(refused.code).toBe('not-permitted')
    expect(refused.message).toContain('os_compute_api:os-hypervisors:list-detail')
  })

  it('lists the projects of all instances by name', async () => {
    const projects = value(await cloud().projects())
    expect(projects.map(({ name }) => name)).toContain('admin')
    const ids = new Set(projects.map(({ id }) => id))
    const owned = value(await cloud().listInstances()).items
    expect(owned.filter(({ projectId }) => projectId === null || !ids.has(projectId))).toEqual([])
  })

  it('a plain user may not list everybody’s projects, and the failure names the rule', async () => {
    const refused = failureOf(await target().openstackAsUser.projects())
    expect(refused.code).toBe('not-permitted')
    expect(refused.message).toContain('identity:list_projects')
  })

  it('reports capacities and usages of the compute hosts', async () => {
    const providers = value(await cloud().resourceProviders())
    const own = must(
      providers.find(provider => provider.name === target().computeNode),
      'every compute host is a provider',
    )
    expect(own.capacities.VCPU).toBeGreaterThan(0)
    expect(own.usages).toHaveProperty('MEMORY_MB')
  })

  it('reports from Placement which hosts are disabled, and enables one some seconds after its nova-compute was enabled', async () => {
    const host = target().computeNode
    const { id } = await serviceOf(host)
    const isClosed = async () => value(await cloud().closedHosts()).includes(host)
    await until('Placement has it open', async () => ((await isClosed()) ? null : true))
    value(await cloud().disableComputeService(id, 'contract'))
    try {
      await until('Placement has it closed', async () => ((await isClosed()) ? true : null))
    } finally {
      value(await cloud().enableComputeService(id))
    }
    await until('Placement has it open', async () => ((await isClosed()) ? null : true))
  })

  it('lists the allocations on a host: each of its instances, and none on an unknown host', async () => {
    const host = target().computeNode
    const consumers = value(await cloud().consumersOn([host]))
    for (const { id, name } of value(await cloud().instancesOnHost(host)).items) expect(consumers, name).toContain(id)
    expect(value(await cloud().consumersOn(['no-such-host']))).toBeNull()
  })
}
