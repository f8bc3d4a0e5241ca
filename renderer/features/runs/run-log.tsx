import { Button, Checkbox, InputGroup } from '@blueprintjs/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import { endingOf } from '../../../shared/domain/run-ending.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { eventLine } from '../../../shared/words/run-events.ts'
import { When } from '../../ui/when.tsx'

interface Props {
  readonly events: readonly RunEvent[]
  readonly view: RunView
}

/** All events, newest first, as the journal has them. */
export function RunLog({ events, view }: Props): ReactNode {
  const [text, setText] = useState('')
  const [all, setAll] = useState(false)
  const [copied, setCopied] = useState('')
  const search = useDeferredValue(text.trim().toLowerCase())
  const steps = view.plan.steps
  const titles = useMemo(() => new Map(steps.map(({ id, title }) => [id, title] as const)), [steps])
  const ending = useMemo(() => (view.state.kind === 'finished' ? endingOf(view, view.state) : null), [view])
  const lines = useMemo(
    () =>
      events
        .map(event => eventLine(event, titles, { ending }))
        .filter(line => (all || line.tone !== 'quiet') && (search === '' || line.text.toLowerCase().includes(search)))
        .reverse(),
    [events, titles, ending, all, search],
  )
  const shownCount = useMemo(
    () => events.filter(event => eventLine(event, titles).tone !== 'quiet').length,
    [events, titles],
  )
  const copy = async (what: string, content: string) => {
    try {
      await navigator.clipboard.writeText(content)
      setCopied(`Copied as ${what}.`)
    } catch {
      setCopied('The browser refuses access to the clipboard.')
    }
  }
  return (
    <details className="run-fold panel-card" aria-label="Log">
      <summary>
        <h3>Log</h3>
        <span className="quiet">{counted(shownCount, 'line')}</span>
      </summary>
      <div className="run-log-tools row wrap">
        <InputGroup
          size="small"
          type="search"
          placeholder="Find"
          aria-label="Find in the log"
          value={text}
          onValueChange={setText}
        />
        <Checkbox checked={all} label="all details" onChange={({ currentTarget }) => setAll(currentTarget.checked)} />
        <span className="quiet">
          {lines.length} of {counted(events.length, 'event')}
        </span>
        <span className="run-log-copy row">
          <span className="quiet" role="status">
            {copied}
          </span>
          <Button size="small" text="Copy as text" onClick={() => void copy('text', logAsText(events, titles))} />
          <Button size="small" text="Copy as JSON" onClick={() => void copy('JSON', JSON.stringify(events, null, 2))} />
        </span>
      </div>
      <Lines lines={lines} />
    </details>
  )
}

/** The lines that pass the filter; only the visible ones are drawn. */
function Lines({ lines }: { readonly lines: readonly ReturnType<typeof eventLine>[] }): ReactNode {
  const scroll = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 22,
    getItemKey: index => lines[index]?.seq ?? index,
    overscan: 12,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
    <section ref={scroll} className="run-log-lines" tabIndex={0} aria-label="Events, newest first">
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(item => {
          const line = lines[item.index]
          return line === undefined ? null : (
            <li
              key={item.key}
              ref={rows.measureElement}
              data-index={item.index}
              className={`run-event ${line.tone}`}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <span className="quiet mono">
                <When at={line.at} short />
              </span>
              <span>{line.text}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The whole log as text for a ticket: every event, oldest first, times in UTC. */
export function logAsText(events: readonly RunEvent[], titles: ReadonlyMap<string, string>): string {
  return events
    .map(event => eventLine(event, titles))
    .map(({ at, text }) => `${at}  ${text.replaceAll(/\s+/g, ' ')}`)
    .join('\n')
}
