import type { z } from 'zod'
import {
  type MaintenanceCampaign,
  MaintenanceCampaignSpec,
  MaintenanceCampaignStatus,
} from '../../../../shared/domain/maintenance-campaign.ts'
import {
  type MaintenanceRun,
  type MaintenanceRunControl,
  MaintenanceRunControlSpec,
  MaintenanceRunControlStatus,
  MaintenanceRunSpec,
  MaintenanceRunStatus,
  type Unreadable,
} from '../../../../shared/domain/maintenance-run.ts'
import { because } from '../../../../shared/words/reasons.ts'
import type { KubernetesObject } from '../../../adapters/kubernetes/answers.ts'
import { readMetadata } from '../../../adapters/kubernetes/read-metadata.ts'

export const NO_MAINTENANCE_RUNS = because('NoMaintenanceRuns')

export function readMaintenanceRun(object: KubernetesObject): MaintenanceRun {
  const { name, uid, resourceVersion, createdAt } = readMetadata(object)
  return {
    name,
    uid,
    resourceVersion,
    createdAt,
    // Strict: a field of a newer version requests something that this version would not do.
    spec: readable(MaintenanceRunSpec, object.spec, 'spec'),
    status: isAbsent(object.status) ? null : readable(MaintenanceRunStatus.strip(), object.status, 'status'),
  }
}

export function readMaintenanceRunControl(object: KubernetesObject): MaintenanceRunControl {
  const { name, uid, createdAt } = readMetadata(object)
  return {
    name,
    uid,
    createdAt,
    spec: readable(MaintenanceRunControlSpec, object.spec, 'spec'),
    status: isAbsent(object.status) ? null : readable(MaintenanceRunControlStatus.strip(), object.status, 'status'),
  }
}

export function readMaintenanceCampaign(object: KubernetesObject): MaintenanceCampaign {
  const { name, uid, resourceVersion, createdAt } = readMetadata(object)
  return {
    name,
    uid,
    resourceVersion,
    createdAt,
    spec: readable(MaintenanceCampaignSpec, object.spec, 'spec'),
    status: isAbsent(object.status) ? null : readable(MaintenanceCampaignStatus.strip(), object.status, 'status'),
  }
}

/** API servers omit empty values, so an empty status counts as absent. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

function readable<S extends z.ZodType>(schema: S, value: unknown, field: 'spec' | 'status'): z.output<S> | Unreadable {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  // Field names and zod's expectations, never values.
  const why = read.error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${[field, ...path.map(String)].join('.')}: ${message}`)
    .join('; ')
  return { unreadable: why }
}
