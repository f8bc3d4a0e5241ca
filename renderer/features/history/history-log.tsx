import { Button, InputGroup } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { type ReactNode, useId, useMemo } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { dateAndTime } from '../../../shared/grammar/times.ts'
import { readHistory, searchHistory } from '../../bridge/history.ts'
import { HISTORY_PAGE, useHistory } from '../../stores/history.ts'
import { isJournalOnlyRead, useJournal } from '../../stores/journal.ts'
import { lastRead } from '../../stores/updates.ts'
import { useWindows, windowOf } from '../../stores/windows.ts'
import { DayField } from '../../ui/day-field.tsx'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { HistoryGrid } from './history-grid.tsx'
import { historyRows } from './history-rows.ts'

/** The limit of one answer of main. */
const MOST = 1000

/** Runs and windows of all clusters, found by words and days. */
export function HistoryLog(): ReactNode {
  const wish = useHistory(store => store.wish)
  const asked = useHistory(store => store.found)
  const windows = useWindows(store => store.list)
  const found = lastRead(asked)
  const rows = useMemo(
    () =>
      found === null
        ? null
        : historyRows(found.runs, found.windows, id => {
            const known = found.windows.find(({ window }) => window.id === id) ?? windowOf(windows, id)
            return known?.window.title ?? null
          }),
    [found, windows],
  )
  const narrowed = wish.text.trim() !== '' || wish.from !== null || wish.to !== null || wish.cluster !== null
  return (
    <div className="hist-log column">
      <Tools />
      {asked.kind === 'failed' ? (
        <FailureCallout title="The history cannot be read" failure={asked.failure} onRetry={readHistory} />
      ) : null}
      {rows === null || found === null ? (
        asked.kind === 'failed' ? null : (
          <p className="quiet hist-pad">Reading…</p>
        )
      ) : rows.length === 0 ? (
        <div className="hist-pad">{narrowed ? <NothingFound /> : <NothingYet />}</div>
      ) : (
        <>
          <p className="quiet hist-count" role="status">
            {counted(found.runs.length, 'run')} and {counted(found.windows.length, 'window')}, newest first
            {found.more ? '; there are older ones' : ''}
          </p>
          <HistoryGrid rows={rows} />
          {found.more ? (
            <div className="hist-more">
              {wish.limit < MOST ? (
                <Button
                  size="small"
                  text="Show older ones"
                  onClick={() => searchHistory({ limit: Math.min(MOST, wish.limit + HISTORY_PAGE) })}
                />
              ) : (
                <span className="quiet">Showing the newest {MOST}. Use words or days to see older ones.</span>
              )}
            </div>
          ) : null}
        </>
      )}
    </div>
  )
}

function Tools(): ReactNode {
  const wish = useHistory(store => store.wish)
  const id = useId()
  return (
    <search className="hist-tools row wrap">
      <InputGroup
        type="search"
        className="hist-search"
        leftIcon={<SearchIcon />}
        placeholder="Node, operator, ticket, reason, id…"
        aria-label="Find in the history"
        value={wish.text}
        onValueChange={text => searchHistory({ text, limit: HISTORY_PAGE })}
      />
      <label htmlFor={`${id}-from`}>
        From
        <DayField
          id={`${id}-from`}
          day={dayOf(wish.from)}
          onDay={day => searchHistory({ from: beginOf(day), limit: HISTORY_PAGE })}
        />
      </label>
      <label htmlFor={`${id}-to`}>
        To
        <DayField
          id={`${id}-to`}
          day={dayOf(wish.to)}
          onDay={day => searchHistory({ to: endOf(day), limit: HISTORY_PAGE })}
        />
      </label>
      {wish.text === '' && wish.from === null && wish.to === null ? null : (
        <Button
          size="small"
          variant="minimal"
          text="Clear"
          onClick={() => searchHistory({ text: '', from: null, to: null, limit: HISTORY_PAGE })}
        />
      )}
    </search>
  )
}

function NothingYet(): ReactNode {
  if (useJournal(isJournalOnlyRead)) {
    return (
      <Notice tone="plain" title="The journal has no run and no window now">
        <p>There may have been some: the note above says what is wrong with the journal.</p>
      </Notice>
    )
  }
  return (
    <Notice tone="plain" title="Nothing has happened yet">
      <p>
        Every run and every window of this console is kept here, with who did what and why. It fills when you take a
        node out of service or plan a window.
      </p>
    </Notice>
  )
}

function NothingFound(): ReactNode {
  return (
    <Notice tone="plain" title="No match">
      <p>No run or window of these days has all of these words. A word may be part of a name, a reason or an id.</p>
      <Button
        text="Show everything"
        onClick={() => searchHistory({ text: '', from: null, to: null, cluster: null, limit: HISTORY_PAGE })}
      />
    </Notice>
  )
}

/** A day as the field needs it, in the operator's calendar. */
function dayOf(at: string | null): string {
  return at === null ? '' : dateAndTime(at, 'local').slice(0, 10)
}

function beginOf(day: string): string | null {
  return Number.isNaN(Date.parse(day)) ? null : new Date(`${day}T00:00:00`).toISOString()
}

function endOf(day: string): string | null {
  return Number.isNaN(Date.parse(day)) ? null : new Date(`${day}T23:59:59.999`).toISOString()
}
