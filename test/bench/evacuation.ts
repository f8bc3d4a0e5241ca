import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type OpenStackSession, openOpenStackSession } from '../../main/adapters/openstack/keystone-session.ts'
import { createOpenStackPort } from '../../main/adapters/openstack/openstack-port.ts'
import { systemClock } from '../../main/clock/clock.ts'
import { silentLogger } from '../../main/log/logger.ts'
import { evacuate } from '../../main/procedures/steps/compute/evacuation.ts'
import { must } from '../../shared/domain/must.ts'
import type { Result } from '../../shared/domain/result.ts'
import { fakeContext, fakeNode, fakeWorld } from '../fixtures/procedures/fake-world.ts'
import { LAB_CLOUD } from './lab-cloud.ts'

/**
 * Evacuating 12 instances from one host of the lab at concurrency 1 and 3. Prints wall time over Nova's own time (the sum of its migrations'
 * durations divided by the concurrency) and the number of API requests. Needs the lab (`npm run lab:up`), of which LOCKKEEPER_LAB_OPENSTACK chooses the cloud.
 */
const HOST = 'cmp-1'
const INSTANCES = 12
const OPENSTACK_LAB = join(import.meta.dirname, '../lab/openstack')

const session = value(await openOpenStackSession({ cloud: LAB_CLOUD, clock: systemClock, log: silentLogger }))
const port = createOpenStackPort({ session })

for (const concurrency of [1, 3]) {
  limitPerSource(concurrency)
  const ids = await bootInstances(session)
  try {
    await measure(ids, concurrency)
  } finally {
    await Promise.all(
      ids.map(id => session.request('compute', { method: 'DELETE', path: `/servers/${id}`, doing: 'delete a server' })),
    )
    const services = value(await port.computeServices())
    await port.enableComputeService(
      must(
        services.find(service => service.host === HOST),
        'the host has a service',
      ).id,
    )
  }
}
limitPerSource(1)
session.close()

async function measure(ids: readonly string[], concurrency: number): Promise<void> {
  const services = value(await port.computeServices())
  const service = must(
    services.find(candidate => candidate.host === HOST),
    'the host has a service',
  )
  value(await port.disableComputeService(service.id, 'Lockkeeper bench'))
  const world = fakeWorld({ nodes: [fakeNode(HOST)] })
  const others = value(await port.instancesOnHost(HOST)).items.filter(instance => !ids.includes(instance.id))
  const ownOnly = {
    ...port,
    instancesOnHost: async (host: string, signal?: AbortSignal) => {
      const read = await port.instancesOnHost(host, signal)
      return read.ok
        ? { ...read, value: { ...read.value, items: read.value.items.filter(({ id }) => ids.includes(id)) } }
        : read
    },
  }
  Object.assign(world.port, { openstack: ownOnly })
  const ctx = { ...fakeContext(world, { options: { concurrency } }), clock: systemClock }
  const before = total(session)
  const began = performance.now()
  const answer = await evacuate(HOST, { concurrency, attempts: 3 }, ctx)
  const wallMs = performance.now() - began
  const requests = total(session) - before
  const records = await Promise.all(
    ids.map(async id => must(value(await port.migrations({ instanceId: id }))[0], 'it was migrated')),
  )
  const novaMs = records.reduce((sum, record) => sum + durationMs(record.createdAt, record.updatedAt), 0) / concurrency
  console.log(
    `evacuation of ${ids.length} instances, concurrency ${concurrency}: ${answer.kind}; wall ${(wallMs / 1000).toFixed(1)} s, Nova's own ${(novaMs / 1000).toFixed(1)} s, ratio ${(wallMs / novaMs).toFixed(3)} (aim: at most 1.10); ${requests} API requests (${(requests / ids.length).toFixed(1)} an instance); ${others.length} other instances untouched`,
  )
}

async function bootInstances(on: OpenStackSession): Promise<readonly string[]> {
  const flavors = (
    value(await on.request('compute', { method: 'GET', path: '/flavors', doing: 'list flavors' })).body as {
      flavors: { id: string; name: string }[]
    }
  ).flavors
  const images = (
    value(await on.request('image', { method: 'GET', path: '/images', doing: 'list images' })).body as {
      images: { id: string }[]
    }
  ).images
  const ids: string[] = []
  for (let index = 0; index < INSTANCES; index += 1) {
    const body = {
      server: {
        name: `bench-${index}`,
        flavorRef: must(
          flavors.find(flavor => flavor.name === 'm1.tiny'),
          'the lab has it',
        ).id,
        imageRef: must(images[0], 'the lab has one').id,
        networks: 'none',
        host: HOST,
      },
    }
    const made = value(await on.request('compute', { method: 'POST', path: '/servers', body, doing: 'boot a server' }))
    ids.push((made.body as { server: { id: string } }).server.id)
  }
  for (;;) {
    const states = await Promise.all(ids.map(async id => value(await port.getInstance(id)).status))
    if (states.every(status => status === 'ACTIVE')) return ids
    if (states.includes('ERROR')) throw new Error(`a bench server did not boot: ${states.join(' ')}`)
    await systemClock.sleep(500)
  }
}

/** The lab runs one live migration per source host at a time; a higher concurrency needs its limit raised, which restarts nova-compute. */
function limitPerSource(limit: number): void {
  execFileSync(
    'bash',
    ['-c', '. ./env.sh; . ./configs.sh; for i in $(seq "$COMPUTES"); do stop nova-compute-$i; start_compute $i; done'],
    { cwd: OPENSTACK_LAB, env: { ...process.env, OSLAB_MAX_LIVE_MIGRATIONS: String(limit) }, stdio: 'ignore' },
  )
  execFileSync(
    'bash',
    [
      '-c',
      'for i in $(seq 120); do n=$(./openstack.sh compute service list --service nova-compute -f value -c State | grep -cw up); [ "$n" -ge 4 ] && exit 0; sleep 1; done; exit 1',
    ],
    { cwd: OPENSTACK_LAB, stdio: 'ignore' },
  )
}

function durationMs(from: string | null, to: string | null): number {
  return Date.parse(must(to, 'a finished migration has an end')) - Date.parse(must(from, 'a migration has a start'))
}

function total(of: OpenStackSession): number {
  return Object.values(of.requestCount()).reduce((sum, count) => sum + count, 0)
}

function value<T>(answer: Result<T>): T {
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value
}
