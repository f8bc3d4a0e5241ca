import type { ReactNode } from 'react'
import type { RunTone } from './live-runs.ts'

const RADIUS = 7
const ROUND = 2 * Math.PI * RADIUS

interface Props {
  readonly tone: RunTone
  /** 0 to 1; null if unknown, and the ring stays empty. */
  readonly share: number | null
}

/** Progress as a ring; its mark says the same as its colour. */
export function Ring({ tone, share }: Props): ReactNode {
  return (
    <svg className={`run-ring run-tone-${tone}`} viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">
      <circle className="run-ring-whole" cx="9" cy="9" r={RADIUS} />
      {share === null || share <= 0 ? null : (
        <circle
          className="run-ring-part"
          cx="9"
          cy="9"
          r={RADIUS}
          strokeDasharray={`${share * ROUND} ${ROUND}`}
          transform="rotate(-90 9 9)"
        />
      )}
      {tone === 'waits' ? <path className="run-ring-mark" d="M9 5.5v4M9 12v.6" /> : null}
      {tone === 'failed' ? <path className="run-ring-mark" d="M6.8 6.8l4.4 4.4M11.2 6.8l-4.4 4.4" /> : null}
    </svg>
  )
}
