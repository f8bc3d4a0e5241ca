import type { Result } from '../../../../shared/domain/result.ts'
import type { Matcher } from '../../../../shared/domain/silence-matchers.ts'

interface WantedSilence {
  readonly id: string | null
  readonly matchers: readonly Matcher[]
  readonly startsAt: string
  readonly endsAt: string
  readonly createdBy: string
  readonly comment: string
}

interface SeenSilence {
  readonly state: 'active' | 'pending' | 'expired'
  /** By Alertmanager's clock, which may have moved it: only the same start changes a silence in place. */
  readonly startsAt: string
  readonly endsAt: string
}

interface FoundSilence extends SeenSilence {
  readonly id: string
  readonly matchers: readonly Matcher[]
}

/** Alertmanager (API v2), as Lockkeeper uses it. */
export interface AlertmanagerPort {
  /** Creates or changes a silence and returns its id: a new one if Alertmanager replaced it. */
  keep(silence: WantedSilence, signal?: AbortSignal): Promise<Result<string>>
  /** All active or pending silences with these words in their comment. */
  find(words: string, signal?: AbortSignal): Promise<Result<readonly FoundSilence[]>>
  /** Null: Alertmanager has no silence with this id. */
  look(id: string, signal?: AbortSignal): Promise<Result<SeenSilence | null>>
  /** Ends it. Only a read before shows whether it had ended already. */
  end(id: string, signal?: AbortSignal): Promise<Result<void>>
  /** Its version, to test the connection. */
  version(signal?: AbortSignal): Promise<Result<string>>
}
