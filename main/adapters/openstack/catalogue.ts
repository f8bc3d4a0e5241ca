import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { type Finding, itemsOf, namesOf } from '../../../shared/words/steps/coded.ts'
import type { ResolvedCloud } from './resolved-cloud.ts'
import { SERVICES, type ServiceType } from './services.ts'

interface CatalogueEndpoint {
  readonly interface: string
  readonly region: string | null
  readonly url: string
}

export interface CatalogueEntry {
  readonly type: string
  readonly endpoints: readonly CatalogueEndpoint[]
}

/** The root of a service's API, without a slash at its end: from clouds.yaml, else from the catalogue by type, interface and region. */
export function endpointOf(
  service: ServiceType,
  catalogue: readonly CatalogueEntry[],
  cloud: Pick<
    ResolvedCloud,
    'name' | 'regionName' | 'interface' | 'otherInterfaces' | 'endpointOverrides' | 'ofServices'
  >,
): Result<string> {
  const { name, catalogueTypes, versionSegment } = SERVICES[service]
  const types = [service, ...catalogueTypes]
  const override = types.map(type => cloud.endpointOverrides[type]).find(url => url !== undefined)
  if (override !== undefined) return versionedRoot(override, versionSegment, name, cloud.name)
  const entry = types.map(type => catalogue.find(each => each.type === type)).find(each => each !== undefined)
  if (entry === undefined) {
    return failed(
      refusal('not-found', because('CloudListsNoService', { cloud: cloud.name, service: name, type: service }), {
        target: `cloud/${cloud.name}`,
      }),
    )
  }
  const said = types.map(type => cloud.ofServices?.[type])
  const ofService = said.find(each => each?.interface !== undefined)?.interface
  const face = ofService ?? cloud.interface
  const faces = ofService === undefined ? [face, ...(cloud.otherInterfaces ?? [])] : [face]
  const regionName = said.find(each => each?.region !== undefined)?.region ?? cloud.regionName
  const offered = entry.endpoints.filter(({ region }) => regionName === null || region === regionName)
  const inRegion =
    faces
      .map(each => offered.filter(({ interface: is }) => is === each || is === `${each}URL`))
      .find(found => found.length > 0) ?? []
  const regions = [...new Set(inRegion.map(({ region }) => region ?? 'none'))]
  const found = inRegion[0]
  if (found === undefined) {
    const wanted = { interface: face, region: regionName }
    const there = entry.endpoints.map(({ interface: is, region }) => ({ interface: is, region }))
    return failed(
      refusal(
        'not-found',
        because('ServiceHasNoSuchAddress', { cloud: cloud.name, service: name, wanted, offered: itemsOf(there) }),
        { target: `cloud/${cloud.name}` },
      ),
    )
  }
  if (regions.length > 1) {
    return failed(
      refusal(
        'bad-input',
        because('ServiceInSeveralRegions', { cloud: cloud.name, service: name, regions: namesOf(regions) }),
        {
          target: `cloud/${cloud.name}`,
        },
      ),
    )
  }
  return versionedRoot(found.url, versionSegment, name, cloud.name)
}

/** A catalogue address on another host than Keystone's, or less secure: tokens go there only with the operator's agreement. */
export interface ForeignEndpoint {
  readonly service: ServiceType
  readonly origin: string
  readonly keystone: string
}

/** What differs from Keystone's address (docs/decisions/0024): another host, or http instead of https. Another port, and an address from clouds.yaml, are trusted. */
export function foreignEndpoint(
  service: ServiceType,
  address: string,
  keystoneAddress: string,
  cloud: Pick<ResolvedCloud, 'endpointOverrides'>,
): ForeignEndpoint | null {
  const own = [service, ...SERVICES[service].catalogueTypes].some(type => cloud.endpointOverrides[type] !== undefined)
  const [to, from] = [new URL(address), new URL(keystoneAddress)]
  const isWeaker = from.protocol === 'https:' && to.protocol !== 'https:'
  if (own || (to.hostname === from.hostname && !isWeaker)) return null
  return { service, origin: to.origin, keystone: from.origin }
}

export function notAgreed(
  { service: type, origin, keystone }: ForeignEndpoint,
  cloud: string,
  { call, target }: { readonly call: Finding; readonly target?: string | undefined },
): Failure {
  const service = SERVICES[type].name
  const isOtherHost = new URL(origin).hostname !== new URL(keystone).hostname
  return refusal(
    'not-consented',
    because('TokenNotAgreedThere', { call, cloud, service, type, origin, keystone, isOtherHost }),
    { target },
  )
}

/** Cuts what follows the version (a project id), turns Nova's legacy v2 into v2.1, and adds a missing version. */
function versionedRoot(address: string, segment: string | null, service: string, cloud: string): Result<string> {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    return failed(refusal('bad-input', because('ServiceAddressWrong', { cloud, service })))
  }
  const url = new URL(address)
  const path = url.pathname.replace(/\/+$/, '')
  if (segment === null) return ok(`${url.origin}${path}`)
  const version = /\/v\d+(\.\d+)?(?=\/|$)/.exec(path)
  return ok(`${url.origin}${version === null ? path : path.slice(0, version.index)}/${segment}`)
}
