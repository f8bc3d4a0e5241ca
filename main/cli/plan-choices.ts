import type { PlanChoices } from '../../shared/contract/index.ts'
import type { MaintenanceScope } from '../../shared/domain/plan.ts'
import type { ParsedArguments } from './arguments/parsed-arguments.ts'

/** The operator's choices from the flags of `enter`, `leave` and `plan`; what was not given is left to the cluster's settings. */
export function planChoices(args: ParsedArguments): PlanChoices {
  const scope = args.text('scope')
  const concurrency = args.number('concurrency')
  const attempts = args.number('attempts')
  const drainTimeoutMs = args.number('drain-timeout')
  const overrides = (['force', 'allow-downtime'] as const).flatMap(flag => {
    const reason = args.text(flag)
    return reason === null ? [] : [{ flag, reason }]
  })
  return {
    ...(isScope(scope) ? { scope } : {}),
    ...(concurrency === null ? {} : { concurrency }),
    ...(attempts === null ? {} : { attempts }),
    ...(drainTimeoutMs === null ? {} : { drainTimeoutMs }),
    ...(args.isSet('delete-emptydir-data') ? { deleteEmptyDirData: true } : {}),
    ...(overrides.length === 0 ? {} : { overrides }),
  }
}

function isScope(text: string | null): text is MaintenanceScope {
  return text === 'drain' || text === 'os'
}
