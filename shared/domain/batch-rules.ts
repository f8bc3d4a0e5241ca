import type { BatchCeph, BatchGround, BatchLimits, BatchNode, BatchQuorum } from './batch-ground.ts'
import type { BatchOptions, BatchProblem } from './batches.ts'
import type { NodeRole } from './roles.ts'
import { NodeRole as Roles } from './roles.ts'

/** The rules that need no figures of Placement, as they are applied to one cluster. */
export interface BatchRules {
  readonly ground: BatchGround
  readonly limits: BatchLimits
  readonly zones: BatchOptions['zones']
}

/** The cluster's limits with what was asked for in their place. */
export function rulesOf(ground: BatchGround, wish: BatchOptions): BatchRules {
  const { perRole } = ground.limits
  const limitOf = (role: NodeRole) => {
    const asked = wish.atOnce[role]
    if (asked === undefined) return perRole[role]
    const set = perRole[role]
    const beyond = set !== null && asked > set.most ? `; more than the ${set.most} of ${set.by}` : ''
    return { most: asked, by: `as asked for${beyond}` }
  }
  return {
    ground,
    zones: wish.zones,
    limits: {
      ...ground.limits,
      perRole: {
        control: limitOf('control'),
        gateway: limitOf('gateway'),
        compute: limitOf('compute'),
        storage: limitOf('storage'),
      },
    },
  }
}

/** What a batch of these nodes breaks when the nodes of earlier batches are back. */
export function brokenRules(
  rules: BatchRules,
  batch: readonly BatchNode[],
  back: ReadonlySet<string>,
): readonly BatchProblem[] {
  return [
    ...notReady(batch),
    ...roleLimits(rules.limits, batch),
    ...zoneProblems(rules, batch),
    ...cephProblems(rules, batch, back),
    ...rules.ground.quorums.flatMap(quorum => quorumProblems(quorum, rules.ground, batch, back)),
  ]
}

function notReady(batch: readonly BatchNode[]): readonly BatchProblem[] {
  const silent = batch.filter(({ ready }) => !ready)
  return silent.length === 0
    ? []
    : [
        hard(
          'not-ready',
          silent,
          `${list(silent)} ${silent.length === 1 ? 'is' : 'are'} not Ready: maintenance begins with nodes that report.`,
        ),
      ]
}

/**
 * docs/domain.md A.4, the same rule by which a node is held back when it begins (main/procedures/steps/requests/lock-limits.ts), for all of a batch at
 * once: none of them may find a role at its limit, whatever their order.
 */
function roleLimits({ perRole, roleLimits: reach }: BatchLimits, batch: readonly BatchNode[]): readonly BatchProblem[] {
  return Roles.options.flatMap(role => {
    const limit = perRole[role]
    if (limit === null) return []
    const holding = batch.filter(({ roles }) => roles.includes(role))
    if (holding.length > limit.most) {
      return [
        hard(
          'role-limit',
          holding,
          `${holding.length} ${role} nodes at once (${list(holding)}), and the limit is ${limit.most} (${limit.by}).`,
        ),
      ]
    }
    const others = batch.filter(({ roles }) => !roles.includes(role))
    // Ceph's own controller counts its hosts; the limits of the OpenStack Controller know no storage.
    if (reach === 'own' || role === 'storage' || holding.length < limit.most || others.length === 0) return []
    return [
      hard(
        'role-limit',
        batch,
        `With ${list(holding)} the ${role} nodes are at their limit of ${limit.most}, and this cluster's controllers then hold back every other node: ${list(others)}.`,
      ),
    ]
  })
}

function zoneProblems({ zones, limits }: BatchRules, batch: readonly BatchNode[]): readonly BatchProblem[] {
  if (zones !== 'one-at-a-time' && !limits.zonesByControllers) return []
  const computes = batch.filter(({ roles, zone }) => roles.includes('compute') && zone !== null)
  const found = [...new Set(computes.flatMap(({ zone }) => zone ?? []))].sort()
  if (found.length <= 1) return []
  const words = `Nodes of zones ${found.join(', ')} in one batch: ${list(computes)}.`
  return [
    limits.zonesByControllers
      ? hard('zone', computes, `${words} This cluster's controllers work on one zone at a time.`)
      : { rule: 'zone', weight: 'soft', nodes: computes.map(({ name }) => name), words },
  ]
}

/** docs/domain.md C.3, docs/decisions/0013: one host's OSDs at a time; several of a rack when that was asked for and Ceph lets the rack stop. */
function cephProblems(
  { ground, limits }: BatchRules,
  batch: readonly BatchNode[],
  back: ReadonlySet<string>,
): readonly BatchProblem[] {
  const { ceph } = ground
  const own = batch.filter(node => stores(ceph, node))
  if (own.length === 0) return []
  const inBatch = new Set(batch.map(({ name }) => name))
  const others = ground.nodes.filter(
    node => node.away !== null && !back.has(node.name) && !inBatch.has(node.name) && stores(ceph, node),
  )
  const all = [...own, ...others]
  if (all.length === 1) return []
  const racks = new Set(all.map(({ name }) => (ceph.kind === 'known' ? (ceph.rackOf.get(name) ?? null) : null)))
  const [rack] = racks
  const unclear = ceph.kind === 'known' ? all.filter(({ name }) => ceph.unclear.has(name)) : []
  const asked = (limits.perRole.storage?.most ?? 1) > 1
  const oneRack = racks.size === 1 && rack !== null && rack !== undefined
  if (asked && oneRack && ceph.kind === 'known' && ceph.racksMayStop.has(rack)) return []
  const where = others.length === 0 ? '' : ` (${list(others)} ${others.length === 1 ? 'is' : 'are'} away already)`
  return [
    hard(
      'ceph-domain',
      own,
      `OSDs of ${list(all)} ${unclear.length > 0 ? 'could' : 'would'} be down together${where}. ${whyNotTogether()}`,
    ),
  ]

  function whyNotTogether(): string {
    if (ceph.kind === 'unknown') return `Ceph could not be asked, so one host at a time: ${ceph.why}`
    if (unclear.length > 0) return `Which OSDs ${list(unclear)} has cannot be told, so one host at a time.`
    if (!asked) return 'One failure domain at a time: a host, unless more storage nodes at once are asked for.'
    if (!oneRack) return 'They share no rack of the CRUSH map.'
    return `Ceph does not let all OSDs of rack ${rack} stop together.`
  }
}

function stores(ceph: BatchCeph, node: BatchNode): boolean {
  switch (ceph.kind) {
    case 'none':
      return false
    case 'unknown':
      return node.roles.includes('storage')
    case 'known':
      return ceph.rackOf.has(node.name) || ceph.unclear.has(node.name)
  }
}

/** A quorum counts all its members, those that are away already too (docs/domain.md B.1: total//2+1 have to stay). */
function quorumProblems(
  { what, needed, members }: BatchQuorum,
  ground: BatchGround,
  batch: readonly BatchNode[],
  back: ReadonlySet<string>,
): readonly BatchProblem[] {
  const inBatch = new Set(batch.map(({ name }) => name))
  const own = batch.filter(({ name }) => members.some(member => member.node === name))
  const lost = members.some(({ node }) => node === null)
    ? batch.filter(({ roles }) => roles.includes('control') || roles.includes('storage'))
    : []
  const touched = [...new Set([...own, ...lost])]
  if (touched.length === 0) return []
  const away = new Set(ground.nodes.flatMap(({ name, away: why }) => (why !== null && !back.has(name) ? [name] : [])))
  const stays = (member: BatchQuorum['members'][number]) =>
    member.serves && member.node !== null && !inBatch.has(member.node) && !away.has(member.node)
  const staying = members.filter(stays)
  if (staying.length >= needed) return []
  const goes = members.filter(({ node }) => node !== null && inBatch.has(node))
  const out = members.filter(member => !stays(member) && !goes.includes(member))
  const details = [
    ...(goes.length === 0 ? [] : [`on ${list(own)}: ${goes.map(({ name }) => name).join(', ')}`]),
    ...(out.length === 0 ? [] : [`not serving or away already: ${out.map(({ name }) => name).join(', ')}`]),
  ]
  return [
    hard(
      'quorum',
      touched,
      `Of ${members.length} members of ${what} ${staying.length} would stay, and ${needed} are needed (${details.join('; ')}).`,
    ),
  ]
}

function hard(rule: BatchProblem['rule'], nodes: readonly BatchNode[], words: string): BatchProblem {
  return { rule, weight: 'hard', nodes: nodes.map(({ name }) => name), words }
}

function list(nodes: readonly BatchNode[]): string {
  return nodes.length <= 6
    ? nodes.map(({ name }) => name).join(', ')
    : `${nodes
        .slice(0, 5)
        .map(({ name }) => name)
        .join(', ')} and ${nodes.length - 5} more`
}
