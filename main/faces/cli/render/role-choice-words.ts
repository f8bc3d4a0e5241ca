import { endsInService, isNodePlan, type Plan, takesOut } from '../../../../shared/domain/plan.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { stuckRuleWords } from '../../../../shared/words/instance-choices.ts'

/** What was chosen by role, in words; what has no meaning for this plan's steps is left out. */
export function roleChoiceWords(plan: Plan): readonly string[] {
  const { flavour, options, steps } = plan
  const goesOut = isNodePlan(plan) && takesOut(plan.kind)
  const comesBack = isNodePlan(plan) && endsInService(plan.kind)
  const has = (role: string) => steps.some(step => step.role === role)
  const compute = has('compute') && flavour !== 'mosk' && options.scope === 'os'
  return [
    ...(compute && goesOut ? movingWords(options) : []),
    // Only who is moved by us is followed by that rule.
    ...(steps.some(({ kind }) => MOVES_INSTANCES.has(kind)) ? [stuckRuleWords(options.stuck)] : []),
    ...(compute && comesBack && options.disableInstanceRebalancing ? ['instances are not spread again'] : []),
    ...(options.home && steps.some(({ kind: step }) => step === 'bring-home') ? ['instances come home'] : []),
    ...(options.startInstances && steps.some(({ kind: step }) => step === 'instances-return')
      ? ['instances that ran before are started']
      : []),
    ...(has('storage') && goesOut ? storageWords(options) : []),
    ...(has('storage') && comesBack && !options.waitForClean ? ['does not wait for active+clean'] : []),
  ]
}

const MOVES_INSTANCES: ReadonlySet<string> = new Set(['migrate-instances', 'bring-home'])

function movingWords(options: Plan['options']): readonly string[] {
  const { strategy, disableMigration, coldMigration, backupNode, excludedInstances, novaForRest } = options
  return [
    ...(strategy === null ? [] : [`strategy ${strategy}`]),
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
  return [...(stopOsds ? ['OSDs are stopped'] : []), ...(crushRebalancing ? ['Ceph may rebalance'] : [])]
}
