import { describe, expect, it } from 'vitest'
import type { JobState } from '../../../../main/ports/kubernetes.ts'
import { nodeWork } from '../../../../main/procedures/steps/rolling/node-work.ts'
import { noteNode } from '../../../../main/procedures/steps/rolling/note-node.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { ok } from '../../../../shared/domain/result.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import type { NodeWorkGate } from '../../../../shared/domain/update.ts'
import { type FakeWorld, fakeContext, fakeNode, fakeWorld } from '../../../fixtures/procedures/fake-world.ts'

const JOB: NodeWorkGate = {
  kind: 'job',
  namespace: 'ops',
  manifest: 'kind: Job\napiVersion: batch/v1\nspec: { template: { spec: {} } }',
}

/** Applies the work on cmp-1; `steps` change the node, one before each look at it. */
async function work(gate: NodeWorkGate, steps: readonly Partial<ClusterNode>[] = [], facts: RunFact[] = []) {
  const world = fakeWorld({ nodes: [fakeNode('cmp-1')] })
  const context = fakeContext(world, { facts })
  if (facts.length === 0) await noteNode.apply?.({ node: 'cmp-1' }, context)
  const left = [...steps]
  const getNode = world.port.kubernetes.getNode
  world.port.kubernetes.getNode = async name => {
    world.nodes = world.nodes.map(node => ({ ...node, ...left.shift() }))
    return getNode(name)
  }
  const answer = await nodeWork.apply?.({ node: 'cmp-1', work: { ...gate } }, context)
  return { answer, facts: context.facts }
}

/** A world in which Jobs end as given, one after the other. */
function withJobs(ends: readonly JobState['state'][]) {
  const world: FakeWorld = fakeWorld({ nodes: [fakeNode('cmp-1')] })
  const made: string[] = []
  const status = (namespace: string, name: string): JobState => ({
    namespace,
    name,
    uid: `uid-${name}`,
    state: ends[made.indexOf(name)] ?? 'running',
    message: 'BackoffLimitExceeded',
  })
  world.port.kubernetes.createJob = async (namespace, manifest) => {
    const name = (manifest.metadata as { readonly name: string }).name
    if (!made.includes(name)) made.push(name)
    return ok(status(namespace, name))
  }
  world.port.kubernetes.getJob = async (namespace, name) => ok(status(namespace, name))
  return { world, made }
}

describe('the work on a node ends', () => {
  it('when a person says so, and not before', async () => {
    const { answer } = await work({ kind: 'person' })
    expect(answer).toMatchObject({ kind: 'question', choices: ['continue', 'abort'] })
  })

  it('when the node is Ready with another boot id than before', async () => {
    const { answer } = await work({ kind: 'boot-id' }, [
      {},
      { readiness: 'unknown' },
      { bootId: 'boot-2' },
      { readiness: 'ready' },
    ])
    expect(answer).toMatchObject({ kind: 'applied', note: expect.stringContaining('boot id boot-2') })
  })

  it('by the noted boot id, also when the reboot came while the run had no driver', async () => {
    const noted = await work({ kind: 'person' })
    const { answer } = await work({ kind: 'boot-id' }, [{ bootId: 'boot-2' }], noted.facts)
    expect(answer?.kind).toBe('applied')
  })

  it('never by a boot id that nobody noted', async () => {
    const other: RunFact = { at: '', fact: 'x', subject: 'node/cmp-1', announces: false, values: {} }
    const { answer } = await work({ kind: 'boot-id' }, [{ bootId: 'boot-2' }], [other])
    expect(answer?.kind).toBe('question')
  })

  it('when the kubelet reports exactly the version', async () => {
    const gate = { kind: 'kubelet-version', version: 'v1.33.1' } as const
    expect((await work(gate, [{}, { kubeletVersion: 'v1.33.1' }])).answer?.kind).toBe('applied')
    expect((await work(gate, [{ kubeletVersion: 'v1.33.10' }])).answer?.kind).toBe('question')
  })

  it('when the OS image contains the text, and the node is Ready', async () => {
    const gate = { kind: 'os-image', contains: '24.04' } as const
    expect((await work(gate, [{ osImage: 'Ubuntu 24.04.1' }])).answer?.kind).toBe('applied')
    expect((await work(gate, [{ osImage: 'Ubuntu 24.04.1', readiness: 'not-ready' }])).answer?.kind).toBe('question')
  })

  it('a node that does not move for long becomes a question that says what it shows', async () => {
    const { answer, facts } = await work({ kind: 'boot-id' })
    expect(answer).toMatchObject({
      kind: 'question',
      question: expect.stringMatching(/No progress for 10 min: cmp-1 to come back with another boot id; it is Ready/),
      choices: ['continue', 'retry', 'abort'],
    })
    expect(facts.filter(({ fact }) => fact === 'waits-for')).toHaveLength(1)
  })

  it('when its Job is complete', async () => {
    const { world, made } = withJobs(['complete'])
    const answer = await nodeWork.apply?.({ node: 'cmp-1', work: { ...JOB } }, fakeContext(world))
    expect(answer?.kind).toBe('applied')
    expect(made).toHaveLength(1)
  })

  it('a failed Job is a question; tried again, another one is made', async () => {
    const { world, made } = withJobs(['failed', 'complete'])
    const facts: RunFact[] = []
    const apply = () => nodeWork.apply?.({ node: 'cmp-1', work: { ...JOB } }, fakeContext(world, { facts }))
    expect(await apply()).toMatchObject({
      kind: 'question',
      question: expect.stringContaining('failed: BackoffLimitExceeded'),
    })
    expect((await apply())?.kind).toBe('applied')
    expect(made).toHaveLength(2)
  })

  it('a driver that comes back waits for the requested Job, and makes no other', async () => {
    const { world, made } = withJobs(['running'])
    const facts: RunFact[] = []
    const stop = new AbortController()
    const first = nodeWork.apply?.(
      { node: 'cmp-1', work: { ...JOB } },
      fakeContext(world, { facts, signal: stop.signal }),
    )
    stop.abort()
    expect((await first)?.kind).toBe('stopped')
    await nodeWork.apply?.({ node: 'cmp-1', work: { ...JOB } }, fakeContext(world, { facts }))
    expect(made).toHaveLength(1)
  })
})
