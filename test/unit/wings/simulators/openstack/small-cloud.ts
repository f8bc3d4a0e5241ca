import { onTestFinished } from 'vitest'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import {
  type OpenStackSimulatorOptions,
  startOpenStackSimulator,
} from '../../../../../main/wings/simulators/openstack/openstack-simulator.ts'
import type { OpenStackSeed } from '../../../../../main/wings/simulators/openstack/seed.ts'
import { must } from '../../../../../shared/domain/must.ts'

/** Four hosts in two zones, one server of each kind on cmp-1. */
export const SMALL_CLOUD: OpenStackSeed = {
  region: 'RegionOne',
  users: [
    { name: 'admin', password: 'secret-a', project: 'admin', role: 'admin' },
    { name: 'demo', password: 'secret-d', project: 'demo', role: 'member' },
  ],
  flavors: [
    { name: 'small', vcpus: 1, ramMib: 2048, diskGib: 20 },
    { name: 'huge', vcpus: 4, ramMib: 90_000, diskGib: 20 },
  ],
  hosts: [
    { name: 'cmp-1', zone: 'az1' },
    { name: 'cmp-2', zone: 'az1', memoryMib: 32_768 },
    { name: 'cmp-3', zone: 'az2', memoryMib: 32_768, cell: 'cell2' },
    { name: 'cmp-4', zone: 'az1', memoryMib: 16_384 },
  ],
  controllers: ['ctl-1'],
  serverGroups: [{ name: 'apart', policy: 'anti-affinity' }],
  servers: [
    { name: 'active', host: 'cmp-1', flavor: 'small', tags: ['team=web'] },
    { name: 'active-2', host: 'cmp-1', flavor: 'small' },
    { name: 'active-3', host: 'cmp-1', flavor: 'small' },
    { name: 'paused', host: 'cmp-1', flavor: 'small', status: 'PAUSED' },
    { name: 'stopped', host: 'cmp-1', flavor: 'small', status: 'SHUTOFF' },
    { name: 'suspended', host: 'cmp-1', flavor: 'small', status: 'SUSPENDED' },
    { name: 'broken', host: 'cmp-1', flavor: 'small', status: 'ERROR', faultMessage: 'it fell over' },
    { name: 'locked', host: 'cmp-1', flavor: 'small', project: 'demo', locked: true },
    {
      name: 'theirs',
      host: 'cmp-2',
      flavor: 'small',
      project: 'demo',
      schedulerHints: { different_host: ['active'] },
    },
    { name: 'apart-1', host: 'cmp-1', flavor: 'small', group: 'apart', pinnedZone: 'az1' },
    { name: 'apart-2', host: 'cmp-2', flavor: 'small', group: 'apart', pinnedZone: 'az1' },
    { name: 'huge', host: 'cmp-1', flavor: 'huge' },
    { name: 'far', host: 'cmp-3', flavor: 'small', bootFromVolume: true },
    { name: 'shelved', host: null, flavor: 'small', status: 'SHELVED_OFFLOADED' },
  ],
}

/** What a request came back with. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of many shapes
  readonly json: any
}

/** Starts a cloud for one test and stops it with the test; requests go over real HTTP. */
export async function smallCloud(options: Partial<OpenStackSimulatorOptions> = {}) {
  const simulator = await startOpenStackSimulator({
    clock: systemClock,
    seed: SMALL_CLOUD,
    timings: { speed: 40 },
    ...options,
  })
  onTestFinished(() => simulator.stop())
  const origin = new URL(simulator.authUrl).origin

  const send = async (
    method: string,
    path: string,
    more: { readonly headers?: Record<string, string>; readonly body?: unknown } = {},
  ): Promise<Reply> => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { ...more.headers, ...(more.body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
    })
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== ''
    return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : undefined }
  }

  const login = async (user: string, password: string, project: string) => {
    const reply = await send('POST', '/identity/v3/auth/tokens', { body: passwordLogin(user, password, project) })
    return must(reply.headers.get('x-subject-token'), `${user} can log in`)
  }
  const asker = (token: string) => {
    /** Nova, at microversion 2.93 by default. */
    return (method: string, path: string, body?: unknown, version = '2.93') =>
      send(method, `/compute/v2.1${path}`, {
        headers: { 'x-auth-token': token, 'openstack-api-version': `compute ${version}` },
        ...(body === undefined ? {} : { body }),
      })
  }
  const adminToken = await login('admin', 'secret-a', 'admin')
  const nova = asker(adminToken)
  const idOf = (name: string) =>
    must(
      [...simulator.state.servers.values()].find(server => server.name === name),
      `there is a server ${name}`,
    ).id

  return {
    simulator,
    origin,
    send,
    adminToken,
    nova,
    novaAsDemo: asker(await login('demo', 'secret-d', 'demo')),
    login,
    idOf,
    act: (name: string, action: string, argument: unknown = null, version = '2.93') =>
      nova('POST', `/servers/${idOf(name)}/action`, { [action]: argument }, version),
    migrateLive: (name: string, host: string | null = null) =>
      nova('POST', `/servers/${idOf(name)}/action`, { 'os-migrateLive': { host, block_migration: 'auto' } }),
    server: async (name: string) => (await nova('GET', `/servers/${idOf(name)}`)).json.server,
    /** The newest migration record of a server, or null. */
    migration: async (name: string) =>
      (await nova('GET', `/os-migrations?instance_uuid=${idOf(name)}`)).json.migrations[0] ?? null,
    serviceId: (host: string) =>
      must(
        simulator.state.services.find(service => service.host === host && service.binary === 'nova-compute'),
        `${host} has nova-compute`,
      ).id,
  }
}

/** The body of a password login scoped to a project. */
export function passwordLogin(user: string, password: string, project: string) {
  return {
    auth: {
      identity: {
        methods: ['password'],
        password: { user: { name: user, domain: { name: 'Default' }, password } },
      },
      scope: { project: { name: project, domain: { id: 'default' } } },
    },
  }
}

/** Repeats a request until its answer is accepted; the failure shows the last answer. */
export async function until<T>(ask: () => Promise<T> | T, holds: (answer: T) => boolean): Promise<T> {
  const giveUpAt = Date.now() + 20_000
  for (;;) {
    const answer = await ask()
    if (holds(answer)) return answer
    if (Date.now() > giveUpAt) throw new Error(`still not so: ${JSON.stringify(answer)}`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
