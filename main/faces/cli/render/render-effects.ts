import { type InstanceEffect, namesOf, type PlanEffects } from '../../../../shared/domain/plan-effects.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { effectWord, SOURCE_WORDS } from '../../../../shared/words/actions.ts'
import { budgetNote } from '../../../../shared/words/budgets.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { type Cell, renderTable } from '../words/table.ts'
import { hang } from '../words/width.ts'
import { fateText } from './action-words.ts'

/** What a plan would do to every instance, pod and service, with reasons. */
export function renderEffects(effects: PlanEffects, look: Look): readonly string[] {
  return [...renderInstances(effects, look), ...renderPods(effects, look), ...renderChanges(effects, look)]
}

/** Shows totals for many nodes, and only unusual instances and pods. The plan's summary counts the changes. */
export function renderEffectsFolded({ instances, pods }: PlanEffects, look: Look): readonly string[] {
  const isOdd = ({ action, warnings }: InstanceEffect) =>
    warnings.length > 0 || !['live_migrate', 'cold_migrate', 'evacuate', 'ignore'].includes(action)
  const tally = [...Map.groupBy(instances, effectWord)].map(([word, all]) => `${word} ${all.length}`)
  const oddPods = pods.filter(({ fate, warnings }) => fate === 'block' || (fate !== 'keep' && warnings.length > 0))
  return [
    ...(instances.length === 0 ? [] : ['', ...hang('Instances: ', `${tally.join(', ')}.`, look.columns)]),
    ...renderInstances({ instances: instances.filter(isOdd) }, look).slice(2),
    ...(pods.length === 0 ? [] : ['', `Pods: ${tallyOfPods(pods)}.`]),
    ...renderPods({ pods: oddPods }, look).slice(2),
  ]
}

function renderInstances({ instances }: Pick<PlanEffects, 'instances'>, look: Look): readonly string[] {
  if (instances.length === 0) return []
  const names = namesOf(instances)
  const rows = instances.map((effect): readonly Cell[] => [
    { text: effectWord(effect), paint: paintOfAction(effect.action, look) },
    names.get(effect.id) ?? effect.name,
    effect.status,
    SOURCE_WORDS[effect.source],
    [effect.reason, ...effect.warnings.map(warning => `${look.symbols.warning} ${warning}`)].join(' '),
  ])
  return [
    '',
    heading(`Instances (${instances.length})`, look),
    ...renderTable(['WHAT HAPPENS', 'NAME', 'STATUS', 'DECIDED BY', 'WHY'], rows, look, '  '),
  ]
}

function renderPods({ pods }: Pick<PlanEffects, 'pods'>, look: Look): readonly string[] {
  if (pods.length === 0) return []
  const rows = pods.map((effect): readonly Cell[] => [
    { text: fateText(effect.fate), paint: paintOfFate(effect.fate, look) },
    `${effect.namespace}/${effect.name}`,
    effect.budgets
      .map(
        ({ name, disruptionsAllowed, currentHealthy, desiredHealthy, status }) =>
          `${name}: ${[`${disruptionsAllowed} allowed (${currentHealthy}/${desiredHealthy} healthy)`, budgetNote(status)].filter(text => text !== '').join(', ')}`,
      )
      .join('; '),
    // A pod that stays has no other warning than its reason.
    [
      effect.reason,
      ...(effect.fate === 'keep' ? [] : effect.warnings).map(warning => `${look.symbols.warning} ${warning}`),
    ]
      .filter(text => text !== '')
      .join(' '),
  ])
  return [
    '',
    heading(`Pods (${tallyOfPods(pods)})`, look),
    ...renderTable(['WHAT HAPPENS', 'POD', 'BUDGET', 'WHY'], rows, look, '  '),
  ]
}

function tallyOfPods(pods: PlanEffects['pods']): string {
  const leaving = pods.filter(({ fate }) => fate === 'evict' || fate === 'delete').length
  const blocking = pods.filter(({ fate }) => fate === 'block').length
  const staying = pods.length - leaving - blocking
  return [
    ...(leaving > 0 ? [counted(leaving, 'leaves', 'leave')] : []),
    ...(staying > 0 ? [counted(staying, 'stays', 'stay')] : []),
    ...(blocking > 0 ? [`${blocking} blocked`] : []),
  ].join(', ')
}

function renderChanges({ changes }: PlanEffects, look: Look): readonly string[] {
  if (changes.length === 0) return []
  return [
    '',
    heading('Changes', look),
    ...changes.flatMap(({ target, from, to }) =>
      hang('  ', `${target}: ${from} ${look.symbols.arrow} ${to}`, look.columns),
    ),
  ]
}

function heading(text: string, look: Look): string {
  return look.palette.strong(text)
}

function paintOfAction(action: InstanceEffect['action'], { palette }: Look): Paint {
  switch (action) {
    case 'live_migrate':
    case 'cold_migrate':
    case 'evacuate':
      return text => text
    case 'stop':
    case 'poweroff':
    case 'notify':
      return palette.warn
    case 'ignore':
      return palette.faint
    case 'blocked':
      return palette.bad
  }
}

function paintOfFate(fate: 'evict' | 'delete' | 'keep' | 'block', { palette }: Look): Paint {
  switch (fate) {
    case 'evict':
      return text => text
    case 'delete':
      return palette.warn
    case 'keep':
      return palette.faint
    case 'block':
      return palette.bad
  }
}
