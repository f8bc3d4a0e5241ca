import { endsInService, isNodePlan, type Plan, takesOut } from '../../../../shared/domain/plan.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { stuckRuleWords } from '../../../../shared/words/instance-choices.ts'

/** Choices by role; choices without meaning for this plan's steps are left out. */
export function roleChoiceWords(plan: Plan): readonly string[] {
  const { flavour, options, steps } = plan
  const goesOut = isNodePlan(plan) && takesOut(plan.kind)
  const comesBack = isNodePlan(plan) && endsInService(plan.kind)
  const has = (role: string) => steps.some(step => step.role === role)
  const compute = has('compute') && flavour !== 'mosk' && options.scope === 'os'
  return [
    ...(compute && goesOut ? movingWords(options) : []),
    // The rule applies only to instances that Lockkeeper moves.
    ...(steps.some(({ kind }) => MOVES_INSTANCES.has(kind)) ? [stuckRuleWords(options.stuck)] : []),
    ...(compute && comesBack && options.disableInstanceRebalancing ? ['Watcher does not rebalance instances'] : []),
    ...(options.home && steps.some(({ kind: step }) => step === 'bring-home') ? ['instances come back'] : []),
    ...(options.startInstances && steps.some(({ kind: step }) => step === 'instances-return')
      ? ['starts instances that ran before']
      : []),
    ...(has('storage') && goesOut ? storageWords(options) : []),
    ...(has('storage') && comesBack && !options.waitForClean ? ['does not wait for active+clean'] : []),
  ]
}

const MOVES_INSTANCES: ReadonlySet<string> = new Set(['migrate-instances', 'bring-home'])

function movingWords(options: Plan['options']): readonly string[] {
  const { strategy, disableMigration, coldMigration, backupNode, excludedInstances, novaForRest } = options
  return [
    ...(strategy === 'watcher' ? ['through Watcher'] : []),
    ...(disableMigration === 'none'
      ? []
      : [disableMigration === 'both' ? 'no migration' : `no ${disableMigration} migration`]),
    ...(coldMigration ? ['stopped instances move too'] : []),
    ...(backupNode === null ? [] : [`backup node ${backupNode}`]),
    ...(excludedInstances.length === 0 ? [] : [`${counted(excludedInstances.length, 'instance')} left out`]),
    ...(novaForRest ? ['the rest through Nova'] : []),
  ]
}

function storageWords({ stopOsds, crushRebalancing }: Plan['options']): readonly string[] {
  return [...(stopOsds ? ['stops OSDs'] : []), ...(crushRebalancing ? ['Ceph may rebalance'] : [])]
}
