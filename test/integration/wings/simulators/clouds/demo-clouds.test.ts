import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../../../main/wings/simulators/demo-clouds.ts'
import { isAgentAlive, isComputeUp as isUp } from '../../../../../main/wings/simulators/openstack/world.ts'
import { must } from '../../../../../shared/domain/must.ts'

const run = promisify(execFile)
const hasKubectl = (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, 'kubectl')))

describe('the embedded clouds', () => {
  let directory: string
  let demo: DemoClouds

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-demo-'))
    demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 20 })
  })

  afterAll(async () => {
    await demo.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const cluster = () => must(demo.clusters[0], 'there is one cloud')
  const isComputeUp = (host: string) => isUp(demo.openstack.state, host)
  const areAgentsAlive = (host: string) =>
    demo.openstack.state.agents
      .filter(agent => agent.host === host)
      .every(agent => isAgentAlive(demo.openstack.state, agent))
  const becomes = (look: () => unknown, wanted: unknown) =>
    vi.waitFor(() => expect(look()).toBe(wanted), { timeout: 20_000, interval: 20 })

  it('writes a kubeconfig and a clouds.yaml that only their owner can read', async () => {
    const { name, context, cloud, kubeconfigPath, cloudsYamlPath } = cluster()
    expect([name, context, cloud]).toEqual(['demo-plain', 'demo-plain', 'demo-plain'])
    for (const path of [kubeconfigPath, cloudsYamlPath]) expect((await stat(path)).mode & 0o777).toBe(0o600)
    const kubeconfig = parse(await readFile(kubeconfigPath, 'utf8'))
    expect(kubeconfig['current-context']).toBe('demo-plain')
    expect(Object.keys(parse(await readFile(cloudsYamlPath, 'utf8')).clouds)).toEqual(['demo-plain', 'demo-plain-demo'])
  })

  it('starts with every node ready, every service up, every pod running and one allowed disruption for each budget', () => {
    const { objects } = demo.kubernetes
    expect(objects.list('Node')).toHaveLength(14)
    expect(demo.openstack.state.services.every(service => service.alive)).toBe(true)
    const phases = objects.list('Pod', 'openstack').map(pod => (pod as { status?: { phase?: string } }).status?.phase)
    expect(phases.length).toBeGreaterThan(40)
    expect(new Set(phases)).toEqual(new Set(['Running']))
    const budgets = objects.list('PodDisruptionBudget', 'openstack')
    const allowed = budgets.map(
      each => (each as { status?: { disruptionsAllowed?: number } }).status?.disruptionsAllowed,
    )
    expect(allowed).toEqual([1, 1, 1, 1, 1])
    for (const lease of objects.list('Node').map(node => node.metadata.name)) {
      expect(objects.get('Lease', 'kube-node-lease', lease), lease).not.toBeNull()
    }
  })

  it.skipIf(!hasKubectl)('answers kubectl under its context', async () => {
    const { kubeconfigPath, context } = cluster()
    const args = ['--kubeconfig', kubeconfigPath, '--context', context, 'get', 'nodes', '-o', 'name']
    const { stdout } = await run('kubectl', args, { env: { PATH: process.env.PATH ?? '', HOME: directory } })
    expect(stdout.trim().split('\n')).toContain('node/cmp-01')
  })

  it('stops and starts nova-compute and the agents with their node', async () => {
    demo.kubernetes.setNodeReady('cmp-03', false)
    await becomes(() => isComputeUp('cmp-03'), false)
    await becomes(() => areAgentsAlive('cmp-03'), false)
    expect(isComputeUp('cmp-02')).toBe(true)
    demo.kubernetes.setNodeReady('cmp-03', true)
    await becomes(() => isComputeUp('cmp-03'), true)
    await becomes(() => areAgentsAlive('cmp-03'), true)
  })

  it('stops nova-compute with its pod, and starts it with the next one', async () => {
    const pods = () =>
      demo.kubernetes.objects
        .list('Pod', 'openstack')
        .filter(pod => (pod as { spec?: { nodeName?: string } }).spec?.nodeName === 'cmp-05')
    const pod = must(
      pods().find(each => each.metadata.name.startsWith('nova-compute-default')),
      'cmp-05 runs nova-compute',
    )
    const undo = demo.kubernetes.faults.freezeNode('cmp-05')
    demo.kubernetes.objects.remove('Pod', 'openstack', pod.metadata.name)
    await becomes(() => isComputeUp('cmp-05'), false)
    expect(areAgentsAlive('cmp-05')).toBe(true)
    undo()
    await becomes(() => isComputeUp('cmp-05'), true)
  })

  it('leaves alone what a test silenced by hand', async () => {
    demo.openstack.faults.setComputeUp('cmp-07', false)
    demo.kubernetes.setNodeReady('cmp-06', false)
    await becomes(() => isComputeUp('cmp-06'), false)
    demo.kubernetes.setNodeReady('cmp-06', true)
    await becomes(() => isComputeUp('cmp-06'), true)
    expect(isComputeUp('cmp-07')).toBe(false)
    demo.openstack.faults.setComputeUp('cmp-07', true)
  })
})
