import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { REQUEST_REASON_ANNOTATION, ROCKOON_DISABLED_REASON } from '../../../shared/domain/maintenance-api.ts'
import { must } from '../../../shared/domain/must.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { runOf, startMoskConsole } from '../../fixtures/procedures/mosk-console.ts'

/** The console as LCM against controllers it does not run. What was really asked is read from the servers' logs, not from our journal. */
describe('a node of demo-mosk through the node maintenance API', () => {
  let desk: Awaited<ReturnType<typeof startMoskConsole>>
  beforeAll(async () => {
    desk = await startMoskConsole()
  })
  // Where it could not be started there is nothing to close.
  afterAll(() => desk?.close())

  const hand = () => desk.byHand
  const requestsFor = async (node: string) =>
    valueIn(await hand().maintenanceApi.objects()).nodeRequests.filter(({ nodeName }) => nodeName === node)
  const serviceOf = async (host: string) =>
    must(valueIn(await must(hand().openstack, 'it has a cloud').computeService(host)), `nova-compute of ${host}`)

  it('is emptied by the controllers, then cordoned and drained; comes back as it was, with its instances', async () => {
    const before = await desk.instancesOn('mosk-cmp-05')
    expect(before.length).toBeGreaterThan(1)
    const entered = await desk.run('enter', 'm', 'mosk-cmp-05', '--yes', '--reason', 'ticket 4711')
    expect(entered.code, entered.stdout + entered.stderr).toBe(0)
    expect(await desk.locksOf('mosk-cmp-05')).toEqual(['openstack inactive'])
    const [request] = await requestsFor('mosk-cmp-05')
    expect(request).toMatchObject({ scope: 'os', annotations: { [REQUEST_REASON_ANNOTATION]: 'ticket 4711' } })
    expect(await serviceOf('mosk-cmp-05')).toMatchObject({
      status: 'disabled',
      disabledReason: ROCKOON_DISABLED_REASON,
    })
    // LCM itself moved nothing and disabled nothing: its journal has no such fact.
    expect(entered.stdout).not.toContain('live migration requested')

    expect(await desk.instancesOn('mosk-cmp-05')).not.toEqual(before)
    const left = await desk.run('leave', 'm', 'mosk-cmp-05', '--home', '--concurrency', '4', '--yes')
    expect(left.code, left.stdout + left.stderr).toBe(0)
    expect(await desk.instancesOn('mosk-cmp-05')).toEqual(before)
    expect(await desk.locksOf('mosk-cmp-05')).toEqual(['openstack active'])
    expect(await requestsFor('mosk-cmp-05')).toEqual([])
    expect(await serviceOf('mosk-cmp-05')).toMatchObject({ status: 'enabled', state: 'up' })
  })

  it('its whole maintenance is one run: requested, emptied, worked on, and back as it was', async () => {
    const answered = ['--yes', '--answer', 'node-work=continue']
    const whole = await desk.run('maintain', 'm', 'mosk-cmp-04', ...answered)
    expect(whole.code, whole.stdout + whole.stderr).toBe(0)
    expect(whole.stdout).toContain('mosk-cmp-04 is in service.')
    expect(await desk.locksOf('mosk-cmp-04')).toEqual(['openstack active'])
    expect(await requestsFor('mosk-cmp-04')).toEqual([])
    expect(await serviceOf('mosk-cmp-04')).toMatchObject({ status: 'enabled', state: 'up' })
    expect(valueIn(await hand().kubernetes.getNode('mosk-cmp-04')).unschedulable).toBe(false)
  })

  it('a storage node is given by Ceph, which is whole again when it is back', async () => {
    const entered = await desk.run('enter', 'm', 'mosk-osd-1', '--yes')
    expect(entered.code, entered.stdout + entered.stderr).toBe(0)
    expect(entered.stdout).toContain('2 OSDs of mosk-osd-1 may stop')
    expect(await desk.locksOf('mosk-osd-1')).toEqual(['ceph inactive'])
    const left = await desk.run('leave', 'm', 'mosk-osd-1', '--yes')
    expect(left.code, left.stdout + left.stderr).toBe(0)
    expect(await desk.locksOf('mosk-osd-1')).toEqual(['ceph active'])
  })

  it('an instance whose owner has to act becomes a question that names it; answered, the node is entered', async () => {
    const madeBefore = desk.requestsMade()
    const waiting = await desk.run('enter', 'm', 'mosk-cmp-02', '--yes')
    expect(waiting.code, waiting.stdout + waiting.stderr).toBe(4)
    expect(waiting.stdout).toMatch(/No progress on mosk-cmp-02 for 3 s.*licence-01 \(/)
    expect(await desk.locksOf('mosk-cmp-02')).toEqual(['openstack active'])
    expect(valueIn(await hand().kubernetes.getNode('mosk-cmp-02')).unschedulable).toBe(false)

    const cloud = must(hand().openstack, 'it has a cloud')
    const licence = must(
      valueIn(await cloud.instancesOnHost('mosk-cmp-02')).items.find(({ name }) => name === 'licence-01'),
      'licence-01 is there',
    )
    for (const tag of licence.tags) valueIn(await cloud.removeInstanceTag(licence.id, tag))
    // The question stays open until its answer: resuming alone would ask it again.
    const gate = must(/gate:\s+(\S+)/.exec(waiting.stdout)?.[1], 'the question is shown with its gate')
    const resumed = desk.start('run', 'answer', runOf(waiting.stdout), gate, 'retry')
    await vi.waitFor(() => expect(resumed.output()).toMatch(/moved to|inactive/), { timeout: 30_000 })
    const over = await resumed.finished
    expect(over.code, over.stdout + over.stderr).toBe(0)
    expect(await desk.locksOf('mosk-cmp-02')).toEqual(['openstack inactive'])
    expect(desk.requestsMade() - madeBefore).toBe(1)
    const left = await desk.run('leave', 'm', 'mosk-cmp-02', '--yes')
    expect(left.code, left.stdout + left.stderr).toBe(0)
  })

  it('undo of an interrupted run removes its request and brings back the instances that the controllers moved', async () => {
    const node = 'mosk-cmp-07'
    const before = await desk.instancesOn(node)
    const entering = desk.start('enter', 'm', node, '--yes')
    // The run records who left once the locks are inactive: a run that dies earlier names nobody.
    await vi.waitFor(() => expect(entering.output()).toMatch(/Cordon mosk-cmp-07: starts/), {
      timeout: 30_000,
      interval: 10,
    })
    // It leaves its run and gives its Lease back. One that is killed keeps it for a minute: who undoes its run waits for that (unit/runs/engine/held-lease).
    entering.child.kill('SIGTERM')
    const { stdout } = await entering.finished
    expect(await desk.instancesOn(node)).not.toEqual(before)
    const undone = await desk.run('undo', runOf(stdout), '--concurrency', '4', '--yes')
    expect(undone.code, undone.stdout + undone.stderr).toBe(0)
    expect(await requestsFor(node)).toEqual([])
    expect(await desk.locksOf(node)).toEqual(['openstack active'])
    expect(await serviceOf(node)).toMatchObject({ status: 'enabled', state: 'up' })
    expect(await desk.instancesOn(node)).toEqual(before)
    expect(valueIn(await hand().kubernetes.getNode(node)).unschedulable).toBe(false)
  })

  it('a dead host is rescued through Nova, which its controllers do not: its instances run elsewhere, and it comes back', async () => {
    const node = 'mosk-cmp-06'
    const cloud = must(hand().openstack, 'it has a cloud')
    const before = valueIn(await cloud.instancesOnHost(node)).items
    // Nova evacuates nobody else, and the plan says so.
    const staying = before.filter(({ status }) => !['ACTIVE', 'SHUTOFF', 'ERROR'].includes(status))
    expect(before.length - staying.length).toBeGreaterThan(1)
    desk.cloud.kubernetes.setNodeReady(node, 'Unknown')
    await vi.waitFor(async () => expect(await serviceOf(node)).toMatchObject({ state: 'down' }), { timeout: 30_000 })
    const said = ['--machine-is-off', 'BMC says power off', '--shared-disks', 'images_type=rbd']
    const rescued = await desk.run('rescue', 'm', node, ...said, '--concurrency', '4', '--yes')
    expect(rescued.code, rescued.stdout + rescued.stderr).toBe(0)
    expect(await desk.instancesOn(node)).toEqual(staying.map(({ id }) => id).toSorted())
    for (const { name } of staying) expect(rescued.stdout).toContain(`${name} (`)
    expect(await serviceOf(node)).toMatchObject({ status: 'disabled', state: 'down' })
    desk.cloud.kubernetes.setNodeReady(node, true)
    const left = await desk.run('leave', 'm', node, '--yes')
    expect(left.code, left.stdout + left.stderr).toBe(0)
    expect(await serviceOf(node)).toMatchObject({ status: 'enabled', state: 'up' })
  })
})
