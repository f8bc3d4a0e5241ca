import { Button, Checkbox, FormGroup, NumericInput } from '@blueprintjs/core'
import { UndoIcon } from '@blueprintjs/icons'
import { type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { BatchOptions, JudgedBatch, JudgedBatches } from '../../../shared/domain/batches.ts'
import type { OwnEstimate } from '../../../shared/domain/estimate.ts'
import { NodeRole } from '../../../shared/domain/roles.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { leftWords } from '../../../shared/words/window-judgements.ts'
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

/** The operator chooses nodes, main suggests batches, and judges every manual change by the same rules and by the plan itself. */
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
  // For a saved plan the batches come first, for a new one the nodes.
  const [isFresh] = useState(board.batches.length === 0)
  const judged = lastJudged(batches.judge)
  const whyLeft = useMemo(() => new Map(draft.whyLeft.map(left => [left.node, leftWords(left)])), [draft.whyLeft])
  return (
    <div className="win-batches">
      <div className="win-batches-side">
        <details className="win-fold" open={isFresh}>
          <summary>
            <b>Nodes</b> <span className="quiet">{chosen.size === 0 ? '' : `${chosen.size} chosen`}</span>
          </summary>
          <NodeChooser nodes={nodes} chosen={chosen} onChoose={choose} />
        </details>
        <Work draft={draft} onSet={change => onEdit({ ...draft, ...change })} />
      </div>
      <div className="win-batches-main">
        <Tools draft={draft} batches={batches} hasChosen={chosen.size > 0} onEdit={onEdit} />
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

interface WorkProps {
  readonly draft: BatchesDraft
  readonly onSet: (change: Partial<BatchesDraft>) => void
}

function Work({ draft, onSet }: WorkProps): ReactNode {
  const id = useId()
  const { wish } = draft
  return (
    <details className="win-fold win-work">
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
      <fieldset className="win-at-once">
        <legend>
          At a time, other roles <span className="quiet">empty: the cloud's setting</span>
        </legend>
        {NodeRole.options
          .filter(role => role !== 'compute')
          .map(role => (
            <label key={role} htmlFor={`${id}-${role}`}>
              <span>{role === 'gateway' ? 'network' : role}</span>
              <AtATime
                id={`${id}-${role}`}
                value={wish.atOnce[role]}
                onSet={most => onSet({ wish: withMost(wish, role, most) })}
              />
            </label>
          ))}
      </fieldset>
    </details>
  )
}

interface ToolsProps {
  readonly draft: BatchesDraft
  readonly batches: ReturnType<typeof useBatches>
  readonly hasChosen: boolean
  readonly onEdit: (draft: BatchesDraft) => void
}

/** Suggests batches by two rules that people know, takes changes back, and says what is wrong. */
function Tools({ draft, batches, hasChosen, onEdit }: ToolsProps): ReactNode {
  const id = useId()
  const { board, wish } = draft
  const set = (next: BatchOptions) => onEdit({ ...draft, wish: next })
  const isNew = board.batches.length === 0
  return (
    <>
      <div className="win-batches-tools row wrap">
        <Button
          intent={isNew && hasChosen ? 'primary' : 'none'}
          text={isNew ? 'Suggest batches' : 'Suggest again'}
          disabled={!hasChosen}
          loading={batches.isComputing}
          onClick={batches.compute}
        />
        <label className="row" htmlFor={`${id}-most`}>
          At most
          <AtATime id={`${id}-most`} value={wish.atOnce.compute} onSet={most => set(withMost(wish, 'compute', most))} />
          {wish.atOnce.compute === 1 ? 'compute node' : 'compute nodes'} at a time
        </label>
        <Checkbox
          checked={wish.zones === 'one-at-a-time'}
          onChange={({ currentTarget }) => set({ ...wish, zones: currentTarget.checked ? 'one-at-a-time' : 'spread' })}
        >
          Keep zones apart
        </Checkbox>
        <span className="space" />
        <span role="status" className={batches.judge.kind === 'judged' ? 'bad' : 'quiet'}>
          {batches.judge.kind === 'judging' ? 'Checking…' : ''}
          {batches.judge.kind === 'judged' ? judgeWords(batches.judge.judged.batches) : ''}
        </span>
        <Button
          size="small"
          variant="minimal"
          icon={<UndoIcon />}
          text="Undo"
          aria-label="Undo the last change of the batches"
          disabled={!batches.canUndo}
          onClick={batches.undo}
        />
      </div>
      {batches.computeFailure === null ? null : (
        <FailureCallout
          title="Lockkeeper cannot suggest batches"
          failure={batches.computeFailure}
          onRetry={batches.compute}
        />
      )}
      {batches.judge.kind === 'failed' ? (
        <FailureCallout
          title="The batches could not be checked"
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
      <summary>Rules{judged.unreachable.length === 0 ? '' : ', and what could not be read'}</summary>
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

/** What is wrong with the batches, in a line; empty if nothing is. */
export function judgeWords(batches: readonly JudgedBatch[]): string {
  const problems = batches.flatMap(batch => batch.problems)
  const blocked = new Set(problems.filter(isBlock).flatMap(({ nodes }) => nodes)).size
  const others = problems.filter(problem => !isBlock(problem)).length
  const full = batches.filter(batch => batch.capacity.kind === 'does-not-fit' && batch.problems.length === 0).length
  const unknown = batches.filter(({ capacity }) => capacity.kind === 'cannot-tell').length
  return [
    ...(blocked === 0 ? [] : [`${counted(blocked, 'node')} cannot go out`]),
    ...(others === 0 ? [] : [counted(others, 'problem')]),
    ...(full === 0 ? [] : [`no room for ${counted(full, 'batch', 'batches')}`]),
    ...(unknown === 0 ? [] : [`room of ${counted(unknown, 'batch', 'batches')} unknown`]),
  ].join(', ')
}

function isBlock({ rule }: JudgedBatch['problems'][number]): boolean {
  return rule === 'plan-blocked'
}

function withMost(wish: BatchOptions, role: NodeRole, most: number | null): BatchOptions {
  const { [role]: _old, ...others } = wish.atOnce
  return { ...wish, atOnce: most === null ? others : { ...others, [role]: most } }
}

interface AtATimeProps {
  readonly id: string
  readonly value: number | undefined
  readonly onSet: (most: number | null) => void
}

/** How many nodes of a role may be out at a time; empty means the cloud's setting. */
function AtATime({ id, value, onSet }: AtATimeProps): ReactNode {
  return (
    <input
      id={id}
      className="bp6-input win-most"
      type="number"
      min={1}
      max={MOST}
      value={value ?? ''}
      onChange={({ currentTarget: { value: text } }) => {
        const amount = Math.round(Number(text))
        if (text.trim() === '') onSet(null)
        else if (amount >= 1 && amount <= MOST) onSet(amount)
      }}
    />
  )
}
