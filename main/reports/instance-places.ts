import type { InstanceLook } from '../../shared/domain/instance-history.ts'
import type { Json } from '../../shared/domain/json.ts'
import type { ReportInstance } from '../../shared/domain/report.ts'

/** Where and how an instance is: host, Nova's status, power. */
export type InstancePlace = ReportInstance['before']

/** The place that a fact tells. */
export function placeOf(host: Json | undefined, status: Json | undefined, power: Json | undefined): InstancePlace {
  return { host: textOf(host), status: textOf(status), power: powerWords(typeof power === 'number' ? power : null) }
}

/** The place in which an instance was seen. */
export function placeSeen({ host, status, power }: InstanceLook): InstancePlace {
  return placeOf(host, status, power)
}

/** As Nova's clients call its numbers (nova/compute/power_state.py). */
export function powerWords(state: number | null): string | null {
  return state === null ? null : (POWER_STATES.get(state) ?? String(state))
}

/** A text that says something; null: there is none. */
function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

const POWER_STATES: ReadonlyMap<number, string> = new Map([
  [0, 'NoState'],
  [1, 'Running'],
  [3, 'Paused'],
  [4, 'Shutdown'],
  [6, 'Crashed'],
  [7, 'Suspended'],
])
