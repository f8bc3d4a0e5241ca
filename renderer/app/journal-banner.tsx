import type { ReactNode } from 'react'
import { useJournal } from '../stores/journal.ts'
import { hashOf } from '../stores/route.ts'
import { lastRead } from '../stores/updates.ts'

/** Digests as their beginnings: the whole of one is for a tooltip. */
function withShortHashes(text: string): string {
  return text.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1…')
}

/** Says on every screen that nothing can be written down, and so nothing be started, and why. */
export function JournalBanner(): ReactNode {
  const why = useJournal(store => lastRead(store.status)?.readOnly ?? null)
  if (why === null) return null
  return (
    <div className="banner row banner-caution" role="status">
      <span title={why}>
        <b>The journal can only be read.</b> {withShortHashes(why)}
      </span>
      <a className="nowrap" href={hashOf({ kind: 'history', part: 'journal', cluster: null })}>
        The journal
      </a>
    </div>
  )
}
