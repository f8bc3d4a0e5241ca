import { Button, NonIdealState, Spinner } from '@blueprintjs/core'
import { CaretDownIcon } from '@blueprintjs/icons'
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { dismissRefusals } from '../../bridge/instances.ts'
import { openView } from '../../bridge/views.ts'
import {
  changeInstanceFilter,
  changeList,
  INSTANCE_COLUMNS,
  type InstanceFilter,
  listKey,
  NO_INSTANCE_FILTER,
  useInstanceLists,
} from '../../stores/instance-lists.ts'
import { showToast } from '../../stores/toasts.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { isOld } from '../old-source.ts'
import { columnsIn, hiddenIn, roomOf } from './instance-columns.ts'
import { InstanceDetails } from './instance-details.tsx'
import { InstanceGrid } from './instance-grid.tsx'
import { InstanceMoves } from './instance-moves.tsx'
import { InstanceToolbar, isNarrowed } from './instance-toolbar.tsx'
import { MarkMenu, type OpenMarkMenu } from './mark-menu.tsx'
import { useInstanceCommands } from './use-instance-commands.ts'
import { useList, useRefused, useShownInstances } from './use-shown-instances.ts'
import './instances.css'

interface Props {
  readonly cluster: string
  /** Null means the whole cluster. */
  readonly node: string | null
}

/** Instances, what a maintenance of their host would do or does to each, and the controls to change that. */
export function InstanceTable(props: Props): ReactNode {
  return (
    <InstanceMoves cluster={props.cluster}>
      <Table {...props} />
    </InstanceMoves>
  )
}

function Table({ cluster, node }: Props): ReactNode {
  const key = listKey(cluster, node)
  const list = useList(key)
  const shown = useShownInstances(cluster, node, list)
  const hidden = useInstanceLists(store => store.hidden)
  const [menu, setMenu] = useState<OpenMarkMenu | null>(null)
  const frame = useRef<HTMLElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const widthPx = useWidth(frame)
  const { narrow, room } = roomsIn(widthPx, list.open !== null)
  const old = useViews(store => isOld(lastOf(store.byCluster.get(cluster))?.sources.get('instances')?.state))
  const focusGrid = useCallback(() => grid.current?.focus({ preventScroll: true }), [])
  const closeMenu = useCallback(() => {
    setMenu(null)
    focusGrid()
  }, [focusGrid])
  const changeAndReturn = (change: Parameters<typeof changeList>[1]) => {
    changeList(key, change)
    focusGrid()
  }
  const columns = columnsIn(room, INSTANCE_COLUMNS, hidden)
  const selected = shown.rows.filter(({ id }) => list.selected.has(id))
  const chosen = useIdsOf(selected)
  useInstanceCommands({ cluster, listKey: key, search, chosen })
  return (
    <section
      ref={frame}
      className={`inst column${narrow ? ' inst-narrow' : ''}`}
      aria-label={`Instances of ${node ?? cluster}`}
    >
      <InstanceToolbar
        cluster={cluster}
        node={node}
        listKey={key}
        filter={list.filter}
        shown={shown}
        narrow={narrow}
        hidden={hiddenIn(room, hidden)}
        search={search}
        onLeaveSearch={focusGrid}
      />
      <RefusedStrip cluster={cluster} listKey={key} filter={list.filter} />
      <div className={`inst-middle${old ? ' stale' : ''}`}>
        <Rows
          cluster={cluster}
          node={node}
          listKey={key}
          list={list}
          shown={shown}
          columns={columns}
          grid={grid}
          onMenu={setMenu}
        />
        {list.open === null ? null : (
          <InstanceDetails
            key={list.open}
            cluster={cluster}
            id={list.open}
            onMode={at => setMenu({ ids: list.open === null ? [] : [list.open], ...at })}
            onClose={() => changeAndReturn({ open: null })}
          />
        )}
      </div>
      {list.selected.size > 0 ? (
        <BulkBar
          cluster={cluster}
          count={selected.length}
          leftOut={list.selected.size - selected.length}
          onMode={at => setMenu({ ids: selected.map(({ id }) => id), ...at })}
          onClear={() => changeAndReturn({ selected: new Set() })}
        />
      ) : (
        <Foot shown={shown} narrow={narrow} />
      )}
      <MarkMenu cluster={cluster} open={menu} onClose={closeMenu} />
    </section>
  )
}

/** Whether the list is narrow, and the room that the open details leave to its columns. */
function roomsIn(widthPx: number, hasDetails: boolean) {
  const narrow = roomOf(widthPx) === 'narrow'
  return { narrow, room: roomOf(hasDetails && !narrow ? widthPx - DETAILS_PX : widthPx) }
}

interface RowsProps
  extends Pick<ComponentProps<typeof InstanceGrid>, 'cluster' | 'listKey' | 'list' | 'columns' | 'grid' | 'onMenu'> {
  readonly node: string | null
  readonly shown: ReturnType<typeof useShownInstances>
}

function Rows({ cluster, node, listKey, list, shown, columns, grid, onMenu }: RowsProps): ReactNode {
  return shown.rows.length === 0 ? (
    <Nothing cluster={cluster} node={node} listKey={listKey} total={shown.total} narrowed={isNarrowed(list.filter)} />
  ) : (
    <InstanceGrid
      cluster={cluster}
      listKey={listKey}
      label={`Instances of ${node ?? cluster}`}
      list={list}
      rows={shown.rows}
      columns={columns}
      grid={grid}
      onMenu={onMenu}
      onCopy={copyId}
    />
  )
}

/** How many instances are shown, and the keys of the list. */
function Foot({ shown, narrow }: Pick<RowsProps, 'shown'> & { readonly narrow: boolean }): ReactNode {
  return (
    <footer className="inst-foot row">
      {shown.rows.length === shown.total
        ? counted(shown.total, 'instance')
        : `${shown.rows.length.toLocaleString('en')} of ${counted(shown.total, 'instance')}`}
      {narrow ? null : (
        <span className="quiet">
          <kbd>Space</kbd> select <kbd>m</kbd> set mode <kbd>Enter</kbd> details <kbd>/</kbd> find <kbd>Ctrl+Z</kbd>{' '}
          undo
        </span>
      )}
    </footer>
  )
}

/** Reads the ids of the selected instances when a command runs; the function itself never changes. */
function useIdsOf(selected: readonly { readonly id: string }[]): () => readonly string[] {
  const now = useRef(selected)
  useEffect(() => {
    now.current = selected
  })
  return useCallback(() => now.current.map(({ id }) => id), [])
}

function copyId(id: string): void {
  navigator.clipboard.writeText(id).then(
    () => showToast({ text: `Copied ${id}.` }),
    () => showToast({ text: 'The clipboard could not be written to.', tone: 'caution' }),
  )
}

/** The width of the details beside a list, as in instance-details.css. */
const DETAILS_PX = 340

function useWidth(frame: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    setWidthPx(element.clientWidth)
    const observer = new ResizeObserver(entries => {
      for (const { contentRect } of entries) setWidthPx(contentRect.width)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  return widthPx
}

interface NothingProps extends Props {
  readonly listKey: string
  readonly total: number
  readonly narrowed: boolean
}

/** Replaces an empty list: says why it is empty and what to do. */
function Nothing({ cluster, node, listKey: key, total, narrowed }: NothingProps): ReactNode {
  const state = useViews(store => store.byCluster.get(cluster))
  const source = useViews(store => lastOf(store.byCluster.get(cluster))?.sources.get('instances')?.state ?? null)
  if (total > 0 && narrowed) {
    return (
      <NonIdealState
        className="inst-nothing"
        title="No instance matches the filter"
        description={`The filter hides ${counted(total, 'instance')} of ${node ?? cluster}.`}
        action={<Button text="Clear filter" onClick={() => changeInstanceFilter(key, NO_INSTANCE_FILTER)} />}
      />
    )
  }
  if (state?.kind === 'failed') {
    return (
      <div className="inst-nothing">
        <FailureCallout
          title={`${cluster} cannot be read`}
          failure={state.failure}
          onRetry={() => void openView(cluster)}
        />
      </div>
    )
  }
  if (source === null || source.kind === 'catching-up') {
    return (
      <NonIdealState
        className="inst-nothing"
        icon={<Spinner size={24} />}
        title={`Reading the instances of ${cluster}`}
      />
    )
  }
  if (source.kind !== 'live') {
    return (
      <NonIdealState
        className="inst-nothing"
        title={source.kind === 'absent' ? `${cluster} has no instances` : 'The instances cannot be read'}
        description={source.why}
      />
    )
  }
  return (
    <NonIdealState
      className="inst-nothing"
      title={node === null ? `${cluster} has no instances` : `No instance is on ${node}`}
      description={
        node === null ? 'They appear here as soon as Nova lists them.' : 'Nothing has to move when it goes out.'
      }
    />
  )
}

interface BulkBarProps {
  readonly cluster: string
  /** The number of selected and visible instances, to which the actions apply. */
  readonly count: number
  /** Selected but filtered out: the actions do not apply. */
  readonly leftOut: number
  readonly onMode: (at: { readonly left: number; readonly top: number }) => void
  readonly onClear: () => void
}

/** The actions for a selection of instances. */
function BulkBar({ cluster, count, leftOut, onMode, onClear }: BulkBarProps): ReactNode {
  if (count + leftOut === 0) return null
  return (
    <section className="inst-bulk row wrap" aria-label="Selected instances">
      <b>{`${counted(count, 'instance')} of ${cluster} selected`}</b>
      {leftOut === 0 ? null : (
        <span className="quiet">{`${leftOut} more ${leftOut === 1 ? 'is' : 'are'} hidden by the filter and will not change`}</span>
      )}
      <Button
        size="small"
        intent="primary"
        text="Set mode…"
        endIcon={<CaretDownIcon size={12} />}
        aria-haspopup="menu"
        disabled={count === 0}
        onClick={event => {
          const box = event.currentTarget.getBoundingClientRect()
          onMode({ left: box.left, top: box.bottom })
        }}
      />
      <Button size="small" variant="minimal" text="Clear selection" onClick={onClear} />
    </section>
  )
}

interface RefusedStripProps {
  readonly cluster: string
  readonly listKey: string
  readonly filter: InstanceFilter
}

/** How many marks were refused, until the operator has read why. */
function RefusedStrip({ cluster, listKey, filter }: RefusedStripProps): ReactNode {
  const refused = useRefused(cluster)
  if (refused.size === 0) return null
  return (
    <div className="inst-refused row wrap" role="status">
      <span>{`${counted(refused.size, 'instance')} not set; each row shows why.`}</span>
      <Button
        size="small"
        variant="minimal"
        text={filter.odd === 'refused' ? 'Show all' : 'Show only these'}
        onClick={() =>
          changeInstanceFilter(
            listKey,
            filter.odd === 'refused' ? { odd: null } : { ...NO_INSTANCE_FILTER, odd: 'refused' },
          )
        }
      />
      <Button
        size="small"
        variant="minimal"
        text="Dismiss"
        onClick={() => {
          dismissRefusals(cluster, [...refused])
          if (filter.odd === 'refused') changeInstanceFilter(listKey, { odd: null })
        }}
      />
    </div>
  )
}
