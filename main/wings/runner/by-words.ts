import { seconds } from '../../../shared/domain/durations.ts'
import { byOwnWord } from '../../../shared/words/runners.ts'

/**
 * Who asks, as the journal, the status and reports name them. Where no admission of the cluster proves it, anyone who may create these objects could have
 * written any name: that is said with it.
 */
export function byWords(name: string, proved: boolean): string {
  return proved ? name : byOwnWord(name)
}

/** How long an API server may take to apply a new policy: each of several learns of it separately. */
const POLICY_SETTLES_MS = seconds(30)

/** Whether admission proved who made an object: it was at work when the object was made, and was not written since. `since`: as it is now; null: it is not there. */
export function isProved(createdAt: string, since: string | null): boolean {
  return since !== null && Date.parse(createdAt) >= Date.parse(since) + POLICY_SETTLES_MS
}
