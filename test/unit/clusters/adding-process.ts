import { systemClock } from '../../../main/clock/clock.ts'
import { openRegistry } from '../../../main/clusters/registry.ts'
import { DEFAULT_LIMITS } from '../../../shared/domain/cluster.ts'
import { DEFAULT_MAINTENANCE_API } from '../../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { DEFAULT_ROLE_LABELS } from '../../../shared/domain/roles.ts'

/** Started by registry.test.ts: adds clusters `<prefix>-0` and on, as fast as it can. */
const [directory = '', prefix = '', count = '0'] = process.argv.slice(2)
const registry = openRegistry({ directory, clock: systemClock })
if (!registry.ok) throw new Error(registry.failure.message)
for (let index = 0; index < Number(count); index += 1) {
  const added = registry.value.add({
    name: `${prefix}-${index}`,
    flavour: 'plain',
    kubeconfig: { paths: ['/nowhere'], context: 'x' },
    cloud: null,
    roleLabels: DEFAULT_ROLE_LABELS,
    limits: DEFAULT_LIMITS,
    maintenanceApi: DEFAULT_MAINTENANCE_API,
    roleMaintenance: DEFAULT_ROLE_MAINTENANCE,
    openstackNamespace: 'openstack',
    leaseNamespace: 'default',
    production: false,
    colour: null,
  })
  if (!added.ok) throw new Error(added.failure.message)
}
