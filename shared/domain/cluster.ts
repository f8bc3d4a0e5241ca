import { z } from 'zod'
import { Json } from './json.ts'
import { MaintenanceApiSettings, withLaterSettings } from './maintenance-api.ts'
import {
  type CephAccess,
  type ComputeStrategy,
  DEFAULT_ROLE_MAINTENANCE,
  RoleMaintenanceSettings,
} from './role-maintenance.ts'
import { RoleLabelRules } from './roles.ts'
import { SignalSettings } from './signals.ts'

/** What kind of cloud it is, which decides the procedures: see docs. */
export const ClusterFlavour = z.enum(['plain', 'mosk', 'sunbeam'])
export type ClusterFlavour = z.infer<typeof ClusterFlavour>

/** Where a cluster's Kubernetes credentials are: files stay where they are and are read at every session start. */
export const KubeconfigSource = z.strictObject({
  /** One file, or several merged as kubectl does. Absolute paths. */
  paths: z.array(z.string()).min(1),
  context: z.string(),
})
export type KubeconfigSource = z.infer<typeof KubeconfigSource>

/** Where a cluster's OpenStack credentials are. */
export const CloudSource = z.strictObject({
  /** Absolute path of clouds.yaml; secure.yaml is looked for beside it. */
  path: z.string(),
  cloud: z.string(),
})
export type CloudSource = z.infer<typeof CloudSource>

/** How much may happen at once on a cluster. */
export const ClusterLimits = z.strictObject({
  /** Live migrations at once per source host. */
  migrationsPerSource: z.number().int().min(1).max(64),
  /** Attempts an instance gets when neither the operator nor the node says otherwise. */
  migrationAttempts: z.number().int().min(1).max(20),
  /** Give up a drain after this; 0 never. */
  drainTimeoutMs: z.number().int().nonnegative(),
  /** Wait for nova-compute and Neutron agents on the way back. */
  returnTimeoutMs: z.number().int().positive(),
})
export type ClusterLimits = z.infer<typeof ClusterLimits>

export const DEFAULT_LIMITS: ClusterLimits = {
  migrationsPerSource: 1,
  migrationAttempts: 3,
  drainTimeoutMs: 30 * 60_000,
  returnTimeoutMs: 300_000,
}

/** The colours by which operators tell clusters apart at a glance, none of which means a state; the screen has a light and a dark tone of each. */
export const ClusterColour = z.enum(['pink', 'lime', 'indigo', 'lemon', 'sky', 'brown', 'magenta', 'sand'])
export type ClusterColour = z.infer<typeof ClusterColour>

/** What an earlier version called a cluster's colour: five of these now mean a state. */
const EARLIER_COLOURS: Readonly<Record<string, ClusterColour>> = {
  teal: 'sky',
  blue: 'indigo',
  violet: 'magenta',
  red: 'brown',
  orange: 'sand',
  gold: 'lemon',
  green: 'lime',
}

const StoredColour = z.preprocess(
  value => (typeof value === 'string' ? (EARLIER_COLOURS[value] ?? value) : value),
  ClusterColour.nullable().default(null),
)

/** A cluster as registered by the operator. Holds names and paths, never secrets. */
export const Cluster = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
      'letters, digits, dot, dash and underscore, starting with a letter or digit',
    ),
  flavour: ClusterFlavour,
  kubeconfig: KubeconfigSource,
  /** Absent: a Kubernetes-only cluster; compute steps are then impossible and say so. */
  cloud: CloudSource.nullable(),
  roleLabels: RoleLabelRules,
  limits: ClusterLimits,
  /** Namespace of the OpenStack pods. */
  openstackNamespace: z.string(),
  /** Namespace in which Leases of Lockkeeper are kept. */
  leaseNamespace: z.string(),
  /** Marked by the operator: before anything disruptive starts, the cluster's name is to be typed. */
  production: z.boolean().default(false),
  /** Null: the operator chose none; see `coloursOf`. */
  colour: StoredColour,
  /** How the node maintenance API is used; of flavour `mosk`. */
  maintenanceApi: z.preprocess(withLaterSettings, MaintenanceApiSettings),
  /** How compute and storage nodes are emptied and protected, by role (docs/domain.md B, C). */
  roleMaintenance: RoleMaintenanceSettings.default(DEFAULT_ROLE_MAINTENANCE),
  /** What of its runs is told to the outside; absent: nothing was ever asked for (see `signalsOf`). */
  signals: SignalSettings.optional(),
  addedAt: z.string(),
})
export type Cluster = z.infer<typeof Cluster>

/** How safe the connection is; shown wherever the cluster is. `values`: what its message names. */
export const SessionWarning = z.strictObject({
  code: z.enum(['tls-not-verified', 'plain-http']),
  values: z.record(z.string(), Json).optional(),
  message: z.string(),
})
export type SessionWarning = z.infer<typeof SessionWarning>

/** What the operator may change of a registered cluster; its name stays. */
export const ClusterChange = z
  .strictObject({
    flavour: ClusterFlavour,
    kubeconfig: KubeconfigSource,
    cloud: CloudSource.nullable(),
    roleLabels: RoleLabelRules,
    limits: ClusterLimits,
    openstackNamespace: z.string().min(1),
    leaseNamespace: z.string().min(1),
    production: z.boolean(),
    colour: ClusterColour.nullable(),
    maintenanceApi: MaintenanceApiSettings,
    roleMaintenance: RoleMaintenanceSettings,
  })
  .partial()
export type ClusterChange = z.infer<typeof ClusterChange>

/**
 * The colour each cluster is shown in, by name: the operator's choice, else the next that no other cluster has, in the order in
 * which the clusters were registered. With more clusters than colours the colours begin anew.
 */
export function coloursOf(
  clusters: Iterable<Pick<Cluster, 'name' | 'colour' | 'addedAt'>>,
): ReadonlyMap<string, ClusterColour> {
  const inOrder = [...clusters].sort((a, b) => a.addedAt.localeCompare(b.addedAt) || a.name.localeCompare(b.name))
  const colours = new Map(inOrder.flatMap(each => (each.colour === null ? [] : [[each.name, each.colour] as const])))
  for (const { name } of inOrder) if (!colours.has(name)) colours.set(name, freeColour([...colours.values()]))
  return colours
}

/** The colour that is worn least; the first of several. */
export function freeColour(worn: readonly ClusterColour[]): ClusterColour {
  const times = (colour: ClusterColour) => worn.filter(each => each === colour).length
  return ClusterColour.options.reduce((best, each) => (times(each) < times(best) ? each : best))
}

const BY_FLAVOUR: Readonly<Record<ClusterFlavour, { readonly strategy: ComputeStrategy; readonly ceph: CephAccess }>> =
  {
    plain: { strategy: 'nova', ceph: 'none' },
    mosk: { strategy: 'nova', ceph: 'toolbox' },
    sunbeam: { strategy: 'watcher', ceph: 'microceph' },
  }

/** Who empties this cluster's compute nodes when the operator says nothing. */
export function strategyOf({
  flavour,
  roleMaintenance,
}: Pick<Cluster, 'flavour' | 'roleMaintenance'>): ComputeStrategy {
  return roleMaintenance.strategy ?? BY_FLAVOUR[flavour].strategy
}

/** How this cluster's Ceph is asked. */
export function cephAccessOf({ flavour, roleMaintenance }: Pick<Cluster, 'flavour' | 'roleMaintenance'>): CephAccess {
  return roleMaintenance.ceph ?? BY_FLAVOUR[flavour].ceph
}
