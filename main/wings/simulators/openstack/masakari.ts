import type { Cloud, FailoverSegment, FailureNotification, SegmentHost } from './cloud.ts'
import {
  type ApiAnswer,
  type ApiRequest,
  asObject,
  HTML_NOT_FOUND,
  middlewareUnauthorized,
  type ServiceHandler,
  tokenOf,
} from './http.ts'
import { findRoute, type Route } from './routes.ts'
import { secondsTime } from './times.ts'

interface MasakariCall {
  readonly cloud: Cloud
  readonly request: ApiRequest
  readonly params: Readonly<Record<string, string>>
}

/** Answers one call; `rule` is its oslo.policy name. */
interface MasakariRoute {
  readonly rule: string
  readonly answer: (call: MasakariCall) => ApiAnswer
}

const UNFINISHED: ReadonlySet<string> = new Set(['new', 'running', 'error'])
const MOST_ROWS = 1000

const ROUTES: readonly Route<MasakariRoute>[] = [
  {
    method: 'GET',
    path: '/segments',
    to: {
      rule: 'os_masakari_api:segments:index',
      answer: ({ cloud, request }) => page(request, 'segments', cloud.segments, ({ id }) => id, segmentView),
    },
  },
  {
    method: 'GET',
    path: '/segments/:segment/hosts',
    to: {
      rule: 'os_masakari_api:os-hosts:index',
      answer: call => {
        const segment = segmentOf(call)
        if (segment === undefined) return noSegment(call)
        return page(
          call.request,
          'hosts',
          segment.hosts,
          ({ id }) => id,
          host => hostView(segment, host),
        )
      },
    },
  },
  {
    method: 'PUT',
    path: '/segments/:segment/hosts/:host',
    to: { rule: 'os_masakari_api:os-hosts:update', answer: updateHost },
  },
  {
    method: 'GET',
    path: '/notifications',
    to: {
      rule: 'os_masakari_api:notifications:index',
      answer: ({ cloud, request }) => {
        const wanted = (name: string, value: string) => (request.query.get(name) ?? value) === value
        const asked = cloud.segments
          .flatMap(({ notifications }) => notifications)
          .filter(each => wanted('source_host_uuid', each.hostId) && wanted('status', each.status))
        return page(request, 'notifications', asked, ({ id }) => id, notificationView)
      },
    },
  },
]

/** Makes Masakari behind /instance-ha, after its sources (docs/domain.md B.3). No monitor reports failures: tests write notifications. */
export function createMasakari(cloud: Cloud): ServiceHandler {
  return request => {
    if (cloud.segments.length === 0) return HTML_NOT_FOUND
    const token = tokenOf(cloud, request)
    if (token === null) return middlewareUnauthorized(request)
    // A client may omit the project in the path (masakari/api/openstack/__init__.py, ProjectMapper).
    const path = request.path.replace(/\/+$/, '').replace(/^\/v1(\/[0-9a-f-]{32,36})?/, '')
    const route = request.path.startsWith('/v1') ? findRoute(ROUTES, request.method, path) : null
    if (route === null) return HTML_NOT_FOUND
    const { rule, answer } = route.to
    if (token.user.role !== 'admin') return refusal(403, 'forbidden', `Policy doesn't allow ${rule} to be performed.`)
    return answer({ cloud, request, params: route.params })
  }
}

/** Checks in Masakari's order: schema, segment, host, recovery of the segment. */
function updateHost(call: MasakariCall): ApiAnswer {
  const wanted = asObject(asObject(call.request.body).host).on_maintenance
  if (typeof wanted !== 'boolean') {
    return refusal(400, 'badRequest', 'Invalid input for field/attribute host. Value: {}.')
  }
  const segment = segmentOf(call)
  if (segment === undefined) return noSegment(call)
  const host = segment.hosts.find(({ id }) => id === call.params.host)
  if (host === undefined) {
    return refusal(404, 'itemNotFound', `No host with id ${call.params.host ?? ''}.`)
  }
  if (segment.notifications.some(({ status }) => UNFINISHED.has(status))) {
    const message = `Host ${host.id} can't be updated as it is in-use to process notifications.`
    return refusal(409, 'conflictingRequest', message)
  }
  host.onMaintenance = wanted
  host.updatedAt = call.cloud.clock.now()
  return { status: 200, json: { host: hostView(segment, host) } }
}

function segmentOf({ cloud, params }: MasakariCall): FailoverSegment | undefined {
  return cloud.segments.find(({ id }) => id === params.segment)
}

function noSegment({ params }: MasakariCall): ApiAnswer {
  return refusal(404, 'itemNotFound', `No failover segment with id ${params.segment ?? ''}.`)
}

function refusal(status: number, name: string, message: string): ApiAnswer {
  return { status, json: { [name]: { code: status, message } } }
}

function page<T>(
  request: ApiRequest,
  collection: string,
  rows: readonly T[],
  idOf: (row: T) => string,
  view: (row: T) => unknown,
): ApiAnswer {
  const limit = Number(request.query.get('limit') ?? MOST_ROWS)
  const marker = request.query.get('marker')
  const at = marker === null ? 0 : rows.findIndex(row => idOf(row) === marker) + 1
  if (marker !== null && at === 0) return refusal(400, 'badRequest', `Marker ${marker} could not be found.`)
  return { status: 200, json: { [collection]: rows.slice(at, at + Math.min(limit, MOST_ROWS)).map(view) } }
}

function segmentView({ number, id, name }: FailoverSegment) {
  return {
    id: number,
    uuid: id,
    name,
    service_type: 'compute',
    recovery_method: 'auto',
    description: null,
    enabled: true,
    deleted: false,
  }
}

function hostView(segment: FailoverSegment, { number, id, name, onMaintenance, updatedAt }: SegmentHost) {
  return {
    id: number,
    uuid: id,
    name,
    failover_segment_id: segment.id,
    failover_segment: segmentView(segment),
    type: 'COMPUTE_HOST',
    reserved: false,
    control_attributes: 'SSH',
    on_maintenance: onMaintenance,
    updated_at: updatedAt === null ? null : secondsTime(updatedAt),
    deleted: false,
  }
}

function notificationView({ id, hostId, type, generatedAt, status }: FailureNotification) {
  return {
    notification_uuid: id,
    source_host_uuid: hostId,
    type,
    status,
    generated_time: secondsTime(generatedAt),
    payload: { event: 'STOPPED' },
  }
}
