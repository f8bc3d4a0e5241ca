import { layOut } from '../../shared/domain/batch-cloud.ts'
import type { BatchFacts, BatchNode } from '../../shared/domain/batch-facts.ts'
import { judgeBatches } from '../../shared/domain/batch-judge.ts'
import { planBatches } from '../../shared/domain/batch-plan.ts'
import type { BatchOptions } from '../../shared/domain/batches.ts'
import type { Instance } from '../../shared/domain/openstack.ts'
import { median } from './median.ts'
import { noteFigure } from './note-figure.ts'

/**
 * Batches of a cloud of 500 compute nodes and 10,000 instances, in three zones, with anti-affinity groups: how long planning takes, and
 * judging after one node was dragged to another batch. Pure computation: needs no lab. In nearly full hosts the room decides. Counts processor
 * time, so a busy machine does not matter.
 */
const NODES = 500
const INSTANCES = 10_000
const ZONES = 3
const ROUNDS = 5

for (const [kind, hostGib] of [
  ['half full', 160],
  ['nearly full', 88],
  ['overfull', 82],
] as const) {
  const facts = bigFacts(hostGib)
  // A drag reuses what the plan read.
  const cloud = layOut(facts)
  for (const zones of ['one-at-a-time', 'spread'] as const) {
    const wish: BatchOptions = { zones, atOnce: {} }
    const names = facts.nodes.map(({ name }) => name)
    const planning: number[] = []
    const judging: number[] = []
    let batches: readonly (readonly string[])[] = []
    let left = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = processorMs()
      const planned = planBatches(facts, wish, names)
      planning.push(processorMs() - start)
      batches = planned.batches.map(({ batch }) => batch.nodes)
      left = planned.left.length
      const dragged = batches[0]?.[0]
      const moved = batches.map((nodes, at) => ({
        nodes: at === 1 && dragged !== undefined ? [...nodes, dragged] : nodes.filter(node => node !== dragged),
      }))
      const began = processorMs()
      judgeBatches(
        facts,
        wish,
        moved.filter(({ nodes }) => nodes.length > 0),
        cloud,
      )
      judging.push(processorMs() - began)
    }
    if (kind === 'nearly full') noteFigure('batches-judged', median(judging))
    console.log(
      `${NODES} nodes, ${INSTANCES} instances, ${kind}, ${zones}: ${batches.length} batches, ${left} left; planned in ${median(planning).toFixed(0)} ms (aim: under 2000), judged after a drag in ${median(judging).toFixed(0)} ms (aim: under 100)`,
    )
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function bigFacts(hostGib: number): BatchFacts {
  const nodes = Array.from({ length: NODES }, (_, at): BatchNode => {
    const name = `cmp-${String(at + 1).padStart(3, '0')}`
    return { name, roles: ['compute'], zone: zoneOf(at), host: name, hostMode: null, ready: true, away: null }
  })
  const instances = Array.from({ length: INSTANCES }, (_, at): Instance => {
    const node = at % NODES
    const gib = [1, 2, 4, 8][Math.floor(at / NODES) % 4] ?? 1
    return {
      id: `i-${String(at).padStart(5, '0')}`,
      name: `vm-${at}`,
      projectId: 'p',
      userId: 'u',
      host: nodes[node]?.name ?? null,
      status: 'ACTIVE',
      vmState: 'active',
      taskState: null,
      powerState: 1,
      tags: [],
      flavor: { name: 'm', vcpus: gib, ramMib: gib * 1024, diskGib: 0, ephemeralGib: 0, swapMib: 0, extraSpecs: {} },
      volumeIds: [],
      availabilityZone: zoneOf(node),
      pinnedZone: zoneOf(node),
      serverGroupIds: [],
      locked: false,
      createdAt: null,
      launchedAt: null,
      updatedAt: null,
      partial: false,
    }
  })
  // Three members each on three hosts of one zone.
  const groups = Array.from({ length: 300 }, (_, at) => ({
    id: `g-${at}`,
    name: `group-${at}`,
    policy: 'anti-affinity',
    memberIds: [0, 1, 2].map(n => instances[at + n * ZONES]?.id ?? ''),
  }))
  const usedGib = (INSTANCES / NODES / 4) * (1 + 2 + 4 + 8)
  return {
    nodes,
    hosts: nodes.map(({ name, zone }) => ({ name, zone, takes: true, takesWhenBack: true })),
    instances,
    instancesMissing: [],
    providers: nodes.map(({ name }) => ({
      id: name,
      name,
      capacities: { VCPU: hostGib * 4, MEMORY_MB: hostGib * 1024 },
      usages: { VCPU: usedGib, MEMORY_MB: usedGib * 1024 },
    })),
    groups,
    ceph: { kind: 'none' },
    quorums: [],
    limits: {
      perRole: { control: null, gateway: null, compute: { most: 30, by: 'cluster-setting' }, storage: null },
      roleLimits: 'own',
      zonesByControllers: false,
    },
  }
}

function zoneOf(at: number): string {
  return `az${(at % ZONES) + 1}`
}
