import type { JujuStatus, JujuUnit } from '../../../../shared/domain/juju.ts'

/** The unit of an application on a node's machine: by hostname, exactly or by first label, never by a prefix. */
export function unitOnNode(status: JujuStatus, application: string, node: string): JujuUnit | null {
  const units = status.units.filter(unit => unit.application === application && unit.hostname !== null)
  return (
    units.find(unit => unit.hostname === node) ??
    units.find(unit => unit.hostname !== null && firstLabel(unit.hostname) === firstLabel(node)) ??
    null
  )
}

/** All units on a node's machine, by the same names. */
export function unitsOnNode(status: JujuStatus, node: string): readonly JujuUnit[] {
  const all = status.units.filter(({ hostname }) => hostname !== null && firstLabel(hostname) === firstLabel(node))
  const exact = all.filter(({ hostname }) => hostname === node)
  return exact.length > 0 ? exact : all
}

function firstLabel(name: string): string {
  return name.split('.')[0] ?? name
}
