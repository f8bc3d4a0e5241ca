import type { JujuUnit } from './juju.ts'
import { type Claims, claimsOf, recordsOf } from './machine-names.ts'

export interface JujuMachine {
  readonly id: string
  readonly hostname: string
  readonly reports: boolean
  readonly units: readonly JujuUnit[]
}

/** Finds machines by hostname: a machine that was added again leaves its dead record under the same name. */
export function jujuMachinesOf(units: readonly JujuUnit[], node: string): Claims<JujuMachine> {
  const fitting = recordsOf([node], units, ({ hostname }) => hostname)
  const machines = [...Map.groupBy(fitting, ({ machine }) => machine)].map(([id, own]) => ({
    id,
    hostname: own[0]?.hostname ?? node,
    reports: own.some(({ agent }) => agent.status !== 'lost'),
    units: own,
  }))
  return claimsOf(machines, ({ reports }) => reports)
}

/** Returns the units on a node; if several machines match, the units of all. */
export function unitsOnNode(units: readonly JujuUnit[], node: string): readonly JujuUnit[] {
  const claims = jujuMachinesOf(units, node)
  if (claims.kind === 'one') return claims.record.units
  return claims.kind === 'none' ? [] : claims.records.flatMap(machine => machine.units)
}

export function unitOnNode(units: readonly JujuUnit[], application: string, node: string): JujuUnit | null {
  return unitsOnNode(units, node).find(unit => unit.application === application) ?? null
}
