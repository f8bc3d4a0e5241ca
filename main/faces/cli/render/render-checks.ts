import { must } from '../../../../shared/domain/must.ts'
import { type CheckedPlan, overrideFor, type PlannedStep, type StepCheck } from '../../../../shared/domain/plan.ts'
import type { Blocker, OverrideFlag } from '../../../../shared/domain/step-answers.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { hang } from '../words/width.ts'
import { renderEvidence } from './render-evidence.ts'
import { renderWarning } from './render-failure.ts'

/** Every step of a plan with the result of its check: ✓ passes, ! passes with warnings or is overridden, ✗ blocks. */
export function renderChecks(checked: CheckedPlan, look: Look, verbose: boolean): readonly string[] {
  const answers = new Map(checked.checks.map(check => [check.stepId, check]))
  const widest = Math.max(0, ...checked.plan.steps.map(step => step.role.length))
  return checked.plan.steps.flatMap(step =>
    renderStep(step, answers.get(step.id), checked, look, verbose, `${step.role.padEnd(widest)}  `),
  )
}

/** The checks of many nodes, folded: per node (or per phase) how many pass, and then only those that warn or block, in the plan's order. */
export function renderChecksFolded(checked: CheckedPlan, look: Look): readonly string[] {
  const answers = new Map(checked.checks.map(check => [check.stepId, check]))
  const groups = Map.groupBy(checked.plan.steps, groupOf)
  const widest = Math.max(0, ...[...groups.keys()].map(name => name.length))
  const inner = { ...look, columns: look.columns === null ? null : look.columns - FOLD_INDENT.length }
  return [...groups].flatMap(([name, steps]) => {
    const signed = steps.map(step => ({ step, sign: signOf(answers.get(step.id), checked, look) }))
    const odd = signed.filter(({ sign: [sign] }) => sign === look.symbols.warning || sign === look.symbols.blocked)
    const worst = odd.find(({ sign: [sign] }) => sign === look.symbols.blocked) ?? odd[0]
    const count = (sign: string) => signed.filter(each => each.sign[0] === sign).length
    // A check that is not possible in advance does not count as passed.
    const [sign, paint] = worst?.sign ??
      signed.find(({ sign: [each] }) => each === look.symbols.ok)?.sign ?? [look.symbols.pending, look.palette.faint]
    const verdict = [
      ...(count(look.symbols.ok) === 0 ? [] : [`${counted(count(look.symbols.ok), 'check passes', 'checks pass')}`]),
      ...(count(look.symbols.warning) === 0
        ? []
        : [counted(count(look.symbols.warning), 'passes with a note', 'pass with notes')]),
      ...(count(look.symbols.blocked) === 0 ? [] : [counted(count(look.symbols.blocked), 'blocks', 'block')]),
      ...(count(look.symbols.pending) === 0 ? [] : [`${count(look.symbols.pending)} checked during the run`]),
    ].join(', ')
    return [
      `  ${paint(sign)} ${name.padEnd(widest)}  ${verdict}`,
      ...odd.flatMap(({ step }) =>
        renderStep(step, answers.get(step.id), checked, inner, false, `${step.role}  `).map(line => FOLD_INDENT + line),
      ),
    ]
  })
}

const FOLD_INDENT = '    '

/** A step in a lane is about its node; any other step about its phase or the whole cluster. */
function groupOf({ lane, phase }: PlannedStep): string {
  return lane?.name ?? phase ?? 'the cloud'
}

function renderStep(
  step: PlannedStep,
  check: StepCheck | undefined,
  checked: CheckedPlan,
  look: Look,
  verbose: boolean,
  role: string,
): readonly string[] {
  const { palette, columns } = look
  const [sign, paint] = signOf(check, checked, look)
  const text = check === undefined ? step.title : `${step.title}${reasonOf(check)}`
  const lines = hang(`  ${sign} ${role}`, text, columns)
  const [first, ...rest] = lines
  const painted = [
    `  ${paint(sign)} ${palette.faint(role)}${must(first, 'hang gives at least one line').slice(`  ${sign} ${role}`.length)}`,
    ...rest,
  ]
  if (check === undefined) return painted
  const { answer } = check
  const indent = ' '.repeat(4 + role.length)
  return [
    ...painted,
    ...(verbose ? hang(`${indent}why: `, step.why, columns).map(palette.faint) : []),
    ...(answer.kind === 'blocked'
      ? answer.blockers.flatMap(blocker =>
          renderBlocker(blocker, overrideFor(blocker, checked.plan.options.overrides), look, indent),
        )
      : []),
    ...answer.warnings.flatMap(({ message }) => renderWarning(message, look, indent)),
    ...(verbose ? renderEvidence(answer.evidence, look, indent) : []),
    ...(verbose && step.verbs.includes('apply') ? hang(`${indent}undo: `, step.undo, columns).map(palette.faint) : []),
  ]
}

function signOf(
  check: StepCheck | undefined,
  checked: CheckedPlan,
  { symbols, palette }: Look,
): readonly [string, Paint] {
  if (check === undefined) return [symbols.pending, palette.faint]
  const { answer } = check
  if (answer.kind === 'blocked') {
    const open = answer.blockers.some(blocker => overrideFor(blocker, checked.plan.options.overrides) === null)
    return open ? [symbols.blocked, palette.bad] : [symbols.warning, palette.warn]
  }
  return answer.warnings.length > 0 ? [symbols.warning, palette.warn] : [symbols.ok, palette.good]
}

function reasonOf({ answer }: StepCheck): string {
  if (answer.kind === 'blocked') return ''
  return answer.kind === 'done' ? `: nothing to do. ${answer.reason}` : `: ${answer.reason}`
}

/** One blocker: the problem, the remedy, and the flag that overrides it, or why there is none. */
function renderBlocker(
  blocker: Blocker,
  overriddenBy: OverrideFlag | null,
  look: Look,
  indent: string,
): readonly string[] {
  const { palette, symbols, columns } = look
  const applies = overriddenBy !== null && blocker.override.kind === 'flag' && blocker.override.flag === overriddenBy
  if (applies) {
    return hang(
      `${indent}${symbols.warning} `,
      `${blocker.message} Starts anyway, with --${overriddenBy}.`,
      columns,
    ).map(palette.warn)
  }
  return [
    ...hang(`${indent}${symbols.blocked} `, blocker.message, columns).map(palette.bad),
    ...hang(`${indent}  next: `, blocker.remedy, columns),
    ...hang(`${indent}  `, overrideText(blocker), columns).map(palette.faint),
  ]
}

function overrideText({ override }: Blocker): string {
  return override.kind === 'flag'
    ? `--${override.flag} REASON starts anyway.`
    : `No flag starts it anyway: ${override.why}.`
}
