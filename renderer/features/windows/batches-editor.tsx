import { Button, Checkbox, FormGroup, HTMLSelect, NumericInput } from '@blueprintjs/core'
import { UndoIcon } from '@blueprintjs/icons'
import { type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { BatchOptions, type JudgedBatch, type JudgedBatches } from '../../../shared/domain/batches.ts'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import type { OwnEstimate } from '../../../shared/domain/estimate.ts'
import { NodeRole } from '../../../shared/domain/roles.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { ZONES_WORDS } from '../../../shared/words/windows.ts'
import { showCluster } from '../../bridge/views.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { ScopeChoice } from '../../ui/plan/scope-choice.tsx'
import { WorkForm } from '../../ui/plan/work-form.tsx'
import { nodesOf, withChosen } from './batch-board.ts'
import { BatchBoardView } from './batch-board-view.tsx'
import { NodeChooser } from './node-chooser.tsx'
import type { BatchesDraft } from './plan-draft.ts'
import { lastJudged, useBatches } from './use-batches.ts'

const MOST = 500

interface Props {
  readonly cluster: string
  readonly draft: BatchesDraft
  /** The estimate of the saved batches; null if there is none yet. */
  readonly estimate: OwnEstimate | null
  readonly onEdit: (draft: BatchesDraft) => void
}

/** The operator chooses nodes, main's rules put them into batches, and every manual change is judged by the same rules. */
export function BatchesEditor({ cluster, draft, estimate, onEdit }: Props): ReactNode {
  useEffect(() => showCluster(cluster), [cluster])
  const nodes = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes ?? null)
  const { board } = draft
  const batches = useBatches(cluster, draft, onEdit)
  // Moves keep the choice, so the list of all nodes is not drawn again.
  const names = [...nodesOf(board), ...board.leftOut].sort().join(' ')
  const chosen = useMemo(() => new Set(names === '' ? [] : names.split(' ')), [names])
  const latest = useRef({ board, edit: batches.edit })
  useLayoutEffect(() => {
    latest.current = { board, edit: batches.edit }
  })
  const choose = useCallback(
    (next: ReadonlySet<string>) => latest.current.edit(withChosen(latest.current.board, next)),
    [],
  )
  const judged = lastJudged(batches.judge)
  const whyLeft = useMemo(() => new Map((judged?.left ?? []).map(({ node, why }) => [node, why])), [judged])
  return (
    <div className="win-batches">
      <Choices draft={draft} nodes={nodes} chosen={chosen} batches={batches} onChoose={choose} onEdit={onEdit} />
      <div className="win-batches-main">
        <Tools batches={batches} />
        <BatchBoardView
          board={board}
          nodes={nodes}
          judged={judged?.batches ?? []}
          isCurrent={batches.judge.kind === 'judged'}
          whyLeft={whyLeft}
          estimate={estimate}
          onEdit={batches.edit}
        />
        {judged === null ? null : <AppliedRules judged={judged} />}
      </div>
    </div>
  )
}

interface ChoicesProps {
  readonly draft: BatchesDraft
  readonly nodes: ReadonlyMap<string, NodeView> | null
  readonly chosen: ReadonlySet<string>
  readonly batches: ReturnType<typeof useBatches>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
  readonly onEdit: (draft: BatchesDraft) => void
}

/** The nodes, the rules of the batches, and the work on each node. */
function Choices({ draft, nodes, chosen, batches, onChoose, onEdit }: ChoicesProps): ReactNode {
  const id = useId()
  const { board, wish } = draft
  // For a saved plan the batches come first, for a new one its choices.
  const [isFresh] = useState(board.batches.length === 0)
  const set = (change: Partial<BatchesDraft>) => onEdit({ ...draft, ...change })
  return (
    <aside className="win-batches-side" aria-label="Choices of the batches">
      <details className="win-fold" open={isFresh}>
        <summary>
          <b>Nodes</b> <span className="quiet">{counted(chosen.size, 'node')} chosen</span>
        </summary>
        <NodeChooser nodes={nodes} chosen={chosen} onChoose={onChoose} />
      </details>
      <FormGroup label="Availability zones" labelFor={`${id}-zones`}>
        <HTMLSelect
          id={`${id}-zones`}
          fill
          value={wish.zones}
          options={BatchOptions.shape.zones.options.map(value => ({ value, label: ZONES_WORDS[value] }))}
          onChange={({ currentTarget }) => {
            const read = BatchOptions.shape.zones.safeParse(currentTarget.value)
            if (read.success) set({ wish: { ...wish, zones: read.data } })
          }}
        />
      </FormGroup>
      <AtOnce atOnce={wish.atOnce} onChange={atOnce => set({ wish: { ...wish, atOnce } })} />
      <Button
        fill
        intent={board.batches.length === 0 ? 'primary' : 'none'}
        text={board.batches.length === 0 ? 'Compute batches' : 'Compute batches again'}
        disabled={chosen.size === 0}
        loading={batches.isComputing}
        onClick={batches.compute}
      />
      <Work draft={draft} isOpen={isFresh} onSet={set} />
    </aside>
  )
}

interface WorkProps {
  readonly draft: BatchesDraft
  readonly isOpen: boolean
  readonly onSet: (change: Partial<BatchesDraft>) => void
}

function Work({ draft, isOpen, onSet }: WorkProps): ReactNode {
  const id = useId()
  return (
    <details className="win-fold" open={isOpen}>
      <summary>
        <b>Work</b>{' '}
        <span className="quiet">
          {draft.scope === 'os' ? 'may reboot' : 'restarts services'}
          {draft.workMinutes === null ? '' : `, ${draft.workMinutes} min per node`}
        </span>
      </summary>
      <ScopeChoice label="The work on each node" scope={draft.scope} onChoose={scope => onSet({ scope })} />
      <WorkForm work={draft.work} onChange={work => onSet({ work })} />
      <FormGroup
        label="Minutes of work per node"
        labelFor={`${id}-minutes`}
        helperText="Empty: as measured on this cloud."
      >
        <NumericInput
          id={`${id}-minutes`}
          value={draft.workMinutes ?? ''}
          min={1}
          max={10_000}
          buttonPosition="none"
          minorStepSize={null}
          onValueChange={(value, text) => onSet({ workMinutes: text.trim() === '' || !(value > 0) ? null : value })}
        />
      </FormGroup>
      <Checkbox
        checked={draft.pauseBetweenBatches}
        onChange={({ currentTarget }) => onSet({ pauseBetweenBatches: currentTarget.checked })}
      >
        Ask before every next batch
      </Checkbox>
    </details>
  )
}

/** Undo, the state of the verdict, and what failed. */
function Tools({ batches }: { readonly batches: ReturnType<typeof useBatches> }): ReactNode {
  return (
    <>
      <div className="win-batches-tools row">
        <Button
          size="small"
          icon={<UndoIcon />}
          text="Undo"
          aria-label="Undo the last change of the batches"
          disabled={!batches.canUndo}
          onClick={batches.undo}
        />
        <span className="quiet" role="status">
          {batches.judge.kind === 'judging' ? 'Checking against the rules…' : ''}
          {batches.judge.kind === 'judged' ? judgeWords(batches.judge.judged.batches) : ''}
        </span>
      </div>
      {batches.computeFailure === null ? null : (
        <FailureCallout
          title="No batches could be computed"
          failure={batches.computeFailure}
          onRetry={batches.compute}
        />
      )}
      {batches.judge.kind === 'failed' ? (
        <FailureCallout
          title="The batches could not be judged"
          failure={batches.judge.failure}
          onRetry={batches.judgeAgain}
        />
      ) : null}
    </>
  )
}

function AppliedRules({ judged }: { readonly judged: JudgedBatches }): ReactNode {
  return (
    <details className="win-rules">
      <summary>The applied rules{judged.unreachable.length === 0 ? '' : ', and what could not be read'}</summary>
      <ul>
        {judged.rules.map(rule => (
          <li key={rule}>{rule}</li>
        ))}
        {judged.unreachable.map(words => (
          <li key={words} className="caution">
            {words}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The verdict on all batches in a line: broken rules, and room for their instances. */
export function judgeWords(batches: readonly JudgedBatch[]): string {
  const problems = batches.flatMap(batch => batch.problems).length
  const notFitting = batches.filter(({ capacity }) => capacity.kind === 'does-not-fit').length
  const notKnown = batches.filter(({ capacity }) => capacity.kind === 'cannot-tell').length
  const parts = [
    problems === 0 ? 'The batches keep every rule between nodes' : `${counted(problems, 'problem')} in the batches`,
    ...(notFitting === 0
      ? []
      : [`${counted(notFitting, 'batch', 'batches')} ${notFitting === 1 ? 'does' : 'do'} not fit`]),
    ...(notKnown === 0 ? [] : [`for ${counted(notKnown, 'batch', 'batches')} the room is unknown`]),
  ]
  return `${parts.join('; ')}.`
}

interface AtOnceProps {
  readonly atOnce: BatchOptions['atOnce']
  readonly onChange: (atOnce: BatchOptions['atOnce']) => void
}

/** How many nodes of a role a batch may have; empty means the cluster's setting. */
function AtOnce({ atOnce, onChange }: AtOnceProps): ReactNode {
  const id = useId()
  const set = (role: NodeRole, text: string) => {
    const { [role]: _old, ...others } = atOnce
    const amount = Math.round(Number(text))
    if (text.trim() === '') onChange(others)
    else if (amount >= 1 && amount <= MOST) onChange({ ...others, [role]: amount })
  }
  return (
    <fieldset className="win-at-once">
      <legend>
        At a time, by role <span className="quiet">empty: the cloud's setting</span>
      </legend>
      {NodeRole.options.map(role => (
        <label key={role} htmlFor={`${id}-${role}`}>
          <span>{role}</span>
          <input
            id={`${id}-${role}`}
            className="bp6-input"
            type="number"
            min={1}
            max={MOST}
            value={atOnce[role] ?? ''}
            onChange={({ currentTarget }) => set(role, currentTarget.value)}
          />
        </label>
      ))}
    </fieldset>
  )
}
