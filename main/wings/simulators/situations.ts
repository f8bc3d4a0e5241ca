import { randomUUID } from 'node:crypto'
import type { PlayedSituation } from '../../../shared/domain/demo-situations.ts'
import { minutes, seconds } from '../../../shared/domain/durations.ts'
import { must } from '../../../shared/domain/must.ts'
import { FOREIGN_KINDS } from '../../adapters/kubernetes/foreign-kinds.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { KubernetesSimulator } from './kubernetes/kubernetes-simulator.ts'
import { type JsonObject, recordAt } from './kubernetes/store/json.ts'
import type { Cloud, NovaService } from './openstack/cloud.ts'
import type { OpenStackSimulator } from './openstack/openstack-simulator.ts'
import { nodeMaintenanceDefinition } from './scenarios/demo-mosk-definitions.ts'

interface Sides {
  readonly clock: Clock
  readonly kubernetes: Pick<KubernetesSimulator, 'objects' | 'faults'>
  readonly openstack: Pick<OpenStackSimulator, 'state'>
  readonly speed: number
  readonly signal: AbortSignal
}

const DOMAIN = 'cloud.example.org'

const LIBVIRT_AWAY_MS = minutes(2)

/** nova-compute's own words (nova/virt/libvirt/driver.py, `_set_host_enabled` with DISABLE_PREFIX). */
const AUTO_REASON = 'AUTO: Connection to libvirt lost: 1'

const LOOK_EVERY_MS = seconds(1)

const FOREIGN_TAINTS = [
  { key: 'medik8s.io/remediation', value: 'node-healthcheck', effect: 'NoExecute' },
  { key: 'node.cloudprovider.kubernetes.io/shutdown', value: '', effect: 'NoSchedule' },
] as const

/** Brings an embedded cloud into a situation; the promise is its background work, null if there is none. Throws if the cloud has no such node. */
export function playSituation({ situation, node }: PlayedSituation, sides: Sides): Promise<void> | null {
  const { openstack } = sides
  switch (situation) {
    case 'renamed-compute':
      renameCompute(openstack.state, node, false)
      return null
    case 'two-computes':
      renameCompute(openstack.state, node, true)
      return null
    case 'auto-disabled':
      return disableItself(computeOf(openstack.state, node), sides)
    case 'unconfirmed-resize':
      leaveUnconfirmed(openstack.state, node)
      return null
    case 'leftover-agent':
      leaveAgent(openstack.state, node)
      return null
    case 'foreign-taints':
      addTaints(node, FOREIGN_TAINTS, sides)
      return null
    case 'node-maintenance':
      startNodeMaintenance(node, sides)
      return null
    case 'held-evictions':
      holdEvictions(sides)
      return null
  }
}

function computeOf(cloud: Cloud, node: string): NovaService {
  return must(
    cloud.services.find(({ binary, host }) => binary === 'nova-compute' && host === node),
    `${node} runs nova-compute`,
  )
}

/** Nova and Placement get a second record of the host under its FQDN, with its instances; the old record stays. */
function renameCompute(cloud: Cloud, node: string, oldReports: boolean): void {
  const old = computeOf(cloud, node)
  const host = must(cloud.hosts.get(node), `${node} is a host`)
  const name = `${node}.${DOMAIN}`
  cloud.hosts.set(name, {
    ...host,
    name,
    id: randomUUID(),
    number: Math.max(...[...cloud.hosts.values()].map(each => each.number)) + 1,
  })
  cloud.services.push({
    ...old,
    id: randomUUID(),
    number: Math.max(...cloud.services.map(each => each.number)) + 1,
    host: name,
  })
  for (const server of cloud.servers.values()) if (server.host === node) server.host = name
  if (oldReports) return
  old.alive = false
  old.lastSeenAt = cloud.clock.now() - minutes(90 * 24 * 60)
}

/** Plays a nova-compute without libvirt; it enables itself again only while the reason for disabling is its own. */
async function disableItself(service: NovaService, { clock, speed, signal }: Sides): Promise<void> {
  service.enabled = false
  service.disabledReason = AUTO_REASON
  await clock.sleep(LIBVIRT_AWAY_MS / speed, signal)
  // A client may disable it meanwhile and put the old reason back later, so the loop runs as long as the cloud does.
  while (!signal.aborted) {
    if (!service.enabled && service.disabledReason?.startsWith('AUTO:') === true) {
      service.enabled = true
      service.disabledReason = null
    }
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
}

/** Adds an instance that was cold-migrated from here an hour ago; nobody confirmed or reverted the migration. */
function leaveUnconfirmed(cloud: Cloud, node: string): void {
  const server = must(
    [...cloud.servers.values()].find(each => each.host === node && each.vmState === 'active' && each.groupId === null),
    `an instance runs on ${node}`,
  )
  const zone = cloud.hosts.get(node)?.zone
  const dest = must(
    [...cloud.hosts.values()].find(host => host.name !== node && host.zone === zone),
    `${node} is not the only host of its zone`,
  )
  const now = cloud.clock.now()
  cloud.migrations.push({
    id: Math.max(0, ...cloud.migrations.map(({ id }) => id)) + 1,
    uuid: randomUUID(),
    serverId: server.id,
    type: 'migration',
    source: node,
    userId: server.userId,
    projectId: server.projectId,
    flavorNumber: server.flavor.number,
    createdAt: now - minutes(62),
    status: 'finished',
    dest: dest.name,
    destIp: dest.ip,
    updatedAt: now - minutes(60),
    running: null,
    abortRequested: false,
    forceRequested: false,
    wasStopped: false,
    wake: () => undefined,
  })
  server.host = dest.name
  server.vmState = 'resized'
  server.updatedAt = now - minutes(60)
}

/** Adds the record of an agent that last reported under the node's FQDN 90 days ago. */
function leaveAgent(cloud: Cloud, node: string): void {
  const agent = must(
    cloud.agents.find(({ host }) => host === node),
    `an agent reports from ${node}`,
  )
  cloud.agents.push({
    ...agent,
    id: randomUUID(),
    host: `${node}.${DOMAIN}`,
    alive: false,
    lastSeenAt: cloud.clock.now() - minutes(90 * 24 * 60),
  })
}

function addTaints(
  node: string,
  taints: readonly { readonly key: string; readonly value: string; readonly effect: string }[],
  { kubernetes }: Sides,
): void {
  kubernetes.objects.change('Node', null, node, object => {
    const spec = recordAt(object, 'spec')
    const before = Array.isArray(spec.taints) ? spec.taints : []
    return { ...object, spec: { ...spec, taints: [...before, ...taints.map(taint => ({ ...taint }))] } }
  })
}

/** Writes the object of a maintenance by medik8s (node-maintenance-operator, api/v1beta1). */
function startNodeMaintenance(node: string, sides: Sides): void {
  const { objects } = sides.kubernetes
  const definition = nodeMaintenanceDefinition()
  if (
    objects.get('CustomResourceDefinition', null, must(definition.metadata.name, 'a definition has a name')) === null
  ) {
    objects.create(definition)
  }
  const { apiVersion, kind } = FOREIGN_KINDS.NodeMaintenance
  objects.create({
    apiVersion,
    kind,
    metadata: { name: `maintenance-of-${node}` },
    spec: { nodeName: node, reason: 'new memory' },
    status: { phase: 'Succeeded', drainProgress: 100 },
  })
  addTaints(
    node,
    [
      { key: 'medik8s.io/drain', value: '', effect: 'NoSchedule' },
      { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' },
    ],
    sides,
  )
}

const ACCEPTED: JsonObject = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }

/** Plays a webhook that turns evictions into dry runs; a real one deletes the pods later, or never. */
function holdEvictions({ kubernetes }: Sides): void {
  kubernetes.faults.lie(
    { path: /\/pods\/[^/]+\/eviction/, method: 'POST' },
    () => ({ code: 201, contentType: 'application/json', text: JSON.stringify(ACCEPTED) }),
    false,
  )
}
