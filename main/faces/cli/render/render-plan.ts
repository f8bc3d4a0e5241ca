import { type CheckedPlan, isNodePlan, isNodeRun, type Plan, takesOut } from '../../../../shared/domain/plan.ts'
import { blockersOf, effectsOf, openBlockers, warningsOf } from '../../../../shared/domain/plan-effects.ts'
import { questionsOf, TROUBLE_CHOICES } from '../../../../shared/domain/unattended.ts'
import { WatcherStepInput } from '../../../../shared/domain/watcher-input.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { durationWords } from '../../../../shared/grammar/durations.ts'
import { timeOfDay } from '../../../../shared/grammar/times.ts'
import { ASK_WORDS, SAFE_WORDS } from '../../../../shared/words/planned-questions.ts'
import { checksHoldWords, planTitle } from '../../../../shared/words/plans.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'
import { countsSentence } from './plan-counts.ts'
import { renderApplications } from './render-applications.ts'
import { renderChecks, renderChecksFolded } from './render-checks.ts'
import { renderEffects, renderEffectsFolded } from './render-effects.ts'
import { roleChoiceWords } from './role-choice-words.ts'

/**
 * A checked plan as an operator reads it before anything is touched: checks, every instance, every pod, and what it comes to.
 * `unkept`: why the journal takes nothing just now, so that nothing can start; null: it does. `folded`: of many
 * nodes only the verdict of each, and what warns or blocks. `answers`: KIND=CHOICE, what was said beforehand.
 */
export function renderPlan(
  checked: CheckedPlan,
  look: Look,
  verbose: boolean,
  unkept: string | null = null,
  folded = false,
  answers: readonly string[] = [],
): readonly string[] {
  const { plan } = checked
  const { palette } = look
  const effects = effectsOf(checked)
  return [
    palette.strong(planTitle(plan)),
    ...hang('', choicesText(checked), look.columns).map(palette.faint),
    ...hang('', `Checked at ${timeOfDay(checked.checkedAt, look.clock)}. ${touchedText(plan)}`, look.columns).map(
      palette.faint,
    ),
    '',
    palette.strong('Checks'),
    ...(folded ? renderChecksFolded(checked, look) : renderChecks(checked, look, verbose)),
    ...renderApplications(checked, look),
    ...(folded ? renderEffectsFolded(effects, look) : renderEffects(effects, look)),
    ...(folded ? ['', palette.faint('Folded: --all prints every check, instance and pod.')] : []),
    ...renderQuestions(plan, answers, look),
    '',
    ...hang('In all: ', `${countsSentence(effects)}.`, look.columns),
    ...renderVerdict(checked, look, unkept),
  ]
}

/** What a run of this plan may ask, how it is answered beforehand, and what --yes answers. */
function renderQuestions({ steps }: Plan, answers: readonly string[], look: Look): readonly string[] {
  const questions = questionsOf(steps)
  if (questions.length === 0) return []
  return [
    '',
    look.palette.strong('Questions it may ask (--answer KIND=CHOICE answers beforehand)'),
    ...questions.flatMap(({ kind, question }) => {
      const { unattended } = question
      const alone =
        unattended === null ? 'left open, exit 4' : `${unattended.choices[0]}: ${SAFE_WORDS[unattended.why]}`
      const said = answers.find(answer => answer.startsWith(`${kind}=`))
      const then = said === undefined ? `With --yes: ${alone}.` : `Answered beforehand: ${said.slice(kind.length + 1)}.`
      return hang('  ', `${kind}=${question.choices.join('|')}: ${ASK_WORDS[question.asks]}. ${then}`, look.columns)
    }),
    ...hang('  ', `Any step that fails or stands still asks too: KIND=${TROUBLE_CHOICES.join('|')}.`, look.columns).map(
      look.palette.faint,
    ),
  ]
}

/** Asking Watcher leaves records of its own: whoever looks there has to know whose they are (docs/decisions/0015). */
function touchedText({ steps }: Plan): string {
  const asked = steps.flatMap(({ input }) => {
    const watcher = WatcherStepInput.safeParse(input)
    return watcher.success ? [watcher.data] : []
  })[0]
  return asked === undefined
    ? 'Nothing has been touched.'
    : `Nothing of the cloud has been touched. Watcher keeps the records of having been asked: audit ${asked.auditUuid} with action plan ${asked.planUuid}, which is cancelled unless this plan is confirmed.`
}

/** `, with 1 warning`: what checks that hold have to say; empty when none has. */
function warningWords(checked: CheckedPlan): string {
  const count = warningsOf(checked).length
  return count === 0 ? '' : `, with ${counted(count, 'warning')}`
}

/** Whether the plan can start, and if not, what blocks it. */
function renderVerdict(checked: CheckedPlan, look: Look, unkept: string | null = null): readonly string[] {
  const { palette, symbols, columns } = look
  if (checked.startable) {
    // They are made again when it starts, and may find then what was not there now.
    if (unkept === null) {
      // What somebody overrode is no check that holds.
      const isOverridden = blockersOf(checked).length > 0
      return hang(
        `${isOverridden ? symbols.warning : symbols.ok} `,
        `${checksHoldWords(checked, 'then')}${warningWords(checked)} at ${timeOfDay(checked.checkedAt, look.clock)}. They are made once more when it starts.`,
        columns,
      ).map(isOverridden ? palette.warn : palette.good)
    }
    const words = `${checksHoldWords(checked)}, but it cannot start: what happens could not be kept. ${unkept}`
    return hang(`${symbols.blocked} `, words, columns).map(palette.bad)
  }
  const blockers = openBlockers(checked).map(({ blocker }) => blocker)
  const flags = [
    ...new Set(blockers.flatMap(({ override }) => (override.kind === 'flag' ? [`--${override.flag}`] : []))),
  ]
  const never = blockers.filter(({ override }) => override.kind === 'never').length
  const howFar =
    blockers.length === 0 || (flags.length === 0 && never === 0)
      ? ''
      : flags.length === 0
        ? ' No flag overrides this.'
        : never === 0
          ? ` Can be overridden with ${flags.join(' and ')}, each with a reason.`
          : ` ${flags.join(' and ')} would override some, but not all.`
  return hang(
    `${symbols.blocked} `,
    `It cannot start: ${counted(blockers.length, 'blocker')} in the way (${[...new Set(blockers.map(({ code }) => code))].join(', ')}).${howFar}`,
    columns,
  ).map(palette.bad)
}

function choicesText({ plan }: CheckedPlan): string {
  const { options } = plan
  // Only who empties or drains a node has a scope and a drain.
  const drains = !isNodePlan(plan) || takesOut(plan.kind)
  return [
    ...(drains ? [`scope ${options.scope}`] : []),
    `${plan.flavour} cloud`,
    // The OpenStack Controller and Watcher move as many instances at once as they are told to.
    ...(plan.flavour === 'mosk' || (options.strategy === 'watcher' && !options.novaForRest)
      ? []
      : [
          `${counted(options.concurrency, plan.kind === 'rescue' ? 'rebuild' : 'migration')} at once`,
          ...(options.attempts === null ? [] : [`${counted(options.attempts, 'attempt')} each`]),
        ]),
    ...(!drains
      ? []
      : [
          options.drainTimeoutMs === 0
            ? 'drain without limit'
            : `drain within ${durationWords(options.drainTimeoutMs)}`,
        ]),
    ...(options.machineIsOff === '' ? [] : [`said to be off: ${options.machineIsOff}`]),
    ...roleChoiceWords(plan),
    ...(options.deleteEmptyDirData ? ['emptyDir data is deleted'] : []),
    ...(options.reason === '' ? [] : [`reason: ${options.reason}`]),
    ...options.overrides.map(({ flag, reason }) => `--${flag}: ${reason}`),
  ].join(', ')
}

/** Whether a plan is shown folded: one of many nodes, unless everything is asked for. */
export function isFolded({ kind }: Plan, args: { isSet(flag: string): boolean }): boolean {
  return !isNodeRun(kind) && !args.isSet('all') && !args.isSet('verbose')
}
