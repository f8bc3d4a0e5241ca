import { DEFINITIONS } from '../../main/adapters/kubernetes/definition-manifests.ts'
import { RUNNER_DEFINITIONS } from '../../main/wings/runner/manifests/runner-definitions.ts'
import { type CephSimulator, createCephSimulator } from '../../main/wings/simulators/ceph/ceph-simulator.ts'
import { coupleCeph } from '../../main/wings/simulators/ceph/couple-ceph.ts'
import { createMicroCeph } from '../../main/wings/simulators/ceph/microceph.ts'
import { coupleClouds } from '../../main/wings/simulators/couple-clouds.ts'
import type { JujuWorld } from '../../main/wings/simulators/juju/juju-world.ts'
import { sunbeamMachines, sunbeamWorld } from '../../main/wings/simulators/juju/sunbeam-world.ts'
import { setReadyCondition } from '../../main/wings/simulators/kubernetes/controllers/node-lifecycle.ts'
import { createKubernetesCore } from '../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { ADMIN } from '../../main/wings/simulators/kubernetes/rest/access.ts'
import type { SimulatedCluster } from '../../main/wings/simulators/kubernetes/simulated-cluster.ts'
import type { SimulatedObjects } from '../../main/wings/simulators/kubernetes/simulated-objects.ts'
import type { KubernetesObject } from '../../main/wings/simulators/kubernetes/store/kubernetes-object.ts'
import {
  createApiFront,
  type ApiFront as KubernetesFront,
} from '../../main/wings/simulators/kubernetes/transport/api-front.ts'
import type { PodCommands } from '../../main/wings/simulators/kubernetes/transport/exec-stream.ts'
import { runOperators, runRook } from '../../main/wings/simulators/lcm/run-operators.ts'
import {
  createApiFront as createServicesFront,
  type ApiFront as OpenStackFront,
} from '../../main/wings/simulators/openstack/api-server.ts'
import type { Cloud as OpenStackState } from '../../main/wings/simulators/openstack/cloud.ts'
import { createOpenStackCore } from '../../main/wings/simulators/openstack/openstack-simulator.ts'
import type { ServerSeed } from '../../main/wings/simulators/openstack/seed.ts'
import type { Scenario } from '../../main/wings/simulators/scenarios/demo-plain.ts'
import {
  COMPUTE,
  CONTAINERS,
  CONTROL,
  NOVA_COMPUTE,
  OPENSTACK_NAMESPACE,
  scenarioNode,
  workload,
} from '../../main/wings/simulators/scenarios/scenario-objects.ts'
import type { ClusterFlavour } from '../../shared/domain/cluster.ts'
import { MAINTENANCE_ACTIONS, tagOf } from '../../shared/domain/instance-tags.ts'
import type { Dice } from './dice.ts'
import type { Machine } from './machine.ts'
import type { Theme } from './themes.ts'

/** The clouds of one run: both simulators, without sockets. What they hold is the truth that every claim is held against. */
export interface Cloud {
  readonly nodes: readonly string[]
  readonly cluster: SimulatedCluster
  readonly objects: SimulatedObjects
  readonly state: OpenStackState
  readonly kubernetesFront: KubernetesFront
  readonly openstackFront: OpenStackFront
  /** What answers commands in pods. */
  readonly commands: readonly PodCommands[]
  /** Null: the cloud has none. */
  readonly ceph: CephSimulator | null
  /** What operates the machines; null: nobody does. */
  readonly juju: JujuWorld | null
  /** The user of every console at the API server. */
  readonly user: string
  /** What of a host reports from now on, or is silent. */
  setReporting(host: string, what: 'both' | 'nova-compute' | 'kubelet', reports: boolean): void
  /** When a host that was silent reported again, also where it is silent by now; null: it did not. */
  backAtMs(host: string): number | null
  stop(): Promise<void>
}

/** Where a runner lives: in the cloud's own Kubernetes. */
export const RUNNER_NAMESPACE = 'lockkeeper'

/** What a world is like. */
export interface WorldShape {
  readonly computes: number
  readonly replicas: number
  readonly budget: boolean
  readonly servers: readonly ServerSeed[]
  /**
   * `mosk`: locks and requests of the node maintenance API, and our controllers on another machine. `sunbeam`: each
   * node has all roles, with MicroCeph and Juju.
   */
  readonly flavour: ClusterFlavour
  /** Nodes are updated as one run instead of one being entered: through the node maintenance API, or in batches where there is none. */
  readonly update: boolean
  /** One of its hosts is silent, and its instances are rescued instead of a node being entered. */
  readonly rescue: boolean
  /** Runs of every kind follow one another on a node, with all that may be chosen and decided. */
  readonly everyKind: boolean
  /** A runner lives in its Kubernetes, to which a console hands its run over. */
  readonly handOver: boolean
  /** What the runner carries out are the runs of a campaign, and nothing is handed over. */
  readonly campaign: boolean
  /** How often the live migration of each instance fails before it succeeds, by name. */
  readonly failing: Readonly<Record<string, number>>
}

/** Draws a small world. */
export function drawWorld(dice: Dice, theme: Theme): WorldShape {
  const computes = dice.chance(0.25) ? 3 : 2
  const servers = Array.from(
    { length: dice.between(theme.failing === 1 ? 1 : 0, theme.mostServers) },
    (_, index): ServerSeed => {
      const host = dice.chance(0.8) ? 'cmp-1' : `cmp-${dice.between(1, computes)}`
      const status = dice.pick(['ACTIVE', 'ACTIVE', 'ACTIVE', 'PAUSED', 'SHUTOFF'] as const)
      return { name: `vm-${index + 1}`, host, flavor: 'm1.small', status }
    },
  )
  const failing = dice.chance(theme.failing)
    ? Object.fromEntries(
        servers
          .filter(() => dice.chance(0.7))
          .map(({ name }) => [name, theme.failing === 1 ? 20 : dice.pick([1, 2, 20])]),
      )
    : {}
  const flavour = dice.chance(theme.mosk) ? 'mosk' : 'plain'
  return {
    flavour,
    update: false,
    rescue: false,
    everyKind: false,
    handOver: false,
    campaign: false,
    failing,
    computes,
    replicas: dice.chance(0.1) ? 1 : dice.between(2, 3),
    budget: dice.chance(0.7),
    servers,
  }
}

/** How many schedules drive an update through the node maintenance API, and how many in batches: they take several times as long as others. */
const UPDATES = { mosk: 0.002, plain: 0.006 }
/** How many are of a Sunbeam cloud. */
const SUNBEAM = 0.01
/** How many rescue the instances of a host that is silent. */
const RESCUES = 0.03
/** How many hand a run over to a runner. */
const HAND_OVERS = 0.01
/** The share of schedules that order runs by a campaign, drawn from separate dice. */
const CAMPAIGNS = 0.005

/** Gives a share of the schedules another flavour than the theme's, drawn from separate dice. */
export function drawFlavour(dice: Dice, shape: WorldShape, wanted: Flavour | null): WorldShape {
  const drawn = dice.random()
  const flavour =
    wanted ??
    (dice.of('campaign').chance(CAMPAIGNS)
      ? 'campaign'
      : drawn < UPDATES.mosk
        ? 'mosk update'
        : drawn < UPDATES.mosk + UPDATES.plain
          ? 'batches'
          : drawn > 1 - SUNBEAM
            ? 'sunbeam'
            : drawn > 1 - SUNBEAM - RESCUES
              ? 'rescue'
              : drawn > 1 - SUNBEAM - RESCUES - HAND_OVERS
                ? 'hand-over'
                : null)
  switch (flavour) {
    case null:
      return shape
    case 'mosk':
      return { ...shape, flavour }
    case 'every kind':
      return everyKind(dice.of('every kind'), shape)
    case 'sunbeam':
      return { ...shape, flavour, computes: 3, replicas: 2, servers: shape.servers.slice(0, 2) }
    case 'hand-over': {
      const servers = Array.from({ length: dice.of('hand-over').between(1, 3) }, (_, index): ServerSeed => {
        return { name: `vm-${index + 1}`, host: 'cmp-1', flavor: 'm1.small', status: 'ACTIVE' }
      })
      return { ...shape, flavour: 'plain', computes: 2, replicas: 2, servers, failing: {}, handOver: true }
    }
    case 'campaign': {
      const own = dice.of('campaign world')
      const servers = Array.from({ length: own.between(1, 4) }, (_, index): ServerSeed => {
        return { name: `vm-${index + 1}`, host: `cmp-${1 + (index % 3)}`, flavor: 'm1.small', status: 'ACTIVE' }
      })
      const failing = Object.fromEntries(servers.filter(() => own.chance(0.3)).map(({ name }) => [name, 20]))
      const shared = { handOver: true, campaign: true }
      return { ...shape, ...shared, flavour: 'plain', computes: 4, replicas: 2, servers, failing }
    }
    case 'rescue': {
      const statuses = ['ACTIVE', 'SHUTOFF', 'ACTIVE', 'ACTIVE'] as const
      const rescue = dice.of('rescue')
      const few = rescue.between(1, statuses.length)
      // A host takes more than fit between two looks at it.
      const many = rescue.chance(0.1) ? rescue.between(5, 16) : few
      const servers = Array.from({ length: many }, (_, index): ServerSeed => {
        const status = statuses[index] ?? 'ACTIVE'
        return { name: `vm-${index + 1}`, host: 'cmp-1', flavor: 'm1.small', status }
      })
      return { ...shape, flavour: 'plain', computes: 3, servers, failing: {}, rescue: true }
    }
    case 'mosk update':
    case 'batches': {
      // A single copy that may not leave blocks every batch.
      const servers = shape.servers.slice(0, 2).map(server => ({ ...server, host: 'cmp-1' }))
      const small = { computes: 2, replicas: 2, servers, update: true }
      return { ...shape, ...small, flavour: flavour === 'batches' ? 'plain' : 'mosk' }
    }
  }
}

/** Instances in all states, of owners who want all sorts of things, on any flavour. */
function everyKind(dice: Dice, shape: WorldShape): WorldShape {
  const rescue = dice.chance(0.1)
  const flavour = rescue ? 'plain' : dice.pick(['plain', 'plain', 'mosk', 'sunbeam'] as const)
  const servers = Array.from({ length: dice.between(1, 4) }, (_, index): ServerSeed => {
    const wish = dice.pick([...MAINTENANCE_ACTIONS, null, null])
    return {
      name: `vm-${index + 1}`,
      host: dice.chance(0.85) ? 'cmp-1' : 'cmp-2',
      flavor: 'm1.small',
      status: dice.pick(['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'PAUSED', 'SHUTOFF', 'ERROR'] as const),
      tags: wish === null ? [] : [tagOf(wish)],
    }
  })
  const failing = Object.fromEntries(
    servers.filter(() => dice.chance(0.2)).map(({ name }) => [name, dice.pick([1, 2, 20])]),
  )
  return { ...shape, flavour, rescue, servers, failing, computes: 3, replicas: 2, everyKind: true }
}

/** What kinds of schedules there are beside those that enter and leave nodes of a plain cloud. */
export type Flavour =
  | 'every kind'
  | 'mosk'
  | 'sunbeam'
  | 'rescue'
  | 'hand-over'
  | 'campaign'
  | 'mosk update'
  | 'batches'

/** Starts the clouds of a shape on another machine than the consoles. */
export function startCloud(shape: WorldShape, machine: Machine): Cloud {
  const { clock } = machine
  const computes = Array.from({ length: shape.computes }, (_, index) => `cmp-${index + 1}`)
  const kubernetes = createKubernetesCore(
    { clock, seed: objectsOf(shape, computes), timings: { heartbeatMs: 3_600_000, bookmarkMs: 600_000 } },
    () => {},
  )
  const openstack = createOpenStackCore({
    clock,
    seed: {
      region: 'RegionOne',
      users: [{ name: 'admin', password: 'embedded-only', project: 'admin', role: 'admin' }],
      flavors: [{ name: 'm1.small', vcpus: 1, ramMib: 2048, diskGib: 20 }],
      hosts: computes.map(name => ({ name, zone: 'nova' })),
      controllers: ['ctl-1'],
      computeAgents: false,
      ovn: shape.flavour === 'sunbeam',
      servers: shape.servers,
    },
    // What is asked while an instance moves is the same question again and again.
    timings: { speed: 3 },
  })
  for (const [name, times] of Object.entries(shape.failing)) openstack.faults.servers[name] = { fail: true, times }
  if (shape.flavour !== 'sunbeam') return cloudOf(computes, kubernetes, openstack, null, [])
  const ceph = createCephSimulator({
    clock,
    hosts: computes,
    osdsPerHost: 1,
    monHosts: computes,
    mdsHosts: computes,
    release: 19,
  })
  const machines = sunbeamMachines(computes)
  const juju = sunbeamWorld({
    hosts: computes,
    storageOnly: [],
    machines,
    ceph,
    microceph: createMicroCeph(ceph, computes),
    onOvn: host => openstack.faults.setAgentsAlive(host, machines.ovn.get(host)?.has('chassis') === true),
  })
  return { ...cloudOf(computes, kubernetes, openstack, ceph, []), juju }
}

/** Starts one of the demo's clouds, coupled as the demo couples it; what it has in the cluster beside that runs elsewhere. */
export function startScenario(scenario: Scenario, { clock }: Machine): Cloud {
  const kubernetes = createKubernetesCore(
    { clock, seed: scenario.kubernetes, timings: { heartbeatMs: 3_600_000, bookmarkMs: 600_000 } },
    () => {},
  )
  const openstack = createOpenStackCore({ clock, seed: scenario.openstack })
  const ceph = scenario.ceph === undefined ? null : createCephSimulator({ clock, ...scenario.ceph })
  const ending = new AbortController()
  const { signal } = ending
  const beside = [coupleClouds(clock, kubernetes, openstack, signal)]
  if (ceph !== null) {
    beside.push(coupleCeph(clock, kubernetes, ceph, { rook: scenario.ceph?.rook ?? null, signal }))
    const operators = scenario.flavour === 'mosk' ? runOperators : runRook
    beside.push(operators(clock, kubernetes, ceph, signal))
  }
  const nodes = kubernetes.objects.list('Node').map(({ metadata }) => metadata.name)
  const cloud = cloudOf(nodes, kubernetes, openstack, ceph, beside)
  return {
    ...cloud,
    stop: async () => {
      ending.abort()
      await cloud.stop()
    },
  }
}

function cloudOf(
  nodes: readonly string[],
  kubernetes: ReturnType<typeof createKubernetesCore>,
  openstack: ReturnType<typeof createOpenStackCore>,
  ceph: CephSimulator | null,
  beside: readonly Promise<void>[],
): Cloud {
  const ending = new AbortController()
  const backAt = new Map<string, number>()
  return {
    nodes,
    cluster: kubernetes.cluster,
    objects: kubernetes.objects,
    state: openstack.state,
    kubernetesFront: createApiFront({
      cluster: kubernetes.cluster,
      table: kubernetes.table,
      log: kubernetes.log,
      stopped: ending.signal,
    }),
    openstackFront: createServicesFront(openstack.parts),
    commands: kubernetes.commands,
    ceph,
    juju: null,
    user: ADMIN,
    backAtMs: host => backAt.get(host) ?? null,
    setReporting: (host, what, reports) => {
      if (reports) backAt.set(host, kubernetes.cluster.clock.now())
      if (what !== 'nova-compute') setReadyCondition(kubernetes.cluster, host, reports ? 'True' : 'Unknown')
      if (what !== 'kubelet') openstack.faults.setComputeUp(host, reports)
    },
    stop: async () => {
      ending.abort()
      await Promise.all([...beside, kubernetes.stop(), openstack.stop()])
    },
  }
}

function objectsOf(shape: WorldShape, computes: readonly string[]): readonly KubernetesObject[] {
  const labels = { app: 'cache' }
  const isSunbeam = shape.flavour === 'sunbeam'
  return [
    ...(shape.flavour === 'mosk' ? Object.values(DEFINITIONS).map(plain) : []),
    ...(shape.handOver
      ? [
          ...RUNNER_DEFINITIONS.map(plain),
          { apiVersion: 'v1', kind: 'Namespace', metadata: { name: RUNNER_NAMESPACE } },
        ]
      : []),
    ...(isSunbeam ? [] : [scenarioNode('ctl-1', 'az1', { ...CONTROL, 'node-role.kubernetes.io/control-plane': '' })]),
    ...computes.map(name =>
      scenarioNode(name, 'az1', isSunbeam ? { ...CONTROL, ...COMPUTE, ceph_role_osd: 'true' } : COMPUTE),
    ),
    workload('DaemonSet', NOVA_COMPUTE, { application: 'nova', component: 'compute' }, { on: COMPUTE }),
    workload('Deployment', 'cache', labels, { replicas: shape.replicas, on: COMPUTE }),
    ...(shape.budget
      ? [
          {
            apiVersion: 'policy/v1',
            kind: 'PodDisruptionBudget',
            metadata: { name: 'cache', namespace: OPENSTACK_NAMESPACE },
            spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
          },
        ]
      : []),
    ...(isSunbeam
      ? []
      : [
          {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { name: 'elsewhere', namespace: OPENSTACK_NAMESPACE },
            spec: { nodeName: 'ctl-1', containers: CONTAINERS, terminationGracePeriodSeconds: 1 },
          },
        ]),
  ]
}

function plain(manifest: object): KubernetesObject {
  return JSON.parse(JSON.stringify(manifest))
}
