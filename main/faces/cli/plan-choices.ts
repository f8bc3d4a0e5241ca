import type { PlanChoices } from '../../../shared/contract/index.ts'
import { StuckRule } from '../../../shared/domain/instance-choice.ts'
import { DisabledMigration, type MaintenanceScope } from '../../../shared/domain/plan.ts'
import { ComputeStrategy } from '../../../shared/domain/role-maintenance.ts'
import { OverrideFlag } from '../../../shared/domain/step-answers.ts'
import { parseDuration } from './arguments/parse-duration.ts'
import type { ParsedArguments } from './arguments/parsed-arguments.ts'

/** The choices in the flags of `enter`, `leave` and `plan`; for others the cluster's settings apply. A message if they contradict each other. */
export function planChoices(args: ParsedArguments): PlanChoices | string {
  const problem = contradiction(args)
  if (problem !== null) return problem
  const stuck = stuckChoice(args.text('stuck'))
  if (typeof stuck === 'string') return stuck
  const scope = args.text('scope')
  const concurrency = args.number('concurrency')
  const attempts = args.number('attempts')
  const drainTimeoutMs = args.number('drain-timeout')
  const reason = args.text('reason')
  const overrides = OverrideFlag.options.flatMap(flag => {
    const why = args.text(flag)
    return why === null ? [] : [{ flag, reason: why }]
  })
  return {
    ...(isScope(scope) ? { scope } : {}),
    ...(concurrency === null ? {} : { concurrency }),
    ...(attempts === null ? {} : { attempts }),
    ...(drainTimeoutMs === null ? {} : { drainTimeoutMs }),
    ...(args.isSet('delete-emptydir-data') ? { deleteEmptyDirData: true } : {}),
    ...(reason === null ? {} : { reason }),
    ...(stuck === null ? {} : { stuck }),
    ...(overrides.length === 0 ? {} : { overrides }),
    ...roleChoices(args),
    ...rescueChoices(args),
  }
}

function rescueChoices(args: ParsedArguments): PlanChoices {
  const machineIsOff = args.text('machine-is-off')
  const sharedDisks = args.text('shared-disks')
  return {
    ...(machineIsOff === null ? {} : { machineIsOff }),
    ...(sharedDisks === null ? {} : { sharedDisks }),
    ...(args.isSet('out-of-service-taint') ? { outOfServiceTaint: true } : {}),
  }
}

/** The value of `--stuck 10m=force-complete`; null if not given; a message: invalid. */
function stuckChoice(typed: string | null): StuckRule | string | null {
  if (typed === null) return null
  const [after = '', what = ''] = typed.split('=')
  const rule = StuckRule.safeParse({ afterMs: parseDuration(after), do: what })
  if (rule.success) return rule.data
  return `--stuck takes a time of at least a minute, =, and one of ${StuckRule.shape.do.options.join(', ')}, such as 10m=force-complete, not ${typed}.`
}

function roleChoices(args: ParsedArguments): PlanChoices {
  const strategy = ComputeStrategy.safeParse(args.text('strategy'))
  const disableMigration = DisabledMigration.safeParse(args.text('disable-migration'))
  const backupNode = args.text('backup-node')
  const excludedInstances = [...new Set(args.texts('exclude-instance'))]
  return {
    ...(strategy.success ? { strategy: strategy.data } : {}),
    ...(disableMigration.success ? { disableMigration: disableMigration.data } : {}),
    ...(args.isSet('cold-migration') ? { coldMigration: true } : {}),
    ...(backupNode === null ? {} : { backupNode }),
    ...(excludedInstances.length === 0 ? {} : { excludedInstances }),
    ...(args.isSet('nova-for-rest') ? { novaForRest: true } : {}),
    ...(args.isSet('stop-osds') ? { stopOsds: true } : {}),
    ...(args.isSet('enable-ceph-crush-rebalancing') ? { crushRebalancing: true } : {}),
    ...(args.isSet('no-wait-for-clean') ? { waitForClean: false } : {}),
    ...(args.isSet('home') ? { home: true } : {}),
    ...(args.isSet('start-instances') ? { startInstances: true } : {}),
    ...(args.isSet('disable-instance-workload-rebalancing') ? { disableInstanceRebalancing: true } : {}),
  }
}

const OF_WATCHER = ['backup-node', 'exclude-instance', 'nova-for-rest'] as const
const OF_MOVING = ['disable-migration', 'cold-migration', 'stuck', ...OF_WATCHER] as const

/** The first contradiction between flags; null if there is none. */
function contradiction(args: ParsedArguments): string | null {
  const strategy = args.text('strategy')
  const foreign = OF_WATCHER.find(flag => args.isSet(flag))
  const moving = OF_MOVING.find(flag => args.isSet(flag))
  const disabled = args.text('disable-migration')
  if (args.text('scope') === 'drain' && moving !== undefined) {
    return `--${moving} is about moving instances, and with --scope drain they stay.`
  }
  if (args.isSet('cold-migration') && (disabled === 'cold' || disabled === 'both')) {
    return `--cold-migration and --disable-migration=${disabled} contradict each other.`
  }
  if (strategy === 'nova' && foreign !== undefined) {
    return `--${foreign} is for strategy watcher, not for --strategy nova.`
  }
  return null
}

function isScope(text: string | null): text is MaintenanceScope {
  return text === 'drain' || text === 'os'
}
