import { create } from 'zustand'
import type {
  Cluster,
  ClusterChange,
  ClusterColour,
  ClusterFlavour,
  ClusterLimits,
} from '../../../shared/domain/cluster.ts'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import type { MaintenanceApiSettings } from '../../../shared/domain/maintenance-api.ts'
import type { RoleMaintenanceSettings } from '../../../shared/domain/role-maintenance.ts'
import type { RoleLabelRules } from '../../../shared/domain/roles.ts'
import { draftOf, type JujuDraft, jujuOf } from '../../ui/clusters/juju-draft.ts'

/** The settings of a cloud as the page edits them: texts as typed, the rest as it would be saved. */
export interface SettingsDraft {
  readonly production: boolean
  readonly flavour: ClusterFlavour
  /** Null means a colour that no other cloud has. */
  readonly colour: ClusterColour | null
  /** Paths of kubeconfigs, separated by colons. */
  readonly paths: string
  readonly context: string
  readonly cloudsFile: string
  /** Empty means Kubernetes only. */
  readonly cloud: string
  readonly roleLabels: RoleLabelRules
  readonly roleMaintenance: Omit<RoleMaintenanceSettings, 'juju'>
  readonly juju: JujuDraft
  readonly limits: ClusterLimits
  readonly maintenanceApi: MaintenanceApiSettings
}

/** Parts whose fields are edited one by one. */
const BY_FIELD = ['roleLabels', 'roleMaintenance', 'limits', 'maintenanceApi'] as const
type ByField = (typeof BY_FIELD)[number]

/** What the operator has changed and not saved: a field that another console changes meanwhile is not among it. */
export type SettingsEdits = Partial<Omit<SettingsDraft, ByField>> & {
  readonly [Part in ByField]?: Partial<SettingsDraft[Part]>
}

/** The edits of each cloud. They stay while the operator looks at another page. */
export const useSettingsEdits = create<{ readonly byCloud: ReadonlyMap<string, SettingsEdits> }>(() => ({
  byCloud: new Map(),
}))

/** Adds an edit, or with null forgets all edits of a cloud. */
export function editSettings(cloud: string, more: SettingsEdits | null): void {
  useSettingsEdits.setState(before => {
    const { byCloud } = before
    if (more === null && !byCloud.has(cloud)) return before
    const next = new Map(byCloud)
    if (more === null) next.delete(cloud)
    else next.set(cloud, together(next.get(cloud) ?? {}, more))
    return { byCloud: next }
  })
}

function together(before: SettingsEdits, more: SettingsEdits): SettingsEdits {
  const fields = BY_FIELD.flatMap(part =>
    more[part] === undefined ? [] : [[part, { ...before[part], ...more[part] }] as const],
  )
  return { ...before, ...more, ...Object.fromEntries(fields) }
}

/** The saved settings with the edits over them. */
export function draftOfSettings(cluster: Cluster, edits: SettingsEdits): SettingsDraft {
  const { juju, ...roleMaintenance } = cluster.roleMaintenance
  return {
    production: cluster.production,
    flavour: cluster.flavour,
    colour: cluster.colour,
    paths: cluster.kubeconfig.paths.join(':'),
    context: cluster.kubeconfig.context,
    cloudsFile: cluster.cloud?.path ?? '',
    cloud: cluster.cloud?.cloud ?? '',
    juju: draftOf(juju),
    ...edits,
    roleLabels: { ...cluster.roleLabels, ...edits.roleLabels },
    roleMaintenance: { ...roleMaintenance, ...edits.roleMaintenance },
    limits: { ...cluster.limits, ...edits.limits },
    maintenanceApi: { ...cluster.maintenanceApi, ...edits.maintenanceApi },
  }
}

/** A part of the page, as its heading and the index name it. */
type SettingsPart = 'General' | 'Access' | 'Roles' | 'Maintenance by roles' | 'Limits' | 'Node maintenance API'

/** What a save would change: the request, the parts of the page that differ, and what is missing to save. */
interface PendingChange {
  readonly change: ClusterChange
  readonly parts: readonly SettingsPart[]
  /** A sentence; null if nothing is missing. */
  readonly missing: string | null
}

/** Compares a draft with the saved settings. A field that is back at its saved value changes nothing. */
export function pendingChange(cluster: Cluster, draft: SettingsDraft): PendingChange {
  const juju = jujuOf(draft.juju)
  const wanted: readonly (readonly [SettingsPart, ClusterChange])[] = [
    ['General', { production: draft.production, flavour: draft.flavour, colour: draft.colour }],
    [
      'Access',
      {
        kubeconfig: { paths: draft.paths.split(':').filter(path => path !== ''), context: draft.context },
        cloud: draft.cloud === '' ? null : { path: draft.cloudsFile, cloud: draft.cloud },
      },
    ],
    ['Roles', { roleLabels: draft.roleLabels }],
    ...(juju.ok
      ? [['Maintenance by roles', { roleMaintenance: { ...draft.roleMaintenance, juju: juju.juju } }] as const]
      : []),
    ['Limits', { limits: draft.limits }],
    ['Node maintenance API', { maintenanceApi: typedApi(draft.maintenanceApi, cluster.maintenanceApi) }],
  ]
  const differing = wanted.flatMap(([part, change]) => {
    const rest = onlyDifferent(cluster, change)
    return Object.keys(rest).length === 0 ? [] : [{ part, rest }]
  })
  return {
    change: Object.assign({}, ...differing.map(({ rest }) => rest)),
    parts: [...differing.map(({ part }) => part), ...(juju.ok ? [] : (['Maintenance by roles'] as const))],
    missing: juju.ok ? null : juju.missing,
  }
}

/** Settings of the maintenance API that are typed as text and may not be empty. */
const API_PLACES = [
  'cephNamespace',
  'cephToolbox',
  'tungstenFabricNamespace',
  'vrouterPods',
  'stacklightNamespace',
] as const
export type ApiPlace = (typeof API_PLACES)[number]

/** The settings that typed texts mean: an empty release is any, an empty place keeps the saved one. */
function typedApi(typed: MaintenanceApiSettings, saved: MaintenanceApiSettings): MaintenanceApiSettings {
  const edited = API_PLACES.filter(key => typed[key] !== saved[key])
  const places = edited.map(key => [key, typed[key].trim() || saved[key]] as const)
  const release = typed.release === saved.release ? saved.release : typed.release?.trim() || null
  return { ...typed, release, ...Object.fromEntries(places) }
}

function onlyDifferent(cluster: Cluster, change: ClusterChange): ClusterChange {
  const saved: Readonly<Record<string, unknown>> = { ...cluster }
  return Object.fromEntries(Object.entries(change).filter(([key, value]) => !isSameJson(value, saved[key])))
}
