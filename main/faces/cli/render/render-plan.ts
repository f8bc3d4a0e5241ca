import { ApplicationUpdate } from '../../../../shared/domain/application-update.ts'
import { CommandWork } from '../../../../shared/domain/command-work.ts'
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
import { renderChecks, renderChecksFolded } from './render-checks.ts'
import { renderEffects, renderEffectsFolded } from './render-effects.ts'
import { roleChoiceWords } from './role-choice-words.ts'

/**
 * A checked plan for the operator to read: checks, every instance, every pod, and the totals. `unkept`: why the journal cannot be written,
 * so that nothing can start. `folded`: for many nodes only each verdict, warnings and blockers. `answers`: KIND=CHOICE, given in advance.
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
  const choices = choicesText(checked)
  return [
    palette.strong(planTitle(plan)),
    ...(choices === '' ? [] : hang('', choices, look.columns).map(palette.faint)),
    ...hang('', `Checked at ${timeOfDay(checked.checkedAt, look.clock)}. ${touchedText(plan)}`, look.columns).map(
      palette.faint,
    ),
    '',
    palette.strong('Checks'),
    ...(folded ? renderChecksFolded(checked, look) : renderChecks(checked, look, verbose)),
    ...renderApplications(checked, look),
    ...(folded ? renderEffectsFolded(effects, look) : renderEffects(effects, look)),
    ...(folded ? ['', palette.faint('This is a summary: --all prints every check, instance and pod.')] : []),
    ...renderQuestions(plan, answers, look),
    '',
    ...hang('In all: ', `${countsSentence(effects)}.`, look.columns),
    ...renderVerdict(checked, look, unkept),
  ]
}

/** The questions that a run of this plan may ask, how to answer them in advance, and what --yes answers. */
function renderQuestions({ steps }: Plan, answers: readonly string[], look: Look): readonly string[] {
  const questions = questionsOf(steps)
  if (questions.length === 0) return []
  return [
    '',
    look.palette.strong('Questions it may ask (--answer KIND=CHOICE answers in advance)'),
    ...questions.flatMap(({ kind, question }) => {
      const { unattended } = question
      const alone =
        unattended === null ? 'not answered, exit code 4' : `${unattended.choices[0]}: ${SAFE_WORDS[unattended.why]}`
      const said = answers.find(answer => answer.startsWith(`${kind}=`))
      const then = said === undefined ? `With --yes: ${alone}.` : `Answered in advance: ${said.slice(kind.length + 1)}.`
      return hang('  ', `${kind}=${question.choices.join('|')}: ${ASK_WORDS[question.asks]}. ${then}`, look.columns)
    }),
    ...hang('  ', `Any step that fails or is stuck also asks: KIND=${TROUBLE_CHOICES.join('|')}.`, look.columns).map(
      look.palette.faint,
    ),
  ]
}

/** A request to Watcher leaves records there; the plan names them, so that operators recognise them (docs/decisions/0015). */
function touchedText({ steps }: Plan): string {
  const asked = steps.flatMap(({ input }) => {
    const watcher = WatcherStepInput.safeParse(input)
    return watcher.success ? [watcher.data] : []
  })[0]
  return asked === undefined
    ? 'Nothing has changed.'
    : `Nothing in the cloud has changed. Watcher has a new audit ${asked.auditUuid} with action plan ${asked.planUuid}; Lockkeeper cancels it unless you confirm this plan.`
}

/** `, with 1 note` of passed checks; empty when there are none. */
function warningWords(checked: CheckedPlan): string {
  const count = warningsOf(checked).length
  return count === 0 ? '' : `, with ${counted(count, 'note')}`
}

/** Whether the plan can start, and if not, what blocks it. */
function renderVerdict(checked: CheckedPlan, look: Look, unkept: string | null = null): readonly string[] {
  const { palette, symbols, columns } = look
  if (checked.startable) {
    // The checks run again at the start and may then find something new.
    if (unkept === null) {
      // An overridden check does not count as passed.
      const isOverridden = blockersOf(checked).length > 0
      return hang(
        `${isOverridden ? symbols.warning : symbols.ok} `,
        `${checksHoldWords(checked, 'then')}${warningWords(checked)} at ${timeOfDay(checked.checkedAt, look.clock)}. They run again at the start.`,
        columns,
      ).map(isOverridden ? palette.warn : palette.good)
    }
    const words = `${checksHoldWords(checked)}, but it cannot start: the journal cannot be written. ${unkept}`
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
        ? ' No flag starts it anyway.'
        : never === 0
          ? ` ${flags.join(' and ')} ${flags.length === 1 ? 'starts' : 'start'} it anyway, each with a reason.`
          : ` ${flags.join(' and ')} would lift some, but not all.`
  return hang(
    `${symbols.blocked} `,
    `It cannot start: ${counted(blockers.length, 'thing blocks', 'things block')} this (${[...new Set(blockers.map(({ code }) => code))].join(', ')}).${howFar}`,
    columns,
  ).map(palette.bad)
}

function choicesText({ plan }: CheckedPlan): string {
  const { options } = plan
  // Only plans that empty or drain a node have a scope and a drain.
  const drains = !isNodePlan(plan) || takesOut(plan.kind)
  return [
    ...(drains && options.scope !== 'os' ? [`scope ${options.scope}`] : []),
    // The OpenStack Controller and Watcher have their own settings for how many instances move at a time.
    ...(plan.flavour === 'mosk' || (options.strategy === 'watcher' && !options.novaForRest)
      ? []
      : [
          `${counted(options.concurrency, plan.kind === 'rescue' ? 'rebuild' : 'migration')} at a time`,
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

/** What starts the update of each application: every patched field with old and new value, or a command exactly as written, on one line. */
export function renderApplications({ plan, checks }: CheckedPlan, look: Look): readonly string[] {
  const lines = plan.steps.flatMap(({ id, input, title }) => {
    const update = ApplicationUpdate.safeParse(input.update)
    if (!update.success) return []
    const work = CommandWork.safeParse(input.work)
    if (work.success) {
      const { command, directory } = work.data
      // Never wrapped, so that the operator can paste the confirmed command.
      return [`  Update ${update.data.application}: this machine runs once in ${directory}:`, `    ${command}`]
    }
    const effects = checks.find(({ stepId }) => stepId === id)?.answer.effects ?? []
    return [
      ...hang('  ', title, look.columns),
      ...effects.flatMap(effect =>
        effect.kind === 'change'
          ? hang('    ', `${effect.target}: ${effect.from} ${look.symbols.arrow} ${effect.to}`, look.columns)
          : [],
      ),
    ]
  })
  return lines.length === 0 ? [] : ['', look.palette.strong('Applications'), ...lines]
}

/** Plans of many nodes are folded, unless everything was requested. */
export function isFolded({ kind }: Plan, args: { isSet(flag: string): boolean }): boolean {
  return !isNodeRun(kind) && !args.isSet('all') && !args.isSet('verbose')
}
