import { type Model, type ModelInstance, type ModelNode, usedOf } from './watcher-model.ts'
import type { Action } from './watcher-records.ts'

/** An action that the planner has not ordered yet. */
export type Wanted = Pick<Action, 'type' | 'input'>

type Parameters = Readonly<Record<string, unknown>>

const MAINTAINING = 'watcher_maintaining'
/** Watcher's power saving disables nodes with this reason; such nodes are spare. */
const SPARE = 'watcher_disabled'

/** host_maintenance (docs/domain.md B.2): moves to the backup node, else a spare node, else nova-scheduler chooses. Null if the node is not in the model. */
export function hostMaintenance(model: Model, parameters: Parameters): readonly Wanted[] | null {
  const node = model.find(each => each.name === parameters.maintenance_node)
  if (node === undefined) return null
  if (node.instances.length === 0 && node.disabledReason !== MAINTAINING) return [disable(node)]
  const backup = model.find(each => each.name === parameters.backup_node)
  if (parameters.backup_node !== undefined && backup === undefined) return null
  const spares = model
    .filter(each => each.name !== node.name && each.isUp && !each.isEnabled && each.disabledReason === SPARE)
    .sort((a, b) => a.vcpus - b.vcpus)
  const target = [...(backup === undefined ? [] : [backup]), ...spares].find(each => fits(node, each)) ?? null
  return [
    ...(target === null || target.isEnabled ? [] : [enable(target)]),
    disable(node),
    ...node.instances.flatMap(instance => moveOrStop(instance, node, target, parameters)),
  ]
}

/** Watcher does not compare disk space. */
function fits(source: ModelNode, target: ModelNode): boolean {
  const needs = usedOf(source)
  const used = usedOf(target)
  return needs.vcpus <= target.vcpus - used.vcpus && needs.memoryMib <= target.memoryMib - used.memoryMib
}

/** Watcher's truth table: an inactive instance moves cold, even if Nova refuses that. */
function moveOrStop(
  instance: ModelInstance,
  source: ModelNode,
  target: ModelNode | null,
  parameters: Parameters,
): readonly Wanted[] {
  const live = parameters.disable_live_migration !== true
  const cold = parameters.disable_cold_migration !== true
  const active = instance.state === 'active'
  if (active && live) return [migrate(instance, source, target, 'live')]
  if (cold) return [migrate(instance, source, target, 'cold')]
  return active && !live ? [stop(instance)] : []
}

const MOST_MOVES = 3
const BALANCED = 0.1

/** workload_stabilization by memory alone: moves active instances live from the fullest node to the emptiest until both are about equal. */
export function workloadStabilization(model: Model): readonly Wanted[] {
  const nodes = model.filter(each => each.isEnabled && each.isUp)
  const used = new Map(nodes.map(node => [node.name, usedOf(node).memoryMib]))
  const share = (node: ModelNode) => (used.get(node.name) ?? 0) / node.memoryMib
  const moved = new Set<string>()
  const wanted: Wanted[] = []
  while (wanted.length < MOST_MOVES) {
    const sorted = [...nodes].sort((a, b) => share(a) - share(b))
    const emptiest = sorted[0]
    const fullest = sorted.at(-1)
    if (emptiest === undefined || fullest === undefined || share(fullest) - share(emptiest) <= BALANCED) break
    const gap = (used.get(fullest.name) ?? 0) - (used.get(emptiest.name) ?? 0)
    const instance = fullest.instances
      .filter(each => each.state === 'active' && !moved.has(each.uuid) && each.memoryMib < gap)
      .sort((a, b) => b.memoryMib - a.memoryMib)[0]
    if (instance === undefined) break
    moved.add(instance.uuid)
    used.set(fullest.name, (used.get(fullest.name) ?? 0) - instance.memoryMib)
    used.set(emptiest.name, (used.get(emptiest.name) ?? 0) + instance.memoryMib)
    wanted.push(migrate(instance, fullest, emptiest, 'live'))
  }
  return wanted
}

function disable(node: ModelNode): Wanted {
  const input = { state: 'disabled', disabled_reason: MAINTAINING, resource_name: node.name, resource_id: node.uuid }
  return { type: 'change_nova_service_state', input }
}

function enable(node: ModelNode): Wanted {
  const input = { state: 'enabled', resource_name: node.name, resource_id: node.uuid }
  return { type: 'change_nova_service_state', input }
}

function migrate(
  instance: ModelInstance,
  source: ModelNode,
  target: ModelNode | null,
  migrationType: 'live' | 'cold',
): Wanted {
  return {
    type: 'migrate',
    input: {
      migration_type: migrationType,
      source_node: source.uuid,
      ...(target === null ? {} : { destination_node: target.uuid }),
      resource_name: instance.name,
      resource_id: instance.uuid,
    },
  }
}

/** A stop names its instance by id only, as in Watcher. */
function stop(instance: ModelInstance): Wanted {
  return { type: 'stop', input: { resource_id: instance.uuid } }
}
