import { Button, Checkbox, FormGroup, HTMLSelect, NumericInput } from '@blueprintjs/core'
import { UndoIcon } from '@blueprintjs/icons'
import { type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { OwnEstimate } from '../../../shared/domain/estimate.ts'
import { WavesWish } from '../../../shared/domain/waves.ts'
import { showCluster } from '../../bridge/views.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { counted } from '../../words/numbers.ts'
import { ZONES_WORDS } from '../../words/windows.ts'
import { ScopeChoice } from '../plan/scope-choice.tsx'
import { WorkForm } from '../timeline/work-form.tsx'
import { AtOnce } from './at-once.tsx'
import { judgeWords } from './judge-words.ts'
import { NodeChooser } from './node-chooser.tsx'
import type { WavesDraft } from './plan-draft.ts'
import { lastJudged, useWaves } from './use-waves.ts'
import { nodesOf, withChosen } from './wave-board.ts'
import { WaveBoardView } from './wave-board-view.tsx'

interface Props {
  readonly cluster: string
  readonly draft: WavesDraft
  /** Of the waves as they were saved; null while there is none. */
  readonly estimate: OwnEstimate | null
  readonly onEdit: (draft: WavesDraft) => void
}

/** Nodes are chosen, put into waves by main's rules, and moved about by hand; every change is held against the same rules. */
export function WavesEditor({ cluster, draft, estimate, onEdit }: Props): ReactNode {
  const id = useId()
  useEffect(() => showCluster(cluster), [cluster])
  const nodes = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes ?? null)
  const { board, wish } = draft
  const waves = useWaves(cluster, draft, onEdit)
  // Moving nodes about chooses none: the list of all nodes is not drawn again for it.
  const names = [...nodesOf(board), ...board.leftOut].sort().join(' ')
  const chosen = useMemo(() => new Set(names === '' ? [] : names.split(' ')), [names])
  const latest = useRef({ board, edit: waves.edit })
  useLayoutEffect(() => {
    latest.current = { board, edit: waves.edit }
  })
  const choose = useCallback(
    (next: ReadonlySet<string>) => latest.current.edit(withChosen(latest.current.board, next)),
    [],
  )
  // Whoever comes back to a plan looks at its waves; whoever begins one, at its choices.
  const [isFresh] = useState(board.waves.length === 0)
  const judged = lastJudged(waves.judge)
  const whyLeft = useMemo(() => new Map((judged?.left ?? []).map(({ node, why }) => [node, why])), [judged])
  const set = (change: Partial<WavesDraft>) => onEdit({ ...draft, ...change })
  return (
    <div className="win-waves">
      <aside className="win-waves-side" aria-label="Choices of the waves">
        <details className="win-fold" open={isFresh}>
          <summary>
            <b>Nodes</b> <span className="quiet">{counted(chosen.size, 'node')} chosen</span>
          </summary>
          <NodeChooser nodes={nodes} chosen={chosen} onChoose={choose} />
        </details>
        <FormGroup label="Availability zones" labelFor={`${id}-zones`}>
          <HTMLSelect
            id={`${id}-zones`}
            fill
            value={wish.zones}
            options={WavesWish.shape.zones.options.map(value => ({ value, label: ZONES_WORDS[value] }))}
            onChange={({ currentTarget }) => {
              const read = WavesWish.shape.zones.safeParse(currentTarget.value)
              if (read.success) set({ wish: { ...wish, zones: read.data } })
            }}
          />
        </FormGroup>
        <AtOnce atOnce={wish.atOnce} onChange={atOnce => set({ wish: { ...wish, atOnce } })} />
        <Button
          fill
          intent={board.waves.length === 0 ? 'primary' : 'none'}
          text={board.waves.length === 0 ? 'Compute waves' : 'Compute waves anew'}
          disabled={chosen.size === 0}
          loading={waves.isComputing}
          onClick={waves.compute}
        />
        <details className="win-fold" open={isFresh}>
          <summary>
            <b>Work</b>{' '}
            <span className="quiet">
              {draft.scope === 'os' ? 'may reboot' : 'restarts services'}
              {draft.workMinutes === null ? '' : `, ${draft.workMinutes} min a node`}
            </span>
          </summary>
          <ScopeChoice label="The work on each node" scope={draft.scope} onChoose={scope => set({ scope })} />
          <WorkForm work={draft.work} onChange={work => set({ work })} />
          <FormGroup
            label="Minutes of work on a node"
            labelFor={`${id}-minutes`}
            helperText="Empty: as it was measured on this cluster."
          >
            <NumericInput
              id={`${id}-minutes`}
              value={draft.workMinutes ?? ''}
              min={1}
              max={10_000}
              buttonPosition="none"
              minorStepSize={null}
              onValueChange={(value, text) => set({ workMinutes: text.trim() === '' || !(value > 0) ? null : value })}
            />
          </FormGroup>
          <Checkbox
            checked={draft.pauseBetweenWaves}
            onChange={({ currentTarget }) => set({ pauseBetweenWaves: currentTarget.checked })}
          >
            Ask before every next wave
          </Checkbox>
        </details>
      </aside>
      <div className="win-waves-main">
        <div className="win-waves-tools">
          <Button
            size="small"
            icon={<UndoIcon />}
            text="Undo"
            aria-label="Undo the last change of the waves"
            disabled={!waves.canUndo}
            onClick={waves.undo}
          />
          <span className="quiet" role="status">
            {waves.judge.kind === 'judging' ? 'Held against the rules…' : ''}
            {waves.judge.kind === 'judged' ? judgeWords(waves.judge.judged.waves) : ''}
          </span>
        </div>
        {waves.computeFailure === null ? null : (
          <FailureCallout title="No waves could be computed" failure={waves.computeFailure} onRetry={waves.compute} />
        )}
        {waves.judge.kind === 'failed' ? (
          <FailureCallout
            title="The waves could not be judged"
            failure={waves.judge.failure}
            onRetry={waves.judgeAgain}
          />
        ) : null}
        <WaveBoardView
          board={board}
          nodes={nodes}
          judged={judged?.waves ?? []}
          isCurrent={waves.judge.kind === 'judged'}
          whyLeft={whyLeft}
          estimate={estimate}
          onEdit={waves.edit}
        />
        {judged === null ? null : (
          <details className="win-rules">
            <summary>
              The rules as they were applied{judged.unreachable.length === 0 ? '' : ', and what could not be read'}
            </summary>
            <ul>
              {judged.rules.map(rule => (
                <li key={rule}>{rule}</li>
              ))}
              {judged.unreachable.map(words => (
                <li key={words} className="win-caution">
                  {words}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </div>
  )
}
