import { z } from 'zod'
import type { OpenStackSession } from '../../../main/adapters/openstack/openstack-session.ts'
import type { OpenStackPort } from '../../../main/ports/openstack.ts'
import type { Json } from '../../../shared/domain/json.ts'
import { must } from '../../../shared/domain/must.ts'
import { until, value } from '../../contract/target.ts'
import { askedByTest } from '../../fixtures/asked-by-test.ts'
import { connectOpenStack } from '../../fixtures/connect-openstack.ts'
import { LAB_CLOUDS } from '../lab-places.ts'

const TAG = 'openstack.lcm.mirantis.com:maintenance_action='

/** An instance to boot: what its owner asks for by a tag, and the state it is brought to. */
export interface BootedServer {
  readonly name: string
  readonly tag: 'poweroff' | 'live_migrate' | null
  readonly status: 'ACTIVE' | 'PAUSED' | 'SHUTOFF'
  /** What its owner asks of the scheduler. */
  readonly hints?: Readonly<Record<string, readonly string[]>>
}

const Flavors = z.object({ flavors: z.array(z.object({ id: z.string(), name: z.string() })) })
const Images = z.object({ images: z.array(z.object({ id: z.string(), name: z.string() })) })
const Made = z.object({ server: z.object({ id: z.string() }) })

/** Boots instances on a host and brings each to its state. Not with the openstack client: nothing is judged here, and each start of it takes seconds. */
export async function bootServers(host: string, servers: readonly BootedServer[]): Promise<void> {
  const { openstackSession, openstack, close } = await connectOpenStack(LAB_CLOUDS, 'lab')
  try {
    const base = { ...(await flavorAndImage(openstackSession)), networks: 'none', host }
    await Promise.all(servers.map(server => boot(openstackSession, openstack, base, server)))
  } finally {
    close()
  }
}

async function flavorAndImage(session: OpenStackSession) {
  const list = async (service: 'compute' | 'image', path: string) =>
    value(await session.request(service, { method: 'GET', path, call: askedByTest('see what can be booted') })).body
  const { flavors } = Flavors.parse(await list('compute', '/flavors'))
  const { images } = Images.parse(await list('image', '/images'))
  return {
    flavorRef: must(flavors.find(({ name }) => name === 'm1.tiny')?.id, 'the lab has the flavor m1.tiny'),
    imageRef: must(images.find(({ name }) => name === 'lab-image')?.id, 'the lab has the image lab-image'),
  }
}

async function boot(
  session: OpenStackSession,
  port: OpenStackPort,
  base: Awaited<ReturnType<typeof flavorAndImage>> & { readonly networks: string; readonly host: string },
  { name, tag, status, hints }: BootedServer,
): Promise<void> {
  const postToNova = async (path: string, body: Json) =>
    value(await session.request('compute', { method: 'POST', path, body, call: askedByTest(`boot ${name}`) })).body
  const tags = tag === null ? [] : [`${TAG}${tag}`]
  const { id } = Made.parse(
    await postToNova('/servers', { server: { ...base, name, tags }, 'os:scheduler_hints': hints ?? {} }),
  ).server
  const is = (wanted: string) =>
    until(
      `${name} is ${wanted}`,
      async () => {
        const now = value(await port.getInstance(id)).status
        if (now === 'ERROR') throw new Error(`${name} is in ERROR`)
        return now === wanted ? true : null
      },
      150_000,
    )
  await is('ACTIVE')
  if (status === 'ACTIVE') return
  await postToNova(`/servers/${id}/action`, status === 'PAUSED' ? { pause: null } : { 'os-stop': null })
  await is(status)
}
