import type { Cloud } from './cloud.ts'
import { type ApiAnswer, asObject } from './http.ts'
import { novaTime } from './times.ts'

interface VolumeService {
  readonly binary: 'cinder-scheduler' | 'cinder-volume'
  readonly host: string
  enabled: boolean
  disabledReason: string | null
}

/** The services of Cinder: a scheduler and a volume service (backend `ceph`) on every controller. */
interface CinderServices {
  /** GET os-services, filtered by the query's binary or host. */
  list(query: URLSearchParams): ApiAnswer
  /** PUT os-services/<verb>: enable, disable or disable-log-reason; null for another verb. */
  change(verb: string, body: unknown): ApiAnswer | null
}

/** Makes the services, all enabled. */
export function createCinderServices(cloud: Cloud, controllers: readonly string[]): CinderServices {
  const service = (binary: VolumeService['binary'], host: string): VolumeService => ({
    binary,
    host,
    enabled: true,
    disabledReason: null,
  })
  const services = controllers.flatMap(host => [
    service('cinder-scheduler', host),
    service('cinder-volume', `${host}@ceph`),
  ])
  return {
    list: query => ({
      status: 200,
      json: {
        services: services.filter(isWanted(query)).map(({ binary, host, enabled, disabledReason }) => ({
          binary,
          host,
          zone: 'nova',
          status: enabled ? 'enabled' : 'disabled',
          state: 'up',
          updated_at: novaTime(cloud.clock.now()),
          disabled_reason: disabledReason,
        })),
      },
    }),
    change(verb, body) {
      if (!['enable', 'disable', 'disable-log-reason'].includes(verb)) return null
      const { binary, host, disabled_reason: reason } = asObject(body)
      const found = services.find(one => one.binary === binary && one.host === host)
      if (found === undefined) {
        const message = `Service ${String(binary)} could not be found on host ${String(host)}.`
        return { status: 404, json: { itemNotFound: { code: 404, message } } }
      }
      found.enabled = verb === 'enable'
      found.disabledReason = verb === 'disable-log-reason' && typeof reason === 'string' ? reason : null
      const status = found.enabled ? 'enabled' : 'disabled'
      const service = { host, service: '', disabled: !found.enabled, binary, status }
      return { status: 200, json: found.enabled ? service : { ...service, disabled_reason: found.disabledReason } }
    },
  }
}

function isWanted(query: URLSearchParams): (service: VolumeService) => boolean {
  const binary = query.get('binary')
  const host = query.get('host')
  return service => (binary === null || service.binary === binary) && (host === null || service.host === host)
}
