import { expect, onTestFinished, test } from 'vitest'
import { openOpenStackSession } from '../../../../main/adapters/openstack/keystone-session.ts'
import { createOpenStackPort } from '../../../../main/adapters/openstack/openstack-port.ts'
import { createWatcherPort } from '../../../../main/adapters/openstack/watcher/watcher-port.ts'
import { type Clock, systemClock } from '../../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import type { OpenStackPort } from '../../../../main/ports/openstack.ts'
import type { WatcherPort } from '../../../../main/ports/watcher.ts'
import type { Lie } from '../../../../main/wings/simulators/lie.ts'
import type { FaultEffect } from '../../../../main/wings/simulators/openstack/faults.ts'
import { startOpenStackSimulator } from '../../../../main/wings/simulators/openstack/openstack-simulator.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import { resolvedCloud } from '../../../fixtures/openstack-cloud.ts'
import { SMALL_CLOUD } from '../../wings/simulators/openstack/small-cloud.ts'

const ID = '11111111-2222-4333-8444-555555555555'

type Call<P> = (port: P) => Promise<Result<unknown>>

/**
 * Every question and change of a port. `says`: its answer has a body. `names`: it is about an object or a filter that was named, so that
 * another one's answer is recognizable.
 */
type Table<P> = Readonly<Record<keyof P, { readonly call: Call<P>; readonly says: boolean; readonly names: boolean }>>

const read = <P>(call: Call<P>) => ({ call, says: true, names: false })
const readOf = <P>(call: Call<P>) => ({ call, says: true, names: true })
const change = <P>(call: Call<P>) => ({ call, says: false, names: false })

const OPENSTACK: Table<OpenStackPort> = {
  computeServices: read(port => port.computeServices()),
  computeService: readOf(port => port.computeService('cmp-1')),
  disableComputeService: change(port => port.disableComputeService(ID, 'maintenance')),
  enableComputeService: change(port => port.enableComputeService(ID)),
  forceComputeServiceDown: change(port => port.forceComputeServiceDown(ID, 'off')),
  forceComputeServiceUp: change(port => port.forceComputeServiceUp(ID)),
  instancesOnHost: readOf(port => port.instancesOnHost('cmp-1')),
  listInstances: read(port => port.listInstances()),
  instancesChangedSince: read(port => port.instancesChangedSince('2020-01-01T00:00:00Z')),
  getInstance: readOf(port => port.getInstance(server)),
  addInstanceTag: change(port => port.addInstanceTag(server, 'a')),
  removeInstanceTag: change(port => port.removeInstanceTag(server, 'a')),
  instanceActions: read(port => port.instanceActions(server)),
  liveMigrate: change(port => port.liveMigrate(server, null)),
  coldMigrate: change(port => port.coldMigrate(server, null)),
  evacuateInstance: change(port => port.evacuateInstance(server)),
  confirmResize: change(port => port.confirmResize(server)),
  stopInstance: change(port => port.stopInstance(server)),
  resetInstanceState: change(port => port.resetInstanceState(server)),
  startInstance: change(port => port.startInstance(server)),
  abortMigration: change(port => port.abortMigration(server, 1)),
  forceCompleteMigration: change(port => port.forceCompleteMigration(server, 1)),
  migrations: read(port => port.migrations({})),
  runningMigration: read(port => port.runningMigration(server)),
  serverGroups: read(port => port.serverGroups()),
  aggregates: read(port => port.aggregates()),
  portsOnHost: readOf(port => port.portsOnHost('cmp-1')),
  availabilityZones: read(port => port.availabilityZones()),
  hypervisors: read(port => port.hypervisors()),
  hypervisorInstances: readOf(port => port.hypervisorInstances(hypervisor)),
  networkAgents: readOf(port => port.networkAgents('ctl-1')),
  resourceProviders: read(port => port.resourceProviders()),
  providerNames: read(port => port.providerNames()),
  closedHosts: read(port => port.closedHosts()),
  candidateHosts: read(port => port.candidateHosts({ resources: 'VCPU:1', required: 'HW_CPU_X86_VMX' })),
  projects: read(port => port.projects()),
  consumersOn: read(port => port.consumersOn(['cmp-1'])),
  volumes: read(port => port.volumes()),
  volumeServices: read(port => port.volumeServices()),
  disableVolumeService: change(port => port.disableVolumeService('ctl-1@ceph', 'maintenance')),
  enableVolumeService: change(port => port.enableVolumeService('ctl-1@ceph')),
  failoverHosts: read(port => port.failoverHosts()),
  setOnMaintenance: change(port => port.setOnMaintenance({ id: ID, host: 'cmp-1', segmentId: ID }, true)),
  recoveries: readOf(port => port.recoveries(failing)),
}

const PARAMETERS = { goal: 'cluster_maintaining', strategy: 'host_maintenance' }

/** An audit of another name each time: one whose answer was a lie may have been made. */
let audits = 0

const WATCHER: Table<WatcherPort> = {
  about: readOf(port => port.about()),
  figures: readOf(port => port.figures('workload_stabilization')),
  recommend: readOf(port => {
    audits += 1
    return port.recommend({ ...PARAMETERS, name: `lockkeeper-${audits}`, parameters: { maintenance_node: 'cmp-1' } })
  }),
  recommended: read(port => port.recommended()),
  plan: read(port => port.plan(ID)),
  skip: change(port => port.skip(ID, 'why')),
  start: change(port => port.start(ID)),
  cancel: change(port => port.cancel(ID)),
  cancelRecommended: change(port => port.cancelRecommended(ID)),
}

let server = ID
let failing = { id: ID, host: 'cmp-1' }
let hypervisor = ID

/** Pauses pass at once, and limits after this time. */
const limitedTo = (limitMs: number): Clock => ({
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, ms < 20_000 ? 1 : limitMs), signal),
})
/** So that an answer that drips ends at its limit. */
const hasty = limitedTo(400)
/** Where an answer has to arrive even while this process is stopped. */
const patient = limitedTo(20_000)

async function lyingCloud(clock: Clock) {
  const simulator = await startOpenStackSimulator({
    clock: systemClock,
    seed: { ...SMALL_CLOUD, watcher: {}, masakari: [{ name: 'rack-1', hosts: ['cmp-1', 'cmp-2'] }] },
    timings: { speed: 40 },
  })
  onTestFinished(() => simulator.stop())
  server = [...simulator.state.servers.values()].find(({ name }) => name === 'active')?.id ?? ''
  hypervisor = simulator.state.hosts.get('cmp-1')?.id ?? ''
  const [segment] = simulator.state.segments
  const hostId = segment?.hosts[0]?.id ?? ''
  failing = { id: hostId, host: 'cmp-1' }
  segment?.notifications.push({ id: ID, hostId, type: 'COMPUTE_HOST', generatedAt: 0, status: 'running' })
  const [admin] = SMALL_CLOUD.users
  const opened = await openOpenStackSession({
    cloud: resolvedCloud({
      name: 'lying',
      authUrl: simulator.authUrl,
      auth: {
        kind: 'password',
        user: { name: admin?.name ?? '', domainName: 'Default' },
        password: admin?.password ?? '',
        scope: { kind: 'project', project: { name: admin?.project ?? '', domainName: 'Default' } },
      },
    }),
    clock,
    log: silentLogger,
    environment: {},
  })
  if (!opened.ok) throw new Error(opened.failure.message)
  const session = opened.value
  onTestFinished(() => session.close())
  // Which microversion is spoken is agreed on before the lies begin.
  for (const service of ['compute', 'placement', 'infra-optim'] as const) await session.microversion(service)
  const lie = (effect: FaultEffect) =>
    simulator.faults.onRequests({
      path: /\/(servers|os-|agents|ports|volumes|allocation_candidates|resource_providers|projects|audit|action|strategies|segments|notifications)/,
      effect,
    })
  return {
    lie,
    simulator,
    openstack: createOpenStackPort({ session }),
    watcher: createWatcherPort({ session, clock }),
  }
}

const FOR_ALL: readonly Lie[] = ['html', 'empty', 'null', 'empty-object', 'empty-array']
const WITH_BODY: readonly Lie[] = ['cut', 'other-key']

const nothing: FaultEffect[] = [204, 202, 201, 404, 409, 302].map(status => ({ kind: 'lie', lie: 'html', status }))

/** A liar must not make the adapter report a missing object or an obstacle either. */
const isBelieved = (answer: Result<unknown>) =>
  answer.ok || answer.failure.code === 'not-found' || answer.failure.code === 'conflict'

async function attempt<P>(
  port: P,
  table: Table<P>,
  lie: (effect: FaultEffect) => () => void,
): Promise<readonly string[]> {
  const believed: string[] = []
  for (const name of Object.keys(table) as (keyof P & string)[]) {
    const { call, says, names } = table[name]
    const reported: readonly Lie[] = [
      ...FOR_ALL,
      ...(says ? WITH_BODY : []),
      ...(names ? (['other-object'] as const) : []),
    ]
    const effects = [...reported.map((each): FaultEffect => ({ kind: 'lie', lie: each })), ...nothing]
    for (const effect of effects) {
      const stop = lie(effect)
      const answer = await call(port)
      stop()
      if (isBelieved(answer))
        believed.push(`${name}: ${JSON.stringify(effect)} gave ${JSON.stringify(answer).slice(0, 200)}`)
    }
  }
  return believed
}

/** A dripping answer lasts until its limit, so all requests run in parallel. */
async function attemptDripping<P>(
  port: P,
  table: Table<P>,
  lie: (effect: FaultEffect) => () => void,
): Promise<readonly string[]> {
  const stop = lie({ kind: 'lie', lie: 'drip' })
  const answers = await Promise.all(
    (Object.keys(table) as (keyof P & string)[]).map(async name => ({ name, answer: await table[name].call(port) })),
  )
  stop()
  return answers
    .filter(({ answer }) => isBelieved(answer))
    .map(({ name, answer }) => `${name}: drip gave ${JSON.stringify(answer).slice(0, 200)}`)
}

test('no question to OpenStack and no change of it believes an invalid answer', async () => {
  const { lie, openstack } = await lyingCloud(patient)
  expect(Object.keys(openstack).sort()).toEqual(Object.keys(OPENSTACK).sort())
  expect(await attempt(openstack, OPENSTACK, lie)).toEqual([])
  // Each question waits until its own limit for servers that say nothing.
}, 120_000)

test('no question to Watcher and no change of it believes an invalid answer', async () => {
  const { lie, watcher } = await lyingCloud(patient)
  expect(Object.keys(watcher).sort()).toEqual(Object.keys(WATCHER).sort())
  expect(await attempt(watcher, WATCHER, lie)).toEqual([])
  // Each question waits until its own limit for servers that say nothing.
}, 120_000)

test('no question and no change believes an answer that drips', async () => {
  const { lie, openstack, watcher } = await lyingCloud(hasty)
  expect(await attemptDripping(openstack, OPENSTACK, lie)).toEqual([])
  expect(await attemptDripping(watcher, WATCHER, lie)).toEqual([])
  // Each question waits until its own limit for answers that come byte by byte.
}, 120_000)

async function attemptTwice<P>(
  port: P,
  table: Readonly<Record<string, { readonly call: Call<P> }>>,
  lie: (effect: FaultEffect) => () => void,
) {
  const believed: string[] = []
  for (const [name, row] of Object.entries(table)) {
    const stop = lie({ kind: 'lie', lie: 'stale' })
    await row.call(port)
    const again = await row.call(port)
    stop()
    if (again.ok || again.failure.code !== 'unreadable' || !again.failure.message.includes('already answered'))
      believed.push(`${name}: ${JSON.stringify(again).slice(0, 200)}`)
  }
  return believed
}

test('no question to OpenStack and no change of it believes an answer that was given before, not even a refusal', async () => {
  const { lie, openstack } = await lyingCloud(patient)
  expect(await attemptTwice(openstack, OPENSTACK, lie)).toEqual([])
  // Each question waits until its own limit for servers that say nothing.
}, 120_000)

test('a database replica that is behind is not believed against earlier answers', async () => {
  const { openstack, lie, simulator } = await lyingCloud(patient)
  const active = must(simulator.state.servers.get(server), 'the cloud has the server')
  const services = () => openstack.computeServices()
  const stop = lie({ kind: 'lie', lie: 'lagging' })
  // What the replica keeps telling.
  await Promise.all([openstack.getInstance(server), openstack.instancesOnHost('cmp-1'), services()])
  stop()
  const later = Date.now() + 60_000
  active.updatedAt = later
  for (const each of simulator.state.services) Object.assign(each, { alive: false, lastSeenAt: later })
  expect([await openstack.getInstance(server), await services()]).toMatchObject([{ ok: true }, { ok: true }])
  lie({ kind: 'lie', lie: 'lagging' })
  for (const answer of [
    await openstack.getInstance(server),
    await openstack.instancesOnHost('cmp-1'),
    await services(),
  ])
    expect(answer).toMatchObject({
      ok: false,
      failure: { code: 'unreadable', message: expect.stringContaining('is old') },
    })
  // Each question waits until its own limit for servers that say nothing.
}, 60_000)

test('endless lists are refused', async () => {
  const { lie, openstack } = await lyingCloud(hasty)
  const lists = ['instancesOnHost', 'listInstances', 'migrations', 'networkAgents', 'projects'] as const
  for (const name of lists) {
    const stop = lie({ kind: 'lie', lie: 'endless' })
    const answer = await OPENSTACK[name].call(openstack)
    stop()
    // A list without items cannot repeat itself: its pages are counted.
    expect({ name, ok: answer.ok }).toEqual({ name, ok: false })
  }
  // Each question waits until its own limit for servers that say nothing.
}, 120_000)

test('the cloud that tells no lies is believed', async () => {
  const { openstack, watcher } = await lyingCloud(patient)
  for (const name of Object.keys(OPENSTACK) as (keyof OpenStackPort)[]) {
    if (!OPENSTACK[name].says) continue
    expect({ name, answer: await OPENSTACK[name].call(openstack) }).toMatchObject({ name, answer: { ok: true } })
  }
  expect(await watcher.about()).toMatchObject({ ok: true })
  // Each question waits until its own limit for servers that say nothing.
}, 60_000)
