import type { Cluster } from '../domain/cluster.ts'
import { isSameJson } from '../domain/is-same-json.ts'
import type { JujuAccess } from '../domain/role-maintenance.ts'
import { signalsOf } from '../domain/signals.ts'
import { signalSettingsWords } from './signals.ts'

/** The changed settings of a cloud, before and after, in short words for the journal; null if there is no change. */
export function describeChange(
  before: Cluster,
  after: Cluster,
): { readonly before: string; readonly after: string } | null {
  const changed = SETTINGS.filter(name => !isSameJson(before[name], after[name]))
  if (changed.length === 0) return null
  const words = (cluster: Cluster) => changed.map(name => `${NAMES[name]}: ${wordsOf(cluster, name)}`).join('; ')
  return { before: words(before), after: words(after) }
}

/** A cloud in short words for the journal. */
export function describeCluster(cluster: Cluster): string {
  return SETTINGS.filter(
    name =>
      name !== 'limits' &&
      name !== 'roleLabels' &&
      name !== 'maintenanceApi' &&
      name !== 'roleMaintenance' &&
      name !== 'signals',
  )
    .map(name => `${NAMES[name]}: ${wordsOf(cluster, name)}`)
    .join('; ')
}

type Setting = Exclude<keyof Cluster, 'name' | 'addedAt'>

const NAMES: Readonly<Record<Setting, string>> = {
  flavour: 'flavour',
  kubeconfig: 'kubeconfig',
  cloud: 'cloud',
  roleLabels: 'role labels',
  limits: 'limits',
  openstackNamespace: 'namespace of OpenStack',
  leaseNamespace: 'namespace of Leases',
  production: 'production',
  colour: 'colour',
  maintenanceApi: 'node maintenance API',
  roleMaintenance: 'maintenance by roles',
  signals: 'signals',
}
const SETTINGS = [
  'flavour',
  'kubeconfig',
  'cloud',
  'roleLabels',
  'limits',
  'openstackNamespace',
  'leaseNamespace',
  'production',
  'colour',
  'maintenanceApi',
  'roleMaintenance',
  'signals',
] as const satisfies readonly Setting[]

function wordsOf(cluster: Cluster, name: Setting): string {
  switch (name) {
    case 'kubeconfig':
      return `${cluster.kubeconfig.context} of ${cluster.kubeconfig.paths.join(', ')}`
    case 'cloud':
      return cluster.cloud === null ? 'none' : `${cluster.cloud.cloud} of ${cluster.cloud.path}`
    case 'roleLabels':
      return Object.entries(cluster.roleLabels)
        .map(([role, label]) => `${role} ${JSON.stringify(label)}`)
        .join(', ')
    case 'limits':
      return Object.entries(cluster.limits)
        .map(([limit, value]) => `${limit} ${value}`)
        .join(', ')
    case 'maintenanceApi':
      return Object.entries({ ...cluster.maintenanceApi, ...cluster.maintenanceApi.controllers })
        .filter(([setting]) => setting !== 'controllers')
        .map(([setting, value]) => `${setting} ${value ?? 'none'}`)
        .join(', ')
    case 'roleMaintenance':
      return roleWords(cluster.roleMaintenance)
    case 'signals':
      return signalSettingsWords(signalsOf(cluster))
    case 'production':
      return cluster.production ? 'yes' : 'no'
    case 'colour':
      return cluster.colour ?? 'chosen by the console'
    default:
      return cluster[name]
  }
}

function roleWords({ strategy, ceph, cephServicesRule, juju }: Cluster['roleMaintenance']): string {
  return [
    `strategy ${strategy ?? 'by flavour'}`,
    `ceph ${ceph ?? 'by flavour'}`,
    `cephServicesRule ${cephServicesRule ?? 'by flavour'}`,
    `juju ${juju === null ? 'none' : jujuWords(juju)}`,
  ].join(', ')
}

function jujuWords(juju: JujuAccess): string {
  return juju.kind === 'client-files'
    ? `${juju.controller} of ${juju.directory}, model ${juju.model}`
    : `${juju.endpoints.join(' ')} as ${juju.user}, model ${juju.model}`
}
