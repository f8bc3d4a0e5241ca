import { systemClock } from '../../main/platform/clock/clock.ts'
import { type DemoCloud, startDemoCloud } from '../../main/wings/simulators/demo-cloud.ts'
import type { Scenario } from '../../main/wings/simulators/scenarios/demo-plain.ts'
import {
  COMPUTE,
  CONTROL,
  computeDaemonSets,
  scenarioNode,
  WITH_AGENT,
} from '../../main/wings/simulators/scenarios/scenario-objects.ts'
import { must } from '../../shared/domain/must.ts'

/** How large a synthetic cloud is. */
interface BigCloudSize {
  readonly nodes: number
  readonly instances: number
}

const CONTROLLERS = 3
const ZONES = ['az1', 'az2', 'az3'] as const
const FLAVOR = 'm1.small'
/** Changes are spread over the second. */
const ROUNDS_A_SECOND = 10

/** Starts an embedded cloud of this size: three zones, five racks in each. */
export function startBigCloud(size: BigCloudSize, directory: string): Promise<DemoCloud> {
  return startDemoCloud(bigScenario(size), { clock: systemClock, directory, speed: 1, production: false })
}

/** Each second changes this many entities, half of them nodes, and moves this many instances to other hosts; returns a function that stops it. */
export function keepChanging(cloud: DemoCloud, perSecond: number, flights: number): () => void {
  const nodes = cloud.kubernetes.objects.list('Node').map(node => must(node.metadata.name, 'a node has a name'))
  const servers = [...cloud.openstack.state.servers.values()]
  const hosts = [...new Set(servers.map(({ host }) => host))]
  let count = 0
  let rounds = 0
  const timer = setInterval(() => {
    for (let index = 0; index < perSecond / ROUNDS_A_SECOND / 2; index += 1) {
      count += 1
      const name = must(nodes[(count * 7) % nodes.length], 'there are nodes')
      changeAnnotation(cloud, name, 'bench.lockkeeper/count', String(count))
      const node = cloud.kubernetes.objects.get('Node', null, name)
      const unschedulable = (node?.spec as { unschedulable?: boolean } | undefined)?.unschedulable === true
      cloud.kubernetes.objects.change('Node', null, name, old => ({
        ...old,
        spec: { ...(old.spec as object), unschedulable: !unschedulable },
      }))
      const server = must(servers[(count * 13) % servers.length], 'there are servers')
      server.taskState = server.taskState === null ? 'image_uploading' : null
      server.updatedAt = Date.now()
    }
    rounds += 1
    const due =
      Math.floor((rounds * flights) / ROUNDS_A_SECOND) - Math.floor(((rounds - 1) * flights) / ROUNDS_A_SECOND)
    for (let flight = 0; flight < due; flight += 1) {
      // Hosts that are drawn side by side: a flight is visible only if both its ends are.
      const server = must(servers[(rounds * 3 + flight) % Math.min(servers.length, hosts.length)], 'there are servers')
      server.host = must(hosts[(hosts.indexOf(server.host) + ZONES.length) % hosts.length], 'there are hosts')
      server.updatedAt = Date.now()
    }
  }, 1000 / ROUNDS_A_SECOND)
  return () => clearInterval(timer)
}

/** Writes an annotation of a node like a person with kubectl. */
export function changeAnnotation(cloud: DemoCloud, node: string, key: string, value: string): void {
  cloud.kubernetes.objects.change('Node', null, node, old => ({
    ...old,
    metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, [key]: value } },
  }))
}

function bigScenario({ nodes, instances }: BigCloudSize): Scenario {
  const names = Array.from({ length: nodes }, (_, index) => `n-${String(index + 1).padStart(3, '0')}`)
  const controllers = names.slice(0, CONTROLLERS)
  const computes = names.slice(CONTROLLERS)
  const zoneOf = (index: number) => must(ZONES[index % ZONES.length], 'there are zones')
  return {
    name: 'big',
    flavour: 'plain',
    kubernetes: [
      ...controllers.map((name, index) => scenarioNode(name, zoneOf(index), CONTROL)),
      ...computes.map((name, index) =>
        scenarioNode(name, zoneOf(index), {
          ...COMPUTE,
          ...WITH_AGENT,
          'topology.kubernetes.io/rack': `r${(Math.floor(index / ZONES.length) % 5) + 1}`,
        }),
      ),
      ...computeDaemonSets(),
    ],
    openstack: {
      region: 'Big',
      users: [{ name: 'admin', password: 'embedded-only', project: 'admin', role: 'admin' }],
      flavors: [{ name: FLAVOR, vcpus: 1, ramMib: 2048, diskGib: 20 }],
      hosts: computes.map((name, index) => ({
        name,
        zone: zoneOf(index),
        vcpus: 64,
        memoryMib: 262_144,
        diskGib: 4000,
      })),
      controllers,
      servers: Array.from({ length: instances }, (_, index) => ({
        name: `vm-${String(index + 1).padStart(5, '0')}`,
        host: must(computes[index % computes.length], 'there are computes'),
        flavor: FLAVOR,
      })),
    },
  }
}
