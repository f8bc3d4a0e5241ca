import type { AddressInfo } from 'node:net'
import { stringify } from 'yaml'
import { must } from '../../../../shared/domain/must.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { type createApiFront, createApiServer, type LoggedRequest } from './api-server.ts'
import { buildCloud } from './build-cloud.ts'
import { createCinder } from './cinder.ts'
import type { Cloud } from './cloud.ts'
import { cleanUpEvacuated } from './evacuate.ts'
import { createFaults, type Faults } from './faults.ts'
import { createGlance } from './glance.ts'
import { HTML_NOT_FOUND } from './http.ts'
import { createKeystone } from './keystone.ts'
import { createMasakari } from './masakari.ts'
import { createMigrationSlots } from './migration-slots.ts'
import { createNeutron } from './neutron.ts'
import { createNova } from './nova.ts'
import { createPlacement } from './placement.ts'
import type { OpenStackSeed } from './seed.ts'
import { DEFAULT_TIMINGS, spedUp, type Timings } from './timings.ts'
import { createWatcher, type Watcher } from './watcher.ts'
import type { World } from './world.ts'

export interface OpenStackSimulatorOptions {
  readonly clock: Clock
  /** The port on 127.0.0.1; by default any free port. */
  readonly port?: number
  readonly seed: OpenStackSeed
  /** Overrides DEFAULT_TIMINGS; `speed` then divides all of them. */
  readonly timings?: Partial<Timings> & { readonly speed?: number }
  /** Lifetime of a token; the default is Keystone's, one hour. */
  readonly tokenSeconds?: number
  /** Nova's newest microversion; the default is 2.93 (Zed). */
  readonly computeMaxMicroversion?: string
}

export interface OpenStackSimulator {
  readonly authUrl: string
  /** Returns a clouds.yaml with the first admin's cloud, and `<name>-<user>` for each other user. */
  readonly cloudsYaml: (cloudName: string) => string
  readonly state: Cloud
  readonly faults: Faults
  readonly timings: Timings
  readonly watcher: Watcher | null
  readonly log: readonly LoggedRequest[]
  /** Closes the port and ends all background work; the cloud no longer changes afterwards. */
  readonly stop: () => Promise<void>
}

interface OpenStackCore extends Pick<OpenStackSimulator, 'state' | 'faults' | 'timings' | 'watcher' | 'log'> {
  readonly parts: Parameters<typeof createApiFront>[0]
  /** Ends all background work; the cloud no longer changes afterwards. */
  readonly stop: () => Promise<void>
}

/** Makes the services of a seed. */
export function createOpenStackCore(options: Omit<OpenStackSimulatorOptions, 'port'>): OpenStackCore {
  const { clock, seed } = options
  const { speed = 1, ...overrides } = options.timings ?? {}
  const timings = spedUp({ ...DEFAULT_TIMINGS, ...overrides }, speed)
  const cloud = buildCloud(seed, clock, timings)
  const faults = createFaults(cloud, host => world.spawn(cleanUpEvacuated(world, host)))
  const ending = new AbortController()
  const underWay = new Set<Promise<void>>()
  const maximum = options.computeMaxMicroversion ?? '2.93'
  const world: World = {
    cloud,
    faults,
    timings,
    slots: createMigrationSlots(() => cloud.maxConcurrentLiveMigrations),
    signal: ending.signal,
    novaMinor: Number(maximum.split('.')[1]),
    spawn: work => {
      underWay.add(work)
      work.finally(() => underWay.delete(work))
    },
  }
  const nova = createNova(world, maximum)
  const watcher = seed.watcher === undefined ? null : createWatcher(world, nova, seed.watcher)
  const log: LoggedRequest[] = []
  return {
    state: cloud,
    faults,
    timings,
    watcher,
    log,
    parts: {
      cloud,
      faults,
      log,
      signal: ending.signal,
      services: {
        identity: createKeystone(cloud, options.tokenSeconds ?? 3600),
        compute: nova,
        network: createNeutron(world),
        placement: createPlacement(cloud),
        image: createGlance(cloud),
        volume: createCinder(cloud, seed.controllers),
        'infra-optim': watcher?.handler ?? (() => HTML_NOT_FOUND),
        'instance-ha': createMasakari(cloud),
      },
    },
    stop: async () => {
      ending.abort()
      await Promise.all(underWay)
    },
  }
}

/** Starts the services of a seed behind one port on 127.0.0.1; Watcher and Masakari only if the seed has them. */
export async function startOpenStackSimulator(options: OpenStackSimulatorOptions): Promise<OpenStackSimulator> {
  const { parts, stop, ...core } = createOpenStackCore(options)
  const server = createApiServer(parts)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const authUrl = `http://127.0.0.1:${port}/identity/v3`

  return {
    ...core,
    authUrl,
    cloudsYaml: cloudName => cloudsYaml(core.state, authUrl, cloudName),
    stop: async () => {
      const stopped = stop()
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      await stopped
    },
  }
}

function cloudsYaml(cloud: Cloud, authUrl: string, cloudName: string): string {
  const first = must(
    cloud.users.find(user => user.role === 'admin'),
    'the seed has an admin',
  )
  const entries = cloud.users.map(user => [
    user === first ? cloudName : `${cloudName}-${user.name}`,
    {
      region_name: cloud.region,
      identity_api_version: 3,
      auth: {
        auth_url: authUrl,
        username: user.name,
        password: user.password,
        project_name: cloud.projects.find(project => project.id === user.projectId)?.name,
        user_domain_name: 'Default',
        project_domain_name: 'Default',
      },
    },
  ])
  return stringify({ clouds: Object.fromEntries(entries) })
}
