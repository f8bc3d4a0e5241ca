import { type DemoTrouble, TROUBLES, type Trouble } from '../../../shared/domain/demo-troubles.ts'
import { ACTION_TAG_PREFIX } from '../../../shared/domain/instance-tags.ts'
import { must } from '../../../shared/domain/must.ts'
import type { DemoTroubles } from '../../ports/demo-clouds.ts'
import type { DemoCloud } from './demo-cloud.ts'
import { isServing } from './kubernetes/simulated-objects.ts'
import { recordAt, textAt } from './kubernetes/store/json.ts'
import { capacityOf, RATIOS, usageOf } from './openstack/allocations.ts'
import { OPENSTACK_NAMESPACE } from './scenarios/scenario-objects.ts'

type Undo = () => void

interface Maker {
  /** The instance, node, budget or service in trouble. */
  readonly object: string
  /** The node to take out of service to meet it. */
  readonly node: () => string | null
  /** Makes the trouble; the returned function ends it. */
  readonly begin: () => Undo
}

type Sides = Pick<DemoCloud, 'kubernetes' | 'openstack' | 'ceph'> & { readonly speed: number }

const STUCK = 'db-01'
const FAILS = 'web-06'
const OF_A_SILENT_OWNER = 'shop-02'
const SILENT_NODE = 'cmp-05'
const DEGRADED = 'osd-2'
const BUDGET = 'nova-api-osapi'

/** MiB a second, and MiB that the guest writes again and again. */
const COPIED = 320
const WRITTEN = 2400

/** The troubles of demo-plain, by the faults of its simulators. */
export function createTroubles(cloud: string, sides: Sides): DemoTroubles {
  const makers = makersOf(sides)
  const begun = new Map<Trouble, Undo>()
  return {
    list: () => TROUBLES.map(name => shown(name, makers[name], cloud, begun.has(name))),
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

function shown(name: Trouble, { object, node }: Maker, cloud: string, on: boolean): DemoTrouble {
  return { name, on, cloud, node: node(), object }
}

function makersOf(sides: Sides): Readonly<Record<Trouble, Maker>> {
  const { kubernetes, openstack, speed } = sides
  const { faults, state } = openstack
  const serverOf = (name: string) =>
    must(
      [...state.servers.values()].find(each => each.name === name),
      `${name} exists`,
    )
  const hostOf = (name: string) => () => serverOf(name).host
  const at = (node: string) => () => node
  return {
    stuck: {
      object: STUCK,
      node: hostOf(STUCK),
      begin: () => {
        faults.servers[STUCK] = { copy_rate: COPIED * speed, dirty_rate: 2 * COPIED * speed, written: WRITTEN * speed }
        return () => delete faults.servers[STUCK]
      },
    },
    fails: {
      object: FAILS,
      node: hostOf(FAILS),
      begin: () => {
        faults.servers[FAILS] = { fail: true }
        return () => delete faults.servers[FAILS]
      },
    },
    'silent-owner': {
      object: OF_A_SILENT_OWNER,
      node: hostOf(OF_A_SILENT_OWNER),
      begin: () => {
        const server = serverOf(OF_A_SILENT_OWNER)
        const tag = `${ACTION_TAG_PREFIX}notify`
        server.tags = [...server.tags, tag]
        return () => {
          server.tags = server.tags.filter(each => each !== tag)
        }
      },
    },
    'silent-node': {
      object: SILENT_NODE,
      node: at(SILENT_NODE),
      begin: () => {
        kubernetes.setNodeReady(SILENT_NODE, 'Unknown')
        return () => kubernetes.setNodeReady(SILENT_NODE, true)
      },
    },
    html: {
      object: 'nova',
      node: at('cmp-02'),
      begin: () => faults.onRequests({ service: 'compute', effect: { kind: 'lie', lie: 'html' } }),
    },
    lost: {
      object: 'kubernetes',
      node: at('cmp-02'),
      begin: () => {
        const undo = kubernetes.faults.drop({ path: /./ })
        kubernetes.faults.dropWatches()
        return undo
      },
    },
    ceph: { object: DEGRADED, node: at('osd-1'), begin: () => stopDisks(sides, DEGRADED) },
    full: { object: 'memory', node: at('cmp-03'), begin: () => fillMemory(sides) },
    budget: { object: BUDGET, node: () => nodeOfBudget(sides), begin: () => keepAllPods(sides) },
  }
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
  for (const host of state.hosts.values()) {
    const free = capacityOf(host).MEMORY_MB - usageOf(state, host.name).MEMORY_MB
    host.reservedMib += Math.ceil(free / RATIOS.MEMORY_MB)
  }
  return () => {
    for (const [host, reserved] of before) host.reservedMib = reserved
  }
}

/** Raises a budget to all the pods that it guards. */
function keepAllPods({ kubernetes: { objects } }: Sides): Undo {
  const keep = (minAvailable: number) =>
    objects.change('PodDisruptionBudget', OPENSTACK_NAMESPACE, BUDGET, object => ({
      ...object,
      spec: { ...recordAt(object, 'spec'), minAvailable },
    }))
  keep(3)
  return () => keep(2)
}

function nodeOfBudget({ kubernetes: { objects } }: Sides): string | null {
  const pods = objects
    .list('Pod', OPENSTACK_NAMESPACE)
    .filter(pod => pod.metadata.name.startsWith(`${BUDGET}-`) && isServing(pod))
    .map(pod => textAt(pod, 'spec', 'nodeName') ?? null)
  return pods[0] ?? null
}
