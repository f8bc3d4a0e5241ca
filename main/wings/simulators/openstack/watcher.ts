import {
  type ApiAnswer,
  type ApiRequest,
  HTML_NOT_FOUND,
  middlewareUnauthorized,
  type ServiceHandler,
  tokenOf,
} from './http.ts'
import { findRoute } from './routes.ts'
import type { WatcherSeed } from './seed.ts'
import { watcherAudits } from './watcher-audits.ts'
import { watcherError } from './watcher-call.ts'
import { createWatcherEngine } from './watcher-engine.ts'
import { createWatcherFaults, type WatcherFaults } from './watcher-faults.ts'
import { strategies } from './watcher-goals.ts'
import { createWatcherNova } from './watcher-nova.ts'
import { watcherPlans } from './watcher-plans.ts'
import type { WatcherRecords } from './watcher-records.ts'
import type { World } from './world.ts'

/** The embedded Watcher as tests and scenarios use it. */
export interface Watcher {
  readonly records: WatcherRecords
  readonly faults: WatcherFaults
  /** Makes the decision engine read the cloud now. */
  readonly rebuildModel: () => void
  readonly handler: ServiceHandler
}

const ROUTES = [...watcherAudits, ...watcherPlans]

/** Makes Watcher behind /infra-optim, as recorded in API-EXAMPLES.md (docs/domain.md B.2); it acts through `nova`. */
export function createWatcher(world: World, nova: ServiceHandler, seed: WatcherSeed): Watcher {
  const records: WatcherRecords = { templates: [], audits: [], plans: [] }
  const faults = createWatcherFaults()
  const engine = createWatcherEngine({
    world,
    nova: createWatcherNova(world.cloud, nova),
    faults,
    records,
    oldPlanState: seed.oldPlanState ?? false,
    answersNova: seed.answersNova ?? false,
  })
  const known = strategies({
    canDisableMigration: seed.canDisableMigration ?? true,
    hasFigures: seed.hasFigures ?? true,
  })
  const maximum = seed.maxMicroversion ?? '1.5'
  const maxMinor = Number(maximum.split('.')[1])

  const handler: ServiceHandler = request => {
    const path = request.path.replace(/\/+$/, '')
    if (path === '') return { status: 200, json: versions(request, maximum) }
    const token = tokenOf(world.cloud, request)
    if (token === null) return middlewareUnauthorized(request)
    const minor = askedMinor(request, maxMinor)
    if (minor === null || minor > maxMinor)
      return withVersion(
        minor ?? 0,
        maximum,
        watcherError(
          406,
          `Version ${versionText(request)} was requested but the requested API version is not supported.`,
        ),
      )
    if (path === '/v1') return withVersion(minor, maximum, { status: 200, json: { id: 'v1' } })
    const route = path.startsWith('/v1/') ? findRoute(ROUTES, request.method, path.slice('/v1'.length)) : null
    if (route === null) return HTML_NOT_FOUND
    const { rule, answer } = route.to
    engine.expire()
    return withVersion(
      minor,
      maximum,
      token.user.role === 'admin'
        ? answer({
            request,
            minor,
            params: route.params,
            now: world.cloud.clock.now(),
            records,
            engine,
            strategies: known,
          })
        : watcherError(403, `Policy doesn't allow ${rule} to be performed.`),
    )
  }
  return { records, faults, rebuildModel: engine.rebuildModel, handler }
}

function versionText(request: ApiRequest): string {
  const parts = (request.header('openstack-api-version') ?? '').split(',').map(part => part.trim().split(/\s+/))
  return parts.find(part => part[0] === 'infra-optim')?.[1] ?? '1.0'
}

function askedMinor(request: ApiRequest, maxMinor: number): number | null {
  const text = versionText(request)
  if (text === 'latest') return maxMinor
  const match = /^1\.(\d+)$/.exec(text)
  return match === null ? null : Number(match[1])
}

function withVersion(minor: number, maximum: string, answer: ApiAnswer): ApiAnswer {
  return {
    ...answer,
    headers: {
      'openstack-api-version': `infra-optim 1.${minor}`,
      'openstack-api-minimum-version': '1.0',
      'openstack-api-maximum-version': maximum,
      ...answer.headers,
    },
  }
}

function versions(request: ApiRequest, maximum: string) {
  const v1 = {
    id: 'v1',
    status: 'CURRENT',
    max_version: maximum,
    min_version: '1.0',
    links: [{ href: `${request.base}/v1/`, rel: 'self' }],
  }
  return {
    name: 'OpenStack Watcher API',
    description:
      'Watcher is an OpenStack project which aims to improve physical resources usage through better VM placement.',
    versions: [v1],
    default_version: v1,
  }
}
