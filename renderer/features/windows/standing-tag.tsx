import type { ReactNode } from 'react'
import type { WindowStanding } from '../../../shared/domain/window.ts'
import { STANDING_WORDS } from '../../../shared/words/windows.ts'

/** Where a window stands, in a word with its colour. */
export function StandingTag({ standing }: { readonly standing: WindowStanding }): ReactNode {
  return <span className={`win-standing standing-${standing}`}>{STANDING_WORDS[standing]}</span>
}
