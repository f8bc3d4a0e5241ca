import { Button } from '@blueprintjs/core'
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
import type { MaintenanceAction } from '../../../shared/domain/instance-tags.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { dismissRefusals } from '../../bridge/instances.ts'
import {
  changeInstanceFilter,
  changeList,
  INSTANCE_COLUMNS,
  type InstanceColumn,
  type InstanceFilter,
  listKey,
  NO_INSTANCE_FILTER,
  useInstanceLists,
} from '../../stores/instance-lists.ts'
import { showToast } from '../../stores/toasts.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { isOld } from '../old-source.ts'
import { hiddenIn, NARROW_PX } from './instance-columns.ts'
import { InstanceDetails } from './instance-details.tsx'
import { InstanceGrid, openSelect } from './instance-grid.tsx'
import { InstanceMoves } from './instance-moves.tsx'
import { InstanceToolbar, isNarrowed } from './instance-toolbar.tsx'
import { MODES_OF_MANY, marksOfValue, NO_MODE } from './mode-options.ts'
import { ModeSelect } from './mode-select.tsx'
import { NoInstances } from './no-instances.tsx'
import { setMarks } from './set-marks.ts'
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
  const chosenColumns = useInstanceLists(store => store.hidden)
  const frame = useRef<HTMLElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const widthPx = useWidth(frame)
  const narrow = widthPx < NARROW_PX
  const hidden = hiddenIn(
    list.open === null || narrow ? widthPx : widthPx - DETAILS_PX,
    emptyColumns(node, shown.hasNotes),
    chosenColumns,
  )
  const old = useViews(store => isOld(lastOf(store.byCluster.get(cluster))?.sources.get('instances')?.state))
  const focusGrid = useCallback(() => grid.current?.focus({ preventScroll: true }), [])
  const changeAndReturn = (change: Parameters<typeof changeList>[1]) => {
    changeList(key, change)
    focusGrid()
  }
  const columns = INSTANCE_COLUMNS.filter(column => !hidden.has(column))
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
        hidden={hidden}
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
          onManyModes={() => openSelect(frame.current?.querySelector('.inst-bulk select') ?? null)}
        />
        {list.open === null ? null : (
          <InstanceDetails
            key={list.open}
            cluster={cluster}
            id={list.open}
            onClose={() => changeAndReturn({ open: null })}
          />
        )}
      </div>
      {list.selected.size > 0 ? (
        <BulkBar
          cluster={cluster}
          count={selected.length}
          leftOut={list.selected.size - selected.length}
          onMode={actions => void setMarks(cluster, chosen(), actions)}
          onClear={() => changeAndReturn({ selected: new Set() })}
        />
      ) : (
        <Foot cluster={cluster} shown={shown} narrow={narrow} />
      )}
    </section>
  )
}

/** The columns that say nothing: notes if there are none, the node if all are on one. */
function emptyColumns(node: string | null, hasNotes: boolean): ReadonlySet<InstanceColumn> {
  return new Set<InstanceColumn>([...(hasNotes ? [] : ['notes' as const]), ...(node === null ? [] : ['node' as const])])
}

interface RowsProps
  extends Pick<
    ComponentProps<typeof InstanceGrid>,
    'cluster' | 'listKey' | 'list' | 'columns' | 'grid' | 'onManyModes'
  > {
  readonly node: string | null
  readonly shown: ReturnType<typeof useShownInstances>
}

function Rows({ cluster, node, listKey, list, shown, columns, grid, onManyModes }: RowsProps): ReactNode {
  return shown.rows.length === 0 ? (
    <NoInstances
      cluster={cluster}
      node={node}
      listKey={listKey}
      total={shown.total}
      narrowed={isNarrowed(list.filter)}
    />
  ) : (
    <InstanceGrid
      cluster={cluster}
      listKey={listKey}
      label={`Instances of ${node ?? cluster}`}
      list={list}
      rows={shown.rows}
      columns={columns}
      grid={grid}
      onManyModes={onManyModes}
      onCopy={copyId}
    />
  )
}

/** How many instances are shown, and the keys of the list. */
function Foot({
  cluster,
  shown,
  narrow,
}: Pick<RowsProps, 'cluster' | 'shown'> & { readonly narrow: boolean }): ReactNode {
  const isReading = useViews(
    store => lastOf(store.byCluster.get(cluster))?.sources.get('instances')?.state.kind === 'catching-up',
  )
  if (shown.total === 0) return null
  return (
    <footer className="inst-foot row">
      {shown.rows.length === shown.total
        ? counted(shown.total, 'instance')
        : `${shown.rows.length.toLocaleString('en')} of ${counted(shown.total, 'instance')}`}
      {isReading ? ' so far' : null}
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

interface BulkBarProps {
  readonly cluster: string
  /** The number of selected and visible instances, to which the actions apply. */
  readonly count: number
  /** Selected but filtered out: the actions do not apply. */
  readonly leftOut: number
  readonly onMode: (actions: readonly MaintenanceAction[]) => void
  readonly onClear: () => void
}

/** The actions for a selection of instances. */
function BulkBar({ cluster, count, leftOut, onMode, onClear }: BulkBarProps): ReactNode {
  if (count + leftOut === 0) return null
  return (
    <section className="inst-bulk row wrap" aria-label="Selected instances">
      <b>
        {count === 0
          ? `${counted(leftOut, 'selected instance')} hidden by the filter`
          : `${counted(count, 'instance')} of ${cluster} selected`}
      </b>
      {leftOut === 0 || count === 0 ? null : (
        <span className="quiet">{`${leftOut} more ${leftOut === 1 ? 'is' : 'are'} hidden by the filter and will not change`}</span>
      )}
      {count === 0 ? null : (
        <div className="inst-many">
          <ModeSelect
            label={`Set mode of ${counted(count, 'instance')}`}
            value={NO_MODE}
            options={MODES_OF_MANY}
            onChoose={value => {
              const actions = marksOfValue(value)
              if (actions !== null) onMode(actions)
            }}
          />
        </div>
      )}
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
      <span>{`${counted(refused.size, 'instance')} not set. Their details say why.`}</span>
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
