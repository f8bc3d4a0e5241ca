import type { ReactNode } from 'react'
import { timeLeft } from '../../../shared/words/windows.ts'
import { isJournalOnlyRead, useJournal } from '../../stores/journal.ts'
import { hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { useViews } from '../../stores/views.ts'
import { nextWindowOf, statusAt, useWindows } from '../../stores/windows.ts'
import { When, WhenMinute } from '../../ui/when.tsx'

/** The open window of a cloud, else the next one, else that none is planned. */
export function FleetWindow({ cluster }: { readonly cluster: string }): ReactNode {
  const list = useWindows(store => store.list)
  const id = useTicks(({ nowMs }) => {
    const open = (list ?? []).find(
      each => each.window.cluster === cluster && ['open', 'overrunning'].includes(statusAt(each, nowMs)),
    )
    return (open ?? nextWindowOf(list, cluster, nowMs))?.window.id ?? null
  })
  const listed = (list ?? []).find(({ window }) => window.id === id)
  const status = useTicks(({ nowMs }) => (listed === undefined ? 'planned' : statusAt(listed, nowMs)))
  const left = useTicks(({ nowMs }) => (listed === undefined ? '' : timeLeft(listed.window, status, nowMs)))
  const failed = useWindows(store => store.listFailure !== null)
  const isOnlyRead = useJournal(isJournalOnlyRead)
  const isUnread = useViews(store => store.byCluster.get(cluster)?.kind === 'failed')
  if (list === null && !failed) return <p className="fleet-line quiet">The windows are not read yet.</p>
  if (listed === undefined) {
    if (list === null || isOnlyRead || isUnread) {
      return (
        <p className="fleet-line quiet">
          {list === null
            ? 'The windows cannot be listed, so planned ones are unknown.'
            : isOnlyRead
              ? 'The journal is only partly readable, so planned windows are unknown.'
              : 'This console has no window; the cloud does not answer, so others are unknown.'}
        </p>
      )
    }
    return (
      <p className="fleet-line quiet">
        No window is planned. <a href={hashOf({ kind: 'new-window', cluster })}>Plan one</a>
      </p>
    )
  }
  const { window } = listed
  return (
    <p className="fleet-line" data-tone={status === 'overrunning' ? 'waits' : undefined}>
      <a href={hashOf({ kind: 'window', id: window.id })}>{window.title}</a>{' '}
      {status === 'planned' ? (
        <>
          begins <When at={window.startsAt} />
        </>
      ) : (
        <>
          open until <WhenMinute at={window.endsAt} />
        </>
      )}
      {left === '' ? null : <span className="quiet">, {left}</span>}
    </p>
  )
}
