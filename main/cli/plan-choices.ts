import type { PlanChoices } from '../../shared/contract/index.ts'
import type { MaintenanceScope } from '../../shared/domain/plan.ts'
import type { ParsedArguments } from './arguments/parsed-arguments.ts'

/** The operator's choices from the flags of `enter`, `leave` and `plan`; what was not given is left to the cluster's settings. */
export function planChoices(args: ParsedArguments): PlanChoices {
  const scope = args.text('scope')
  const concurrency = args.number('concurrency')
  const attempts = args.number('attempts')
  const drainTimeoutMs = args.number('drain-timeout')
  const reason = args.text('reason')
  const overrides = (['force', 'allow-downtime'] as const).flatMap(flag => {
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
    ...(overrides.length === 0 ? {} : { overrides }),
  }
}

function isScope(text: string | null): text is MaintenanceScope {
  return text === 'drain' || text === 'os'
}
