import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { MASAKARI_ANNOTATION } from '../../../shared/domain/masakari.ts'
import { must } from '../../../shared/domain/must.ts'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'

/** The test reads what Masakari holds from its own state, and the order of requests from the cloud's log. */
describe('a cloud whose compute nodes Masakari watches', () => {
  let directory: string
  let data: string
  let demo: DemoClouds

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-masakari-'))
    data = join(directory, 'data')
    const clouds = join(directory, 'clouds')
    demo = await startDemoClouds({ clock: systemClock, directory: clouds, speed: 30, masakari: true })
    const { kubeconfigPath, context, cloudsYamlPath, cloud } = must(demo.clusters[0], 'the demo has demo-plain')
    const added = await lockkeeper(data, [
      ...['cluster', 'add', 'p', '--kubeconfig', kubeconfigPath, '--context', context],
      ...['--clouds-yaml', cloudsYamlPath, '--cloud', cloud],
    ])
    expect(added.code, added.stdout + added.stderr).toBe(0)
  })

  afterAll(async () => {
    await demo?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const hosts = () => demo.openstack.state.segments.flatMap(segment => segment.hosts)
  const host = (name: string) =>
    must(
      hosts().find(each => each.name === name),
      `a segment has ${name}`,
    )
  const onMaintenance = () => hosts().flatMap(each => (each.onMaintenance ? [each.name] : []))
  const note = (name: string) =>
    demo.kubernetes.objects.get('Node', null, name)?.metadata.annotations?.[MASAKARI_ANNOTATION]
  const changes = () =>
    demo.openstack.log.flatMap(({ method, path }) =>
      method === 'PUT' && /instance-ha|os-services/.test(path) ? [path.split('/')[1]] : [],
    )
  const run = async (...args: readonly string[]) => {
    const answer = await lockkeeper(data, [...args])
    expect(answer.code, answer.stdout + answer.stderr).toBe(0)
    return answer.stdout
  }
  const warningsOf = async (kind: string, node: string) => {
    const { checks } = JSON.parse(await run('plan', kind, 'p', node, '-o', 'json')) as CheckedPlan
    return checks.flatMap(({ stepId, answer }) =>
      stepId.includes('masakari') ? [answer.kind, ...answer.warnings.map(({ code }) => code)] : [],
    )
  }

  it('knows of a maintenance before nova-compute is disabled, and of its end after it is enabled', async () => {
    await run('enter', 'p', 'cmp-01', '--yes')
    expect(onMaintenance()).toEqual(['cmp-01'])
    expect(note('cmp-01')).toBeTruthy()
    expect(changes()).toEqual(['instance-ha', 'compute'])
    await run('leave', 'p', 'cmp-01', '--yes')
    expect(onMaintenance()).toEqual([])
    expect(note('cmp-01')).toBeUndefined()
    expect(changes()).toEqual(['instance-ha', 'compute', 'compute', 'instance-ha'])
  })

  it('keeps what somebody else set, and both plans say so', async () => {
    host('cmp-03').onMaintenance = true
    expect(await warningsOf('enter', 'cmp-03')).toEqual(['done', 'OnMaintenanceStays'])
    await run('enter', 'p', 'cmp-03', '--yes')
    expect(note('cmp-03')).toBeUndefined()
    expect(await warningsOf('leave', 'cmp-03')).toEqual(['done', 'OnMaintenanceStays'])
    await run('leave', 'p', 'cmp-03', '--yes')
    expect(onMaintenance()).toEqual(['cmp-03'])
    host('cmp-03').onMaintenance = false
  })

  it('does not answer: the plan warns, and the maintenance continues', async () => {
    const stop = demo.openstack.faults.onRequests({ service: 'instance-ha', effect: { kind: 'status', status: 503 } })
    expect(await warningsOf('enter', 'cmp-05')).toEqual(['done', 'MasakariMayEvacuate'])
    stop()
  })

  it('works on a failure in the segment: Lockkeeper asks again until Masakari has finished', async () => {
    const failing = {
      id: '11111111-2222-4333-8444-555555555555',
      hostId: host('cmp-02').id,
      type: 'COMPUTE_HOST' as const,
      generatedAt: systemClock.now(),
      status: 'running' as const,
    }
    const segment = must(demo.openstack.state.segments[0], 'az1 is a segment')
    const refused = () => demo.openstack.log.filter(({ path, status }) => /instance-ha/.test(path) && status === 409)
    segment.notifications.push(failing)
    const entering = run('enter', 'p', 'cmp-01', '--yes')
    await expect.poll(() => refused().length, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(demo.openstack.state.services.find(each => each.host === 'cmp-01')?.enabled).toBe(true)
    segment.notifications.splice(0, 1, { ...failing, status: 'finished' })
    await entering
    expect(onMaintenance()).toEqual(['cmp-01'])
  })
})
