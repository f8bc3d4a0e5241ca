import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../main/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/demo/demo-clouds.ts'
import type { MoskCloud } from '../../../main/demo/lcm/start-mosk.ts'
import { REQUEST_REASON_ANNOTATION, ROCKOON_DISABLED_REASON } from '../../../shared/domain/maintenance-api.ts'
import { must } from '../../../shared/domain/must.ts'
import { type CliProcess, lockkeeper, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { connectTarget } from '../../fixtures/connect-target.ts'

/**
 * The console as LCM against controllers it does not run: those of demo-mosk live in a process of their own. What was really asked
 * is read from the servers' logs, not from our journal.
 */
describe('a node of demo-mosk through the node maintenance API', () => {
  let directory: string
  let data: string
  let demo: DemoClouds
  let byHand: Awaited<ReturnType<typeof connectTarget>>
  const running: CliProcess[] = []

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-mosk-'))
    data = join(directory, 'data')
    demo = await startDemoClouds({
      clock: systemClock,
      directory: join(directory, 'clouds'),
      speed: 30,
      mosk: { controllers: true },
    })
    const { kubeconfigPath, context, cloudsYamlPath, cloud } = mosk().cluster
    byHand = await connectTarget({
      kubeconfig: kubeconfigPath,
      context,
      viewerKubeconfig: null,
      cloudsYaml: cloudsYamlPath,
      cloud,
      userCloud: `${cloud}-demo`,
    })
    const added = await lockkeeper(data, [
      ...['cluster', 'add', 'm', '--kubeconfig', kubeconfigPath, '--context', context],
      ...['--clouds-yaml', cloudsYamlPath, '--cloud', cloud, '--flavour', 'mosk', '--blocked-after', '3s'],
    ])
    expect(added.code, added.stdout + added.stderr).toBe(0)
    await vi.waitFor(
      async () => {
        const { nodeLocks } = valueIn(await byHand.maintenanceApi.objects())
        expect(nodeLocks.length).toBeGreaterThan(10)
        expect(nodeLocks.every(({ state }) => state === 'active')).toBe(true)
      },
      { timeout: 30_000, interval: 200 },
    )
  })

  afterAll(async () => {
    for (const { child } of running) if (child.exitCode === null) child.kill('SIGKILL')
    await byHand?.close()
    await demo?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const mosk = (): MoskCloud => must(demo.mosk, 'it was asked for')
  const start = (...words: readonly string[]): CliProcess => {
    const process = startLockkeeper(data, words)
    running.push(process)
    return process
  }
  const locksOf = async (node: string) =>
    valueIn(await byHand.maintenanceApi.objects())
      .nodeLocks.filter(({ nodeName }) => nodeName === node)
      .map(({ controller, state }) => `${controller} ${state}`)
      .toSorted()
  const requestsFor = async (node: string) =>
    valueIn(await byHand.maintenanceApi.objects()).nodeRequests.filter(({ nodeName }) => nodeName === node)
  const serviceOf = async (host: string) =>
    must(valueIn(await must(byHand.openstack, 'it has a cloud').computeService(host)), `nova-compute of ${host}`)
  const asked = (method: string, path: RegExp) =>
    mosk()
      .kubernetes.log.all()
      .filter(entry => entry.method === method && path.test(entry.path) && entry.status < 300).length
  const requestsMade = () => asked('POST', /\/nodemaintenancerequests(\?|$)/)

  const instancesOn = async (host: string) =>
    valueIn(await must(byHand.openstack, 'it has a cloud').instancesOnHost(host))
      .items.map(({ id }) => id)
      .toSorted()

  it('is emptied by the controllers, then cordoned and drained; comes back as it was, with its instances', async () => {
    const before = await instancesOn('mosk-cmp-05')
    expect(before.length).toBeGreaterThan(1)
    const entered = await lockkeeper(data, ['enter', 'm', 'mosk-cmp-05', '--yes', '--reason', 'ticket 4711'])
    expect(entered.code, entered.stdout + entered.stderr).toBe(0)
    expect(await locksOf('mosk-cmp-05')).toEqual(['openstack inactive'])
    const [request] = await requestsFor('mosk-cmp-05')
    expect(request).toMatchObject({ scope: 'os', annotations: { [REQUEST_REASON_ANNOTATION]: 'ticket 4711' } })
    expect(await serviceOf('mosk-cmp-05')).toMatchObject({
      status: 'disabled',
      disabledReason: ROCKOON_DISABLED_REASON,
    })
    // LCM itself moved nothing and disabled nothing: its journal has no such fact.
    expect(entered.stdout).not.toContain('live migration asked for')

    expect(await instancesOn('mosk-cmp-05')).not.toEqual(before)
    const left = await lockkeeper(data, ['leave', 'm', 'mosk-cmp-05', '--home', '--concurrency', '4', '--yes'])
    expect(left.code, left.stdout + left.stderr).toBe(0)
    expect(await instancesOn('mosk-cmp-05')).toEqual(before)
    expect(await locksOf('mosk-cmp-05')).toEqual(['openstack active'])
    expect(await requestsFor('mosk-cmp-05')).toEqual([])
    expect(await serviceOf('mosk-cmp-05')).toMatchObject({ status: 'enabled', state: 'up' })
  })

  it('its whole maintenance is one run: requested, emptied, worked on, and back as it was', async () => {
    const answered = ['--yes', '--answer', 'node-work=continue']
    const whole = await lockkeeper(data, ['maintain', 'm', 'mosk-cmp-04', ...answered])
    expect(whole.code, whole.stdout + whole.stderr).toBe(0)
    expect(whole.stdout).toContain('mosk-cmp-04 is back in service, verified')
    expect(await locksOf('mosk-cmp-04')).toEqual(['openstack active'])
    expect(await requestsFor('mosk-cmp-04')).toEqual([])
    expect(await serviceOf('mosk-cmp-04')).toMatchObject({ status: 'enabled', state: 'up' })
    expect(valueIn(await byHand.kubernetes.getNode('mosk-cmp-04')).unschedulable).toBe(false)
  })

  it('a storage node is given by Ceph, which is whole again when it is back', async () => {
    const entered = await lockkeeper(data, ['enter', 'm', 'mosk-osd-1', '--yes'])
    expect(entered.code, entered.stdout + entered.stderr).toBe(0)
    expect(entered.stdout).toContain('2 OSDs of mosk-osd-1 may be stopped')
    expect(await locksOf('mosk-osd-1')).toEqual(['ceph inactive'])
    const left = await lockkeeper(data, ['leave', 'm', 'mosk-osd-1', '--yes'])
    expect(left.code, left.stdout + left.stderr).toBe(0)
    expect(await locksOf('mosk-osd-1')).toEqual(['ceph active'])
  })

  it('an instance whose owner has to act becomes a question that names it; answered, the node is entered', async () => {
    const madeBefore = requestsMade()
    const waiting = await lockkeeper(data, ['enter', 'm', 'mosk-cmp-02', '--yes'])
    expect(waiting.code, waiting.stdout + waiting.stderr).toBe(4)
    expect(waiting.stdout).toMatch(/Nothing has moved on mosk-cmp-02 for 3 s.*licence-01 \(/)
    expect(await locksOf('mosk-cmp-02')).toEqual(['openstack active'])
    expect(valueIn(await byHand.kubernetes.getNode('mosk-cmp-02')).unschedulable).toBe(false)

    const cloud = must(byHand.openstack, 'it has a cloud')
    const licence = must(
      valueIn(await cloud.instancesOnHost('mosk-cmp-02')).items.find(({ name }) => name === 'licence-01'),
      'licence-01 is there',
    )
    for (const tag of licence.tags) valueIn(await cloud.removeInstanceTag(licence.id, tag))
    // The question stands until it is answered: resuming alone would ask it again.
    const gate = must(/gate:\s+(\S+)/.exec(waiting.stdout)?.[1], 'the question is shown with its gate')
    const resumed = start('run', 'answer', runOf(waiting.stdout), gate, 'retry')
    await vi.waitFor(() => expect(resumed.output()).toMatch(/moved to|inactive/), { timeout: 30_000 })
    const over = await resumed.finished
    expect(over.code, over.stdout + over.stderr).toBe(0)
    expect(await locksOf('mosk-cmp-02')).toEqual(['openstack inactive'])
    expect(requestsMade() - madeBefore).toBe(1)
    const left = await lockkeeper(data, ['leave', 'm', 'mosk-cmp-02', '--yes'])
    expect(left.code, left.stdout + left.stderr).toBe(0)
  })

  it('killed with SIGKILL as soon as it said what it does, and resumed, asks for nothing twice', async () => {
    const node = 'mosk-cmp-08'
    const madeBefore = requestsMade()
    for (const [way, marks, state] of [
      ['enter', [/maintenance requested/, /its lock is active/, /Cordon mosk-cmp-08/], 'inactive'],
      ['leave', [/maintenance request removed/, /its lock is/], 'active'],
    ] as const) {
      let driven = start(way, 'm', node, '--yes')
      let runId: string | null = null
      for (const mark of marks) {
        const log = () => driven.output().split(/^(?:Run|Resumed) .*$/m)[1] ?? driven.output()
        await vi.waitFor(() => expect(driven.child.exitCode !== null || mark.test(log())).toBe(true), {
          timeout: 30_000,
          interval: 2,
        })
        runId ??= runOf(driven.output())
        if (driven.child.exitCode !== null) break
        driven.child.kill('SIGKILL')
        await driven.finished
        driven = start('run', 'resume', runId)
      }
      const over = await driven.finished
      const said = over.stdout + over.stderr
      // What was killed after its last write has nothing left to be resumed.
      expect(over.code === 0 || said.includes('is over'), said).toBe(true)
      expect(await locksOf(node)).toEqual([`openstack ${state}`])
      expect(valueIn(await byHand.kubernetes.getNode(node)).unschedulable).toBe(way === 'enter')
    }
    expect(requestsMade() - madeBefore).toBe(1)
    expect(asked('DELETE', new RegExp(`/nodemaintenancerequests/${node}(\\?|$)`))).toBe(1)
  })

  it('what an interrupted run did is undone: its request goes, and instances that the controllers moved come home', async () => {
    const node = 'mosk-cmp-07'
    const before = await instancesOn(node)
    const entering = start('enter', 'm', node, '--yes')
    // Who left is noted once the locks are inactive: a run that dies before tells of nobody.
    await vi.waitFor(() => expect(entering.output()).toMatch(/Cordon mosk-cmp-07: begins/), {
      timeout: 30_000,
      interval: 10,
    })
    // It leaves its run and gives its Lease back. One that is killed keeps it for a minute: who undoes its run waits for that (unit/procedures/general).
    entering.child.kill('SIGTERM')
    const { stdout } = await entering.finished
    expect(await instancesOn(node)).not.toEqual(before)
    const undone = await lockkeeper(data, ['undo', runOf(stdout), '--concurrency', '4', '--yes'])
    expect(undone.code, undone.stdout + undone.stderr).toBe(0)
    expect(await requestsFor(node)).toEqual([])
    expect(await locksOf(node)).toEqual(['openstack active'])
    expect(await serviceOf(node)).toMatchObject({ status: 'enabled', state: 'up' })
    expect(await instancesOn(node)).toEqual(before)
    expect(valueIn(await byHand.kubernetes.getNode(node)).unschedulable).toBe(false)
  })

  it('a dead host is rescued through Nova, which its controllers do not: its instances run elsewhere, and it comes back', async () => {
    const node = 'mosk-cmp-06'
    const cloud = must(byHand.openstack, 'it has a cloud')
    const before = valueIn(await cloud.instancesOnHost(node)).items
    // Nova evacuates nobody else, and the plan says so.
    const staying = before.filter(({ status }) => !['ACTIVE', 'SHUTOFF', 'ERROR'].includes(status))
    expect(before.length - staying.length).toBeGreaterThan(1)
    mosk().kubernetes.setNodeReady(node, 'Unknown')
    await vi.waitFor(async () => expect(await serviceOf(node)).toMatchObject({ state: 'down' }), { timeout: 30_000 })
    const said = ['--machine-is-off', 'BMC says power off', '--shared-disks', 'images_type=rbd']
    const rescued = await lockkeeper(data, ['rescue', 'm', node, ...said, '--concurrency', '4', '--yes'])
    expect(rescued.code, rescued.stdout + rescued.stderr).toBe(0)
    expect(await instancesOn(node)).toEqual(staying.map(({ id }) => id).toSorted())
    for (const { name } of staying) expect(rescued.stdout).toContain(`${name} (`)
    expect(await serviceOf(node)).toMatchObject({ status: 'disabled', state: 'down' })
    mosk().kubernetes.setNodeReady(node, true)
    const left = await lockkeeper(data, ['leave', 'm', node, '--yes'])
    expect(left.code, left.stdout + left.stderr).toBe(0)
    expect(await serviceOf(node)).toMatchObject({ status: 'enabled', state: 'up' })
  })
})

/** The run that a command said it began. */
function runOf(output: string): string {
  return must(/^Run (\w+)$/m.exec(output)?.[1], 'a run was begun')
}
