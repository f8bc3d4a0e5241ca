import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import type { SunbeamCloud } from '../../../main/wings/simulators/start-sunbeam.ts'
import { must } from '../../../shared/domain/must.ts'
import { type CliAnswer, lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'

/** Batches of hyperconverged nodes of demo-sunbeam, in a separate process; the test reads the result from the simulators. */
let directory: string
let data: string
let demo: DemoClouds

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-sunbeam-batches-'))
  data = join(directory, 'data')
  demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 20, sunbeam: {} })
  const { kubeconfigPath, context, cloudsYamlPath, cloud, roleMaintenance } = sunbeam().cluster
  const juju = must(roleMaintenance.juju, 'it has a controller')
  if (juju.kind !== 'client-files') throw new Error('the demo writes the files of the Juju client')
  const added = await lockkeeper(data, [
    ...['cluster', 'add', 'sun', '--flavour', 'sunbeam', '--kubeconfig', kubeconfigPath, '--context', context],
    ...['--clouds-yaml', cloudsYamlPath, '--cloud', cloud],
    ...['--juju-directory', juju.directory, '--juju-controller', juju.controller, '--juju-model', juju.model],
    ...['--ceph-services-rule', roleMaintenance.cephServicesRule ?? 'auto'],
  ])
  expect(added.code, reported(added)).toBe(0)
})

afterAll(async () => {
  await demo?.stop()
  await rm(directory, { recursive: true, force: true })
})

const sunbeam = (): SunbeamCloud => must(demo.sunbeam, 'it was asked for')
const reported = ({ stdout, stderr }: CliAnswer) => stdout + stderr
const osdsOf = (host: string) =>
  must(sunbeam().ceph, 'it has Ceph')
    .osds()
    .filter(osd => osd.host === host)
const kubelet = () => {
  const node = sunbeam().kubernetes.objects.list('Node')[0] as { status?: { nodeInfo?: { kubeletVersion?: string } } }
  return node.status?.nodeInfo?.kubeletVersion ?? ''
}

it('nodes go one batch after the other through Nova, their OSDs are stopped under noout, and all of it is given back', async () => {
  const started = Date.now() - 60_000
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
  const created = await lockkeeper(data, [
    ...['window', 'create', 'sun', '--title', 'Firmware', '--start', text(started), '--end', text(started + 3_600_000)],
    ...['--zone', 'UTC', '--batch', 'sun-1', '--batch', 'sun-2', '--work', `kubelet=${kubelet()}`, '-o', 'json'],
  ])
  expect(created.code, reported(created)).toBe(0)
  const id = (JSON.parse(created.stdout) as { window: { id: string } }).window.id
  const done = await lockkeeper(data, [
    ...[
      'window',
      'start',
      id,
      '--yes',
      '--stop-osds',
      '--concurrency',
      '4',
      '--allow-downtime',
      'agreed with its users',
    ],
  ])
  expect(done.code, reported(done)).toBe(0)
  expect(done.stdout).toContain('In batches Lockkeeper moves instances through Nova instead')

  for (const host of ['sun-1', 'sun-2']) {
    expect(
      osdsOf(host).every(({ up }) => up),
      host,
    ).toBe(true)
    const service = sunbeam().openstack.state.services.find(
      each => each.binary === 'nova-compute' && each.host === host,
    )
    expect(service, host).toMatchObject({ enabled: true, disabledReason: null })
    const node = sunbeam()
      .kubernetes.objects.list('Node')
      .find(({ metadata }) => metadata.name === host) as { spec?: { unschedulable?: boolean } }
    expect(node.spec?.unschedulable ?? false, host).toBe(false)
  }
  expect(sunbeam().ceph?.command(['ceph', 'osd', 'dump', '--format', 'json'])?.stdout).not.toContain('noout')
  const stopped = sunbeam()
    .juju.tasks()
    .filter(({ name, parameters }) => name === 'enter-maintenance' && parameters['stop-osds'] === true)
  expect(stopped.map(({ unit }) => unit)).toEqual(['microceph/0', 'microceph/1'])
  const plans = sunbeam().openstack.log.filter(
    ({ path, method }) => method !== 'GET' && path.startsWith('/infra-optim/'),
  )
  expect(plans, 'Watcher is not asked').toEqual([])
  const moved = sunbeam().openstack.state.migrations
  expect(moved.length).toBeGreaterThan(6)
  expect(moved.every(({ status }) => status === 'completed')).toBe(true)
  const shown = await lockkeeper(data, ['window', 'show', id, '-o', 'json'])
  expect(JSON.parse(shown.stdout)).toMatchObject({
    status: 'open',
    runs: [{ kind: 'rolling-maintenance', state: 'done' }],
  })
})
