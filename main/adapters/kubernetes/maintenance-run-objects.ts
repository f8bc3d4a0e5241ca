import type { z } from 'zod'
import {
  type MaintenanceCampaign,
  MaintenanceCampaignSpec,
  MaintenanceCampaignStatus,
} from '../../../shared/domain/maintenance-campaign.ts'
import {
  type MaintenanceRun,
  type MaintenanceRunControl,
  MaintenanceRunControlSpec,
  MaintenanceRunControlStatus,
  MaintenanceRunSpec,
  MaintenanceRunStatus,
  type Unreadable,
} from '../../../shared/domain/maintenance-run.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { KubernetesObject } from './answers.ts'
import { readMetadata } from './read-metadata.ts'

/** Told where the runner's kinds are missing. */
export const NO_MAINTENANCE_RUNS = because('NoMaintenanceRuns')

/** Reads a MaintenanceRun; what of it cannot be read is told in its place, never left out. */
export function readMaintenanceRun(object: KubernetesObject): MaintenanceRun {
  const { name, uid, resourceVersion, createdAt } = readMetadata(object)
  return {
    name,
    uid,
    resourceVersion,
    createdAt,
    // Strict: a field of a newer version asks for something that this one would not do.
    spec: readable(MaintenanceRunSpec, object.spec, 'spec'),
    status: isAbsent(object.status) ? null : readable(MaintenanceRunStatus.strip(), object.status, 'status'),
  }
}

/** Reads a MaintenanceRunControl. */
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

/** Reads a MaintenanceCampaign. */
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

/** API servers leave out what is empty; an empty status is none. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

function readable<S extends z.ZodType>(schema: S, value: unknown, field: 'spec' | 'status'): z.output<S> | Unreadable {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  // Names of fields and what zod expected: never the value, which may be anything.
  const why = read.error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${[field, ...path.map(String)].join('.')}: ${message}`)
    .join('; ')
  return { unreadable: why }
}
