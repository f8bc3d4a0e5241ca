import type { BatchCeph, BatchFacts, BatchLimits, BatchNode, BatchQuorum } from './batch-facts.ts'
import type { BatchBreach, OsdsApart } from './batch-findings.ts'
import type { BatchOptions, BatchProblem } from './batches.ts'
import type { NodeRole } from './roles.ts'
import { NodeRole as Roles } from './roles.ts'

export interface BatchRules {
  readonly facts: BatchFacts
  readonly limits: BatchLimits
  readonly zones: BatchOptions['zones']
}

export interface FoundProblem extends Pick<BatchProblem, 'rule' | 'weight'> {
  readonly nodes: readonly string[]
  readonly breach: BatchBreach
}

/** The cluster's limits, overridden by those in the request. */
export function rulesOf(facts: BatchFacts, wish: BatchOptions): BatchRules {
  const { perRole } = facts.limits
  const limitOf = (role: NodeRole) => {
    const asked = wish.atOnce[role]
    if (asked === undefined) return perRole[role]
    const set = perRole[role]
    const { most = asked, by } = set ?? {}
    return by === undefined || asked <= most
      ? ({ most: asked, by: 'asked' } as const)
      : ({ most: asked, by: 'asked', beyond: { most, by } } as const)
  }
  return {
    facts,
    zones: wish.zones,
    limits: {
      ...facts.limits,
      perRole: {
        control: limitOf('control'),
        gateway: limitOf('gateway'),
        compute: limitOf('compute'),
        storage: limitOf('storage'),
      },
    },
  }
}

/** The rules that these nodes break once the nodes of earlier batches are back. */
export function brokenRules(
  rules: BatchRules,
  batch: readonly BatchNode[],
  back: ReadonlySet<string>,
): readonly FoundProblem[] {
  return [
    ...notReady(batch),
    ...roleLimits(rules.limits, batch),
    ...zoneProblems(rules, batch),
    ...cephProblems(rules, batch, back),
    ...rules.facts.quorums.flatMap(quorum => quorumProblems(quorum, rules.facts, batch, back)),
  ]
}

function notReady(batch: readonly BatchNode[]): readonly FoundProblem[] {
  const silent = batch.filter(({ ready }) => !ready)
  return silent.length === 0
    ? []
    : [hard('not-ready', silent, { code: 'NodesNotReady', values: { nodes: namesOf(silent) } })]
}

/** No node may find a role at its limit (docs/domain.md A.4; main/procedures/steps/requests/lock-limits.ts). */
function roleLimits({ perRole, roleLimits: reach }: BatchLimits, batch: readonly BatchNode[]): readonly FoundProblem[] {
  return Roles.options.flatMap(role => {
    const limit = perRole[role]
    if (limit === null) return []
    const holding = batch.filter(({ roles }) => roles.includes(role))
    if (holding.length > limit.most) {
      return [hard('role-limit', holding, { code: 'TooManyOfRole', values: { role, nodes: namesOf(holding), limit } })]
    }
    const others = batch.filter(({ roles }) => !roles.includes(role))
    // Ceph's own controller counts its hosts; the OpenStack Controller's limits ignore storage.
    if (reach === 'own' || role === 'storage' || holding.length < limit.most || others.length === 0) return []
    const { most } = limit
    const values = { role, nodes: namesOf(holding), most, others: namesOf(others) }
    return [hard('role-limit', batch, { code: 'RoleAtLimit', values })]
  })
}

function zoneProblems({ zones, limits }: BatchRules, batch: readonly BatchNode[]): readonly FoundProblem[] {
  if (zones !== 'one-at-a-time' && !limits.zonesByControllers) return []
  const computes = batch.filter(({ roles, zone }) => roles.includes('compute') && zone !== null)
  const found = [...new Set(computes.flatMap(({ zone }) => zone ?? []))].sort()
  if (found.length <= 1) return []
  const byControllers = limits.zonesByControllers
  const values = { zones: found, nodes: namesOf(computes), byControllers }
  const problem = hard('zone', computes, { code: 'ZonesMixed', values })
  return [byControllers ? problem : { ...problem, weight: 'soft' }]
}

/** OSDs of one host at a time, or of a rack on request and with Ceph's permission (docs/domain.md C.3, docs/decisions/0013). */
function cephProblems(
  { facts, limits }: BatchRules,
  batch: readonly BatchNode[],
  back: ReadonlySet<string>,
): readonly FoundProblem[] {
  const { ceph } = facts
  const own = batch.filter(node => stores(ceph, node))
  if (own.length === 0) return []
  const inBatch = new Set(batch.map(({ name }) => name))
  const others = facts.nodes.filter(
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
  const values = { nodes: namesOf(all), away: namesOf(others), because: whyNotTogether() }
  return [hard('ceph-domain', own, { code: 'OsdsDownTogether', values })]

  function whyNotTogether(): OsdsApart {
    if (ceph.kind === 'unknown') return { is: 'not-asked', cause: ceph.why }
    if (unclear.length > 0) return { is: 'unclear', nodes: namesOf(unclear) }
    if (!asked) return { is: 'one-host' }
    return oneRack ? { is: 'rack-may-not-stop', rack } : { is: 'no-shared-rack' }
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

/** A quorum counts all members, even those already out of service (docs/domain.md B.1: total//2+1 must stay). */
function quorumProblems(
  { what, needed, members }: BatchQuorum,
  facts: BatchFacts,
  batch: readonly BatchNode[],
  back: ReadonlySet<string>,
): readonly FoundProblem[] {
  const inBatch = new Set(batch.map(({ name }) => name))
  const own = batch.filter(({ name }) => members.some(member => member.node === name))
  const lost = members.some(({ node }) => node === null)
    ? batch.filter(({ roles }) => roles.includes('control') || roles.includes('storage'))
    : []
  const touched = [...new Set([...own, ...lost])]
  if (touched.length === 0) return []
  const away = new Set(facts.nodes.flatMap(({ name, away: why }) => (why !== null && !back.has(name) ? [name] : [])))
  const stays = (member: BatchQuorum['members'][number]) =>
    member.serves && member.node !== null && !inBatch.has(member.node) && !away.has(member.node)
  const staying = members.filter(stays)
  if (staying.length >= needed) return []
  const goes = members.filter(({ node }) => node !== null && inBatch.has(node))
  const out = members.filter(member => !stays(member) && !goes.includes(member))
  const values = {
    what,
    total: members.length,
    staying: staying.length,
    needed,
    nodes: namesOf(own),
    goes: namesOf(goes),
    out: namesOf(out),
  }
  return [hard('quorum', touched, { code: 'QuorumLost', values })]
}

function hard(rule: BatchProblem['rule'], nodes: readonly BatchNode[], breach: BatchBreach): FoundProblem {
  return { rule, weight: 'hard', nodes: namesOf(nodes), breach }
}

function namesOf(named: readonly { readonly name: string }[]): readonly string[] {
  return named.map(({ name }) => name)
}
