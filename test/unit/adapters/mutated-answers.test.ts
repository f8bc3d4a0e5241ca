// Longer than 300 lines: the table of all adapters' questions, one beside the other.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createCephPort } from '../../../main/adapters/ceph/ceph-port.ts'
import type { HttpAnswer, HttpOutcome } from '../../../main/adapters/http/exchange.ts'
import { createJujuPort } from '../../../main/adapters/juju/juju-port.ts'
import { connectionSettings } from '../../../main/adapters/kubernetes/connection.ts'
import { openCredentials } from '../../../main/adapters/kubernetes/credentials.ts'
import { loadKubeconfig, singleContext } from '../../../main/adapters/kubernetes/kubeconfig.ts'
import { createKubernetesPort } from '../../../main/adapters/kubernetes/kubernetes-port.ts'
import { createLockWriter } from '../../../main/adapters/kubernetes/lock-writer.ts'
import { createMaintenanceApi } from '../../../main/adapters/kubernetes/maintenance-api.ts'
import { createKubernetesSession } from '../../../main/adapters/kubernetes/session.ts'
import { createTransport, type Transport as KubernetesTransport } from '../../../main/adapters/kubernetes/transport.ts'
import { login } from '../../../main/adapters/openstack/keystone-session.ts'
import { createOpenStackPort } from '../../../main/adapters/openstack/openstack-port.ts'
import type { ResolvedCloud } from '../../../main/adapters/openstack/resolved-cloud.ts'
import { openTransport, type Transport } from '../../../main/adapters/openstack/transport.ts'
import { createWatcherPort } from '../../../main/adapters/openstack/watcher/watcher-port.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { createMaintenanceRuns } from '../../../main/wings/runner/kubernetes/maintenance-runs.ts'
import { RUNNER_DEFINITIONS } from '../../../main/wings/runner/manifests/runner-definitions.ts'
import { createCephSimulator } from '../../../main/wings/simulators/ceph/ceph-simulator.ts'
import type { JujuSimulator } from '../../../main/wings/simulators/juju/juju-simulator.ts'
import { startJujuSimulator } from '../../../main/wings/simulators/juju/juju-simulator.ts'
import { startKubernetesSimulator } from '../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { startOpenStackSimulator } from '../../../main/wings/simulators/openstack/openstack-simulator.ts'
import { nodeLease } from '../../../shared/domain/lease-name.ts'
import { MaintenanceRunSpec, MaintenanceRunStatus } from '../../../shared/domain/maintenance-run.ts'
import { must } from '../../../shared/domain/must.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { type Mutated, mutated, mutations, type Question, whatIsWrong } from '../../fixtures/adapters/mutation.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { budget, FAST, SMALL_CLOUD as SMALL_CLUSTER } from '../../fixtures/demo-kubernetes/small-cloud.ts'
import { sampleWorld } from '../../fixtures/juju/juju-world.ts'
import { newFolder } from '../../fixtures/kubernetes/kubeconfig-files.ts'
import { resolvedCloud } from '../../fixtures/openstack-cloud.ts'
import { SMALL_CLOUD } from '../wings/simulators/openstack/small-cloud.ts'

const MORE = process.env.LOCKKEEPER_MUTATIONS
/** How often each question is asked; more by LOCKKEEPER_MUTATIONS. */
const RUNS = Number(MORE ?? 25)
/** Decides which mutations are made: in CI always the same ones, so that what turns red is the change; with more of them others each time. */
const SEED = Number(process.env.LOCKKEEPER_SEED ?? (MORE === undefined ? 93 : Date.now() % 2 ** 31))
/** An answer that is not there by then never comes. */
const BOUND_MS = 15_000

/** Pauses before a retry pass at once; limits of a request stay. */
const clock = {
  ...systemClock,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms < 15_000 ? 0 : ms, signal),
}
/** Closes what the tests opened, the last first. */
const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

type Lie = (text: string) => string
type Asked = Promise<Result<unknown>>

/** True answers by request: each comes from the simulator once, so that every later adapter receives the same. */
function tape<A extends { readonly headers: Readonly<Record<string, unknown>>; readonly body: string }>() {
  const known = new Map<string, Promise<A>>()
  return async (key: string, record: () => Promise<A>, lie: Lie | null): Promise<A> => {
    const had = known.get(key) ?? record()
    known.set(key, had)
    const { headers, ...answer } = await had
    // These would reveal a repeated answer as outdated.
    const kept = Object.entries(headers).filter(
      ([name]) => !/^(date|age|.*request-id|audit-id|content-length)$/.test(name),
    )
    const reported = { ...answer, headers: Object.fromEntries(kept) } as A
    return lie === null ? reported : { ...reported, body: lie(reported.body) }
  }
}

function answered(outcome: HttpOutcome): HttpAnswer {
  if (outcome.kind === 'answer') return outcome
  throw new Error(`the simulator gave no answer: ${outcome.kind}`)
}

interface ListedObject {
  readonly metadata: { readonly name: string }
}
interface ObjectList {
  readonly items: readonly ListedObject[]
}
interface Named {
  readonly name: string
}
const heldNames = ({ items }: ObjectList) => items.map(({ metadata }) => metadata.name)
const reportedNames = (value: readonly Named[]) => value.map(({ name }) => name)

async function kubernetesQuestions(): Promise<readonly Question[]> {
  const simulator = await startKubernetesSimulator({
    clock: systemClock,
    seed: [...SMALL_CLUSTER, budget('mutable', 'rabbitmq', { minAvailable: 1 })],
    timings: FAST,
  })
  closing.push(() => simulator.stop())
  const path = join(await newFolder(), 'config')
  await writeFile(path, simulator.kubeconfig())
  const context = valueIn(singleContext(valueIn(await loadKubeconfig([path])), 'demo'))
  const connection = valueIn(await connectionSettings(context, {}))
  const credentials = valueIn(await openCredentials({ context, connection, consent: () => false, clock }))
  const wire = createTransport(connection, clock)
  closing.push(() => wire.close())
  const played = tape<HttpAnswer>()
  const over = (transport: KubernetesTransport) => {
    const session = createKubernetesSession({
      connection,
      credentials,
      transport,
      clock,
      log: silentLogger,
    })
    return {
      kubernetes: createKubernetesPort({ session, leaseNamespace: 'default', clock, log: silentLogger }),
      maintenance: createMaintenanceApi({ session, clock }),
      locks: createLockWriter(session),
      runs: createMaintenanceRuns({ session, namespace: 'openstack', clock }),
      session,
    }
  }
  const real = over(wire)
  for (const body of RUNNER_DEFINITIONS) {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    valueIn(await real.session.request({ method: 'POST', path, body }))
  }
  const spec = MaintenanceRunSpec.parse({
    kind: 'enter',
    cluster: 'lab',
    node: 'cmp-1',
    plan: '{}',
    planHash: '4'.repeat(64),
    confirmedBy: 'ada',
  })
  const run = valueIn(await real.runs.createRun({ name: 'run-1', spec }))
  const status = MaintenanceRunStatus.parse({ phase: 'Running', nodesDone: 1, nodesAll: 4, lastSeq: 7 })
  valueIn(await real.runs.setRunStatus(run, status))
  const batches = [{ name: null, runs: ['run-1'], atOnce: null }]
  const night = { batches, failureBudget: 0, confirmedBy: 'ada' }
  valueIn(await real.runs.createCampaign({ name: 'night', spec: night }))
  const control = { run: 'run-1', control: 'pause', by: 'ada', reason: 'lunch' } as const
  valueIn(await real.runs.createControl({ name: 'control-1', spec: control }))
  valueIn(await real.maintenance.installDefinitions())
  const about = { name: 'cmp-1', nodeName: 'cmp-1', annotations: {} }
  valueIn(await real.locks.createNodeLock({ ...about, controller: 'openstack', nodeDeletionRequestSupported: false }))
  valueIn(await real.maintenance.createNodeRequest({ ...about, scope: 'os', release: null }))
  const us = { name: nodeLease('cmp-1'), identity: 'us', runId: 'r', operator: 'o', machine: 'm', durationSeconds: 60 }
  valueIn(await real.kubernetes.leases.acquire(us))
  // The node has a heartbeat, the controllers have started, and their first work is done.
  await vi.waitFor(() => {
    expect(simulator.objects.get('Lease', 'kube-node-lease', 'cmp-1')).not.toBeNull()
    expect(simulator.objects.list('Pod')).not.toEqual([])
  }, 20_000)
  await systemClock.sleep(300)
  const sendingOnce = (met: RegExp, call: (ports: ReturnType<typeof over>) => Asked) => (lie: Lie) =>
    call(
      over({
        ...wire,
        send: (request, proof) =>
          played(
            `${request.method} ${request.path}`,
            async () => answered(await wire.send(request, proof)),
            met.test(request.path) ? lie : null,
          ),
      }),
    )
  const rows = { held: heldNames, reported: reportedNames }
  const whole = /^(kind|apiVersion|metadata\.name)$/
  const objects = (key: 'nodeLocks' | 'nodeRequests') => ({
    held: heldNames,
    reported: (value: Readonly<Record<typeof key, readonly Named[]>>) => reportedNames(value[key]),
  })
  return [
    { name: 'nodes', sendOnce: sendingOnce(/\/nodes\?/, p => p.kubernetes.listNodes()), ...rows },
    { name: 'a node', sendOnce: sendingOnce(/nodes\/cmp-1$/, p => p.kubernetes.getNode('cmp-1')), names: whole },
    { name: 'pods', sendOnce: sendingOnce(/\/pods\?/, p => p.kubernetes.listPods('openstack')), ...rows },
    { name: 'pods of a node', sendOnce: sendingOnce(/\/pods\?/, p => p.kubernetes.listPodsOnNode('ctl-1')), ...rows },
    {
      name: 'a pod',
      sendOnce: sendingOnce(/pods\/mariadb-0$/, p => p.kubernetes.getPod('openstack', 'mariadb-0')),
      names: /^(kind|apiVersion|metadata\.(name|namespace))$/,
    },
    { name: 'budgets', sendOnce: sendingOnce(/poddisruptionbudgets/, p => p.kubernetes.listBudgets()), ...rows },
    {
      name: 'workloads',
      sendOnce: sendingOnce(/statefulsets/, p => p.kubernetes.listWorkloads(['StatefulSet'])),
      ...rows,
    },
    {
      name: 'events of a node',
      sendOnce: sendingOnce(/\/events\?/, p => p.kubernetes.listNodeEvents('cmp-1', 100)),
      held: ({ items }: ObjectList) => items.map(() => 'event'),
      reported: (value: readonly unknown[]) => value.map(() => 'event'),
    },
    {
      name: 'who holds a Lease',
      sendOnce: sendingOnce(/leases\//, p => p.kubernetes.leases.holder(nodeLease('cmp-1'))),
      names: whole,
    },
    {
      name: 'whether a Lease is free',
      sendOnce: sendingOnce(/leases\//, p => p.kubernetes.isLeaseFree('cmp-1')),
      names: whole,
    },
    { name: 'which nodes are held', sendOnce: sendingOnce(/leases\?/, p => p.kubernetes.leases.all()) },
    {
      name: 'locks',
      sendOnce: sendingOnce(/\/nodeworkloadlocks\?/, p => p.maintenance.objects()),
      ...objects('nodeLocks'),
    },
    {
      name: 'maintenance requests',
      sendOnce: sendingOnce(/\/nodemaintenancerequests\?/, p => p.maintenance.objects()),
      ...objects('nodeRequests'),
    },
    {
      name: 'the uid of a request',
      sendOnce: sendingOnce(/nodemaintenancerequests\/cmp-1$/, p =>
        p.maintenance.uidOf({ kind: 'NodeMaintenanceRequest', name: 'cmp-1' }),
      ),
      names: whole,
    },
    {
      name: 'MaintenanceRuns',
      sendOnce: sendingOnce(/maintenanceruns\?/, p => p.runs.objects()),
      held: heldNames,
      reported: (value: { readonly runs: readonly Named[] }) => reportedNames(value.runs),
    },
    {
      name: 'controls of MaintenanceRuns',
      sendOnce: sendingOnce(/maintenanceruncontrols\?/, p => p.runs.objects()),
      held: heldNames,
      reported: (value: { readonly controls: readonly Named[] }) => reportedNames(value.controls),
    },
    {
      name: 'a MaintenanceRun',
      sendOnce: sendingOnce(/maintenanceruns\/run-1$/, p => p.runs.run('run-1')),
      names: whole,
    },
    {
      name: 'campaigns',
      sendOnce: sendingOnce(/maintenancecampaigns\?/, p => p.runs.campaigns()),
      held: heldNames,
      reported: (value: readonly Named[]) => reportedNames(value),
    },
    {
      name: 'a campaign',
      sendOnce: sendingOnce(/maintenancecampaigns\/night$/, p => p.runs.campaign('night')),
      names: whole,
    },
    { name: 'who asks', sendOnce: sendingOnce(/selfsubjectreviews/, p => p.runs.whoAmI()) },
    {
      name: 'what is permitted',
      sendOnce: sendingOnce(/selfsubject(access|rules)reviews/, p =>
        p.kubernetes.reviewAccess([{ verb: 'list', group: '', resource: 'nodes' }]),
      ),
    },
  ]
}

/** Nova may send another form of it for a down cell or an old record. */
const FLAVOR = /\b(flavor|image)\b/

interface WithId {
  readonly id: string
}

async function openstackQuestions(): Promise<readonly Question[]> {
  const simulator = await startOpenStackSimulator({
    clock: systemClock,
    seed: { ...SMALL_CLOUD, watcher: {}, masakari: [{ name: 'rack-1', hosts: ['cmp-1', 'cmp-2'] }] },
    timings: { speed: 40 },
  })
  const segment = must(simulator.state.segments[0], 'it is in the cloud')
  const failing = must(segment.hosts[0], 'it is in the segment')
  segment.notifications.push({
    id: '11111111-2222-4333-8444-555555555555',
    hostId: failing.id,
    type: 'COMPUTE_HOST',
    generatedAt: 0,
    status: 'running',
  })
  closing.push(() => simulator.stop())
  const [admin] = SMALL_CLOUD.users
  const cloud: ResolvedCloud = resolvedCloud({
    name: 'mutable',
    authUrl: simulator.authUrl,
    auth: {
      kind: 'password',
      user: { name: admin?.name ?? '', domainName: 'Default' },
      password: admin?.password ?? '',
      scope: { kind: 'project', project: { name: admin?.project ?? '', domainName: 'Default' } },
    },
  })
  const root = `${simulator.authUrl.replace(/\/v3\/?$/, '')}/v3`
  const wire = valueIn(await openTransport(cloud, clock, {}))
  closing.push(() => wire.close())
  const over = async (transport: Transport) => {
    const session = await login({ cloud, clock, log: silentLogger }, root, transport)
    return session.ok
      ? ok({
          openstack: createOpenStackPort({ session: session.value }),
          watcher: createWatcherPort({ session: session.value, clock }),
        })
      : session
  }
  const real = valueIn(await over(wire))
  const server = must(
    [...simulator.state.servers.values()].find(({ name }) => name === 'active'),
    'it is in the cloud',
  ).id
  const hypervisor = must(simulator.state.hosts.get('cmp-1'), 'it is in the cloud').id
  const moving = must(
    [...simulator.state.servers.values()].find(({ name }) => name === 'active-2'),
    'it is in the cloud',
  ).id
  valueIn(await real.openstack.liveMigrate(moving, null))
  const request = {
    goal: 'cluster_maintaining',
    strategy: 'host_maintenance',
    name: 'lockkeeper-test',
    parameters: { maintenance_node: 'cmp-1' },
  }
  const plan = valueIn(await real.watcher.recommend(request)).uuid
  const played = tape<HttpAnswer>()
  const sendingOnce = (met: RegExp, call: (ports: typeof real) => Asked) => async (lie: Lie) => {
    const opened = await over({
      close: () => {},
      send: request =>
        played(
          `${request.method} ${request.url.pathname}${request.url.search} ${request.headers['openstack-api-version'] ?? ''}`,
          async () => answered(await wire.send(request)),
          met.test(`${request.method} ${request.url.pathname}${request.url.search}`) ? lie : null,
        ),
    })
    return opened.ok ? call(opened.value) : opened
  }
  /** One request per provider, because there are no candidates. */
  const askingEach = (met: RegExp) => async (lie: Lie) => {
    const candidates = '{"allocation_requests":[],"provider_summaries":{}}'
    const opened = await over({
      close: () => {},
      send: request => {
        const { pathname } = request.url
        const reported = pathname.endsWith('/allocation_candidates')
          ? () => candidates
          : met.test(pathname)
            ? lie
            : null
        return played(
          `${request.method} ${pathname}${request.url.search} ${request.headers['openstack-api-version'] ?? ''}`,
          async () => answered(await wire.send(request)),
          reported,
        )
      },
    })
    return opened.ok ? opened.value.openstack.resourceProviders() : opened
  }
  const rows = <K extends string>(key: K) => ({
    held: (answer: Readonly<Record<K, readonly WithId[]>>) => answer[key].map(({ id }) => id),
    reported: (value: readonly WithId[]) => value.map(({ id }) => id),
  })
  const servers = {
    mayBeUnknown: FLAVOR,
    held: rows('servers').held,
    reported: ({ items }: { readonly items: readonly WithId[] }) => items.map(({ id }) => id),
  }
  return [
    { name: 'a token and its catalogue', sendOnce: sendingOnce(/auth\/tokens/, async () => ok('in')) },
    {
      name: 'compute services',
      sendOnce: sendingOnce(/os-services/, p => p.openstack.computeServices()),
      ...rows('services'),
    },
    {
      name: 'the compute service of a host',
      sendOnce: sendingOnce(/os-services/, p => p.openstack.computeService('cmp-1')),
      held: rows('services').held,
      reported: (value: WithId | null) => (value === null ? [] : [value.id]),
      names: /^services\.0\.(host|binary)$/,
    },
    { name: 'servers', sendOnce: sendingOnce(/servers\/detail/, p => p.openstack.listInstances()), ...servers },
    {
      name: 'servers of a host',
      sendOnce: sendingOnce(/servers\/detail/, p => p.openstack.instancesOnHost('cmp-1')),
      ...servers,
      names: /OS-EXT-SRV-ATTR:host$/,
    },
    {
      name: 'a server',
      mayBeUnknown: FLAVOR,
      sendOnce: sendingOnce(/servers\/[0-9a-f-]{36}$/, p => p.openstack.getInstance(server)),
      names: /^server\.id$/,
    },
    {
      name: 'actions of a server',
      sendOnce: sendingOnce(/os-instance-actions/, p => p.openstack.instanceActions(moving)),
    },
    {
      name: 'migrations',
      sendOnce: sendingOnce(/os-migrations/, p => p.openstack.migrations({})),
      ...rows('migrations'),
    },
    {
      name: 'the migration that runs',
      sendOnce: sendingOnce(/servers\/.*\/migrations/, p => p.openstack.runningMigration(moving)),
    },
    {
      name: 'server groups',
      sendOnce: sendingOnce(/os-server-groups/, p => p.openstack.serverGroups()),
      ...rows('server_groups'),
    },
    { name: 'host aggregates', sendOnce: sendingOnce(/os-aggregates/, p => p.openstack.aggregates()) },
    {
      name: 'ports of a host',
      sendOnce: sendingOnce(/ports/, p => p.openstack.portsOnHost('cmp-1')),
      ...rows('ports'),
      names: /^ports\.\d+\.binding:host_id$/,
    },
    { name: 'volumes', sendOnce: sendingOnce(/volumes\/detail/, p => p.openstack.volumes()), ...rows('volumes') },
    { name: 'availability zones', sendOnce: sendingOnce(/os-availability-zone/, p => p.openstack.availabilityZones()) },
    {
      name: 'hypervisors',
      sendOnce: sendingOnce(/os-hypervisors\/detail/, p => p.openstack.hypervisors()),
      ...rows('hypervisors'),
    },
    {
      name: 'instances of a hypervisor',
      sendOnce: sendingOnce(/os-hypervisors\/[0-9a-f-]{36}/, p => p.openstack.hypervisorInstances(hypervisor)),
      held: (answer: { readonly hypervisor: { readonly servers: readonly { readonly uuid: string }[] } }) =>
        answer.hypervisor.servers.map(({ uuid }) => uuid),
      reported: (value: readonly string[]) => value,
      names: /^hypervisor\.id$/,
    },
    {
      name: 'network agents',
      sendOnce: sendingOnce(/agents/, p => p.openstack.networkAgents(null)),
      ...rows('agents'),
    },
    {
      name: 'resource providers',
      sendOnce: sendingOnce(/resource_providers(\?|$)/, p => p.openstack.resourceProviders()),
      held: (answer: { readonly resource_providers: readonly { readonly uuid: string }[] }) =>
        answer.resource_providers.map(({ uuid }) => uuid),
      reported: (value: readonly WithId[]) => value.map(({ id }) => id),
    },
    {
      name: 'allocation candidates',
      sendOnce: sendingOnce(/allocation_candidates/, p => p.openstack.resourceProviders()),
    },
    { name: 'closed hosts', sendOnce: sendingOnce(/resource_providers/, p => p.openstack.closedHosts()) },
    {
      name: 'hosts with room and traits',
      sendOnce: sendingOnce(/allocation_candidates/, p =>
        p.openstack.candidateHosts({ resources: 'VCPU:1', required: 'HW_CPU_X86_VMX' }),
      ),
    },
    { name: 'inventories', sendOnce: askingEach(/inventories/) },
    { name: 'usages', sendOnce: askingEach(/usages/) },
    {
      name: 'allocations of a provider',
      sendOnce: sendingOnce(/allocations/, p => p.openstack.consumersOn(['cmp-1'])),
      held: (answer: { readonly allocations: object }) => Object.keys(answer.allocations),
      reported: (value: readonly string[]) => value,
    },
    { name: 'projects', sendOnce: sendingOnce(/projects/, p => p.openstack.projects()), ...rows('projects') },
    {
      name: 'volume services',
      sendOnce: sendingOnce(/block-storage.*os-services|volume.*os-services/, p => p.openstack.volumeServices()),
    },
    { name: 'failover segments', sendOnce: sendingOnce(/segments\?/, p => p.openstack.failoverHosts()) },
    {
      name: 'hosts of a failover segment',
      sendOnce: sendingOnce(/segments\/.*hosts/, p => p.openstack.failoverHosts()),
      held: (answer: { readonly hosts: readonly Named[] }) => answer.hosts.map(({ name }) => name),
      reported: (value: readonly { readonly host: string }[]) => value.map(({ host }) => host),
    },
    {
      name: 'what Masakari does about a host',
      sendOnce: sendingOnce(/notifications/, p => p.openstack.recoveries({ id: failing.id, host: failing.name })),
    },
    { name: 'what Watcher offers', sendOnce: sendingOnce(/strategies/, p => p.watcher.about()) },
    {
      name: 'what Watcher judges by',
      sendOnce: sendingOnce(/state/, p => p.watcher.figures('workload_stabilization')),
    },
    { name: 'a plan of Watcher', sendOnce: sendingOnce(/action_plans\//, p => p.watcher.plan(plan)), names: /^uuid$/ },
    {
      name: 'actions of a plan',
      sendOnce: sendingOnce(/actions/, p => p.watcher.plan(plan)),
      held: (a: { readonly actions: readonly { readonly uuid: string }[] }) => a.actions.map(({ uuid }) => uuid),
      reported: (v: { readonly actions: readonly { readonly uuid: string }[] }) => v.actions.map(({ uuid }) => uuid),
    },
    { name: 'plans that wait', sendOnce: sendingOnce(/action_plans(\?|$)/, p => p.watcher.recommended()) },
    { name: 'audits of plans that wait', sendOnce: sendingOnce(/audits/, p => p.watcher.recommended()) },
  ]
}

function cephQuestions(): readonly Question[] {
  const hosts = ['st-1', 'st-2', 'st-3']
  const simulator = createCephSimulator({ clock: systemClock, hosts, osdsPerHost: 2, monHosts: hosts })
  const sendingOnce = (met: RegExp, call: (port: ReturnType<typeof createCephPort>) => Asked) => (lie: Lie) =>
    call(
      createCephPort(async words => {
        const answer = must(await simulator.command(['ceph', ...words, '--format', 'json']), 'it knows the command')
        return ok(met.test(words.join(' ')) ? { ...answer, stdout: lie(answer.stdout) } : answer)
      }),
    )
  const ids = (value: readonly { readonly id: number }[]) => value.map(({ id }) => id)
  return [
    { name: 'the status of Ceph', sendOnce: sendingOnce(/^status|^-s/, p => p.status()) },
    {
      name: 'OSDs by the tree',
      sendOnce: sendingOnce(/^osd tree/, p => p.osds()),
      reported: ids,
      held: (a: { readonly nodes: readonly { readonly id: number; readonly type: string }[] }) =>
        a.nodes.filter(({ type }) => type === 'osd').map(({ id }) => id),
    },
    {
      name: 'OSDs by the map',
      sendOnce: sendingOnce(/^osd dump/, p => p.osds()),
      reported: ids,
      held: (a: { readonly osds: readonly { readonly osd: number }[] }) => a.osds.map(({ osd }) => osd),
    },
    {
      name: 'OSDs by what they report',
      sendOnce: sendingOnce(/^node ls/, p => p.osdsReported()),
      reported: ids,
      held: ({ osd }: { readonly osd: Readonly<Record<string, readonly number[]>> }) => Object.values(osd).flat(),
    },
    { name: 'which OSDs may be stopped', sendOnce: sendingOnce(/ok-to-stop/, p => p.okToStop([0, 1])) },
    { name: 'services of Ceph', sendOnce: sendingOnce(/./, p => p.services()) },
  ]
}

async function jujuQuestions(): Promise<readonly Question[]> {
  const controller: JujuSimulator = await startJujuSimulator({ clock: systemClock, world: sampleWorld() })
  closing.push(() => controller.stop())
  const { port, close } = createJujuPort({
    resolve: async () => ok({ ...controller, endpoints: [controller.address], warnings: [] }),
    clock: systemClock,
    log: silentLogger,
  })
  closing.push(close)
  const sendingOnce = (met: string, call: () => Asked) => async (lie: Lie) => {
    const stop = controller.faults.lieAbout(met, lie)
    const reported = await call()
    stop()
    return reported
  }
  // The first request returns the truth, and the test waits for it; a request without a believable answer is repeated until its limit.
  let limitMs = 10_000
  return [
    { name: 'the status of a model', framed: true, sendOnce: sendingOnce('Client.FullStatus', () => port.status()) },
    {
      name: 'settings of an application',
      framed: true,
      sendOnce: sendingOnce('Application.Get', () => port.applicationConfig('k8s')),
    },
    {
      name: 'a command on a unit',
      framed: true,
      sendOnce: sendingOnce('Action.Actions', async () => {
        const reported = await port.exec('k8s/0', 'true', { timeoutMs: limitMs })
        limitMs = 300
        return reported
      }),
    },
  ]
}

const ADAPTERS = {
  kubernetes: kubernetesQuestions,
  openstack: openstackQuestions,
  ceph: cephQuestions,
  juju: jujuQuestions,
} as const
const asked: Record<string, readonly Question[]> = {}
beforeAll(async () => {
  for (const [name, questions] of Object.entries(ADAPTERS)) asked[name] = await questions()
})

describe('an answer that is true but for one thing', () => {
  test.each(Object.keys(ADAPTERS))('%s refuses, or tells just what is in it', async adapter => {
    const wrong: string[] = []
    let refused = 0
    for (const question of asked[adapter] ?? []) {
      let received = 0
      const first = await question.sendOnce(text => {
        received += 1
        return text
      })
      const truth = valueIn(first)
      expect({ question: question.name, received: received > 0 }).toEqual({ question: question.name, received: true })
      await fc.assert(
        fc.asyncProperty(mutations, async mutation => {
          if (question.framed && (mutation.how === 'cut' || mutation.how === 'deep')) return
          let lied: Mutated = { text: '', how: 'cut', at: '' }
          const late = new AbortController()
          const reported = await Promise.race([
            question
              .sendOnce(text => {
                lied = mutated(text, mutation)
                return lied.text
              })
              .catch((fault: unknown) => `it throws ${String(fault)}`),
            systemClock.sleep(BOUND_MS, late.signal).then(() => 'it does not end'),
          ])
          late.abort()
          const why = typeof reported === 'string' ? reported : whatIsWrong({ question, truth, lied, reported })
          const where = `${question.name}: ${lied.how} ${lied.at.replace(/\b\d+\b/g, '#')}`
          if (why !== null) wrong.push(`${where}: ${why}`)
          else if (typeof reported !== 'string' && !reported.ok) refused += 1
        }),
        { numRuns: question.framed ? Math.ceil(RUNS / 4) : RUNS, seed: SEED },
      )
    }
    expect({ seed: SEED, wrong: [...new Set(wrong)].sort() }).toEqual({ seed: SEED, wrong: [] })
    // A generator that changes nothing that matters proves nothing.
    expect(refused).toBeGreaterThan((asked[adapter] ?? []).length)
  })
})
