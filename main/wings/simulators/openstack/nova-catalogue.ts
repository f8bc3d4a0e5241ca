import type { Flavor } from './cloud.ts'
import type { ApiAnswer } from './http.ts'
import { type NovaCall, type NovaHandler, novaError } from './nova-call.ts'
import type { Route } from './routes.ts'

/** Flavors and limits that the openstack client reads when it lists servers. */
export const novaCatalogue: readonly Route<NovaHandler>[] = [
  { method: 'GET', path: '/flavors', to: call => flavors(call, shortView) },
  { method: 'GET', path: '/flavors/detail', to: call => flavors(call, fullView) },
  { method: 'GET', path: '/flavors/:id', to: flavor },
  { method: 'GET', path: '/flavors/:id/os-extra_specs', to: extraSpecs },
  { method: 'GET', path: '/limits', to: limits },
]

function flavors(call: NovaCall, view: (call: NovaCall, flavor: Flavor) => unknown): ApiAnswer {
  return { status: 200, json: { flavors: call.world.cloud.flavors.map(each => view(call, each)) } }
}

function withFlavor(call: NovaCall, view: (flavor: Flavor) => unknown): ApiAnswer {
  const id = call.params.id ?? ''
  const found = call.world.cloud.flavors.find(each => each.id === id)
  return found === undefined ? novaError(404, `Flavor ${id} could not be found.`) : { status: 200, json: view(found) }
}

function flavor(call: NovaCall): ApiAnswer {
  return withFlavor(call, found => ({ flavor: fullView(call, found) }))
}

function extraSpecs(call: NovaCall): ApiAnswer {
  return withFlavor(call, found => ({ extra_specs: found.extraSpecs }))
}

function links(call: NovaCall, { id }: Flavor) {
  return [
    { rel: 'self', href: `${call.request.base}/v2.1/flavors/${id}` },
    { rel: 'bookmark', href: `${call.request.base}/flavors/${id}` },
  ]
}

function shortView(call: NovaCall, each: Flavor) {
  return {
    id: each.id,
    name: each.name,
    links: links(call, each),
    ...(call.minor >= 55 ? { description: null } : {}),
  }
}

function fullView(call: NovaCall, each: Flavor) {
  return {
    id: each.id,
    name: each.name,
    ram: each.ramMib,
    disk: each.diskGib,
    swap: call.minor >= 75 ? 0 : '',
    'OS-FLV-EXT-DATA:ephemeral': each.ephemeralGib,
    'OS-FLV-DISABLED:disabled': false,
    vcpus: each.vcpus,
    'os-flavor-access:is_public': true,
    rxtx_factor: 1.0,
    links: links(call, each),
    ...(call.minor >= 55 ? { description: null } : {}),
    ...(call.minor >= 61 ? { extra_specs: each.extraSpecs } : {}),
  }
}

function limits(call: NovaCall): ApiAnswer {
  const own = [...call.world.cloud.servers.values()].filter(server => server.projectId === call.token.projectId)
  const sum = (of: (flavor: Flavor) => number) => own.reduce((total, server) => total + of(server.flavor), 0)
  return {
    status: 200,
    json: {
      limits: {
        rate: [],
        absolute: {
          maxTotalInstances: 1000,
          maxTotalCores: 4000,
          maxTotalRAMSize: 8_000_000,
          maxServerMeta: 128,
          maxTotalKeypairs: 100,
          maxServerGroups: 10,
          maxServerGroupMembers: 10,
          totalRAMUsed: sum(each => each.ramMib),
          totalCoresUsed: sum(each => each.vcpus),
          totalInstancesUsed: own.length,
          totalServerGroupsUsed: call.world.cloud.groups.filter(group => group.projectId === call.token.projectId)
            .length,
        },
      },
    },
  }
}
