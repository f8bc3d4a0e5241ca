import { stableUuid } from './ids.ts'

export interface GoalSpec {
  readonly uuid: string
  readonly name: string
  readonly displayName: string
}

/** A strategy, with the schema of its parameters. */
export interface StrategySpec {
  readonly uuid: string
  readonly name: 'host_maintenance' | 'workload_stabilization'
  readonly displayName: string
  readonly goal: GoalSpec
  readonly parameters: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
  /** Its source of load metrics, in Watcher's words. */
  readonly datasource: string
}

/** The value for a strategy that needs no metrics, or has no source of them. */
const NO_DATASOURCE = 'Datasource is not presented for this strategy'

const goal = (name: string, displayName: string): GoalSpec => ({ uuid: stableUuid(`goal ${name}`), name, displayName })
const MAINTAINING = goal('cluster_maintaining', 'Cluster Maintaining')
const BALANCING = goal('workload_balancing', 'Workload Balancing')

export const GOALS: readonly GoalSpec[] = [MAINTAINING, BALANCING]

const MAINTENANCE_PARAMETERS = {
  maintenance_node: { description: 'The name of the compute node which need maintenance', type: 'string' },
  backup_node: {
    description: 'The name of the compute node which will backup the maintenance node.',
    type: 'string',
  },
}

/** Since tag 15.0.0 (2025.2). */
const NEWER_MAINTENANCE_PARAMETERS = {
  disable_live_migration: { description: 'Disable live migration in maintenance.', type: 'boolean', default: false },
  disable_cold_migration: { description: 'Disable cold migration in maintenance.', type: 'boolean', default: false },
}

const STABILIZATION_PARAMETERS = {
  metrics: {
    description: 'Metrics used as rates of cluster loads.',
    type: 'array',
    default: ['instance_cpu_usage', 'instance_ram_usage'],
  },
  thresholds: {
    description: 'Dict where key is a metric and value is a trigger value.',
    type: 'object',
    default: { instance_cpu_usage: 0.1, instance_ram_usage: 0.1 },
  },
  host_choice: { description: "Method of host's choice.", type: 'string', default: 'retry' },
  retry_count: { description: 'Count of random returned hosts.', type: 'number', default: 1 },
}

export function hasFigures({ datasource }: StrategySpec): boolean {
  return datasource !== NO_DATASOURCE
}

/** Lists the strategies; an older Watcher cannot disable migrations. */
export function strategies(options: {
  readonly canDisableMigration: boolean
  readonly hasFigures: boolean
}): readonly StrategySpec[] {
  return [
    {
      uuid: stableUuid('strategy host_maintenance'),
      name: 'host_maintenance',
      displayName: 'Host Maintenance Strategy',
      goal: MAINTAINING,
      parameters: options.canDisableMigration
        ? { ...MAINTENANCE_PARAMETERS, ...NEWER_MAINTENANCE_PARAMETERS }
        : MAINTENANCE_PARAMETERS,
      required: ['maintenance_node'],
      datasource: NO_DATASOURCE,
    },
    {
      uuid: stableUuid('strategy workload_stabilization'),
      name: 'workload_stabilization',
      displayName: 'Workload stabilization',
      goal: BALANCING,
      parameters: STABILIZATION_PARAMETERS,
      required: [],
      datasource: options.hasFigures ? 'gnocchi: available' : NO_DATASOURCE,
    },
  ]
}
