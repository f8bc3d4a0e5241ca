import { z } from 'zod'
import {
  type Cluster,
  ClusterColour,
  ClusterFlavour,
  ClusterLimits,
  DEFAULT_LIMITS,
} from '../../../shared/domain/cluster.ts'
import { jsonOf } from '../../../shared/domain/json.ts'
import { DEFAULT_MAINTENANCE_API, MaintenanceApiSettings } from '../../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_MAINTENANCE, RoleMaintenanceSettings } from '../../../shared/domain/role-maintenance.ts'
import { DEFAULT_ROLE_LABELS, RoleLabelRules } from '../../../shared/domain/roles.ts'
import { because } from '../../../shared/words/reasons.ts'
import { type Finding, namesOf } from '../../../shared/words/steps/coded.ts'
import { CERTIFICATE_KEYS, podAccessOfClouds, podAccessOfKubeconfig } from './own-files.ts'
import type { CloudSecret } from './ports/cloud-secrets.ts'

/** The settings of a cloud in its Secret, besides credentials: the same as for a cluster on a console, each optional. */
const Settings = z
  .strictObject({
    flavour: ClusterFlavour,
    roleLabels: RoleLabelRules.partial(),
    limits: ClusterLimits.partial(),
    openstackNamespace: z.string().min(1),
    leaseNamespace: z.string().min(1),
    production: z.boolean(),
    colour: ClusterColour.nullable(),
    maintenanceApi: MaintenanceApiSettings.partial(),
    roleMaintenance: RoleMaintenanceSettings.partial(),
  })
  .partial()

/** Keys of a Secret that are read; others are refused, because they would seem to have an effect. */
const KEYS: ReadonlySet<string> = new Set(['clouds.yaml', 'kubeconfig', 'cloud', 'settings.json', ...CERTIFICATE_KEYS])

export interface DescribedCloud {
  readonly cloud: string
  /** Null if the cloud has no OpenStack. */
  readonly openstack: {
    readonly text: string
    /** The name of the cloud in its clouds.yaml. */
    readonly name: string
    /** Certificates that it may name, by their keys. */
    readonly certificates: Readonly<Record<string, string>>
  } | null
  /** Text of its kubeconfig; null if it is the runner's own Kubernetes. */
  readonly kubeconfig: string | null
  readonly settings: Pick<
    Cluster,
    | 'flavour'
    | 'roleLabels'
    | 'limits'
    | 'openstackNamespace'
    | 'leaseNamespace'
    | 'production'
    | 'colour'
    | 'maintenanceApi'
    | 'roleMaintenance'
  >
}

/** Reads the Secret of a cloud. A failure names the unusable key, never its value. */
export function describeCloud({
  name,
  cloud,
  data,
}: Pick<CloudSecret, 'name' | 'cloud' | 'data'>): DescribedCloud | { readonly unusable: Finding } {
  const unknown = Object.keys(data).filter(key => !KEYS.has(key))
  if (unknown.length > 0) {
    return unusable(name, because('SecretHasOtherKeys', { keys: namesOf(unknown), known: [...KEYS] }))
  }
  const settings = Settings.safeParse(data['settings.json'] === undefined ? {} : jsonOf(data['settings.json']))
  if (!settings.success) {
    const places = settings.error.issues.map(({ path, code }) => `${path.join('.') || 'settings.json'} (${code})`)
    return unusable(name, because('SecretSettingsUnreadable', { places: namesOf(places) }))
  }
  const given = settings.data
  const clouds = data['clouds.yaml'] ?? null
  const kubeconfig = data.kubeconfig ?? null
  const beside = CERTIFICATE_KEYS.filter(key => data[key] !== undefined)
  const access =
    (kubeconfig === null ? null : podAccessOfKubeconfig(kubeconfig)) ??
    (clouds === null ? null : podAccessOfClouds(clouds, beside))
  if (access !== null) return unusable(name, access)
  return {
    cloud,
    openstack:
      clouds === null
        ? null
        : {
            text: clouds,
            name: data.cloud?.trim() || cloud,
            certificates: Object.fromEntries(beside.map(key => [key, data[key] ?? ''])),
          },
    kubeconfig,
    settings: {
      flavour: given.flavour ?? 'plain',
      roleLabels: { ...DEFAULT_ROLE_LABELS, ...withoutUndefined(given.roleLabels) },
      limits: { ...DEFAULT_LIMITS, ...withoutUndefined(given.limits) },
      openstackNamespace: given.openstackNamespace ?? 'openstack',
      leaseNamespace: given.leaseNamespace ?? 'default',
      production: given.production ?? false,
      colour: given.colour ?? null,
      maintenanceApi: { ...DEFAULT_MAINTENANCE_API, ...withoutUndefined(given.maintenanceApi) },
      roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, ...withoutUndefined(given.roleMaintenance) },
    },
  }
}

function unusable(secret: string, why: Finding): { readonly unusable: Finding } {
  return { unusable: because('SecretUnusable', { secret, why }) }
}

function withoutUndefined<T extends object>(values: T | undefined): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
