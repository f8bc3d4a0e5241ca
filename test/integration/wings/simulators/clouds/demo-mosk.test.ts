import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import {
  NEXT_KUBELET_ANNOTATION,
  REBOOT_ANNOTATION,
} from '../../../../../main/wings/simulators/kubernetes/controllers/reboot-node.ts'
import { at, isTrueAt, listAt, recordAt, textAt } from '../../../../../main/wings/simulators/kubernetes/store/json.ts'
import {
  type MoskCloud,
  type MoskOptions,
  NEXT_KUBELET_VERSION,
  startMosk,
} from '../../../../../main/wings/simulators/lcm/start-mosk.ts'
import {
  NEXT_MOSK_RELEASE,
  PROJECT_NAMESPACE,
  UPDATE_PLAN_NAME,
} from '../../../../../main/wings/simulators/scenarios/demo-mosk-definitions.ts'
import { must } from '../../../../../shared/domain/must.ts'

const run = promisify(execFile)

let directory: string
let cloud: MoskCloud
let clouds = 0

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-mosk-'))
})

afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

async function start(options: MoskOptions): Promise<void> {
  clouds += 1
  cloud = await startMosk({ clock: systemClock, directory: join(directory, String(clouds)), speed: 20 }, options)
}

const becomes = (look: () => unknown, wanted: unknown, withinMs = 30_000) =>
  vi.waitFor(() => expect(look()).toEqual(wanted), { timeout: withinMs, interval: 50 })
const objects = () => cloud.kubernetes.objects
const node = (name: string) => objects().get('Node', null, name)
const stateOf = (name: string) =>
  must(
    [...cloud.openstack.state.servers.values()].find(one => one.name === name),
    name,
  ).vmState
const annotate = (name: string, annotations: Readonly<Record<string, string>>) =>
  objects().change('Node', null, name, one => ({
    ...one,
    metadata: { ...one.metadata, annotations: { ...one.metadata.annotations, ...annotations } },
  }))
const budgets = () =>
  objects()
    .list('PodDisruptionBudget', 'rook-ceph')
    .map(budget => budget.metadata.name)
const lockStates = () =>
  objects()
    .list('NodeWorkloadLock')
    .map(lock => textAt(lock, 'status', 'state'))
const plan = () => must(objects().get('ClusterUpdatePlan', PROJECT_NAMESPACE, UPDATE_PLAN_NAME), 'there is a plan')
const statuses = () =>
  Object.fromEntries(listAt(plan(), 'status', 'steps').map(step => [textAt(step, 'id'), textAt(step, 'status')]))

function commence(ids: readonly string[]): void {
  objects().change('ClusterUpdatePlan', PROJECT_NAMESPACE, UPDATE_PLAN_NAME, current => {
    const steps = listAt(current, 'spec', 'steps').map(step =>
      ids.includes(textAt(step, 'id') ?? '') ? { ...recordAt(step), commence: true } : step,
    )
    return { ...current, spec: { ...recordAt(current, 'spec'), steps } }
  })
}

describe('demo-mosk alone', () => {
  beforeAll(() => start({}))
  afterAll(() => cloud.stop())

  it('a reboot stops the instances that stayed on the node, and nothing else', async () => {
    annotate('mosk-cmp-08', { [NEXT_KUBELET_ANNOTATION]: 'v1.37.1', [REBOOT_ANNOTATION]: 'now' })
    await becomes(() => textAt(node('mosk-cmp-08'), 'status', 'nodeInfo', 'kubeletVersion'), 'v1.37.1')
    await becomes(() => ['batch-03', 'batch-04', 'portal-06'].map(stateOf), ['stopped', 'stopped', 'stopped'])
    expect([stateOf('batch-01'), stateOf('sleep-01')]).toEqual(['active', 'suspended'])
  })

  it('the deployment status says which component has pods that are not ready', async () => {
    const health = () =>
      textAt(objects().list('OpenStackDeploymentStatus')[0], 'status', 'health', 'etcd', 'server', 'status')
    await becomes(health, 'Ready')
    const undo = cloud.kubernetes.faults.freezeNode('mosk-ctl-2')
    const pod = must(
      objects()
        .list('Pod', 'openstack')
        .find(one => one.metadata.labels?.application === 'etcd' && textAt(one, 'spec', 'nodeName') === 'mosk-ctl-2'),
      'etcd runs on mosk-ctl-2',
    )
    objects().remove('Pod', 'openstack', pod.metadata.name)
    await becomes(health, 'Progressing')
    undo()
    await becomes(health, 'Ready')
  })

  it('while OSDs of a drained host are down, no OSD of another host may go; afterwards one at a time may again', async () => {
    expect(budgets()).toContain('rook-ceph-osd')
    objects().change('Node', null, 'mosk-osd-2', one => ({ ...one, spec: { unschedulable: true } }))
    for (const pod of objects().list('Pod', 'rook-ceph')) {
      if (textAt(pod, 'spec', 'nodeName') === 'mosk-osd-2') objects().remove('Pod', 'rook-ceph', pod.metadata.name)
    }
    const blocking = ['rook-ceph-mon-pdb', 'rook-ceph-osd-host-mosk-osd-1', 'rook-ceph-osd-host-mosk-osd-3']
    await becomes(budgets, blocking)
    objects().change('Node', null, 'mosk-osd-2', one => ({ ...one, spec: {} }))
    await becomes(budgets, ['rook-ceph-mon-pdb', 'rook-ceph-osd'])
  })
})

describe('demo-mosk with its controllers and LCM', () => {
  const groups = [{ name: 'compute-az1', nodes: ['mosk-cmp-01', 'mosk-cmp-02'], concurrentUpdates: 1 }]

  beforeAll(() => start({ controllers: true, lcm: 'waits', lcmNodes: { controlNodes: ['mosk-ctl-2'], groups } }))
  afterAll(() => cloud.stop())

  it('every node with a role gets its lock from controllers that are another process', async () => {
    await becomes(
      lockStates,
      // OpenStack or Ceph on each of 16 nodes, StackLight on two of them.
      Array.from({ length: 18 }, () => 'active'),
    )
    expect(must(cloud.controllers, 'they run').pid()).not.toBe(process.pid)
  })

  it('LCM changes nothing before the update plan is commenced, and each step waits for its own', async () => {
    expect(objects().list('ClusterMaintenanceRequest')).toEqual([])
    commence(['openstack'])
    await becomes(() => statuses().openstack, 'Completed')
    expect(statuses()).toMatchObject({ ceph: 'NotStarted', 'k8s-controllers': 'NotStarted' })
    const deployment = objects().list('OpenStackDeploymentStatus')[0]
    expect(recordAt(deployment, 'status', 'osdpl')).toMatchObject({
      state: 'APPLIED',
      controller_version: NEXT_MOSK_RELEASE,
    })
    expect(objects().list('NodeMaintenanceRequest')).toEqual([])
  })

  it('control nodes are drained, rebooted into the new version and uncordoned', async () => {
    commence(['ceph', 'k8s-controllers'])
    await becomes(() => statuses()['k8s-controllers'], 'Completed')
    expect(textAt(node('mosk-ctl-2'), 'status', 'nodeInfo', 'kubeletVersion')).toBe(NEXT_KUBELET_VERSION)
    expect(isTrueAt(node('mosk-ctl-2'), 'spec', 'unschedulable')).toBe(false)
    expect(textAt(node('mosk-ctl-1'), 'status', 'nodeInfo', 'kubeletVersion')).not.toBe(NEXT_KUBELET_VERSION)
  })

  it('a lock that waits for an owner holds the update until the instance has another mode', async () => {
    commence(['k8s-workers-compute-az1'])
    const message = () =>
      textAt(objects().get('NodeWorkloadLock', null, 'openstack-mosk-cmp-02'), 'status', 'errorMessage') ?? ''
    const licence = must(
      [...cloud.openstack.state.servers.values()].find(one => one.name === 'licence-01'),
      'it is there',
    )
    await vi.waitFor(() => expect(message()).toContain(licence.id), { timeout: 30_000, interval: 100 })
    expect(isTrueAt(node('mosk-cmp-02'), 'spec', 'unschedulable')).toBe(false)
    licence.tags = ['owner=finance']
    await becomes(() => statuses()['k8s-workers-compute-az1'], 'Completed')
    expect(licence.host).not.toBe('mosk-cmp-02')
  })

  it('the controllers restart when their process is killed, and end the update with every lock active', async () => {
    const shell = String(must(must(cloud.controllers, 'they run').pid(), 'between two of them'))
    const { stdout } = await run('ps', ['-o', 'pid=,args=', '--ppid', shell])
    const child = must(/^\s*(\d+) \S*node /m.exec(stdout)?.[1], 'the shell runs node')
    process.kill(Number(child), 'SIGKILL')
    commence(['mcc-components'])
    await cloud.updated
    expect(at(plan(), 'status')).toMatchObject({ status: 'Completed' })
    expect(objects().list('ClusterMaintenanceRequest')).toEqual([])
    expect(new Set(lockStates())).toEqual(new Set(['active']))
    const log = await readFile(must(cloud.controllers, 'they run').logPath, 'utf8')
    expect(log.match(/Answering for openstack, ceph/g)).toHaveLength(2)
    // The Lease of the one that was killed runs out first: half a minute.
  }, 120_000)
})
