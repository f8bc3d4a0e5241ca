import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import type { MoskCloud } from '../../../main/wings/simulators/lcm/start-mosk.ts'
import { must } from '../../../shared/domain/must.ts'
import { lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'

/**
 * A storage node of a cloud without the maintenance API (flavour plain); Rook's toolbox answers for Ceph. The test reads Ceph by its own
 * command, and Kubernetes from the server's objects.
 */
describe('a storage node of a plain cloud with Rook', () => {
  let directory: string
  let data: string
  let demo: DemoClouds

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-rook-'))
    data = join(directory, 'data')
    demo = await startDemoClouds({
      clock: systemClock,
      directory: join(directory, 'clouds'),
      speed: 30,
      mosk: { controllers: false },
    })
    const { kubeconfigPath, context, cloudsYamlPath, cloud } = mosk().cluster
    const added = await lockkeeper(data, [
      ...['cluster', 'add', 'r', '--kubeconfig', kubeconfigPath, '--context', context],
      ...['--clouds-yaml', cloudsYamlPath, '--cloud', cloud, '--flavour', 'plain', '--ceph', 'toolbox'],
    ])
    expect(added.code, added.stdout + added.stderr).toBe(0)
    await vi.waitFor(() => expect(status().pgs).toBe('active+clean'), { timeout: 30_000, interval: 200 })
    await vi.waitFor(() => expect(readyOsds()).toEqual([0, 1, 2, 3, 4, 5]), { timeout: 30_000, interval: 200 })
  })

  afterAll(async () => {
    await demo?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const mosk = (): MoskCloud => must(demo.mosk, 'it was asked for')
  const ceph = (...words: readonly string[]) =>
    JSON.parse(
      must(must(mosk().ceph, 'it has Ceph').command(['ceph', ...words, '--format', 'json']), 'it answers').stdout,
    )
  const status = () => ({
    pgs: ceph('status')
      .pgmap.pgs_by_state.map((each: { state_name: string }) => each.state_name)
      .join(),
    hostFlags: ceph('osd', 'dump').crush_node_flags as object,
    down: ceph('osd', 'dump')
      .osds.filter((osd: { up: number }) => osd.up === 0)
      .map((osd: { osd: number }) => osd.osd) as number[],
  })
  const deployments = () =>
    mosk()
      .kubernetes.objects.list('Deployment', 'rook-ceph')
      .filter(each => each.metadata.labels?.['ceph-osd-id'] !== undefined) as readonly {
      metadata: { labels?: Readonly<Record<string, string>> }
      spec?: { replicas?: number }
      status?: { readyReplicas?: number }
    }[]
  const readyOsds = () =>
    deployments()
      .filter(each => (each.status?.readyReplicas ?? 0) > 0)
      .map(each => Number(each.metadata.labels?.['ceph-osd-id']))

  it('a dry run tells what would be set and stopped, and touches nothing', async () => {
    const planned = await lockkeeper(data, ['enter', 'r', 'mosk-osd-1', '--stop-osds', '--dry-run'])
    expect(planned.code, planned.stdout + planned.stderr).toBe(0)
    expect(planned.stdout).toContain('noout of ceph-host/mosk-osd-1')
    expect(planned.stdout).toContain('osd.0 on mosk-osd-1')
    expect(status()).toEqual({ pgs: 'active+clean', hostFlags: {}, down: [] })
  })

  it('its OSDs stop under noout of their host and stay down; after the return they run, noout is gone and Ceph is healthy', async () => {
    const entered = await lockkeeper(data, ['enter', 'r', 'mosk-osd-1', '--stop-osds', '--yes'])
    expect(entered.code, entered.stdout + entered.stderr).toBe(0)
    expect(status()).toMatchObject({ hostFlags: { 'mosk-osd-1': ['noout'] }, down: [0, 1] })
    expect(deployments().map(each => each.spec?.replicas)).toEqual([0, 0, 1, 1, 1, 1])

    const second = await lockkeeper(data, ['enter', 'r', 'mosk-osd-2', '--dry-run'])
    expect(second.code).not.toBe(0)
    expect(second.stdout).toContain('are not ok to stop')

    const left = await lockkeeper(data, ['leave', 'r', 'mosk-osd-1', '--yes'])
    expect(left.code, left.stdout + left.stderr).toBe(0)
    expect(status()).toEqual({ pgs: 'active+clean', hostFlags: {}, down: [] })
    expect(deployments().map(each => each.spec?.replicas)).toEqual([1, 1, 1, 1, 1, 1])
  })
})
