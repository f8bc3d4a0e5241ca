import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import {
  type OpenStackSimulator,
  startOpenStackSimulator,
} from '../../../../../main/wings/simulators/openstack/openstack-simulator.ts'
import { demoPlainOpenStack } from '../../../../../main/wings/simulators/scenarios/demo-plain-openstack.ts'
import { must } from '../../../../../shared/domain/must.ts'

const run = promisify(execFile)
const hasClient = (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, 'openstack')))
const NEW = ['--os-compute-api-version', '2.90']

// The client is Python and takes about two seconds a call: few calls, each proving several answers.
describe.skipIf(!hasClient)('the openstack client works on demo-plain (skipped where it is not installed)', () => {
  let simulator: OpenStackSimulator
  let directory: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-openstack-'))
    simulator = await startOpenStackSimulator({
      clock: systemClock,
      seed: demoPlainOpenStack(),
      timings: { speed: 20 },
    })
    await writeFile(join(directory, 'clouds.yaml'), simulator.cloudsYaml('demo-plain'), { mode: 0o600 })
  })

  afterAll(async () => {
    await simulator.stop()
    await rm(directory, { recursive: true, force: true })
  })

  async function openstack(...args: readonly string[]) {
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: directory,
      OS_CLIENT_CONFIG_FILE: join(directory, 'clouds.yaml'),
      OS_CLOUD: 'demo-plain',
    }
    const { stdout } = await run('openstack', args, { env, timeout: 30_000 })
    return stdout
  }

  function serverNamed(name: string) {
    const server = [...simulator.state.servers.values()].find(each => each.name === name)
    return must(server, `demo-plain has ${name}`)
  }

  const table = async (...args: readonly string[]) =>
    JSON.parse(await openstack(...args, '-f', 'json')) as Readonly<Record<string, unknown>>[]

  it('logs in and lists the catalogue', async () => {
    const catalogue = await table('catalog', 'list')
    expect(catalogue.map(row => row.Type)).toEqual(
      expect.arrayContaining(['compute', 'identity', 'network', 'placement']),
    )
  })

  it('disables a compute service with a reason, and lists it so', async () => {
    await openstack('compute', 'service', 'set', '--disable', '--disable-reason', 'CHG-7', 'cmp-03', 'nova-compute')
    const [row] = await table('compute', 'service', 'list', '--service', 'nova-compute', '--host', 'cmp-03', '--long')
    expect(row).toMatchObject({ Host: 'cmp-03', Status: 'disabled', State: 'up', 'Disabled Reason': 'CHG-7' })
  })

  it('lists the servers of a host, of all projects', async () => {
    const rows = await table('server', 'list', '--all-projects', '--host', 'cmp-01', '--long')
    expect(rows.map(row => row.Name).sort()).toEqual(
      ['batch-01', 'build-01', 'cache-01', 'db-01', 'shop-01', 'web-01', 'web-02'].sort(),
    )
    expect(rows.find(row => row.Name === 'batch-01')).toMatchObject({ Status: 'PAUSED', Host: 'cmp-01' })
  })

  it('live-migrates a server, and lists the migration', async () => {
    await openstack(...NEW, 'server', 'migrate', '--live-migration', '--wait', 'web-01')
    const [row] = await table(...NEW, 'server', 'migration', 'list', '--server', 'web-01')
    expect(row).toMatchObject({ Type: 'live-migration', 'Source Compute': 'cmp-01' })
    expect(row?.['Dest Compute']).not.toBe('cmp-01')
  })

  it('aborts a live migration that hangs', async () => {
    simulator.faults.servers['web-02'] = { hang: true }
    await openstack(...NEW, 'server', 'migrate', '--live-migration', 'web-02')
    const id = serverNamed('web-02').id
    const record = () => simulator.state.migrations.find(each => each.serverId === id)
    await vi.waitFor(() => expect(record()?.status).toBe('running'), 20_000)
    await openstack(...NEW, 'server', 'migration', 'abort', 'web-02', String(record()?.id))
    await vi.waitFor(() => expect(record()?.status).toBe('cancelled'), 20_000)
    expect(serverNamed('web-02')).toMatchObject({ host: 'cmp-01', taskState: null })
  })

  it('sets a tag beside the others', async () => {
    await openstack(...NEW, 'server', 'set', '--tag', 'window=42', serverNamed('shop-01').id)
    const shown = JSON.parse(await openstack(...NEW, 'server', 'show', serverNamed('shop-01').id, '-f', 'json')) as {
      tags: string[]
    }
    expect(shown.tags.sort()).toEqual(['team=shop', 'window=42'])
  })

  it.each([
    ['hypervisor list', 'Hypervisor Hostname', 'cmp-08'],
    ['availability zone list', 'Zone Name', 'az2'],
    ['network agent list', 'Host', 'ctl-2'],
    ['server group list', 'Name', 'db'],
    ['aggregate list', 'Name', 'az1'],
  ])('%s', async (command, column, expected) => {
    const rows = await table(...command.split(' '))
    expect(rows.map(row => row[column])).toContain(expected)
  })
})
