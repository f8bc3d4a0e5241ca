import { openOpenStackSession } from '../../main/adapters/openstack/keystone-session.ts'
import { createOpenStackPort } from '../../main/adapters/openstack/openstack-port.ts'
import type { OpenStackSession } from '../../main/adapters/openstack/openstack-session.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { silentLogger } from '../../main/platform/log/logger.ts'
import { type EvacuationAnswer, evacuate, type Move, moveAll } from '../../main/procedures/steps/compute/evacuation.ts'
import { homePolicyOf } from '../../main/procedures/steps/compute/home-verdicts.ts'
import { must } from '../../shared/domain/must.ts'
import type { Result } from '../../shared/domain/result.ts'
import { askedByTest } from '../fixtures/asked-by-test.ts'
import { fakeContext, fakeNode, fakeWorld } from '../fixtures/procedures/fake-world.ts'
import { LAB_OPENSTACK_LOGS } from '../lab/lab-places.ts'
import { LAB_CLOUD } from './lab-cloud.ts'
import { limitPerSource } from './live-migration-limit.ts'
import { withMigrationsOfSeconds } from './migration-seconds.ts'
import { moveTimes, novasOwnMs } from './novas-own.ts'

/**
 * Evacuating 8 and 12 instances from one host of the lab, and moving them home again, at concurrency 1 and 3, or some of that. Prints wall time over Nova's own time (its migrations by its
 * own logs, at this concurrency) and the number of API requests. Needs the lab (`npm run lab:up`), of which LOCKKEEPER_LAB_OPENSTACK chooses the cloud.
 */
const HOST = 'cmp-1'
/** `--concurrency N` and `--instances N` measure one alone. */
const AT_ONCE = only('--concurrency', [1, 3])
const INSTANCES = only('--instances', [8, 12])

const session = value(await openOpenStackSession({ cloud: LAB_CLOUD, clock: systemClock, log: silentLogger }))
const port = createOpenStackPort({ session })

await withMigrationsOfSeconds(async () => {
  for (const concurrency of AT_ONCE) {
    limitPerSource(concurrency)
    for (const instances of INSTANCES) await measureWith(instances, concurrency)
  }
})
limitPerSource(1)
session.close()

function only(flag: string, all: readonly number[]): readonly number[] {
  const said = process.argv.find((_, at, words) => words[at - 1] === flag)
  return said === undefined ? all : [Number(said)]
}

async function measureWith(instances: number, concurrency: number): Promise<void> {
  const ids = await bootInstances(session, instances)
  try {
    await measure(ids, concurrency)
  } finally {
    await Promise.all(
      ids.map(id =>
        session.request('compute', { method: 'DELETE', path: `/servers/${id}`, call: askedByTest('delete a server') }),
      ),
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
    instancesOnHost: async (...asked: Parameters<typeof port.instancesOnHost>) => {
      const read = await port.instancesOnHost(...asked)
      return read.ok
        ? { ...read, value: { ...read.value, items: read.value.items.filter(({ id }) => ids.includes(id)) } }
        : read
    },
  }
  Object.assign(world.port, { openstack: ownOnly })
  const ctx = { ...fakeContext(world, { options: { concurrency } }), clock: systemClock }
  const limits = { concurrency, attempts: 3 }
  await timed(`evacuation of ${ids.length} instances`, ids, concurrency, () => evacuate(HOST, limits, ctx))
  console.log(`${others.length} other instances of ${HOST} were left alone`)
  await port.enableComputeService(service.id)
  const back = { ...fakeContext(world, { options: { concurrency } }), clock: systemClock }
  const home = await Promise.all(
    ids.map(async (id): Promise<Move> => {
      const instance = value(await port.getInstance(id))
      const from = must(instance.host, 'it runs somewhere')
      return { instance, from, to: HOST, policyOf: now => homePolicyOf(now, back) }
    }),
  )
  await timed(`${ids.length} instances home`, ids, concurrency, () => moveAll(home, limits, back))
}

async function timed(
  what: string,
  ids: readonly string[],
  concurrency: number,
  work: () => Promise<EvacuationAnswer>,
): Promise<void> {
  const before = session.requestCount()
  const began = performance.now()
  const answer = await work()
  const wallMs = performance.now() - began
  const after = session.requestCount()
  const asked = Object.entries(after).flatMap(([service, count]) => {
    const more = count - (before[service] ?? 0)
    return more === 0 ? [] : [`${more} of ${service}`]
  })
  const records = await Promise.all(
    ids.map(async id => must(value(await port.migrations({ instanceId: id }))[0], 'it was migrated')),
  )
  const novaMs = novasOwnMs(records, concurrency, moveTimes(LAB_OPENSTACK_LOGS))
  if (answer.kind !== 'emptied') throw new Error(`${what}: ${JSON.stringify(answer)}`)
  const requests = total(after) - total(before)
  console.log(
    `${what}, concurrency ${concurrency}: ${answer.kind}; wall ${(wallMs / 1000).toFixed(1)} s, Nova's own ${(novaMs / 1000).toFixed(1)} s, ratio ${(wallMs / novaMs).toFixed(3)} (aim: at most 1.05); ${requests} API requests (${(requests / ids.length).toFixed(1)} an instance, aim: at most 3 and one list of instances and one of migrations a second): ${asked.join(', ')}`,
  )
}

async function bootInstances(on: OpenStackSession, instances: number): Promise<readonly string[]> {
  const flavors = (
    value(await on.request('compute', { method: 'GET', path: '/flavors', call: askedByTest('list flavors') })).body as {
      flavors: { id: string; name: string }[]
    }
  ).flavors
  const images = (
    value(await on.request('image', { method: 'GET', path: '/images', call: askedByTest('list images') })).body as {
      images: { id: string }[]
    }
  ).images
  const ids: string[] = []
  for (let index = 0; index < instances; index += 1) {
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
    const made = value(
      await on.request('compute', { method: 'POST', path: '/servers', body, call: askedByTest('boot a server') }),
    )
    ids.push((made.body as { server: { id: string } }).server.id)
  }
  for (;;) {
    const states = await Promise.all(ids.map(async id => value(await port.getInstance(id)).status))
    if (states.every(status => status === 'ACTIVE')) return ids
    if (states.includes('ERROR')) throw new Error(`a bench server did not boot: ${states.join(' ')}`)
    await systemClock.sleep(500)
  }
}

function total(counted: Readonly<Record<string, number>>): number {
  return Object.values(counted).reduce((sum, count) => sum + count, 0)
}

function value<T>(answer: Result<T>): T {
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value
}
