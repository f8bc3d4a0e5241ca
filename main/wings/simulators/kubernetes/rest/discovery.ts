import type { SimulatedCluster } from '../simulated-cluster.ts'
import { type ApiType, groupVersionOf } from '../store/api-type.ts'
import type { Json, JsonObject } from '../store/json.ts'

/** Returns the discovery document of `/api`, `/apis`, `/apis/GROUP`, `/apis/GROUP/VERSION` or `/version`; null for another path. */
export function discoveryDocument(cluster: SimulatedCluster, path: string): JsonObject | null {
  const parts = path.split('/').filter(part => part !== '')
  const [root, group, version] = parts
  if (root === 'version' && parts.length === 1) return versionDocument(cluster.release.version)
  if (root === 'api' && parts.length === 1) {
    return { kind: 'APIVersions', apiVersion: 'v1', versions: ['v1'], serverAddressByClientCIDRs: [] }
  }
  if (root === 'api' && parts.length === 2) return resourceList(cluster, '', group ?? '')
  if (root !== 'apis') return null
  if (parts.length === 1) return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups(cluster) }
  if (parts.length === 2) {
    const found = groups(cluster).find(one => one.name === group)
    return found === undefined ? null : { kind: 'APIGroup', apiVersion: 'v1', ...found }
  }
  return parts.length === 3 ? resourceList(cluster, group ?? '', version ?? '') : null
}

function versionDocument(gitVersion: string): JsonObject {
  const [, major = '1', minor = '0'] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? []
  return {
    major,
    minor,
    gitVersion,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '2025-01-01T00:00:00Z',
    goVersion: 'go1.23',
    compiler: 'gc',
    platform: 'linux/amd64',
  }
}

function groups(cluster: SimulatedCluster): readonly JsonObject[] {
  const versions = new Map<string, string[]>()
  for (const type of cluster.catalog.types()) {
    if (type.group === '') continue
    const known = versions.get(type.group) ?? []
    if (!known.includes(type.version)) versions.set(type.group, [...known, type.version])
  }
  return [...versions].map(([name, list]) => {
    const described = list.map(version => ({ groupVersion: `${name}/${version}`, version }))
    return { name, versions: described, preferredVersion: described[0] ?? null }
  })
}

function resourceList(cluster: SimulatedCluster, group: string, version: string): JsonObject | null {
  const types = cluster.catalog.types().filter(type => type.group === group && type.version === version)
  if (types.length === 0) return null
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources: types.flatMap(type => [
      resource(type),
      ...type.subresources.map(name => subresource(cluster, type, name)),
    ]),
  }
}

function resource(type: ApiType): Json {
  return {
    name: type.plural,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
  }
}

function subresource(cluster: SimulatedCluster, type: ApiType, name: string): Json {
  const base = { name: `${type.plural}/${name}`, singularName: '', namespaced: type.namespaced }
  switch (name) {
    case 'eviction':
      return { ...base, group: 'policy', version: cluster.release.policy, kind: 'Eviction', verbs: ['create'] }
    case 'scale':
      return { ...base, group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] }
    case 'log':
      return { ...base, kind: type.kind, verbs: ['get'] }
    case 'exec':
      return { ...base, kind: 'PodExecOptions', verbs: ['create', 'get'] }
    case 'finalize':
      return { ...base, kind: type.kind, verbs: ['update'] }
    default:
      return { ...base, kind: type.kind, verbs: ['get', 'patch', 'update'] }
  }
}

/** Returns the OpenAPI v3 root with a document for each group and version; kubectl reads it to learn whether the server validates writes. */
export function openApiRoot(cluster: SimulatedCluster): JsonObject {
  const paths = new Set(cluster.catalog.types().map(type => openApiPath(type)))
  return {
    paths: Object.fromEntries([...paths].map(path => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=demo` }])),
  }
}

/** Returns an OpenAPI v3 document without schemas: `fieldValidation` on every PATCH keeps `kubectl apply` from downloading schemas. */
export function openApiDocument(cluster: SimulatedCluster, path: string): JsonObject | null {
  const types = cluster.catalog.types().filter(type => openApiPath(type) === path)
  if (types.length === 0) return null
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation'].map(name => ({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  }))
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: cluster.release.version },
    paths: Object.fromEntries(
      types.map(type => [
        `/${path}/${type.namespaced ? 'namespaces/{namespace}/' : ''}${type.plural}/{name}`,
        {
          patch: {
            parameters,
            responses: { 200: { description: 'OK' } },
            'x-kubernetes-action': 'patch',
            'x-kubernetes-group-version-kind': { group: type.group, version: type.version, kind: type.kind },
          },
        },
      ]),
    ),
    components: { schemas: {} },
  }
}

function openApiPath(type: ApiType): string {
  return type.group === '' ? `api/${type.version}` : `apis/${groupVersionOf(type)}`
}
