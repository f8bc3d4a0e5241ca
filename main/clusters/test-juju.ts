import type { ClusterTestItem } from '../../shared/contract/cluster.ts'
import { type Cluster, cephAccessOf } from '../../shared/domain/cluster.ts'
import type { JujuStatus } from '../../shared/domain/juju.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { JujuAccess } from '../../shared/domain/role-maintenance.ts'
import { because } from '../../shared/words/reasons.ts'
import type { ResolvedJuju } from '../adapters/juju/resolved-juju.ts'
import type { ConnectJuju } from './session-ports.ts'
import { broken, doubtful, failedBy, fine, missing, skipped } from './test-item.ts'

export interface JujuTestOptions {
  readonly cluster: Cluster
  readonly connectJuju: ConnectJuju
  readonly resolveJuju: (access: JujuAccess) => Promise<Result<ResolvedJuju>>
  readonly signal?: AbortSignal | undefined
}

const MICROCEPH = 'microceph'

/** Tests the connection to the Juju controller; empty for a cluster that needs none. */
export async function testJuju(options: JujuTestOptions): Promise<readonly ClusterTestItem[]> {
  const { cluster } = options
  const access = cluster.roleMaintenance.juju
  const needed = cephAccessOf(cluster) === 'microceph'
  if (access === null) {
    return needed
      ? [missing('juju', 'controller', because('JujuNotNamed'), because('RemedyNameJuju', { cluster: cluster.name }))]
      : []
  }
  const resolved = await options.resolveJuju(access)
  if (!resolved.ok) {
    return [
      broken('juju', 'account', failedBy(resolved.failure), because('RemedyCorrectJujuAccount')),
      skipped('juju', 'controller', because('NotAskedWithoutJujuLogin')),
    ]
  }
  const { user, endpoints, warnings } = resolved.value
  const account = [
    fine('juju', 'account', because('JujuAccountRead', { user, endpoints })),
    ...warnings.map(warning => doubtful('juju', 'account file', warning, because('RemedyTestAgainAfterwards'))),
  ]
  const { port, close } = options.connectJuju(async () => resolved)
  try {
    const status = await port.status(options.signal)
    if (!status.ok) {
      return [...account, broken('juju', 'controller', failedBy(status.failure), because('RemedyReachJuju'))]
    }
    return [...account, ...testModel(status.value, needed)]
  } finally {
    close()
  }
}

function testModel({ model, cloudType, controllerVersion, units }: JujuStatus, needsMicroCeph: boolean) {
  const machines = new Set(units.map(({ machine }) => machine))
  const lost = units.filter(({ agent }) => agent.status === 'lost')
  const items = [
    fine('juju', 'controller', because('JujuAnswers', { version: controllerVersion })),
    fine('juju', 'model', because('JujuModelRead', { model, cloudType, units: units.length, machines: machines.size })),
  ]
  if (lost.length > 0) {
    items.push(
      doubtful(
        'juju',
        'agents',
        because('JujuAgentsLost', { units: lost.map(({ name }) => name) }),
        because('RemedyLookAtJujuStatus'),
      ),
    )
  }
  if (needsMicroCeph && !units.some(({ application }) => application === MICROCEPH)) {
    items.push(
      missing(
        'juju',
        MICROCEPH,
        because('JujuModelWithoutCeph', { model, application: MICROCEPH }),
        because('RemedyNameJujuModel'),
      ),
    )
  }
  return items
}
