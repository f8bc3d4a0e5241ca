import type { CampaignWait } from './campaign-wait.ts'
import type { RunLeft } from './run-left.ts'

/** Texts of earlier versions, which this version writes as codes. Only this file reads them, while a journal may contain one. */

export function leftOfEarlier(why: string): RunLeft {
  const detached = /^(.+) left it$/s.exec(why)?.[1]
  if (detached !== undefined) return { code: 'Detached', by: detached }
  const handing = /^(.+) hands it over$/s.exec(why)?.[1]
  if (handing !== undefined) return { code: 'HandingOver', by: handing }
  const [, ofLost, lost] = /^The lease of (\S+) was lost, so nothing more was begun\.(?: (.*))?$/s.exec(why) ?? []
  if (ofLost !== undefined) return { code: 'LeaseLost', node: ofLost, cause: lost ?? '' }
  const [, node, cause] = /^The lease of (\S+) could not be taken: (.*)$/s.exec(why) ?? []
  if (node !== undefined) return { code: 'LeaseNotTaken', node, cause: cause ?? '' }
  return { code: 'Other', text: why }
}

export function isSilenceOfEarlier(message: string): boolean {
  return message.startsWith('it says nothing; it has not moved')
}

/** The refused command about a live migration; null means another text. */
export function steeringOfEarlier(what: string): 'abort' | 'force-complete' | null {
  return STEERINGS.get(what) ?? null
}

const STEERINGS: ReadonlyMap<string, 'abort' | 'force-complete'> = new Map([
  ['abort its migration', 'abort'],
  ['end its migration now', 'force-complete'],
])

/** The message says that the run's runner no longer exists. */
export function isStrandedOfEarlier(message: string, runner: string): boolean {
  // prose-ignore: an earlier version wrote it
  return message.startsWith(`Its runner ${runner} is not there any more`)
}

export function campaignWaitOfEarlier(message: string): CampaignWait | null {
  const [, held, batch, batches] =
    /^It begins when MaintenanceCampaign (\S+) says so \(batch (\d+) of (\d+)\)\./.exec(message) ?? []
  if (held !== undefined)
    return { code: 'CampaignHolds', campaign: held, batch: Number(batch), batches: Number(batches) }
  for (const [pattern, code] of CAMPAIGN_TEXTS) {
    const campaign = pattern.exec(message)?.[1]
    if (campaign !== undefined) return { code, campaign }
  }
  return null
}

const CAMPAIGN_TEXTS: readonly (readonly [RegExp, Exclude<CampaignWait['code'], 'CampaignHolds'>])[] = [
  [/^There is no MaintenanceCampaign (\S+) in this namespace,/, 'CampaignMissing'],
  [/^MaintenanceCampaign (\S+) cannot be read by this version\./, 'CampaignUnreadable'],
  [/^MaintenanceCampaign (\S+) does not list it,/, 'CampaignOmitsRun'],
  [/^MaintenanceCampaign (\S+) is refused and begins nothing\./, 'CampaignRefused'],
  [/^MaintenanceCampaign (\S+) is looked at anew before it begins\./, 'CampaignIsJudged'],
]
