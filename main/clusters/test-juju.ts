import type { ClusterTestItem } from '../../shared/contract/cluster.ts'
import { type Cluster, cephAccessOf } from '../../shared/domain/cluster.ts'
import type { JujuStatus } from '../../shared/domain/juju.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { JujuAccess } from '../../shared/domain/role-maintenance.ts'
import type { ResolvedJuju } from '../adapters/juju/resolved-juju.ts'
import type { ConnectJuju } from './session-ports.ts'
import { broken, doubtful, fine, missing, skipped } from './test-item.ts'

/** What the Juju part of a test needs. */
export interface JujuTestOptions {
  readonly cluster: Cluster
  readonly connectJuju: ConnectJuju
  readonly resolveJuju: (access: JujuAccess) => Promise<Result<ResolvedJuju>>
  readonly signal?: AbortSignal | undefined
}

const MICROCEPH = 'microceph'

/** Tests the way to the Juju controller; a cluster that needs none is not told of it. */
export async function testJuju(options: JujuTestOptions): Promise<readonly ClusterTestItem[]> {
  const { cluster } = options
  const access = cluster.roleMaintenance.juju
  const needed = cephAccessOf(cluster) === 'microceph'
  if (access === null) {
    return needed
      ? [
          missing(
            'juju',
            'controller',
            'The settings of this cluster name no Juju controller, by which its MicroCeph is asked.',
            `Name it: \`lockkeeper cluster set ${cluster.name} --help\`.`,
          ),
        ]
      : []
  }
  const resolved = await options.resolveJuju(access)
  if (!resolved.ok) {
    return [
      broken('juju', 'account', resolved.failure, 'Correct what it names, then test again.'),
      skipped('juju', 'controller', 'Not asked: nobody knows how to log in.'),
    ]
  }
  const { user, endpoints, warnings } = resolved.value
  const account = [
    fine('juju', 'account', `${user} at ${endpoints.join(', ')}.`),
    ...warnings.map(warning => doubtful('juju', 'account file', warning, 'Then test again.')),
  ]
  const { port, close } = options.connectJuju(async () => resolved)
  try {
    const status = await port.status(options.signal)
    if (!status.ok) {
      return [
        ...account,
        broken('juju', 'controller', status.failure, 'The message says what was tried, then test again.'),
      ]
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
    fine('juju', 'controller', `Juju ${controllerVersion} answers.`),
    fine('juju', 'model', `${model} (${cloudType}) has ${units.length} units on ${machines.size} machines.`),
  ]
  if (lost.length > 0) {
    items.push(
      doubtful(
        'juju',
        'agents',
        `Juju does not hear of ${lost.map(({ name }) => name).join(', ')}.`,
        'Look at `juju status`: what these machines are told waits until their agents are back.',
      ),
    )
  }
  if (needsMicroCeph && !units.some(({ application }) => application === MICROCEPH)) {
    items.push(
      missing(
        'juju',
        MICROCEPH,
        `Model ${model} has no unit of ${MICROCEPH}, by which this cluster's Ceph is asked.`,
        "Name the model of the machines in this cluster's settings, or say how else its Ceph is asked.",
      ),
    )
  }
  return items
}
