import type { CampaignHold, MaintenanceCampaignSpec } from '../../../domain/maintenance-campaign.ts'
import { assertNever } from '../../../domain/must.ts'
import type { Finding } from '../../../words/steps/coded.ts'

/** The status of a campaign. */
interface CampaignReported {
  readonly hold: CampaignHold | null
  /** The current batch, from 0; null if all have ended. */
  readonly batch: number | null
  readonly runs: readonly {
    readonly run: string
    readonly status:
      | { readonly kind: 'ended' | 'not-begun' }
      | { readonly kind: 'under-way'; readonly phase: string }
      | { readonly kind: 'missing' | 'unknown'; readonly why: Finding }
  }[]
  readonly released: readonly string[]
  readonly ended: readonly { readonly run: string }[]
  readonly failed: readonly string[]
  readonly hasEnded: boolean
}

/** The state of a campaign, for a column: a sentence each. */
export function campaignWords(reported: CampaignReported, spec: MaintenanceCampaignSpec): readonly string[] {
  const { batch, hold, failed, ended, runs, hasEnded } = reported
  const all = runs.length
  const failures = failed.length === 0 ? [] : [failureWords(failed, spec.failureBudget)]
  if (hasEnded && hold?.kind !== 'aborted') {
    return [
      failed.length === 0
        ? all === 1
          ? 'Its run is done.'
          : `All ${all} runs are done.`
        : `${ended.length - failed.length} of ${all} runs are done.`,
      ...failures,
    ]
  }
  if (hold !== null) return [...holdWords(hold), ...failures, ...underWayWords(reported), ...missedWords(reported)]
  const current = spec.batches[batch ?? 0]
  const named = current?.name == null ? '' : ` (${current.name})`
  const left = current?.runs.filter(run => !ended.some(each => each.run === run)).length ?? 0
  return [
    `Batch ${(batch ?? 0) + 1} of ${spec.batches.length}${named}: ${(current?.runs.length ?? 0) - left} of ${current?.runs.length ?? 0} runs have ended.`,
    ...underWayWords(reported),
    ...releasedWords(reported),
    ...missedWords(reported),
    ...failures,
  ]
}

function holdWords({ kind, by = '', reason = '' }: CampaignHold): readonly string[] {
  const said = `by ${by}${reason === '' ? '' : `: ${reason}`}`
  switch (kind) {
    case 'paused':
      return [`Paused ${said}.`, 'The campaign starts no more runs.']
    case 'aborted':
      return [`Aborted ${said}.`, 'The campaign starts no more runs, and runs that have not started end.']
    case 'stopped':
      return [
        'More runs failed than allowed, so the campaign starts no more. Resume the failed runs and then the campaign, or abort it.',
      ]
    default:
      return assertNever(kind, 'hold of a campaign')
  }
}

function failureWords(failed: readonly string[], budget: number): string {
  return `Not done: ${names(failed)} (${budget} may fail).`
}

/** Started runs continue to their end even if no more start; a run that does not progress shows its phase. */
function underWayWords({ runs }: CampaignReported): readonly string[] {
  const list = runs.flatMap(({ run, status }) => {
    if (status.kind !== 'under-way') return []
    const { phase } = status
    return phase === 'Running' || phase === 'Pending' ? [run] : [`${run} (${phase})`]
  })
  return list.length === 0 ? [] : [`Running to ${list.length === 1 ? 'its' : 'their'} end: ${names(list)}.`]
}

function releasedWords({ runs, released }: CampaignReported): readonly string[] {
  const list = runs
    .filter(({ run, status }) => status.kind === 'not-begun' && released.includes(run))
    .map(({ run }) => run)
  return list.length === 0 ? [] : [`Released, but not started yet: ${names(list)}.`]
}

/** Waits that need an operator. */
function missedWords({ runs, hold }: CampaignReported): readonly string[] {
  const list = runs.flatMap(({ status }) =>
    status.kind === 'unknown' || (status.kind === 'missing' && hold === null) ? [status.why.message] : [],
  )
  return list.length === 0 ? [] : [`Waiting because ${names(list, '; ')}.`]
}

function names(list: readonly string[], by = ', '): string {
  const more = list.length - NAMES_SAID
  return `${list.slice(0, NAMES_SAID).join(by)}${more > 0 ? `${by}and ${more} more` : ''}`
}

/** Longest list of names. */
const NAMES_SAID = 5
