import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { must } from '../../../shared/domain/must.ts'
import type { NodeStage, UpdatePhase, UpdateTimeline } from '../../../shared/domain/update.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { apply, kubectl, replaceStatus } from '../cli/referees.ts'
import { LAB_KUBECONFIG } from '../lab-places.ts'

/**
 * Somebody updates a real cluster with nothing but kubectl, as LCM and as its controllers; the console looks on.
 */
const PREFIX = `h6-${process.pid}`
const NODE = 'cmp-4'
const CONTROLLER = `${PREFIX}-app`
const CLUSTER_LOCK = `${CONTROLLER}-lab`
const NODE_LOCK = `${CONTROLLER}-${NODE}`
const API = { apiVersion: 'lcm.mirantis.com/v1alpha1' }

let directory: string
let app: App
/** Locks of others on the node: their controllers do not run here, so that we speak for them, and put them back. */
let others: readonly string[]

const openConsole = async () =>
  valueIn(
    await createApp({ dataDirectory: directory, demo: false, face: { kind: 'serve', pickFiles: null, secrets: null } }),
  )
const names = async (kind: string, path: string) =>
  (await kubectl('get', kind, '-o', `jsonpath={range .items[*]}{${path}}{" "}{.metadata.name}{"\\n"}{end}`))
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.split(' '))

const setNodeLocks = async (state: 'active' | 'inactive') => {
  for (const name of [NODE_LOCK, ...others]) await replaceStatus('nodeworkloadlocks', name, { state })
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-lab-observer-'))
  app = await openConsole()
  const kubeconfig = { paths: [LAB_KUBECONFIG], context: null }
  valueIn(await app.contract.ask('cluster.add', { name: 'lab', flavour: 'mosk', kubeconfig, cloud: null }))
  valueIn(await app.contract.ask('definitions.install', { cluster: 'lab' }))
  others = (await names('nodeworkloadlock', '.spec.nodeName')).flatMap(([node, name]) =>
    node === NODE && name !== undefined ? [name] : [],
  )
  const spec = { controllerName: CONTROLLER }
  await apply({ ...API, kind: 'ClusterWorkloadLock', metadata: { name: CLUSTER_LOCK }, spec })
  await apply({ ...API, kind: 'NodeWorkloadLock', metadata: { name: NODE_LOCK }, spec: { ...spec, nodeName: NODE } })
  await replaceStatus('clusterworkloadlocks', CLUSTER_LOCK, { state: 'active' })
  await setNodeLocks('active')
  await kubectl('create', 'deployment', PREFIX, '--image=registry.k8s.io/pause:3.9', '--replicas=2')
  await kubectl('rollout', 'status', `deployment/${PREFIX}`, '--timeout=60s')
})

afterAll(async () => {
  await kubectl('uncordon', NODE)
  await kubectl('delete', 'deployment', PREFIX, '--ignore-not-found')
  await kubectl('delete', 'nodemaintenancerequest', PREFIX, '--ignore-not-found')
  await kubectl('delete', 'clustermaintenancerequest', PREFIX, '--ignore-not-found')
  for (const name of others) await replaceStatus('nodeworkloadlocks', name, { state: 'active' })
  await kubectl('delete', 'nodeworkloadlock', NODE_LOCK, '--ignore-not-found')
  await kubectl('delete', 'clusterworkloadlock', CLUSTER_LOCK, '--ignore-not-found')
  await app.close()
  rmSync(directory, { recursive: true, force: true })
})

test('an update that is made with kubectl alone shows its phases and stages, also to a console that is opened meanwhile', async () => {
  const timelineNow = async () => {
    const { timeline, drivenBy } = valueIn(await app.contract.ask('update.observe', { cluster: 'lab' }))
    expect([null, 'somebody']).toContain(drivenBy)
    return timeline
  }
  const becomes = (phase: UpdatePhase | null, stage: NodeStage): Promise<UpdateTimeline> =>
    vi.waitFor(
      async () => {
        const timeline = must(await timelineNow(), 'an update is seen')
        const lane = timeline.lanes.find(({ node }) => node === NODE)
        expect([timeline.phase, lane?.stage]).toEqual([phase, stage])
        return timeline
      },
      { timeout: 90_000, interval: 200 },
    )
  expect(await timelineNow()).toBeNull()
  await apply({ ...API, kind: 'ClusterMaintenanceRequest', metadata: { name: PREFIX }, spec: { scope: 'drain' } })
  await becomes('applications', 'pending')
  await replaceStatus('clusterworkloadlocks', CLUSTER_LOCK, { state: 'inactive' })
  const request = { metadata: { name: PREFIX }, spec: { nodeName: `${NODE}.lab.local`, scope: 'drain' } }
  await apply({ ...API, kind: 'NodeMaintenanceRequest', ...request })
  await becomes('worker-nodes', 'requested')
  await replaceStatus('nodeworkloadlocks', NODE_LOCK, { state: 'active', errorMessage: 'Waiting for a person' })
  await becomes('worker-nodes', 'locks')
  await setNodeLocks('inactive')
  await becomes('worker-nodes', 'draining')
  await kubectl('drain', NODE, '--ignore-daemonsets', '--delete-emptydir-data', '--force')
  await becomes('worker-nodes', 'work')
  await app.close()
  app = await openConsole()
  await becomes('worker-nodes', 'work')
  await kubectl('uncordon', NODE)
  await becomes('worker-nodes', 'returning')
  await kubectl('delete', 'nodemaintenancerequest', PREFIX)
  await setNodeLocks('active')
  await becomes('worker-nodes', 'done')
  await kubectl('delete', 'clustermaintenancerequest', PREFIX)
  await becomes('finalize', 'done')
  await replaceStatus('clusterworkloadlocks', CLUSTER_LOCK, { state: 'active' })
  const timeline = await becomes(null, 'done')
  expect(timeline.lanes.find(({ node }) => node === NODE)?.spans.map(({ stage }) => stage)).toEqual([
    'requested',
    'locks',
    'draining',
    'work',
    'returning',
    'done',
  ])
  expect(timeline.endedAt).not.toBeNull()
})
