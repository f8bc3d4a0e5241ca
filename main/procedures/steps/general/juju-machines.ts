import { type JujuMachine, jujuMachinesOf } from '../../../../shared/domain/juju-units.ts'
import { type Fault, fault, found } from '../../../../shared/words/step-texts.ts'
import { blocker } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import type { OtherRecords } from '../compute/compute-records.ts'

/**
 * What the Juju machines that match a node mean for its maintenance: two that report conflict, a dead one beside one that reports is a leftover.
 * Without an answer from Juju there is no finding.
 */
export async function jujuMachines(node: string, { world, signal }: MaintenanceContext): Promise<OtherRecords> {
  const status = world.cluster.flavour === 'sunbeam' ? ((await world.juju?.status(signal)) ?? null) : null
  const claims = jujuMachinesOf(status?.ok ? status.value.units : [], node)
  switch (claims.kind) {
    case 'none':
      return { blockers: [], warnings: [] }
    case 'several':
      return { blockers: [blocker(severalMachines(node, claims.records))], warnings: [] }
    case 'one':
      return {
        blockers: [],
        warnings:
          claims.leftovers.length === 0
            ? []
            : [found('JujuMachinesLeftOver', { node, machines: claims.leftovers.map(reportedOf) })],
      }
  }
}

/** It is unknown which of Juju's machines the node is. */
export function severalMachines(node: string, machines: readonly JujuMachine[]): Fault {
  return fault('SeveralJujuMachines', { node, machines: machines.map(reportedOf) })
}

function reportedOf({ id, hostname, reports, units }: JujuMachine) {
  return { id, hostname, reports, units: units.map(({ name }) => name) }
}
