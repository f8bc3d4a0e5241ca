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

/** Decides the procedures (docs/domain.md). */
export const ClusterFlavour = z.enum(['plain', 'mosk', 'sunbeam'])
export type ClusterFlavour = z.infer<typeof ClusterFlavour>

/** Files stay in place and are read at every session start. */
export const KubeconfigSource = z.strictObject({
  /** One file, or several merged as kubectl does. Absolute paths. */
  paths: z.array(z.string()).min(1),
  context: z.string(),
})
export type KubeconfigSource = z.infer<typeof KubeconfigSource>

export const CloudSource = z.strictObject({
  /** Absolute path of clouds.yaml; secure.yaml is read from the same folder. */
  path: z.string(),
  cloud: z.string(),
})
export type CloudSource = z.infer<typeof CloudSource>

export const ClusterLimits = z.strictObject({
  migrationsPerSource: z.number().int().min(1).max(64),
  migrationAttempts: z.number().int().min(1).max(20),
  drainTimeoutMs: z.number().int().nonnegative(),
  /** How long bringing a node back waits for nova-compute and Neutron agents. */
  returnTimeoutMs: z.number().int().positive(),
})
export type ClusterLimits = z.infer<typeof ClusterLimits>

export const DEFAULT_LIMITS: ClusterLimits = {
  migrationsPerSource: 1,
  migrationAttempts: 3,
  drainTimeoutMs: 30 * 60_000,
  returnTimeoutMs: 300_000,
}

/** Colours tell clusters apart; none of them means a state, and the ones nearest to a state's are given last. */
export const ClusterColour = z.enum(['pink', 'lime', 'indigo', 'lemon', 'sky', 'sand', 'magenta', 'brown'])
export type ClusterColour = z.infer<typeof ClusterColour>

/** Colours of earlier versions; five of their names now mean a state. */
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

/** A cluster as the operator registered it: names and paths, never secrets. */
export const Cluster = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
      'letters, digits, dot, dash and underscore, starting with a letter or digit',
    ),
  flavour: ClusterFlavour,
  kubeconfig: KubeconfigSource,
  cloud: CloudSource.nullable(),
  roleLabels: RoleLabelRules,
  limits: ClusterLimits,
  openstackNamespace: z.string(),
  leaseNamespace: z.string(),
  /** Before disruptive work the operator must type the cluster's name. */
  production: z.boolean().default(false),
  colour: StoredColour,
  /** On flavour `mosk`. */
  maintenanceApi: z.preprocess(withLaterSettings, MaintenanceApiSettings),
  /** How compute and storage nodes are emptied and protected (docs/domain.md B, C). */
  roleMaintenance: RoleMaintenanceSettings.default(DEFAULT_ROLE_MAINTENANCE),
  /** Absent if never configured (see `signalsOf`). */
  signals: SignalSettings.optional(),
  addedAt: z.string(),
})
export type Cluster = z.infer<typeof Cluster>

export const SessionWarning = z.strictObject({
  code: z.enum(['tls-not-verified', 'plain-http']),
  values: z.record(z.string(), Json).optional(),
  message: z.string(),
})
export type SessionWarning = z.infer<typeof SessionWarning>

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

/** The operator's choice, else the next free colour in order of registration. */
export function coloursOf(
  clusters: Iterable<Pick<Cluster, 'name' | 'colour' | 'addedAt'>>,
): ReadonlyMap<string, ClusterColour> {
  const inOrder = [...clusters].sort((a, b) => a.addedAt.localeCompare(b.addedAt) || a.name.localeCompare(b.name))
  const colours = new Map(inOrder.flatMap(each => (each.colour === null ? [] : [[each.name, each.colour] as const])))
  for (const { name } of inOrder) if (!colours.has(name)) colours.set(name, freeColour([...colours.values()]))
  return colours
}

/** The least used colour; the first of several. */
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

/** How this cluster's compute nodes are emptied by default. */
export function strategyOf({
  flavour,
  roleMaintenance,
}: Pick<Cluster, 'flavour' | 'roleMaintenance'>): ComputeStrategy {
  return roleMaintenance.strategy ?? BY_FLAVOUR[flavour].strategy
}

export function cephAccessOf({ flavour, roleMaintenance }: Pick<Cluster, 'flavour' | 'roleMaintenance'>): CephAccess {
  return roleMaintenance.ceph ?? BY_FLAVOUR[flavour].ceph
}
