import type { RequestInput } from '../../../../shared/contract/index.ts'
import type { AgreedAnswer, ResumePolicy } from '../../../../shared/domain/maintenance-run.ts'
import { isObjectName } from '../../../../shared/domain/object-name.ts'
import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import { choicesOfKind, safeAnswer } from '../../../../shared/domain/unattended.ts'
import { noObjectName } from '../../../../shared/words/object-names.ts'
import { SAFE_WORDS } from '../../../../shared/words/planned-questions.ts'
import type { ParsedArguments } from '../../../faces/cli/arguments/parsed-arguments.ts'

type Wishes = Pick<RequestInput<'runner.submit'>, 'startAfter' | 'notAfter' | 'resumePolicy' | 'campaign'>

/** An answer given in advance applies this often before the operator must answer, as in a terminal without an operator. */
const AT_MOST = 3

/** The values of `--start-after`, `--not-after` (as ISO), `--resume-policy` and `--campaign`; a message if one is wrong. `isInCluster`: a runner carries out the run. */
export function wishesInCluster(
  args: ParsedArguments,
  isInCluster: boolean = args.isSet('in-cluster'),
): Wishes | string {
  const wishes: { startAfter?: string; notAfter?: string; resumePolicy?: ResumePolicy; campaign?: string } = {}
  const policy = args.text('resume-policy')
  if (policy !== null) {
    if (!isInCluster) return '--resume-policy needs --in-cluster.'
    wishes.resumePolicy = policy === 'never' ? 'Never' : 'Always'
  }
  const campaign = args.text('campaign')
  if (campaign !== null) {
    if (!isInCluster) return '--campaign needs --in-cluster.'
    if (!isObjectName(campaign)) return noObjectName(campaign, 'a MaintenanceCampaign')
    wishes.campaign = campaign
  }
  for (const [flag, field] of [
    ['start-after', 'startAfter'],
    ['not-after', 'notAfter'],
  ] as const) {
    const typed = args.text(flag)
    if (typed === null) continue
    if (!isInCluster) return `--${flag} needs --in-cluster.`
    if (
      !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(typed) ||
      Number.isNaN(Date.parse(typed))
    ) {
      return `--${flag} takes a time with its offset, such as 2035-11-24T22:00+01:00, not ${typed}.`
    }
    wishes[field] = new Date(typed).toISOString()
  }
  const { startAfter, notAfter } = wishes
  return startAfter !== undefined && notAfter !== undefined && startAfter >= notAfter
    ? '--not-after must be later than --start-after.'
    : wishes
}

/** The answers that the runner gets with the plan: the answers of `--answer`, and with `--yes` the safe answers, as in a terminal without an operator. */
export function agreedAnswers(
  given: readonly string[],
  steps: readonly PlannedStep[],
  yes: boolean,
): readonly AgreedAnswer[] {
  const said = new Map(
    given.map(word => {
      const at = word.indexOf('=')
      return [word.slice(0, at), word.slice(at + 1)] as const
    }),
  )
  return [...new Set(steps.map(({ kind }) => kind))].flatMap((step): AgreedAnswer[] => {
    const offered = choicesOfKind(step, steps)
    const word = said.get(step)
    const choice = offered.find(each => each === word)
    if (choice !== undefined) return [{ step, choice, reason: `--answer ${step}=${choice}`, atMost: AT_MOST }]
    const safe = yes && word === undefined ? safeAnswer(step, offered) : null
    return safe === null
      ? []
      : [{ step, choice: safe.choice, reason: `--yes: ${SAFE_WORDS[safe.why]}`, atMost: AT_MOST }]
  })
}
