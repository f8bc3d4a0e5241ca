import type { Result } from '../../shared/domain/result.ts'
import type { Matcher } from '../../shared/domain/silence-matchers.ts'

/** A silence as it is asked for. */
interface WantedSilence {
  /** The one that is changed; null: a new one. */
  readonly id: string | null
  readonly matchers: readonly Matcher[]
  readonly startsAt: string
  readonly endsAt: string
  readonly createdBy: string
  readonly comment: string
}

/** A silence as Alertmanager has it. */
interface SeenSilence {
  readonly state: 'active' | 'pending' | 'expired'
  /** By the clock of Alertmanager, which may have moved it: a silence is changed in place only when it stays. */
  readonly startsAt: string
  readonly endsAt: string
}

/** A silence that is found by its comment. */
interface FoundSilence extends SeenSilence {
  readonly id: string
  readonly matchers: readonly Matcher[]
}

/** What the house needs of an Alertmanager (API v2). */
export interface AlertmanagerPort {
  /** Makes a silence, or changes one, and answers its id: another one where Alertmanager replaced it. */
  keep(silence: WantedSilence, signal?: AbortSignal): Promise<Result<string>>
  /** All that are not over and have these words in their comment. */
  find(words: string, signal?: AbortSignal): Promise<Result<readonly FoundSilence[]>>
  /** Null: Alertmanager has none of that id. */
  look(id: string, signal?: AbortSignal): Promise<Result<SeenSilence | null>>
  /** Ends it. That it was ended before is told only by looking at it first. */
  end(id: string, signal?: AbortSignal): Promise<Result<void>>
  /** Its version, to see whether it can be asked. */
  version(signal?: AbortSignal): Promise<Result<string>>
}
