import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { must } from '../../../shared/domain/must.ts'
import { lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'

/** API servers restart during maintenance windows: Lockkeeper waits for faults that pass, and requests nothing twice. */
describe('a cloud whose APIs stumble', () => {
  let directory: string
  let data: string
  let demo: DemoClouds

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-flaky-'))
    data = join(directory, 'data')
    demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 6 })
    const cloud = must(demo.clusters[0], 'the demo has a cluster')
    const files = ['--kubeconfig', cloud.kubeconfigPath, '--clouds-yaml', cloud.cloudsYamlPath, '--cloud', cloud.cloud]
    expect((await lockkeeper(data, ['cluster', 'add', 'demo', ...files])).code).toBe(0)
  })

  afterAll(async () => {
    await demo.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('a node goes out and comes back although reads break off and evictions are throttled', async () => {
    const { kubernetes, openstack } = demo
    kubernetes.faults.drop({ path: /\/api\/v1\/nodes\/cmp-01$/, method: 'GET', times: 2 })
    kubernetes.faults.answer({ path: /\/api\/v1\/pods/, method: 'GET', times: 2 }, { status: 503 })
    kubernetes.faults.answer({ path: /\/eviction/, method: 'POST', times: 2 }, { status: 429, retryAfterSeconds: 1 })
    openstack.faults.onRequests({
      service: 'compute',
      method: 'GET',
      times: 2,
      effect: { kind: 'status', status: 503 },
    })
    openstack.faults.onRequests({
      service: 'compute',
      method: 'GET',
      path: /servers/,
      times: 2,
      effect: { kind: 'drop', when: 'after' },
    })
    const entered = await lockkeeper(data, ['enter', 'demo', 'cmp-01', '--yes'])
    expect(entered.code, entered.stdout + entered.stderr).toBe(0)

    const moves = openstack.log.filter(entry => entry.action === 'os-migrateLive').map(entry => entry.path)
    expect(moves.length).toBeGreaterThan(0)
    expect(new Set(moves).size).toBe(moves.length)
    expect(openstack.log.some(entry => entry.status === 503) && openstack.log.some(entry => entry.status === 0)).toBe(
      true,
    )
    expect(kubernetes.log.all().some(entry => entry.status === 429)).toBe(true)

    const left = await lockkeeper(data, ['leave', 'demo', 'cmp-01', '--yes'])
    expect(left.code, left.stdout + left.stderr).toBe(0)
  })

  it('a live migration whose answer is lost is followed, not asked for again', async () => {
    const { openstack } = demo
    const from = openstack.log.length
    openstack.faults.onRequests({
      service: 'compute',
      method: 'POST',
      path: /action/,
      times: 2,
      effect: { kind: 'drop', when: 'after' },
    })
    const entered = await lockkeeper(data, ['enter', 'demo', 'cmp-02', '--yes'])
    expect(entered.code, entered.stdout + entered.stderr).toBe(0)
    const asked = openstack.log.slice(from).filter(entry => entry.method === 'POST' && entry.path.includes('/action'))
    expect(asked.filter(entry => entry.status === 0)).toHaveLength(2)
    const paths = asked.map(entry => entry.path)
    expect(new Set(paths).size).toBe(paths.length)
  })
})
