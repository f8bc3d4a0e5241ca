import { Button, InputGroup } from '@blueprintjs/core'
import { ArrowDownIcon, ArrowUpIcon, SmallCrossIcon } from '@blueprintjs/icons'
import { type ReactNode, useId, useState } from 'react'
import type { WaitingRun, WaitingRuns } from '../../../../shared/contract/index.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import { ClusterName } from '../../../ui/clusters/cluster-name.tsx'
import type { Reading } from '../stores/campaigns.ts'
import {
  addBatch,
  addRuns,
  type CampaignDraft,
  doubtAbout,
  dropBatch,
  dropRun,
  runsOfDraft,
  setAtOnce,
  shiftRun,
  whyNotAdded,
} from './campaign-draft.ts'

interface Props {
  readonly draft: CampaignDraft
  /** Null if not read yet. */
  readonly waiting: Reading<WaitingRuns> | null
  readonly onEdit: (draft: CampaignDraft) => void
}

/** The batches of a new campaign: waiting runs at the left, batches at the right. */
export function BatchesDraft({ draft, waiting, onEdit }: Props): ReactNode {
  const [target, setTarget] = useState(0)
  const [said, setSaid] = useState('')
  const at = Math.min(target, draft.batches.length - 1)
  const known = waiting === null || waiting.kind === 'failed' ? [] : waiting.value.runs
  const name = draft.name.trim()
  const own = known.filter(run => run.campaign === name)
  const put = new Set(runsOfDraft(draft))
  const left = own.filter(run => !put.has(run.name))
  const add = (names: readonly string[]) => {
    onEdit(addRuns(draft, at, names))
    setSaid(`${someOf(names)} in batch ${at + 1}.`)
  }
  const shift = (run: string, by: -1 | 1) => {
    const next = shiftRun(draft, run, by)
    onEdit(next)
    const batch = next.batches.findIndex(({ runs }) => runs.includes(run))
    const place = next.batches[batch]?.runs.indexOf(run) ?? 0
    setSaid(`${run} is number ${place + 1} in batch ${batch + 1}.`)
  }
  return (
    <div className="camp-drafts">
      <WaitingSection
        draft={draft}
        waiting={waiting}
        name={name}
        own={own.length}
        left={left}
        batch={at + 1}
        onAdd={add}
      />
      <section aria-label="Batches, in order">
        <ol className="camp-batches plain-list">
          {draft.batches.map((batch, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a batch is its place.
            <li key={index}>
              <DraftBatch
                draft={draft}
                index={index}
                batch={batch}
                isTarget={index === at}
                onTarget={() => setTarget(index)}
                onEdit={onEdit}
              >
                {batch.runs.map(run => (
                  <DraftRun
                    key={run}
                    run={run}
                    found={known.find(each => each.name === run) ?? null}
                    doubt={waiting?.kind === 'read' && name !== '' ? doubtAbout(run, name, known) : null}
                    onShift={by => shift(run, by)}
                    onDrop={() => onEdit(dropRun(draft, run))}
                  />
                ))}
              </DraftBatch>
            </li>
          ))}
        </ol>
        <div className="camp-add-batch">
          <Button
            size="small"
            text="Add a batch"
            onClick={() => {
              onEdit(addBatch(draft))
              setTarget(draft.batches.length)
            }}
          />
        </div>
      </section>
      <div className="visually-hidden" aria-live="polite">
        {said}
      </div>
    </div>
  )
}

interface WaitingSectionProps {
  readonly draft: CampaignDraft
  readonly waiting: Reading<WaitingRuns> | null
  /** The name of the campaign; empty if it has none yet. */
  readonly name: string
  /** How many runs wait for it. */
  readonly own: number
  /** Those in no batch yet. */
  readonly left: readonly WaitingRun[]
  readonly batch: number
  readonly onAdd: (names: readonly string[]) => void
}

function WaitingSection({ draft, waiting, name, own, left, batch, onAdd }: WaitingSectionProps): ReactNode {
  return (
    <section className="panel camp-waiting" aria-label="Waiting runs">
      <h2>Waiting runs{name === '' ? '' : ` for ${name}`}</h2>
      <WaitingWords waiting={waiting} name={name} own={own} left={left.length} />
      {left.length < 2 ? null : (
        <Button
          className="camp-add-all"
          size="small"
          text={`Add all to batch ${batch}`}
          onClick={() => onAdd(left.map(run => run.name))}
        />
      )}
      <ul className="plain-list">
        {left.map(run => (
          <li key={run.name}>
            <span className="grow breaks">
              <span className="mono">{run.name}</span>
              <span className="quiet small block">
                <ClusterName name={run.cluster} /> confirmed by {run.confirmedBy}
              </span>
            </span>
            <Button
              size="small"
              text="Add"
              aria-label={`Add ${run.name} to batch ${batch}`}
              onClick={() => onAdd([run.name])}
            />
          </li>
        ))}
      </ul>
      <ByName draft={draft} batch={batch} onAdd={run => onAdd([run])} />
    </section>
  )
}

interface DraftBatchProps {
  readonly draft: CampaignDraft
  readonly index: number
  readonly batch: CampaignDraft['batches'][number]
  /** Whether the next runs are added to it. */
  readonly isTarget: boolean
  readonly onTarget: () => void
  readonly onEdit: (draft: CampaignDraft) => void
  readonly children: ReactNode
}

function DraftBatch({ draft, index, batch, isTarget, onTarget, onEdit, children }: DraftBatchProps): ReactNode {
  return (
    <section
      className={`camp-batch run-tone-rest${isTarget ? ' camp-batch-target' : ''}`}
      aria-label={`Batch ${index + 1}`}
    >
      <span className="camp-batch-number" aria-hidden="true">
        {index + 1}
      </span>
      <header className="camp-batch-head row wrap">
        <h3>Batch {index + 1}</h3>
        <span className="quiet">
          {counted(batch.runs.length, 'run')}
          {index === 0 ? '' : `, after batch ${index}`}
        </span>
        <span className="space" />
        <AtOnce batch={index + 1} value={batch.atOnce} onValue={value => onEdit(setAtOnce(draft, index, value))} />
        {draft.batches.length === 1 ? null : (
          <Button
            size="small"
            variant="minimal"
            text="Remove"
            aria-label={`Remove batch ${index + 1}`}
            onClick={() => onEdit(dropBatch(draft, index))}
          />
        )}
      </header>
      <ol className="camp-draft-runs plain-list">{children}</ol>
      {isTarget ? (
        <p className="quiet small">{batch.runs.length === 0 ? 'Add runs here.' : 'Add the next runs here.'}</p>
      ) : (
        <Button size="small" variant="minimal" text="Add runs here" onClick={onTarget} />
      )}
    </section>
  )
}

/** The state of the waiting runs; it claims that there are none only after a read. */
function WaitingWords({
  waiting,
  name,
  own,
  left,
}: {
  readonly waiting: Reading<WaitingRuns> | null
  readonly name: string
  readonly own: number
  readonly left: number
}): ReactNode {
  if (waiting === null) return <p className="quiet">Reading…</p>
  if (waiting.kind === 'failed')
    return <p className="quiet">Lockkeeper could not read them: {waiting.failure.message}</p>
  const { unreadable } = waiting.value
  return (
    <>
      {name === '' ? (
        <p className="quiet">Name the campaign first.</p>
      ) : waiting.kind === 'old' ? (
        <p className="quiet">They cannot be read now; these are from the last read.</p>
      ) : own === 0 ? (
        <p className="quiet">No MaintenanceRun names it yet. You may submit runs later and name them below.</p>
      ) : left === 0 ? (
        <p className="quiet">All {counted(own, 'run')} are in a batch.</p>
      ) : null}
      {unreadable.length === 0 ? null : (
        <p className="quiet">
          {counted(unreadable.length, 'MaintenanceRun')} cannot be read here and may also wait: {someOf(unreadable)}.
        </p>
      )}
    </>
  )
}

/** Adds a run by its name, which may be submitted later. */
function ByName({
  draft,
  batch,
  onAdd,
}: {
  readonly draft: CampaignDraft
  readonly batch: number
  readonly onAdd: (name: string) => void
}): ReactNode {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [why, setWhy] = useState<string | null>(null)
  const add = () => {
    const name = typed.trim()
    const refused = whyNotAdded(draft, name)
    setWhy(refused)
    if (refused !== null) return
    onAdd(name)
    setTyped('')
  }
  return (
    <form
      className="camp-by-name stack"
      onSubmit={event => {
        event.preventDefault()
        add()
      }}
    >
      <label className="run-field" htmlFor={id}>
        <span>By name</span>
        <InputGroup
          id={id}
          className="mono"
          value={typed}
          placeholder="enter-cmp-01-0123456789ab"
          spellCheck={false}
          autoComplete="off"
          onValueChange={setTyped}
        />
      </label>
      <Button type="submit" size="small" text={`Add to batch ${batch}`} disabled={typed.trim() === ''} />
      {why === null ? null : <p role="alert">{why}</p>}
    </form>
  )
}

function AtOnce({
  batch,
  value,
  onValue,
}: {
  readonly batch: number
  readonly value: string
  readonly onValue: (value: string) => void
}): ReactNode {
  const id = useId()
  return (
    <span className="camp-at-once row">
      <label htmlFor={id}>
        At a time<span className="visually-hidden"> in batch {batch}</span>
      </label>
      <InputGroup id={id} size="small" inputMode="numeric" placeholder="all" value={value} onValueChange={onValue} />
    </span>
  )
}

interface DraftRunProps {
  readonly run: string
  readonly found: WaitingRun | null
  readonly doubt: string | null
  readonly onShift: (by: -1 | 1) => void
  readonly onDrop: () => void
}

function DraftRun({ run, found, doubt, onShift, onDrop }: DraftRunProps): ReactNode {
  return (
    <li className="row">
      <span className="grow breaks">
        <span className="mono">{run}</span> {found === null ? null : <ClusterName name={found.cluster} />}
        {doubt === null ? null : <span className="camp-doubt block small">{doubt}</span>}
      </span>
      <Button
        size="small"
        variant="minimal"
        icon={<ArrowUpIcon />}
        aria-label={`${run} earlier`}
        title="Earlier"
        onClick={() => onShift(-1)}
      />
      <Button
        size="small"
        variant="minimal"
        icon={<ArrowDownIcon />}
        aria-label={`${run} later`}
        title="Later"
        onClick={() => onShift(1)}
      />
      <Button
        size="small"
        variant="minimal"
        icon={<SmallCrossIcon />}
        aria-label={`Remove ${run}`}
        title="Remove"
        onClick={onDrop}
      />
    </li>
  )
}
