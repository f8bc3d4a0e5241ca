import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import { must } from '../../../shared/domain/must.ts'
import { type CliAnswer, lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { until } from '../ceph/real-ceph.ts'
import { computeService, kubectl, openstack, returnNode, serversByName } from '../cli/referees.ts'
import { LAB_CLOUDS, LAB_KUBECONFIG, LAB_OPENSTACK_DATA, LAB_OPENSTACK_LOGS } from '../lab-places.ts'

/** A console of the test's own over the lab, driven as an operator drives it: by the terminal face. */
export interface LabConsole {
  readonly dataDirectory: string
  run(...args: readonly string[]): Promise<CliAnswer>
  /** The newest run that this console keeps. */
  newestRun(): Promise<{ readonly id: string; readonly state: string }>
  end(): void
}

/** Registers the lab with another console, with these settings. */
export async function openLabConsole(...flags: readonly string[]): Promise<LabConsole> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'lockkeeper-lab-roles-'))
  const run = (...args: readonly string[]) => lockkeeper(dataDirectory, args)
  const files = ['--kubeconfig', LAB_KUBECONFIG, '--clouds-yaml', LAB_CLOUDS, '--cloud', 'lab']
  const added = await run('cluster', 'add', 'lab', ...files, ...flags)
  expect(added, added.stdout + added.stderr).toMatchObject({ code: 0 })
  return {
    dataDirectory,
    run,
    newestRun: async () => {
      const { stdout } = await run('runs', 'lab', '-o', 'json')
      const runs = z.array(z.object({ id: z.string(), state: z.string() })).parse(JSON.parse(stdout))
      return must(runs[0], 'there is a run')
    },
    end: () => rmSync(dataDirectory, { recursive: true, force: true }),
  }
}

const FAULTS = join(LAB_OPENSTACK_DATA, 'migration-faults.json')

/** Sets the errors of the lab's hypervisor, by instance (test/lab/openstack/driver/oslab_fake.py). */
export async function setFaults(faults: Readonly<Record<string, unknown>>): Promise<void> {
  await writeFile(FAULTS, JSON.stringify(faults))
}

/** The hypervisor works again. */
export async function clearFaults(): Promise<void> {
  await rm(FAULTS, { force: true })
  await rm(join(LAB_OPENSTACK_DATA, 'migration-faults.state.json'), { force: true })
}

/** Nova's own log from now on: every request that was more than a question. */
export async function novaLogFromNow(): Promise<() => Promise<readonly string[]>> {
  const file = join(LAB_OPENSTACK_LOGS, 'nova-api.log')
  const { size } = await stat(file)
  return async () => {
    const text = (await readFile(file)).subarray(size).toString('utf8')
    return text.split('\n').flatMap(line => /"((?:POST|PUT|PATCH|DELETE) \S+) HTTP/.exec(line)?.[1] ?? [])
  }
}

const Nodes = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string(), labels: z.unknown(), annotations: z.unknown() }),
      spec: z.unknown(),
    }),
  ),
})

/** Dumps all objects that a maintenance could change in the lab's Kubernetes, with kubectl. */
export async function kubernetesDump(): Promise<unknown> {
  const nodes = Nodes.parse(JSON.parse(await kubectl('get', 'nodes', '-o', 'json')))
  // A Lease that was given back stays as an object that nobody holds.
  const leases = (
    await kubectl('get', 'leases', '-n', 'default', '-o', 'custom-columns=N:.metadata.name,H:.spec.holderIdentity')
  )
    .split('\n')
    .slice(1)
    .filter(line => /\S\s+\S/.test(line) && !line.endsWith('<none>'))
  const scaled = await kubectl('get', 'deployments', '-A', '-o', 'custom-columns=N:.metadata.name,R:.spec.replicas')
  return { nodes, leases, scaled }
}

/** The same, with what a maintenance could change in its cloud. */
export async function worldDump(): Promise<unknown> {
  const services = await openstack('compute', 'service', 'list', '-f', 'value', '-c', 'Host', '-c', 'Status')
  return { kubernetes: await kubernetesDump(), services, servers: [...(await serversByName())] }
}

/** Deletes the instances whose names begin so, and waits until Nova knows none of them. */
export async function deleteServers(prefix: string): Promise<void> {
  const own = async () => {
    const listed = await openstack('server', 'list', '--all-projects', '--name', prefix, '-f', 'value', '-c', 'ID')
    return listed.split('\n').filter(id => id !== '')
  }
  // Not with --wait: the client gives up, without a word, at the first instance that was in ERROR.
  const ids = await own()
  if (ids.length > 0) await openstack('server', 'delete', ...ids)
  await until('the own instances are gone', async () => (await own()).length === 0)
}

/** Makes a compute host as it was, whatever the test did: in service, own instances gone, those that were seeded there back. */
export async function returnComputeHost(host: string, seeded: readonly string[], prefix: string): Promise<void> {
  await clearFaults()
  await openstack('compute', 'service', 'set', '--enable', host, 'nova-compute')
  await returnNode(host)
  await deleteServers(prefix)
  const now = await serversByName()
  await Promise.all(
    seeded.map(async name => {
      const server = now.get(name)
      if (server === undefined || server.Host === host) return
      if (server.Status !== 'SHUTOFF') {
        await openstack('server', 'migrate', '--live-migration', '--host', host, '--wait', server.ID)
        return
      }
      await openstack('server', 'migrate', '--host', host, '--wait', server.ID)
      await openstack('server', 'resize', 'confirm', server.ID)
    }),
  )
  // The client's own `--wait` ends well wherever an instance came to rest, and a confirmed one is still being tidied up.
  await until(`what was seeded on ${host} is back`, async () => {
    const servers = await serversByName()
    return seeded.every(name => {
      const server = servers.get(name)
      return server === undefined || (server.Host === host && server.Status !== 'VERIFY_RESIZE')
    })
  })
  expect(await computeService(host)).toMatchObject({ Status: 'enabled' })
}

/** Names of the instances on a host. */
export async function namesOn(host: string): Promise<readonly string[]> {
  return [...(await serversByName()).values()].flatMap(({ Host, Name }) => (Host === host ? [Name] : []))
}
