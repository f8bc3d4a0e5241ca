import type { InstanceLook } from '../../shared/domain/instance-history.ts'
import type { Json } from '../../shared/domain/json.ts'
import { powerStateOf } from '../../shared/domain/power-state.ts'
import type { ReportInstance } from '../../shared/domain/report.ts'

/** Where and how an instance is: host, Nova's status, power. */
export type InstancePlace = ReportInstance['before']

/** The place that a fact tells. */
export function placeOf(host: Json | undefined, status: Json | undefined, power: Json | undefined): InstancePlace {
  return { host: textOf(host), status: textOf(status), power: powerStateOf(typeof power === 'number' ? power : null) }
}

/** The place in which an instance was seen. */
export function placeSeen({ host, status, power }: InstanceLook): InstancePlace {
  return placeOf(host, status, power)
}

/** A text that says something; null: there is none. */
function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
