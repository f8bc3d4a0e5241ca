import { seconds } from '../../../shared/domain/durations.ts'
import { byOwnWord } from '../../../shared/words/runners.ts'

/**
 * The name of an operator for the journal, statuses and reports. Without proof by an admission policy anyone who may create these objects could have
 * written any name, so the name says that it is unverified.
 */
export function askerName(name: string, isProved: boolean): string {
  return isProved ? name : byOwnWord(name)
}

/** How long an API server may take to apply a new policy; each of several servers learns of it separately. */
const POLICY_SETTLES_MS = seconds(30)

/** Whether admission proved the author of an object: the policy existed before the object, unchanged `since` then; null if there is no policy. */
export function isProved(createdAt: string, since: string | null): boolean {
  return since !== null && Date.parse(createdAt) >= Date.parse(since) + POLICY_SETTLES_MS
}
