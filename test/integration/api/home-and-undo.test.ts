import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../../main/app.ts'
import { exitOfFailure } from '../../../main/faces/cli/exit-code.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import type { DemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { isTrueAt } from '../../../main/wings/simulators/kubernetes/store/json.ts'
import { must } from '../../../shared/domain/must.ts'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { INSTANCE_MOVED } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { LAB, startDemoConsole } from '../../fixtures/demo-console.ts'
import { apiClient } from '../../fixtures/demo-kubernetes/api-client.ts'
import { wholeView } from '../../fixtures/view/whole-view.ts'

/** A node's maintenance and its way back through the contract, against the embedded clouds: what Nova was asked is read from Nova. */
const CLUSTER = LAB
const OVERRIDES = [
  { flag: 'force' as const, reason: 'test' },
  { flag: 'allow-downtime' as const, reason: 'test' },
]
let place: Awaited<ReturnType<typeof startDemoConsole>>
let demo: DemoClouds
let app: App

beforeAll(async () => {
  place = await startDemoConsole()
  app = place.app
  demo = place.demo
  valueIn(await ask('cluster.connect', { name: CLUSTER }))
})

afterAll(async () => {
  await app.close()
  await place.end()
})

const ask: App['contract']['ask'] = (name, input) => app.contract.ask(name, input)
const servers = () => [...demo.openstack.state.servers.values()]
const on = (host: string) => servers().filter(server => server.host === host)
const idsOn = (host: string) =>
  on(host)
    .map(({ id }) => id)
    .toSorted()
const moves = (id: string) =>
  demo.openstack.state.migrations.filter(each => each.serverId === id && each.status === 'completed').length
const service = (host: string) =>
  must(
    demo.openstack.state.services.find(each => each.binary === 'nova-compute' && each.host === host),
    `${host} computes`,
  )

async function stateOf(node: string) {
  return must(
    valueIn(await ask('node.list', { cluster: CLUSTER })).nodes.find(each => each.name === node),
    `there is ${node}`,
  ).state
}

async function planned(kind: 'enter' | 'leave' | 'home' | 'maintain', node: string, choices = {}) {
  return valueIn(
    await ask('plan.make', {
      cluster: CLUSTER,
      node,
      kind,
      choices: { deleteEmptyDirData: true, overrides: OVERRIDES, concurrency: 3, ...choices },
    }),
  )
}

/** Starts a plan; the id of its run. */
async function started({ plan }: CheckedPlan) {
  return valueIn(await ask('run.start', { planId: plan.id, outsideWindow: 'test' })).id
}

/** Follows a run to its end; returns its outcome. */
async function ended(runId: string) {
  for (;;) {
    const { summary } = valueIn(await ask('run.show', { runId }))
    if (summary.endedAt !== null || summary.state === 'waiting') return summary
    await systemClock.sleep(50)
  }
}

/** Follows a run to its end, whatever it asked before. */
async function over(runId: string) {
  for (;;) {
    const { summary } = valueIn(await ask('run.show', { runId }))
    if (summary.endedAt !== null) return summary
    await systemClock.sleep(50)
  }
}

async function openGate(runId: string) {
  const { events } = valueIn(await ask('run.show', { runId }))
  return must(foldRun(events).openGates[0], 'it asks')
}

/** A maintenance that is aborted while it waits for the work on its node, which it has cordoned, drained and emptied by then; the id of its run. */
async function abortedAtWork(node: string) {
  const runId = await started(await planned('maintain', node))
  expect((await ended(runId)).state).toBe('waiting')
  expect(isCordoned(node)).toBe(true)
  await ask('run.abort', { runId, reason: 'wrong node' })
  expect((await over(runId)).state).toBe('aborted')
  return runId
}

const isCordoned = (node: string) => isTrueAt(demo.kubernetes.objects.get('Node', null, node), 'spec', 'unschedulable')

/** Waits until a run has moved an instance. */
async function hasMoved(runId: string): Promise<void> {
  for (;;) {
    const { events } = valueIn(await ask('run.show', { runId }))
    if (events.some(({ body }) => body.kind === 'fact' && body.fact === INSTANCE_MOVED)) return
    await systemClock.sleep(20)
  }
}

describe('a node that comes back with its instances', () => {
  test('has those in their old places that the maintenance moved, each moved out and home once; the one that somebody moved meanwhile stays', async () => {
    const node = 'cmp-01'
    const before = idsOn(node)
    expect((await ended(await started(await planned('enter', node)))).state).toBe('done')
    const away = before.filter(id => !idsOn(node).includes(id))
    expect(away.length).toBeGreaterThan(2)
    // Its owner moves it on by another console.
    const theirs = must(away[0], 'somebody left')
    const other = must(
      ['cmp-03', 'cmp-05', 'cmp-07'].find(host => servers().find(({ id }) => id === theirs)?.host !== host),
      'there is another node',
    )
    must(
      servers().find(({ id }) => id === theirs),
      'it is there',
    ).host = other
    const home = await planned('leave', node, { home: true })
    expect(JSON.stringify(home.checks)).toContain('it was moved since')
    expect((await ended(await started(home))).state).toBe('done')
    expect(idsOn(node)).toEqual(before.filter(id => id !== theirs))
    expect(away.slice(1).map(moves)).toEqual(away.slice(1).map(() => 2))
    expect(await stateOf(node)).toBe('active')
  })

  test('gets them back by a separate run, later', async () => {
    const node = 'cmp-02'
    const before = idsOn(node)
    expect((await ended(await started(await planned('enter', node)))).state).toBe('done')
    expect((await ended(await started(await planned('leave', node)))).state).toBe('done')
    expect(idsOn(node)).not.toEqual(before)
    const home = await ended(await started(await planned('home', node)))
    expect(home.summary).toContain('are back')
    expect(home.state).toBe('done')
    expect(idsOn(node)).toEqual(before)
  })
})

describe('a run that was aborted', () => {
  test('is undone: the node, its service and its instances are as before, and both runs say so', async () => {
    const node = 'cmp-03'
    const before = idsOn(node)
    const runId = await started(await planned('enter', node, { concurrency: 1 }))
    expect(failureIn(await ask('plan.undo', { runId, choices: {} })).message).toContain(
      'Stop it or detach from it first',
    )
    await hasMoved(runId)
    await ask('run.abort', { runId, reason: 'wrong node' })
    expect((await ended(runId)).state).toBe('aborted')
    expect(service(node).enabled).toBe(false)
    const undo = valueIn(await ask('plan.undo', { runId, choices: { concurrency: 3 } }))
    const undoId = await started(undo)
    expect((await ended(undoId)).state).toBe('done')
    expect(service(node).enabled).toBe(true)
    expect(idsOn(node)).toEqual(before)
    expect(await stateOf(node)).toBe('active')
    expect((await ended(runId)).summary).toContain(`Undone by run ${undoId}`)
    expect(failureIn(await ask('plan.undo', { runId, choices: {} })).message).toContain('already undid run')
  })

  test('leaves the cordon that somebody else has set since, and says whose it is; the rest is undone', async () => {
    const node = 'cmp-03'
    const runId = await abortedAtWork(node)
    const byHand = apiClient(demo.kubernetes)
    const cordon = (manager: string, unschedulable: boolean | null) =>
      byHand.patch(`/api/v1/nodes/${node}?fieldManager=${manager}`, 'merge-patch', { spec: { unschedulable } })
    await cordon('kubectl', null)
    await cordon('gitops', true)
    const undo = valueIn(await ask('plan.undo', { runId, choices: { concurrency: 3 } }))
    expect(JSON.stringify(undo.checks)).toContain(
      `${node} stays cordoned: its current cordon was set by gitops (it last wrote the node at `,
    )
    expect((await ended(await started(undo))).state).toBe('done')
    expect({ cordoned: isCordoned(node), enabled: service(node).enabled }).toEqual({ cordoned: true, enabled: true })
    await cordon('gitops', null)
    byHand.close()
  })

  test('asks before it uncordons a node where Kubernetes does not say who cordoned it, and follows the answer', async () => {
    const node = 'cmp-03'
    const runId = await abortedAtWork(node)
    const byHand = apiClient(demo.kubernetes)
    await byHand.patch(`/api/v1/nodes/${node}`, 'merge-patch', { metadata: { managedFields: [{}] } })
    byHand.close()
    const undo = await started(valueIn(await ask('plan.undo', { runId, choices: { concurrency: 3 } })))
    expect((await ended(undo)).state).toBe('waiting')
    expect(isCordoned(node)).toBe(true)
    const { gateId, question } = await openGate(undo)
    expect(question).toContain('Kubernetes does not show whether still by that run')
    valueIn(await ask('run.answer', { runId: undo, gateId, choice: 'continue', reason: 'nobody else is at it' }))
    expect((await over(undo)).state).toBe('done')
    expect(isCordoned(node)).toBe(false)
  })

  test('is not undone once another run worked on its node', async () => {
    const node = 'cmp-05'
    const first = await started(await planned('enter', node, { concurrency: 1 }))
    await ask('run.abort', { runId: first, reason: 'test' })
    await ended(first)
    expect((await ended(await started(await planned('enter', node)))).state).toBe('done')
    const refused = failureIn(await ask('plan.undo', { runId: first, choices: {} })).message
    expect(refused).toMatch(/worked on cmp-05 since|left no change/)
  })

  test('of scope drain leaves its instances, and every list of nodes says that they were to stay', async () => {
    const node = 'cmp-02'
    const there = idsOn(node)
    const seen = async () => {
      const listed = valueIn(await ask('node.list', { cluster: CLUSTER })).nodes
      const { view } = await wholeView({ ask }, CLUSTER)
      return [listed, view.nodes].map(rows =>
        must(
          rows.find(({ name }) => name === node),
          'it is there',
        ),
      )
    }
    expect((await ended(await started(await planned('enter', node, { scope: 'drain' })))).state).toBe('done')
    expect(idsOn(node)).toEqual(there)
    for (const row of await seen()) {
      expect(row.state).toBe('maintenance')
      expect(row.stateReason).not.toContain('had to move')
      const kept = row.verdict?.kind === 'NotEmpty' ? row.verdict.instances : []
      expect(new Set(kept.map(({ code }) => code))).toEqual(new Set(['StaysByScope']))
    }
    expect((await ended(await started(await planned('leave', node)))).state).toBe('done')
    await expect.poll(async () => (await seen()).map(({ state }) => state)).toEqual(['active', 'active'])
  })

  test('over many nodes is undone node by node: without a name it says which, and the others are left alone', async () => {
    const [node, untouched] = ['cmp-04', 'cmp-06']
    const before = idsOn(node)
    const { options } = valueIn(await ask('update.propose', { cluster: CLUSTER }))
    const group = { name: 'two', index: 1, nodes: [node, untouched], concurrentUpdates: 1 }
    const update = { ...options, controlNodes: [], groups: [group] }
    const choices = { deleteEmptyDirData: true, overrides: OVERRIDES, concurrency: 1 }
    const runId = await started(valueIn(await ask('update.plan', { cluster: CLUSTER, update, choices })))
    await hasMoved(runId)
    await ask('run.abort', { runId, reason: 'wrong rack' })
    expect((await ended(runId)).state).toBe('aborted')
    const unnamed = failureIn(await ask('plan.undo', { runId, choices: {} }))
    expect([unnamed.code, exitOfFailure(unnamed)]).toEqual(['bad-input', 2])
    expect(unnamed.message).toContain(`NODE is one of ${node}.`)
    const unknown = failureIn(await ask('plan.undo', { runId, node: 'cmp-99', choices: {} }))
    expect(unknown.message).toContain(`does not include cmp-99. NODE is one of ${node}.`)
    expect(failureIn(await ask('plan.undo', { runId, node: untouched, choices: {} })).message).toContain(
      `left no change on ${untouched}`,
    )
    const undoId = await started(valueIn(await ask('plan.undo', { runId, node, choices: { concurrency: 3 } })))
    expect((await ended(undoId)).state).toBe('done')
    expect({ enabled: service(node).enabled, ids: idsOn(node) }).toEqual({ enabled: true, ids: before })
    expect(await stateOf(node)).toBe('active')
    expect((await ended(runId)).summary).toContain(`${node} undone by run ${undoId}.`)
    const over = failureIn(await ask('plan.undo', { runId, choices: {} })).message
    expect(over).toContain('It has nothing left to undo')
  })
})
