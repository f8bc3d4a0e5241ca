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
  /** The start by Alertmanager's clock, which may have moved it. Only the same start changes a silence in place. */
  readonly startsAt: string
  readonly endsAt: string
}

interface FoundSilence extends SeenSilence {
  readonly id: string
  readonly matchers: readonly Matcher[]
}

export interface AlertmanagerPort {
  keep(silence: WantedSilence, signal?: AbortSignal): Promise<Result<string>>
  /** All active or pending silences with these words in their comment. */
  find(words: string, signal?: AbortSignal): Promise<Result<readonly FoundSilence[]>>
  look(id: string, signal?: AbortSignal): Promise<Result<SeenSilence | null>>
  /** Ends it. Only a read before shows whether it had ended already. */
  end(id: string, signal?: AbortSignal): Promise<Result<void>>
  version(signal?: AbortSignal): Promise<Result<string>>
}
