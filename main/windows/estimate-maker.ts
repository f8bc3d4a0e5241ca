import type { Cluster } from '../../shared/domain/cluster.ts'
import type { Estimate } from '../../shared/domain/estimate.ts'
import type { EstimateGap } from '../../shared/domain/estimate-findings.ts'
import type { Instance } from '../../shared/domain/openstack.ts'
import {
  eachOnce,
  type FoundEstimate,
  type InstanceToMove,
  type NodeOfEstimate,
  ownEstimate,
  type PartOfWork,
} from '../../shared/domain/own-estimate.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { UpdateOptions } from '../../shared/domain/update.ts'
import {
  type FoundVendorEstimate,
  type VendorInputs,
  vendorEstimate,
  whyNoVendorEstimate,
} from '../../shared/domain/vendor-estimate.ts'
import type { WindowPlan } from '../../shared/domain/window.ts'
import { wordedEstimate } from '../../shared/words/estimates.ts'
import { wordedVendorEstimate } from '../../shared/words/vendor-estimates.ts'
import { isoNow } from '../platform/clock/clock.ts'
import type { UpdateNode } from '../procedures/plans/rolling/update-node.ts'
import { policyOf } from '../procedures/steps/compute/classify-instances.ts'
import { createMeasurements } from './measurements.ts'
import type { WindowServices } from './window-services.ts'
import { readWorkFacts, type WorkFacts, type WorkNode } from './work-facts.ts'

export interface EstimatedWork {
  readonly estimate: Estimate
  readonly own: FoundEstimate
  readonly parts: readonly PartOfWork[]
  /** Whether migrations are observed one by one; a controller reports only its end. */
  readonly movesSeen: boolean
}

/** How long a window's plan may take, from the cluster's current state and its measurements. Only reads. */
export type EstimateMaker = (cluster: string, plan: WindowPlan) => Promise<Result<EstimatedWork>>

const BESIDES_NODES = ['prepare', 'applications', 'finalize'] as const

export function createEstimateMaker(services: Pick<WindowServices, 'runs' | 'worlds' | 'clock'>): EstimateMaker {
  const measuredOn = createMeasurements(services)
  return async (name, plan) => {
    const connected = await services.worlds.open(name)
    if (!connected.ok) return connected
    const { world, openstackFailure } = connected.value
    const facts = await readWorkFacts(world, openstackFailure?.message ?? null)
    if (!facts.ok) return facts
    const isMosk = world.cluster.flavour === 'mosk'
    const scope = plan.kind === 'open' ? 'os' : plan.kind === 'update' ? plan.update.scope : plan.scope
    const nodes = facts.value.nodes
    const places = nodes.map(({ update }) => update)
    const parts = partsOfPlan(plan, places, isMosk)
    const measured = ownEstimate(
      {
        parts,
        phases: isMosk && plan.kind !== 'open' ? BESIDES_NODES : [],
        workMinutes: plan.kind === 'batches' ? plan.workMinutes : null,
        empties: scope === 'os',
        // Under mosk the OpenStack Controller moves instances, by its own limits.
        movesSeen: !isMosk,
        migrationsAtOnce: world.cluster.limits.migrationsPerSource,
      },
      nodes.map(nodeOfEstimate),
      measuredOn(name),
    )
    const vendor = vendorFigure(plan, facts.value, world.cluster)
    const notRead = facts.value.unreachable.map((cause): EstimateGap => ({ code: 'NotAllRead', values: { cause } }))
    const own = {
      ...measured,
      // A plan without nodes takes no time.
      total: plan.kind === 'open' ? null : measured.total,
      missing: eachOnce([...measured.missing, ...notRead, ...vendor.why]),
    }
    const estimate: Estimate = {
      madeAt: isoNow(services.clock),
      vendor: vendor.estimate === null ? null : wordedVendorEstimate(vendor.estimate),
      own: wordedEstimate(own),
    }
    return ok({ estimate, own, parts, movesSeen: !isMosk })
  }
}

function vendorFigure(
  plan: WindowPlan,
  facts: WorkFacts,
  cluster: Cluster,
): { readonly estimate: FoundVendorEstimate | null; readonly why: readonly EstimateGap[] } {
  const none = (why: EstimateGap) => ({ estimate: null, why: [why] })
  if (plan.kind === 'open') return none({ code: 'NoPlan', values: {} })
  const whyNot = whyNoVendorEstimate(cluster)
  if (whyNot !== null) return none(whyNot)
  if (plan.kind === 'batches') return none({ code: 'VendorWholeClusterOnly', values: {} })
  const inputs = vendorInputs(facts, plan.update.scope === 'os')
  if (inputs === null) return none({ code: 'VendorInstancesNotRead', values: {} })
  const estimate = vendorEstimate(inputs, 'scope')
  const chosen = new Set([...plan.update.controlNodes, ...plan.update.groups.flatMap(({ nodes }) => nodes)])
  const left = facts.nodes.filter(({ node }) => !chosen.has(node.name)).length
  const note = { code: 'NodesLeftOut', values: { left, total: facts.nodes.length } } as const
  return { estimate: left === 0 ? estimate : { ...estimate, notes: [...estimate.notes, note] }, why: [] }
}

function nodeOfEstimate({ node, isCompute, instances }: WorkNode): NodeOfEstimate {
  return {
    node: node.name,
    isCompute,
    instances: instances?.flatMap(instance => moveOf(instance, node) ?? []) ?? null,
  }
}

/** An instance that must move before its host may go down; null if it is off or goes down with the host. */
function moveOf(instance: Instance, node: WorkNode['node']): InstanceToMove | null {
  const { action } = policyOf(instance, node)
  if (action === 'poweroff' || action === 'ignore') return null
  const way = action === 'live_migrate' ? 'live' : action === 'notify' ? 'owner' : 'other'
  return { name: instance.name, way, ramMib: instance.flavor?.ramMib ?? null }
}

const MASTER_LABELS = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master']

/** The letters of the vendor's formula for this cluster (docs/domain.md A.7). */
function vendorInputs({ nodes }: WorkFacts, reboots: boolean): VendorInputs | null {
  const computes = nodes.filter(({ isCompute }) => isCompute)
  const masters = nodes.filter(({ node }) => MASTER_LABELS.some(label => Object.hasOwn(node.labels, label)))
  // Where Kubernetes does not label its masters, the cloud's control plane counts instead.
  const control = masters.length > 0 ? masters : nodes.filter(({ update }) => update.roles.includes('control'))
  const known = computes.flatMap(({ instances }) => (instances === null ? [] : [instances.length]))
  if (computes.length > 0 && known.length === 0) return null
  const instances = known.reduce((sum, each) => sum + each, 0)
  return {
    instancesPerCompute: known.length === 0 ? 0 : Math.round((instances / known.length) * 10) / 10,
    computes: computes.length,
    gateways: nodes.filter(({ update }) => update.roles.includes('gateway')).length,
    controlPlaneNodes: control.length,
    workers: nodes.length - control.length,
    reboots,
  }
}

/** The parts of a window's plan in working order. Under flavour `mosk` control-plane nodes run one by one (docs/domain.md A.4). */
function partsOfPlan(plan: WindowPlan, nodes: readonly UpdateNode[], hasControlPhase: boolean): readonly PartOfWork[] {
  switch (plan.kind) {
    case 'open':
      return []
    case 'batches':
      return plan.batches.flatMap((batch, at) => {
        const control = hasControlPhase ? batch.nodes.filter(name => isControl(name, nodes)) : []
        const others = batch.nodes.filter(name => !control.includes(name))
        return [
          { batch: at + 1, nodes: control, atOnce: 1 },
          { batch: at + 1, nodes: others, atOnce: Math.max(1, others.length) },
        ].filter(part => part.nodes.length > 0)
      })
    case 'update':
      return partsOfUpdate(plan.update, nodes)
  }
}

function partsOfUpdate(update: UpdateOptions, nodes: readonly UpdateNode[]): readonly PartOfWork[] {
  const control = update.controlNodes.length === 0 ? [] : [{ nodes: update.controlNodes, atOnce: 1, zoned: false }]
  const groups = update.groups
    .toSorted((a, b) => a.index - b.index)
    .map(group => ({ nodes: group.nodes, atOnce: group.concurrentUpdates, zoned: update.zoneAtATime }))
  return [...control, ...groups].flatMap((part, at) =>
    (part.zoned ? byZone(part.nodes, nodes) : [part.nodes]).map(own => ({
      batch: at + 1,
      nodes: own,
      atOnce: part.atOnce,
    })),
  )
}

/** Zone by zone, in the order of first appearance; nodes without a zone form one group. */
function byZone(names: readonly string[], nodes: readonly UpdateNode[]): readonly (readonly string[])[] {
  return [...Map.groupBy(names, name => nodes.find(node => node.name === name)?.zone ?? 'none').values()]
}

function isControl(name: string, nodes: readonly UpdateNode[]): boolean {
  return nodes.some(node => node.name === name && node.roles.includes('control'))
}
