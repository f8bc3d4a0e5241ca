import { type JujuMachine, jujuMachinesOf } from '../../../../shared/domain/juju-units.ts'
import { type Fault, fault, found } from '../../../../shared/words/step-texts.ts'
import { blocker } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import type { OtherRecords } from '../compute/compute-records.ts'

/** Two reporting machines for one node conflict; a dead one beside a reporting one is a leftover. A silent Juju finds nothing. */
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

/** Nobody knows which of Juju's machines the node is. */
export function severalMachines(node: string, machines: readonly JujuMachine[]): Fault {
  return fault('SeveralJujuMachines', { node, machines: machines.map(reportedOf) })
}

function reportedOf({ id, hostname, reports, units }: JujuMachine) {
  return { id, hostname, reports, units: units.map(({ name }) => name) }
}
