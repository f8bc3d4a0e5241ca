import type { Result } from '../../../shared/domain/result.ts'
import type { SignalSecrets } from '../../clusters/signal-secrets.ts'

/** Secrets of a cluster by part; null deletes one. Parts that are not named stay. */
export type SecretChanges = ReadonlyMap<string, string | null>

/**
 * Stores secrets, then the settings that name their destination. If that fails, it restores the secrets, so that none goes to the wrong address. A secret
 * sealed by another face cannot be restored and must be entered again.
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
