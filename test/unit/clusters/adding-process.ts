import { openRegistry } from '../../../main/clusters/registry.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { newCluster } from '../../fixtures/clusters/new-cluster.ts'

/** Started by registry.test.ts: adds clusters `<prefix>-0` and on, as fast as it can. */
const [directory = '', prefix = '', count = '0'] = process.argv.slice(2)
const registry = openRegistry({ directory, clock: systemClock })
if (!registry.ok) throw new Error(registry.failure.message)
for (let index = 0; index < Number(count); index += 1) {
  const added = registry.value.add(newCluster({ name: `${prefix}-${index}`, cloud: null }))
  if (!added.ok) throw new Error(added.failure.message)
}
