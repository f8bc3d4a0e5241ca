import { Button, Dialog } from '@blueprintjs/core'
import { CrossIcon, GridViewIcon, RefreshIcon } from '@blueprintjs/icons'
import { type ReactNode, type RefObject, useEffect, useId, useState } from 'react'
import { ageWords } from '../../../shared/grammar/durations.ts'
import { useTicks } from '../../stores/ticks.ts'
import { ClusterName } from '../clusters/cluster-name.tsx'
import { planAge } from './plan-age.ts'
import './plan-sheet.css'

/** When the plan was checked, and how to check it again. */
interface SheetChecked {
  /** By this page's clock; null while there is no plan. */
  readonly atMs: number | null
  readonly isMaking: boolean
  /** Whether the facts behind the plan have changed since. */
  readonly changed?: boolean
  readonly onCheckAgain: () => void
}

interface Props {
  readonly title: ReactNode
  readonly cluster: string
  /** After the cloud's name: zone, or how many nodes. */
  readonly place?: string | null
  readonly checked: SheetChecked
  /** Progress or a failure, above both columns. */
  readonly notice?: ReactNode
  /** Where instances go; beside the sheet where there is room, else behind a button. */
  readonly map?: ReactNode
  readonly left: ReactNode
  readonly right: ReactNode
  /** One line. */
  readonly foot: ReactNode
  /** Receives the focus when the sheet opens, and when the focused element is gone. */
  readonly first: RefObject<HTMLElement | null>
  readonly onClose: () => void
}

/** A plan over any screen: a verdict at the left, what happens at the right, one line to start it. Opening it starts nothing. */
export function PlanSheet(props: Props): ReactNode {
  const { title, cluster, place = null, checked, notice, map, left, right, foot, first, onClose } = props
  const id = useId()
  const [onMap, setOnMap] = useState(false)
  useEscape(onClose)
  useKeptFocus(first, checked.isMaking)
  return (
    <Dialog
      isOpen
      className="sheet"
      backdropClassName="sheet-veil"
      aria-labelledby={id}
      shouldReturnFocusOnClose
      canOutsideClickClose={false}
      onClose={onClose}
      onOpened={() => first.current?.focus()}
    >
      <header className="sheet-head row">
        <h2 id={id}>{title}</h2>
        <span className="sheet-place quiet row">
          <ClusterName name={cluster} />
          {place === null ? null : <span className="sheet-zone">{place}</span>}
        </span>
        <span className="space" />
        {map === undefined ? null : (
          <Button
            className="sheet-to-map"
            variant="minimal"
            icon={<GridViewIcon />}
            text={onMap ? 'Back to the plan' : 'Show on map'}
            aria-pressed={onMap}
            onClick={() => setOnMap(!onMap)}
          />
        )}
        <Checked {...checked} />
        <Button variant="minimal" icon={<CrossIcon />} aria-label="Close" title="Close" onClick={onClose} />
      </header>
      {notice === undefined || notice === null ? null : <div className="sheet-notice">{notice}</div>}
      {map === undefined ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
        <aside className="sheet-map" data-open={onMap} tabIndex={0} aria-label="Where they go">
          {map}
        </aside>
      )}
      <div className="sheet-body" data-covered={onMap} aria-busy={checked.isMaking}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls. */}
        <section className="sheet-left" tabIndex={0} aria-label="The plan">
          {left}
        </section>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls. */}
        <section className="sheet-right" tabIndex={0} aria-label="What happens">
          {right}
        </section>
      </div>
      {foot}
    </Dialog>
  )
}

/** The dialog receives Escape only with the focus inside; the focused element may be gone. The browser's Back closes it too. */
function useEscape(onClose: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.activeElement === document.body) onClose()
    }
    document.addEventListener('keydown', onKey)
    window.addEventListener('hashchange', onClose)
    return () => {
      document.removeEventListener('keydown', onKey)
      window.removeEventListener('hashchange', onClose)
    }
  }, [onClose])
}

/** The focused element may be gone with the last plan: keys would reach nothing. */
function useKeptFocus(first: RefObject<HTMLElement | null>, isMaking: boolean): void {
  useEffect(() => {
    if (!isMaking && document.activeElement === document.body) first.current?.focus()
  }, [first, isMaking])
}

/** How old the plan is. The words grow to the left, so that the button never moves. */
function Checked({ atMs, isMaking, changed = false, onCheckAgain }: SheetChecked): ReactNode {
  const age = useTicks(store => (atMs === null ? 'fresh' : planAge(atMs, store.nowMs)))
  const urgent = changed || age !== 'fresh'
  return (
    <>
      <span className={urgent ? 'sheet-age caution' : 'sheet-age quiet'} role={changed ? 'status' : undefined}>
        {isMaking || atMs === null ? 'Checking' : changed ? 'The cloud has changed' : <Ago sinceMs={atMs} />}
      </span>
      <Button
        variant={urgent ? 'outlined' : 'minimal'}
        intent={urgent ? 'primary' : 'none'}
        icon={<RefreshIcon />}
        loading={isMaking}
        aria-label="Check again"
        title="Check again"
        onClick={onCheckAgain}
      />
    </>
  )
}

function Ago({ sinceMs }: { readonly sinceMs: number }): ReactNode {
  const ms = useTicks(store => Math.max(0, store.nowMs - sinceMs))
  return <>{ms < 2000 ? 'Checked now' : `Checked ${ageWords(ms)} ago`}</>
}
