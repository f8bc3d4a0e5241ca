import { expect, it } from 'vitest'
import type { LeaseRequest } from '../../main/ports/leases.ts'
import type { DrainOptions } from '../../shared/domain/kubernetes.ts'
import { nodeLease } from '../../shared/domain/lease-name.ts'
import { must } from '../../shared/domain/must.ts'
import { type ContractTarget, failureOf, value } from './target.ts'

const OPTIONS: DrainOptions = {
  force: true,
  ignoreDaemonSets: true,
  deleteEmptyDirData: true,
  disableEviction: false,
  gracePeriodSeconds: -1,
  skipWaitForDeleteSeconds: 0,
  timeoutMs: 120_000,
}

/** What our Kubernetes adapter relies on: the same tests run against the embedded cluster and the real lab. Where they differ, the demo is wrong. */
export function kubernetesContract(target: () => ContractTarget): void {
  const cluster = () => target().kubernetes

  it('lists nodes with labels, readiness and boot id', async () => {
    const nodes = value(await cluster().listNodes())
    const compute = must(
      nodes.find(node => node.name === target().computeNode),
      'the compute node is listed',
    )
    expect(compute).toMatchObject({ readiness: 'ready', unschedulable: false })
    expect(compute.labels['openstack-compute-node']).toBe('enabled')
    expect(compute.kubeletVersion).toMatch(/^v1\./)
    expect(compute.uid).not.toBe('')
  })

  it('reports when the server gave each answer, also of a watch, and since 1.22 the Audit-ID of our request, which exposes a cached answer', async () => {
    const { session } = target()
    const { gitVersion } = value(await session.version())
    const answersAlways = Number(/^v1\.(\d+)/.exec(gitVersion)?.[1]) >= 22
    const ids: string[] = []
    for (const query of [{ limit: 1 }, { limit: 1 }, { watch: true, timeoutSeconds: 1 }]) {
      const { headers, cancel } = value(await session.stream({ method: 'GET', path: '/api/v1/nodes', query }))
      cancel()
      expect(Date.parse(headers.date ?? '')).not.toBeNaN()
      const id = headers['audit-id']
      if (answersAlways || id !== undefined) ids.push(String(id))
    }
    if (answersAlways) expect(ids).toHaveLength(3)
    expect(new Set(ids).size).toBe(ids.length)
    // Our Audit-IDs: those of one session have the same prefix, those of an API server do not.
    expect(new Set(ids.map(each => each.slice(0, 24))).size).toBeLessThanOrEqual(1)
  })

  it('answers not-found for a node that does not exist', async () => {
    expect(failureOf(await cluster().getNode('no-such-node')).code).toBe('not-found')
  })

  it('cordons and uncordons by a patch of the difference, and reports when nothing differs (drain.md 5.1 rules 1 and 2)', async () => {
    const node = target().computeNode
    expect(value(await cluster().setUnschedulable(node, true))).toEqual({ changed: true })
    expect(value(await cluster().setUnschedulable(node, true))).toEqual({ changed: false })
    expect(value(await cluster().getNode(node)).unschedulable).toBe(true)
    expect(value(await cluster().setUnschedulable(node, false))).toEqual({ changed: true })
    expect(value(await cluster().getNode(node)).unschedulable).toBe(false)
  })

  it('names the owner of a cordon: the one who set it first since the node was free, not a later writer of other fields', async () => {
    const node = target().computeNode
    const others = (unschedulable: boolean | null) =>
      target().session.request({
        method: 'PATCH',
        path: `/api/v1/nodes/${node}`,
        query: { fieldManager: 'contract-somebody' },
        contentType: 'application/merge-patch+json',
        body: {
          metadata: { annotations: { 'lockkeeper.dev/contract': unschedulable ? 'yes' : null } },
          spec: { unschedulable },
        },
      })
    const managers = async () => value(await cluster().getNode(node)).cordonedBy.map(({ manager }) => manager)
    try {
      expect(await managers()).toEqual([])
      value(await cluster().setUnschedulable(node, true, { by: 'contract' }))
      const [holder] = value(await cluster().getNode(node)).cordonedBy
      expect(holder?.manager).toBe('lockkeeper-run-contract')
      expect(Date.parse(holder?.at ?? '')).not.toBeNaN()
      value(await others(true))
      expect(await managers(), 'what is so already changes no hands').toEqual(['lockkeeper-run-contract'])
      value(await others(null))
      expect(await managers()).toEqual([])
      value(await others(true))
      expect(await managers()).toEqual(['contract-somebody'])
    } finally {
      value(await others(null))
    }
  })

  it('uncordons a node only at a given version, on request', async () => {
    const node = target().computeNode
    value(await cluster().setUnschedulable(node, true))
    try {
      const { resourceVersion: atVersion } = value(await cluster().getNode(node))
      value(await cluster().annotateNode(node, { 'lockkeeper.dev/contract': 'since' }))
      expect(failureOf(await cluster().setUnschedulable(node, false, { atVersion })).code).toBe('conflict')
      expect(value(await cluster().getNode(node)).unschedulable).toBe(true)
    } finally {
      value(await cluster().annotateNode(node, { 'lockkeeper.dev/contract': null }))
      value(await cluster().setUnschedulable(node, false))
    }
  })

  it('sets and removes an annotation and touches no other', async () => {
    const node = target().computeNode
    const before = value(await cluster().getNode(node)).annotations
    value(await cluster().annotateNode(node, { 'lockkeeper.dev/contract': 'yes' }))
    expect(value(await cluster().getNode(node)).annotations).toEqual({ ...before, 'lockkeeper.dev/contract': 'yes' })
    value(await cluster().annotateNode(node, { 'lockkeeper.dev/contract': null }))
    expect(value(await cluster().getNode(node)).annotations).toEqual(before)
  })

  it('keeps notes on a Lease after its release, and has none without a Lease', async () => {
    const request = { runId: 'run', operator: 'eva', machine: 'desk', durationSeconds: 60 }
    const node = 'contract-noted'
    const lease = { ...request, name: nodeLease(node), identity: 'lockkeeper-run/contract' }
    expect(
      failureOf(await cluster().annotateLease('contract-no-lease', { 'lockkeeper.dev/contract': 'yes' })).code,
    ).toBe('not-found')
    expect(value(await cluster().getLeaseAnnotations('contract-no-lease'))).toEqual({})
    expect(value(await cluster().leases.acquire(lease)).kind).toBe('acquired')
    value(await cluster().annotateLease(node, { 'lockkeeper.dev/contract': 'yes' }))
    expect(value(await cluster().leases.renew(lease)).kind).toBe('renewed')
    value(await cluster().leases.release(lease))
    expect(value(await cluster().getLeaseAnnotations(node))).toEqual({ 'lockkeeper.dev/contract': 'yes' })
    value(await cluster().annotateLease(node, { 'lockkeeper.dev/contract': null }))
    expect(value(await cluster().getLeaseAnnotations(node))).toEqual({})
  })

  it('plans a drain: DaemonSet pods stay, replicated pods leave with their budget, and nothing is changed', async () => {
    const node = target().controlNode
    const before = value(await cluster().listPodsOnNode(node)).map(pod => pod.uid)
    const plan = value(await cluster().planDrain(node, OPTIONS, { dryRun: true }))
    const mariadb = must(
      plan.decisions.find(decision => decision.pod.name.startsWith('mariadb-server-')),
      'mariadb runs on the control node',
    )
    expect(mariadb).toMatchObject({
      fate: 'evict',
      budgets: [{ name: 'mariadb-server', desiredHealthy: 2 }],
      dryRun: { kind: 'accepted' },
    })
    expect(
      value(await cluster().listPodsOnNode(node))
        .map(pod => pod.uid)
        .sort(),
    ).toEqual(before.sort())
    const compute = value(await cluster().planDrain(target().computeNode, OPTIONS, { dryRun: false }))
    expect(
      compute.decisions.filter(({ pod }) => pod.controller?.kind === 'DaemonSet').every(({ fate }) => fate === 'keep'),
    ).toBe(true)
  })

  it('a pod with emptyDir blocks unless its data may be deleted (drain.md 5.2 filter 4)', async () => {
    const plan = value(
      await cluster().planDrain(target().controlNode, { ...OPTIONS, deleteEmptyDirData: false }, { dryRun: false }),
    )
    const memcached = plan.decisions.filter(({ pod }) => pod.name.startsWith('memcached-'))
    expect(memcached.length).toBeGreaterThan(0)
    expect(memcached.every(({ fate }) => fate === 'block')).toBe(true)
  })

  it('refuses to evict from a node that is not cordoned (drain.md V2)', async () => {
    const outcome = await cluster().drain(target().computeNode, OPTIONS, {
      onFact: () => {},
      requestedBefore: new Set(),
      signal: new AbortController().signal,
    })
    expect(outcome.kind).toBe('refused')
  })

  it('drains a control node whose pods have budgets, and announces every pod before it leaves', async () => {
    const node = target().controlNode
    value(await cluster().setUnschedulable(node, true))
    try {
      const facts: string[] = []
      const outcome = await cluster().drain(node, OPTIONS, {
        onFact: fact => facts.push(`${fact.kind} ${fact.pod.name}`),
        requestedBefore: new Set(),
        signal: new AbortController().signal,
      })
      expect(outcome.kind).toBe('drained')
      const left = facts.filter(fact => fact.startsWith('pod.left')).map(fact => fact.slice('pod.left '.length))
      expect(left.length).toBeGreaterThan(0)
      for (const pod of left)
        expect(facts.indexOf(`pod.eviction-requested ${pod}`)).toBeLessThan(facts.indexOf(`pod.left ${pod}`))
      const plan = value(await cluster().planDrain(node, OPTIONS, { dryRun: false }))
      expect(plan.decisions.filter(({ fate }) => fate !== 'keep')).toEqual([])
    } finally {
      value(await cluster().setUnschedulable(node, false))
    }
  })

  it('gives the Lease of a node to one holder only, and to the next when it is released (style G26)', async () => {
    const request = (who: string): LeaseRequest => ({
      name: nodeLease(target().computeNode),
      identity: `contract-${who}`,
      runId: `run-${who}`,
      operator: who,
      machine: 'contract',
      durationSeconds: 60,
    })
    const { leases } = cluster()
    expect(value(await leases.acquire(request('ann')))).toEqual({ kind: 'acquired' })
    expect(value(await leases.acquire(request('ben')))).toMatchObject({
      kind: 'held',
      by: { runId: 'run-ann', operator: 'ann' },
    })
    expect(value(await leases.acquire(request('ann')))).toEqual({ kind: 'acquired' })
    expect(value(await leases.renew(request('ann')))).toEqual({ kind: 'renewed' })
    expect(value(await leases.renew(request('ben')))).toMatchObject({ kind: 'lost' })
    expect(value(await leases.holder(nodeLease(target().computeNode)))).toMatchObject({ identity: 'contract-ann' })
    expect(value(await leases.all()).get(nodeLease(target().computeNode))?.held).toBe(true)
    expect(value(await cluster().isLeaseFree(target().computeNode))).toBe(false)
    value(await leases.release(request('ann')))
    expect(value(await leases.holder(nodeLease(target().computeNode)))).toBeNull()
    expect(value(await leases.all()).get(nodeLease(target().computeNode))?.held).toBe(false)
    expect(value(await cluster().isLeaseFree(target().computeNode))).toBe(true)
    const both = await Promise.all([leases.acquire(request('ann')), leases.acquire(request('ben'))])
    expect(both.map(answer => value(answer).kind).sort()).toEqual(['acquired', 'held'])
    await Promise.all(['ann', 'ben'].map(who => leases.release(request(who))))
    expect(value(await leases.holder(nodeLease(target().computeNode)))).toBeNull()
  })

  it('reports what these credentials may do, and what others may not', async () => {
    const question = { verb: 'create', group: '', resource: 'pods', subresource: 'eviction' }
    expect(value(await cluster().reviewAccess([question]))).toMatchObject([{ allowed: true }])
    const without = target().kubernetesWithoutRights
    if (without === null) return
    expect(value(await without.reviewAccess([question]))).toMatchObject([{ allowed: false }])
    const refused = failureOf(await without.listNodes())
    expect(refused.code).toBe('not-permitted')
    expect(refused.message).toContain('nodes')
  })
}
