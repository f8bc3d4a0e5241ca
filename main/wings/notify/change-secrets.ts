import type { Result } from '../../../shared/domain/result.ts'
import type { SignalSecrets } from '../../clusters/signal-secrets.ts'

/** Secrets of a cluster by part; null: it is forgotten. What is not named stays. */
export type SecretChanges = ReadonlyMap<string, string | null>

/**
 * Keeps secrets, then what names where they go. Where that fails they are as they were, so that none goes to an address that it was not given for. One
 * that could not be read here, sealed by another face, is lost then, and has to be set again.
 */
export function changeSecrets<T>(
  secrets: Pick<SignalSecrets, 'keep' | 'read' | 'forget'>,
  cluster: string,
  changes: SecretChanges,
  keepRest: () => Result<T>,
): Result<T> {
  const earlier = new Map<string, string | null>()
  const putBack = () => {
    for (const [part, secret] of earlier) {
      if (secret === null || !secrets.keep(cluster, part, secret).ok) secrets.forget(cluster, part)
    }
  }
  for (const [part, secret] of changes) {
    if (secret === null) continue
    const before = secrets.read(cluster, part)
    const kept = secrets.keep(cluster, part, secret)
    if (!kept.ok) {
      putBack()
      return kept
    }
    earlier.set(part, before.ok ? before.value : null)
  }
  const done = keepRest()
  if (!done.ok) {
    putBack()
    return done
  }
  for (const [part, secret] of changes) if (secret === null) secrets.forget(cluster, part)
  return done
}
