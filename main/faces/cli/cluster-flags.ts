import type { ClusterLimits } from '../../../shared/domain/cluster.ts'
import type { NodeRole, RoleLabelRules } from '../../../shared/domain/roles.ts'
import type { ParsedArguments } from './arguments/parsed-arguments.ts'

/** The limits in the flags of `cluster add` and `cluster set`; a message if one is invalid. */
export function limitFlags(args: ParsedArguments): Partial<ClusterLimits> | string {
  const returnTimeoutMs = args.number('return-timeout')
  if (returnTimeoutMs === 0)
    return '--return-timeout cannot be 0: Lockkeeper would wait forever for a node that never reports.'
  return {
    ...given('migrationsPerSource', args.number('concurrency')),
    ...given('migrationAttempts', args.number('attempts')),
    ...given('drainTimeoutMs', args.number('drain-timeout')),
    ...given('returnTimeoutMs', returnTimeoutMs),
  }
}

export function given<K extends string, T>(key: K, value: T | null): { [P in K]?: T } {
  const part: { [P in K]?: T } = {}
  if (value !== null) part[key] = value
  return part
}

const ROLES = ['control', 'gateway', 'compute', 'storage'] as const satisfies readonly NodeRole[]

/** The labels by role in --role-label; a message if one is invalid. */
export function roleRules(texts: readonly string[]): Partial<RoleLabelRules> | string {
  const rules: Partial<Record<NodeRole, string[]>> = {}
  for (const text of texts) {
    const at = text.indexOf('=')
    const role = ROLES.find(known => known === text.slice(0, at))
    const rule = text.slice(at + 1)
    if (at < 0 || role === undefined || rule === '' || rule.startsWith('=')) {
      return `--role-label takes ROLE=KEY or ROLE=KEY=VALUE with a role of ${ROLES.join(', ')}, not ${text}.`
    }
    rules[role] = [...(rules[role] ?? []), rule]
  }
  return rules
}
