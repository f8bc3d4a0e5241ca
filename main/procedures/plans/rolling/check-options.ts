import type { Cluster } from '../../../../shared/domain/cluster.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { SEED_COMPUTE_MAX } from '../../../../shared/domain/maintenance-api.ts'
import type { NodeRole } from '../../../../shared/domain/roles.ts'
import type { UpdateGroup, UpdateOptions } from '../../../../shared/domain/update.ts'
import { type Fault, fault } from '../../../../shared/words/step-texts.ts'
import { refusal } from '../../answers.ts'
import { readJobManifest } from '../../steps/rolling/job-manifest.ts'
import { whyStandstill } from '../../steps/rolling/stalled.ts'
import type { UpdateNode } from './update-node.ts'

/** Why an update through the node maintenance API cannot be planned as chosen; null when it can. */
export function whyNotPlanned(
  update: UpdateOptions,
  nodes: readonly UpdateNode[],
  { name, maintenanceApi }: Pick<Cluster, 'name' | 'maintenanceApi'>,
): Failure | null {
  const target = { target: `cluster/${name}` }
  const chosen = whyNotChosen(update, nodes, { name })
  if (chosen !== null) return chosen
  const set = `lockkeeper cluster set ${name}`
  for (const group of update.groups) {
    const over =
      overLimit(group, 'compute', maintenanceApi.computeMax ?? SEED_COMPUTE_MAX, nodes, `${set} --compute-max N`) ??
      overLimit(group, 'gateway', maintenanceApi.gatewayMax, nodes, `${set} --gateway-max N`)
    if (over !== null) return refusal('bad-input', over, target)
  }
  const standstill = whyStandstill(update, nodes, { maintenanceApi })
  return standstill === null ? null : refusal('bad-input', standstill, target)
}

/** Why these nodes cannot be chosen, whatever the flavour; null when they can. */
export function whyNotChosen(
  update: UpdateOptions,
  nodes: readonly UpdateNode[],
  { name }: Pick<Cluster, 'name'>,
): Failure | null {
  const target = { target: `cluster/${name}` }
  const chosen = [...update.controlNodes, ...update.groups.flatMap(group => group.nodes)]
  if (chosen.length === 0) {
    return refusal('bad-input', fault('NoNodeChosen', { cluster: name }), target)
  }
  const unknown = chosen.filter(node => !nodes.some(known => known.name === node))
  if (unknown.length > 0) {
    return refusal('bad-input', fault('ChosenUnknown', { cluster: name, nodes: unknown }), target)
  }
  const twice = chosen.find((node, at) => chosen.indexOf(node) !== at)
  if (twice !== undefined) {
    const places = placesOf(twice, update)
    return refusal('bad-input', fault('ChosenTwice', { cluster: name, node: twice, places }), target)
  }
  const groupTwice = update.groups.find(
    (group, at) => update.groups.findIndex(other => other.name === group.name) !== at,
  )
  if (groupTwice !== undefined) {
    return refusal('bad-input', fault('GroupTwice', { group: groupTwice.name }), target)
  }
  for (const group of update.groups) {
    const over = overLimit(group, 'control', 1, nodes, null)
    if (over !== null) return refusal('bad-input', over, target)
  }
  if (update.work.kind === 'job') {
    const manifest = readJobManifest(update.work.manifest)
    if (!manifest.ok) return manifest.failure
  }
  return null
}

/** A group that would request more nodes of a role at a time than the controllers allow (docs/domain.md A.4). */
function overLimit(
  group: UpdateGroup,
  role: NodeRole,
  limit: number,
  nodes: readonly UpdateNode[],
  raise: string | null,
): Fault | null {
  const ofRole = group.nodes.filter(node => nodes.find(known => known.name === node)?.roles.includes(role))
  const atOnce = Math.min(ofRole.length, group.concurrentUpdates)
  if (atOnce <= limit) return null
  return fault('GroupOverLimit', {
    group: group.name,
    role,
    atOnce: group.concurrentUpdates,
    ofRole: ofRole.length,
    limit,
    raise,
  })
}

function placesOf(node: string, update: UpdateOptions) {
  return [
    ...update.controlNodes.filter(name => name === node).map(() => ({ kind: 'control-nodes' }) as const),
    ...update.groups.flatMap(({ nodes, name }) =>
      nodes.filter(each => each === node).map(() => ({ kind: 'group', name }) as const),
    ),
  ]
}
