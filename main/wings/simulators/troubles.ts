import { type DemoTrouble, TROUBLES, type Trouble } from '../../../shared/domain/demo-troubles.ts'
import { ACTION_TAG_PREFIX } from '../../../shared/domain/instance-tags.ts'
import { must } from '../../../shared/domain/must.ts'
import type { DemoTroubles } from '../../ports/demo-clouds.ts'
import type { DemoCloud } from './demo-cloud.ts'
import { isServing } from './kubernetes/simulated-objects.ts'
import { textAt } from './kubernetes/store/json.ts'
import { allocationsByHost, capacityOf, RATIOS, usageOf } from './openstack/allocations.ts'
import type { Server } from './openstack/cloud.ts'
import { OPENSTACK_NAMESPACE } from './scenarios/scenario-objects.ts'

type Undo = () => void

interface Maker {
  readonly cloud: string
  /** The instance, node, workload or service in trouble. */
  readonly object: string
  /** The node to take out of service to meet it. */
  readonly node: () => string | null
  /** Makes the trouble; the returned function ends it. */
  readonly begin: () => Undo
}

type Sides = Pick<DemoCloud, 'cluster' | 'kubernetes' | 'openstack' | 'ceph'>

const STUCK = 'db-01'
const FAILS = 'web-09'
const SILENT_NODE = 'cmp-06'
const DEGRADED = 'osd-2'
/** A workload of compute nodes, with two replicas. */
const KEPT = 'image-cache'

/** MiB a second, and MiB that the guest writes again and again. */
const COPIED = 320
const WRITTEN = 2400

/** The troubles of demo-plain by the faults of its simulators. With demo-mosk the silent owner is there: its controllers wait for owners. */
export function createTroubles(plain: Sides, mosk: Sides | null, speed: number): DemoTroubles {
  const makers = { ...makersOf(plain, speed), 'silent-owner': ownerMaker(plain, mosk) }
  const begun = new Map<Trouble, Undo>()
  return {
    list: () => TROUBLES.map(name => shown(name, makers[name], begun.has(name))),
    set: (name, on) => {
      const undo = begun.get(name)
      if (on === (undo !== undefined)) return
      if (undo === undefined) {
        begun.set(name, makers[name].begin())
        return
      }
      begun.delete(name)
      undo()
    },
  }
}

function shown(name: Trouble, { cloud, object, node }: Maker, on: boolean): DemoTrouble {
  return { name, on, cloud, node: node(), object }
}

function makersOf(sides: Sides, speed: number): Readonly<Record<Exclude<Trouble, 'silent-owner'>, Maker>> {
  const { kubernetes, openstack, cluster } = sides
  const { faults } = openstack
  const cloud = cluster.name
  const at = (node: string) => () => node
  const hostOf = (name: string) => () => serverOf(sides, name).host
  return {
    stuck: {
      ...{ cloud, object: STUCK, node: hostOf(STUCK) },
      begin: () => {
        faults.servers[STUCK] = { copy_rate: COPIED * speed, dirty_rate: 2 * COPIED * speed, written: WRITTEN }
        return () => delete faults.servers[STUCK]
      },
    },
    fails: {
      ...{ cloud, object: FAILS, node: hostOf(FAILS) },
      begin: () => {
        faults.servers[FAILS] = { fail: true }
        return () => delete faults.servers[FAILS]
      },
    },
    'silent-node': {
      ...{ cloud, object: SILENT_NODE, node: at(SILENT_NODE) },
      begin: () => {
        kubernetes.setNodeReady(SILENT_NODE, 'Unknown')
        return () => kubernetes.setNodeReady(SILENT_NODE, true)
      },
    },
    html: {
      ...{ cloud, object: 'Nova', node: at('cmp-03') },
      begin: () => faults.onRequests({ service: 'compute', effect: { kind: 'lie', lie: 'html' } }),
    },
    lost: {
      ...{ cloud, object: 'Kubernetes', node: at('cmp-03') },
      begin: () => {
        const undo = kubernetes.faults.drop({ path: /./ })
        kubernetes.faults.dropWatches()
        return undo
      },
    },
    ceph: { ...{ cloud, object: DEGRADED, node: at('osd-1') }, begin: () => stopDisks(sides, DEGRADED) },
    full: { ...{ cloud, object: 'memory', node: at('cmp-03') }, begin: () => fillMemory(sides) },
    budget: { ...{ cloud, object: KEPT, node: () => nodeOfPods(sides, KEPT) }, begin: () => keepAllPods(sides) },
  }
}

function ownerMaker(plain: Sides, mosk: Sides | null): Maker {
  const sides = mosk ?? plain
  const object = mosk === null ? 'shop-02' : 'portal-01'
  return {
    ...{ cloud: sides.cluster.name, object, node: () => serverOf(sides, object).host },
    begin: () => {
      const server = serverOf(sides, object)
      const tag = `${ACTION_TAG_PREFIX}notify`
      server.tags = [...server.tags, tag]
      return () => {
        server.tags = server.tags.filter(each => each !== tag)
      }
    },
  }
}

function serverOf({ openstack: { state } }: Sides, name: string): Server {
  return must(
    [...state.servers.values()].find(each => each.name === name),
    `the scenario has ${name}`,
  )
}

/** Stops the OSDs of a node, as when the controller of its disks fails; the node itself stays. */
function stopDisks({ ceph }: Sides, host: string): Undo {
  const ids = (ceph?.osds() ?? []).filter(osd => osd.host === host && osd.up).map(({ id }) => id)
  for (const id of ids) ceph?.setOsdUp(id, false)
  return () => {
    for (const id of ids) ceph?.setOsdUp(id, true)
  }
}

/** Leaves no memory free on any compute node. */
function fillMemory({ openstack: { state } }: Sides): Undo {
  const before = new Map([...state.hosts.values()].map(host => [host, host.reservedMib]))
  const held = allocationsByHost(state)
  for (const host of state.hosts.values()) {
    const free = capacityOf(host).MEMORY_MB - usageOf(held, host.name).MEMORY_MB
    host.reservedMib += Math.ceil(free / RATIOS.MEMORY_MB)
  }
  return () => {
    for (const [host, reserved] of before) host.reservedMib = reserved
  }
}

/** Guards a workload by a budget that lets none of its pods go. */
function keepAllPods({ kubernetes: { objects } }: Sides): Undo {
  const labels = objects.get('Deployment', OPENSTACK_NAMESPACE, KEPT)?.metadata.labels ?? {}
  const kind = 'PodDisruptionBudget'
  objects.create({
    ...{ apiVersion: 'policy/v1', kind, metadata: { name: KEPT, namespace: OPENSTACK_NAMESPACE } },
    spec: { maxUnavailable: 0, selector: { matchLabels: labels } },
  })
  return () => objects.remove(kind, OPENSTACK_NAMESPACE, KEPT)
}

/** The first node that runs a pod of a workload. */
function nodeOfPods({ kubernetes: { objects } }: Sides, workload: string): string | null {
  const nodes = objects
    .list('Pod', OPENSTACK_NAMESPACE)
    .filter(pod => pod.metadata.name.startsWith(`${workload}-`) && isServing(pod))
    .flatMap(pod => textAt(pod, 'spec', 'nodeName') ?? [])
  return nodes.toSorted()[0] ?? null
}
