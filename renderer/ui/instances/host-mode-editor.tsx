import { Button, Callout, HTMLSelect, Spinner } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { HOST_MODE_ANNOTATION, HOST_MODES, type HostMode } from '../../../shared/domain/instance-policy.ts'
import { setHostMode } from '../../bridge/instances.ts'
import { useClusters } from '../../stores/clusters.ts'
import { type HostModeState, putHostMode, useEdits } from '../../stores/edits.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { HostModePreview, hostModeTitle } from './host-mode-preview.tsx'
import { BEHIND_MS } from './mode-select.tsx'
import { reportOfEdit } from './set-marks.ts'
import './host-mode.css'

interface Props {
  readonly cluster: string
  readonly node: string
}

/** What a node's mode means for instances without a mark, and the effect of no mode. */
const MODES: readonly { readonly mode: HostMode | null; readonly words: string }[] = [
  { mode: 'live', words: 'to another node, without downtime' },
  { mode: 'manual', words: 'who moves or stops them' },
  { mode: 'skip', words: 'until it is back' },
  { mode: null, words: `the same as “${hostModeTitle('live')}”` },
]

/** The migration mode and attempts of a node, as its annotations have them, and the controls to change them. */
export function HostModeEditor({ cluster, node: name }: Props): ReactNode {
  const node = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes.get(name) ?? null)
  const state = useEdits(store => store.hosts.get(cluster)?.get(name) ?? null)
  const [looked, setLooked] = useState<HostMode | null | undefined>(undefined)
  if (node === null) return <p className="quiet">{`${cluster} has no node ${name}.`}</p>
  const waits = state !== null && state.kind !== 'refused'
  return (
    <section className="mode" aria-label={`Migration mode of ${name}`}>
      <p className="quiet">For instances without their own mode.</p>
      <Odd cluster={cluster} node={node} disabled={waits} />
      <div role="radiogroup" aria-label={`Migration mode of ${name}`} className="mode-choices">
        {MODES.map(({ mode, words }) => (
          // Previews the mode under the pointer or the focus.
          <label
            key={mode}
            title={mode === null ? undefined : `Annotation: ${HOST_MODE_ANNOTATION}=${mode}`}
            className="mode-choice"
            onMouseEnter={() => setLooked(mode)}
            onMouseLeave={() => setLooked(undefined)}
          >
            <input
              type="radio"
              name={`mode-${cluster}-${name}`}
              checked={node.migrationMode === mode}
              disabled={waits}
              onFocus={() => setLooked(mode)}
              onBlur={() => setLooked(undefined)}
              onChange={() => void changeHostMode(cluster, name, { mode })}
            />
            <span>
              <b>{hostModeTitle(mode)}</b> <span className="quiet">{words}</span>
            </span>
          </label>
        ))}
      </div>
      <HostModePreview cluster={cluster} node={name} mode={looked} stands={node.migrationMode} />
      <Attempts cluster={cluster} node={node} disabled={waits} />
      {state === null ? null : <Status cluster={cluster} node={name} state={state} />}
    </section>
  )
}

/** An unknown annotation: its effect, and the button to replace it. */
function Odd({ cluster, node, disabled }: EditProps): ReactNode {
  if (node.modeWarnings.length === 0) return null
  const isUnknown = node.migrationMode !== null && !HOST_MODES.some(mode => mode === node.migrationMode)
  return (
    <Callout compact intent="warning">
      {isUnknown ? <b>Unknown mode “{node.migrationMode}”</b> : null}
      {node.modeWarnings.map(words => (
        <p key={words}>{words}</p>
      ))}
      {isUnknown ? (
        <p>
          It counts as <b>{hostModeTitle('manual')}</b> now. Choose another mode below, or{' '}
          <button
            type="button"
            className="link"
            disabled={disabled}
            onClick={() => void changeHostMode(cluster, node.name, { mode: 'manual' })}
          >
            {' '}
            replace it with “{hostModeTitle('manual')}”
          </button>
        </p>
      ) : null}
    </Callout>
  )
}

interface EditProps {
  readonly cluster: string
  readonly node: NodeView
  readonly disabled: boolean
}

const ATTEMPTS = Array.from({ length: 20 }, (_, index) => String(index + 1))

/** How often a live migration from this node is tried. */
function Attempts({ cluster, node, disabled }: EditProps): ReactNode {
  const fallback = useClusters(({ list }) =>
    list.kind === 'listed' ? (list.byName.get(cluster)?.limits.migrationAttempts ?? null) : null,
  )
  const id = useId()
  const given = node.migrationAttempts
  const isOdd = given !== null && !ATTEMPTS.includes(given)
  return (
    <label className="mode-attempts row wrap" htmlFor={id}>
      Attempts of each live migration{' '}
      <HTMLSelect
        id={id}
        value={given ?? ''}
        disabled={disabled}
        options={[
          { value: '', label: fallback === null ? 'default of the cloud' : `default of the cloud (${fallback})` },
          ...(isOdd ? [{ value: given, label: `${given} (not usable)` }] : []),
          ...ATTEMPTS.map(value => ({ value, label: value })),
        ]}
        onChange={({ target: { value } }) => {
          if (value === given) return
          void changeHostMode(cluster, node.name, { attempts: value === '' ? null : Number(value) })
        }}
      />
    </label>
  )
}

function Status({ cluster, node, state }: Props & { readonly state: HostModeState }): ReactNode {
  const behind = useTicks(({ nowMs }) => state.kind === 'confirmed' && nowMs - state.atMs > BEHIND_MS)
  if (state.kind === 'refused') return <HostModeRefusal cluster={cluster} node={node} failure={state.failure} />
  const wanted = `${hostModeTitle(state.wanted.mode)}, attempts ${state.wanted.attempts ?? 'not set'}`
  return (
    <p className="mode-waits" role="status">
      {behind ? null : <Spinner size={12} />}
      {behind ? `${node} confirms ${wanted}; the list is not updated yet.` : `Requested: ${wanted}.`}
    </p>
  )
}

/** Changes a node's mode or attempts and reports the result; a refusal stays beside the editor. */
async function changeHostMode(
  cluster: string,
  node: string,
  change: { readonly mode?: HostMode | null; readonly attempts?: number | null },
): Promise<void> {
  const answer = await setHostMode(cluster, node, change)
  if (!answer.ok) return
  const what =
    change.mode === undefined
      ? `attempts ${change.attempts ?? 'default of the cloud'}`
      : `mode “${hostModeTitle(change.mode)}”`
  reportOfEdit(cluster, `${node} of ${cluster}: ${what}.`, { refused: [], undo: answer.value.undo })
}

interface HostModeRefusalProps {
  readonly cluster: string
  readonly node: string
  readonly failure: Failure
}

/** Why the last change of a node's mode failed, until it is dismissed. */
function HostModeRefusal({ cluster, node, failure }: HostModeRefusalProps): ReactNode {
  return (
    <Callout compact intent="danger" role="alert">
      <b>{node} was not changed</b>
      <p>{failure.message}</p>
      <Button size="small" variant="minimal" text="Dismiss" onClick={() => putHostMode(cluster, node, null)} />
    </Callout>
  )
}
