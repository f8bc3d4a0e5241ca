import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import type { SunbeamCloud } from '../../../main/wings/simulators/start-sunbeam.ts'
import { must } from '../../../shared/domain/must.ts'
import { type CliAnswer, lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'

/**
 * A hyperconverged node of demo-sunbeam by the terminal, from a separate process. What became of the cloud is read from the
 * simulators, and what was asked of it from their logs, not from our journal.
 */
describe('a hyperconverged node of demo-sunbeam', () => {
  let directory: string
  let data: string
  let demo: DemoClouds

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-sunbeam-'))
    data = join(directory, 'data')
    demo = await startDemoClouds({
      clock: systemClock,
      directory: join(directory, 'clouds'),
      speed: 20,
      sunbeam: {},
    })
    const added = await addSunbeam(data, sunbeam())
    expect(added.code, reported(added)).toBe(0)
    await vi.waitFor(() => expect(podsOf('sun-1').length).toBeGreaterThan(4), { timeout: 20_000 })
  })

  afterAll(async () => {
    await demo?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const sunbeam = (): SunbeamCloud => must(demo.sunbeam, 'the demo has Sunbeam')
  const podsOf = (node: string) =>
    sunbeam()
      .kubernetes.objects.list('Pod')
      .filter(pod => (pod as { spec?: { nodeName?: string } }).spec?.nodeName === node)
  const podOf = (name: string) =>
    sunbeam()
      .kubernetes.objects.list('Pod')
      .find(pod => pod.metadata.name === name) as
      | { spec?: { nodeName?: string }; status?: { phase?: string } }
      | undefined
  const nodeOf = (name: string) =>
    must(
      sunbeam()
        .kubernetes.objects.list('Node')
        .find(node => node.metadata.name === name),
      `there is ${name}`,
    ) as { spec?: { unschedulable?: boolean } }
  const instancesOn = (host: string) =>
    [...sunbeam().openstack.state.servers.values()].filter(server => server.host === host)
  const serviceOf = (host: string) =>
    must(
      sunbeam().openstack.state.services.find(each => each.binary === 'nova-compute' && each.host === host),
      `nova-compute of ${host}`,
    )
  const osdsOf = (host: string) =>
    must(sunbeam().ceph, 'it has Ceph')
      .osds()
      .filter(osd => osd.host === host)
  const cephSays = (...words: readonly string[]) =>
    must(sunbeam().ceph, 'it has Ceph').command(['ceph', ...words, '--format', 'json'])?.stdout ?? ''
  const charmActions = () =>
    sunbeam()
      .juju.tasks()
      .filter(task => task.name.endsWith('-maintenance'))
      .map(({ name, unit, parameters }) => {
        const chosen = Object.keys(parameters).filter(key => parameters[key] === true && key !== 'ignore-check')
        return [name, unit, ...chosen].join(' ')
      })

  it('a dry run tells the whole plan and changes nothing', async () => {
    const { kubernetes, openstack, juju } = sunbeam()
    const before = kubernetes.log.all().length
    const planned = await lockkeeper(data, ['enter', 'sun', 'sun-1', '--stop-osds', '--dry-run'])
    expect(planned.code, reported(planned)).toBe(0)
    expect(planned.stdout).toContain('6 live migrations')
    expect(planned.stdout).toContain('noout')
    const writes = kubernetes.log
      .all()
      .slice(before)
      .filter(({ method, path, dryRun }) => method !== 'GET' && !dryRun && !/accessreviews|rulesreviews/.test(path))
    expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([])
    // Watcher's own records are all that is written on the side of the cloud.
    const asked = openstack.log.filter(
      ({ method, path }) => method !== 'GET' && !/^\/(identity\/v3\/auth|infra-optim\/v1\/audit)/.test(path),
    )
    expect(asked.filter(({ path }) => !path.startsWith('/infra-optim/v1/action_plans/'))).toEqual([])
    // Nobody can confirm that plan any more, so nobody can start Watcher's.
    const { plans } = must(openstack.watcher, 'it has Watcher').records
    expect(plans.map(({ state }) => state)).toEqual(['CANCELLED'])
    expect(charmActions()).toEqual([])
    expect(juju.log().length).toBeGreaterThan(0)
    expect(instancesOn('sun-1')).toHaveLength(6)
  })

  it('enters: instances are gone by Watcher, OSDs are stopped under noout, pods have left; a broken connection to Juju repeats nothing', async () => {
    sunbeam().juju.faults.breakAt({ request: 'Action.EnqueueOperation', when: 'after' })
    const names = instancesOn('sun-1').map(server => server.id)
    const entered = await lockkeeper(data, ['enter', 'sun', 'sun-1', '--stop-osds', '--yes'])
    expect(entered.code, reported(entered)).toBe(0)
    expect(entered.stdout).toContain('sun-1 is empty.')

    expect(instancesOn('sun-1')).toEqual([])
    expect(serviceOf('sun-1')).toMatchObject({ enabled: false, alive: true, disabledReason: 'watcher_maintaining' })
    const moved = sunbeam().openstack.state.migrations
    expect(moved.map(({ serverId }) => serverId).toSorted()).toEqual(names.toSorted())
    expect(moved.every(({ source, status }) => source === 'sun-1' && status === 'completed')).toBe(true)

    expect(cephSays('osd', 'dump')).toContain('noout')
    expect(osdsOf('sun-1').every(({ up }) => !up)).toBe(true)
    expect(charmActions()).toEqual([
      'enter-maintenance microceph/0 set-noout',
      'enter-maintenance microceph/0 set-noout stop-osds',
    ])

    expect(nodeOf('sun-1').spec?.unschedulable).toBe(true)
    expect(podsOf('sun-1').map(({ metadata }) => metadata.ownerReferences?.[0]?.kind)).toEqual(['DaemonSet'])
    // Its disk is on sun-1: it waits.
    await vi.waitFor(() => expect(podOf('mysql-0')?.status?.phase).toBe('Pending'), { timeout: 20_000 })
  })

  it('is in maintenance, and a second node is refused meanwhile', async () => {
    const nodes = await lockkeeper(data, ['nodes', 'sun'])
    expect(nodes.stdout).toMatch(/sun-1 .* maintenance /)
    const second = await lockkeeper(data, ['enter', 'sun', 'sun-2', '--dry-run'])
    expect(second.code, reported(second)).toBe(3)
    expect(second.stdout).toContain('sun-1')
  })

  it('leaves: what was taken away is given back, and Ceph is whole again', async () => {
    const left = await lockkeeper(data, ['leave', 'sun', 'sun-1', '--yes', '--disable-instance-workload-rebalancing'])
    expect(left.code, reported(left)).toBe(0)
    expect(left.stdout).toContain('sun-1 is in service.')
    expect(serviceOf('sun-1')).toMatchObject({ enabled: true, disabledReason: null })
    expect(cephSays('osd', 'dump')).not.toContain('noout')
    expect(osdsOf('sun-1').every(({ up }) => up)).toBe(true)
    expect(nodeOf('sun-1').spec?.unschedulable ?? false).toBe(false)
    await vi.waitFor(() => expect(podOf('mysql-0')).toMatchObject({ spec: { nodeName: 'sun-1' } }), { timeout: 20_000 })
    const nodes = await lockkeeper(data, ['nodes', 'sun'])
    expect(nodes.stdout).toMatch(/sun-1 .* in service /)
  })

  it('is not entered while Juju does not answer, and nothing was done by then', async () => {
    const { juju, openstack } = sunbeam()
    const plans = must(openstack.watcher, 'it has Watcher').records.plans
    const begun = plans.filter(({ state }) => state !== 'RECOMMENDED' && state !== 'CANCELLED').length
    juju.faults.setReachable(false)
    try {
      const refused = await lockkeeper(data, ['enter', 'sun', 'sun-1', '--yes'])
      expect(refused.code, reported(refused)).toBe(3)
      expect(reported(refused)).toContain('Juju')
    } finally {
      juju.faults.clear()
    }
    expect(plans.filter(({ state }) => state !== 'RECOMMENDED' && state !== 'CANCELLED')).toHaveLength(begun)
    expect(serviceOf('sun-1').enabled).toBe(true)
  })
})

describe('the node of demo-sunbeam that hosts the Juju controller', () => {
  it('is never entered, whatever is overridden', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lockkeeper-sunbeam-juju-'))
    const data = join(directory, 'data')
    const demo = await startDemoClouds({
      clock: systemClock,
      directory: join(directory, 'clouds'),
      speed: 20,
      sunbeam: { jujuControllerOn: 'sun-1' },
    })
    try {
      const sunbeam = must(demo.sunbeam, 'the demo has Sunbeam')
      const added = await addSunbeam(data, sunbeam)
      expect(added.code, reported(added)).toBe(0)
      await vi.waitFor(
        () =>
          expect(sunbeam.kubernetes.objects.list('Pod').map(({ metadata }) => metadata.name)).toContain('controller-0'),
        { timeout: 20_000 },
      )
      const refused = await lockkeeper(data, [
        ...['enter', 'sun', 'sun-1', '--yes'],
        ...['--force', 'ticket 1', '--allow-downtime', 'ticket 1'],
      ])
      expect(refused.code, reported(refused)).toBe(3)
      expect(refused.stdout).toContain('hosts the Juju controller')
    } finally {
      await demo.stop()
      await rm(directory, { recursive: true, force: true })
    }
  })
})

describe('a compute-only machine outside of Kubernetes (seed 004, roles)', () => {
  it('is emptied by Watcher and comes back, and no node of Kubernetes is touched', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lockkeeper-sunbeam-'))
    const data = join(directory, 'data')
    const demo = await startDemoClouds({
      clock: systemClock,
      directory: join(directory, 'clouds'),
      speed: 20,
      sunbeam: { computeOnly: true },
    })
    try {
      const sunbeam = must(demo.sunbeam, 'the demo has Sunbeam')
      const { openstack, kubernetes } = sunbeam
      const added = await addSunbeam(data, sunbeam)
      expect(added.code, reported(added)).toBe(0)
      const on = () => [...openstack.state.servers.values()].filter(({ host }) => host === 'sun-4')
      const service = () =>
        openstack.state.services.find(each => each.binary === 'nova-compute' && each.host === 'sun-4')
      const writes = () =>
        kubernetes.log.all().filter(({ method, path }) => method !== 'GET' && /\/(?:nodes|pods)\//.test(path))
      const there = on()
        .map(({ id }) => id)
        .toSorted()
      expect(there).toHaveLength(2)

      const entered = await lockkeeper(data, ['enter', 'sun', 'sun-4', '--yes'])
      expect(entered.code, reported(entered)).toBe(0)
      expect(entered.stdout).toContain('It runs no pods, so Lockkeeper does not cordon or drain it.')
      expect(entered.stdout).toContain('sun-4 is empty.')
      expect(on()).toEqual([])
      expect(service()).toMatchObject({ enabled: false })
      const rows = await lockkeeper(data, ['nodes', 'sun'])
      expect(rows.stdout).toMatch(/sun-4 +compute .* maintenance /)

      const left = await lockkeeper(data, ['leave', 'sun', 'sun-4', '--home', '--yes'])
      expect(left.code, reported(left)).toBe(0)
      expect(
        on()
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(there)
      expect(service()).toMatchObject({ enabled: true })
      expect(writes()).toEqual([])

      // With its nova-compute down nobody can send its instances away.
      openstack.faults.setComputeUp('sun-4', false)
      const down = await lockkeeper(data, ['enter', 'sun', 'sun-4', '--yes'])
      expect(down.code, reported(down)).toBe(3)
    } finally {
      await demo.stop()
      await rm(directory, { recursive: true, force: true })
    }
  })
})

describe('a storage-only machine outside of Kubernetes (seed 004, roles)', () => {
  it('keeps its disks in while it is away, also when a node comes back meanwhile, and the other way round', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lockkeeper-sunbeam-'))
    const data = join(directory, 'data')
    const demo = await startDemoClouds({
      clock: systemClock,
      directory: join(directory, 'clouds'),
      speed: 20,
      sunbeam: { storageOnly: true },
    })
    try {
      const sunbeam = must(demo.sunbeam, 'the demo has Sunbeam')
      const { kubernetes } = sunbeam
      const ceph = must(sunbeam.ceph, 'it has Ceph')
      const flags = () => ceph.command(['ceph', 'osd', 'dump', '--format', 'json'])?.stdout ?? ''
      const lease = () =>
        kubernetes.objects.get('Lease', 'default', 'lockkeeper-node-sun-5') as
          | { metadata: { annotations?: Readonly<Record<string, string>> }; spec?: { holderIdentity?: string } }
          | undefined
      const does = async (...words: readonly string[]) => {
        const answer = await lockkeeper(data, [...words, '--yes', '--force', 'a test', '--allow-downtime', 'a test'])
        expect(answer.code, reported(answer)).toBe(0)
        return answer.stdout
      }
      const added = await addSunbeam(data, sunbeam)
      expect(added.code, reported(added)).toBe(0)

      const entered = await does('enter', 'sun', 'sun-5')
      expect(entered).toContain('Only Ceph uses it. It runs no pods, so Lockkeeper does not cordon or drain it.')
      expect(entered).toContain('sun-5 is empty.')
      expect(flags()).toContain('noout')
      // Nobody holds the Lease any more, and the note stays on it.
      expect(lease()?.metadata.annotations?.['lockkeeper.dev/noout']).toBeDefined()
      expect(lease()?.spec?.holderIdentity).toBeUndefined()
      const rows = await lockkeeper(data, ['nodes', 'sun'])
      expect(rows.stdout).toMatch(/sun-5 +storage .* maintenance /)

      const second = await lockkeeper(data, ['plan', 'enter', 'sun', 'sun-1'])
      expect(second.stdout).toContain('sun-5 (in maintenance: run ')
      await does('enter', 'sun', 'sun-1')
      expect(await does('leave', 'sun', 'sun-1')).toContain('sun-5 is in maintenance')
      expect(flags()).toContain('noout')

      await does('enter', 'sun', 'sun-1')
      expect(await does('leave', 'sun', 'sun-5')).toContain('sun-1 is in maintenance')
      expect(flags()).toContain('noout')
      expect(lease()?.metadata.annotations?.['lockkeeper.dev/noout']).toBeUndefined()
      await does('leave', 'sun', 'sun-1')
      expect(flags()).not.toContain('noout')
      const after = await lockkeeper(data, ['nodes', 'sun'])
      expect(after.stdout).toMatch(/sun-5 +storage .* in service /)
    } finally {
      await demo.stop()
      await rm(directory, { recursive: true, force: true })
    }
  })
})

/** Registers demo-sunbeam as `sun`, with the controller that its machines are operated by. */
function addSunbeam(data: string, { cluster, juju }: SunbeamCloud): Promise<CliAnswer> {
  const { kubeconfigPath, context, cloudsYamlPath, cloud, roleMaintenance } = cluster
  const files = roleMaintenance.juju?.kind === 'client-files' ? roleMaintenance.juju.directory : ''
  return lockkeeper(data, [
    ...['cluster', 'add', 'sun', '--flavour', 'sunbeam', '--kubeconfig', kubeconfigPath, '--context', context],
    ...['--clouds-yaml', cloudsYamlPath, '--cloud', cloud],
    ...['--juju-directory', files, '--juju-controller', juju.name, '--juju-model', juju.model],
    ...['--ceph-services-rule', roleMaintenance.cephServicesRule ?? 'auto'],
  ])
}

function reported({ stdout, stderr }: CliAnswer): string {
  return stdout + stderr
}
