import { Button, Checkbox, FormGroup, NumericInput } from '@blueprintjs/core'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { Estimate, VendorEstimate } from '../../../shared/domain/estimate.ts'
import { VENDOR_FIGURES, vendorEstimate, vendorInputsOf } from '../../../shared/domain/vendor-estimate.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { figureFaultWords, readingWords } from '../../../shared/words/vendor-estimates.ts'
import { rangeWords } from '../../../shared/words/windows.ts'
import { lastRead } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import type { AnswerInHand } from '../../ui/windows/use-answer.ts'

const LABELS: Readonly<Record<Exclude<Figure, 'restart'>, string>> = {
  'instances-per-compute': 'Instances per compute node (D)',
  computes: 'Compute nodes (NC)',
  gateways: 'Gateway nodes (NG)',
  masters: 'Kubernetes masters (NKC)',
  workers: 'Workers of all roles (NKM)',
}

const isLabelled = (figure: Figure): figure is keyof typeof LABELS => figure !== 'restart'

interface Props {
  readonly estimate: AnswerInHand<Estimate>
  /** The length of the window; null while it is unknown. */
  readonly lengthMs: number | null
}

/** How long the plan may take, by measured times and by the vendor's formula; its sum stays in sight. */
export function EstimateCard({ estimate: { asked, isCurrent, again }, lengthMs }: Props): ReactNode {
  const estimate = lastRead(asked)
  if (asked.kind === 'failed') {
    return <FailureCallout title="No estimate could be made" failure={asked.failure} onRetry={again} />
  }
  if (estimate === null) return null
  const { own, vendor } = estimate
  return (
    <details className={`panel${isCurrent ? '' : ' win-old'}`}>
      <summary>
        <h2>How long</h2> {own.total === null ? 'unknown yet' : `${rangeWords(own.total)}, usual to slow`}
      </summary>
      <Own estimate={estimate} />
      {vendor === null ? null : <Vendor vendor={vendor} lengthMs={lengthMs} />}
    </details>
  )
}

function Own({ estimate: { own } }: { readonly estimate: Estimate }): ReactNode {
  return (
    <>
      <p className="quiet">{own.basis}</p>
      {own.missing.length === 0 ? null : (
        <details className="caution">
          <summary>Not included: {counted(own.missing.length, 'thing')}</summary>
          <ul className="win-list">
            {own.missing.map(words => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </details>
      )}
      {own.nodes.length === 0 ? null : (
        <div className="win-scroll">
          <table className="table small nowrap">
            <thead>
              <tr>
                <th scope="col">Batch</th>
                <th scope="col">Node</th>
                <th scope="col">Total</th>
                <th scope="col">Instances leave</th>
                <th scope="col">Drain</th>
                <th scope="col">Work</th>
                <th scope="col">Return</th>
              </tr>
            </thead>
            <tbody>
              {own.nodes.map(node => (
                <tr key={node.node} title={node.basis}>
                  <td>{node.batch}</td>
                  <th scope="row">{node.node}</th>
                  <td>{rangeWords(node.total)}</td>
                  <td>{rangeWords(node.evacuation)}</td>
                  <td>{rangeWords(node.drain)}</td>
                  <td>{rangeWords(node.work)}</td>
                  <td>{rangeWords(node.back)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

function Vendor({
  vendor,
  lengthMs,
}: {
  readonly vendor: VendorEstimate
  readonly lengthMs: number | null
}): ReactNode {
  return (
    <>
      <h3>The vendor’s formula</h3>
      <p className="quiet">
        Not measured here; one of its lines has two readings. {vendor.source}{' '}
        {Object.entries(vendor.inputs)
          .map(([name, value]) => `${name} = ${value}`)
          .join(', ')}
        .
      </p>
      {vendor.readings.map(({ reading, stages, totalMinutes }) => (
        <details key={reading}>
          <summary>
            <b>{durationWords(totalMinutes * 60_000)}</b>
            {lengthMs !== null && totalMinutes * 60_000 > lengthMs ? (
              <span className="caution"> (longer than the window)</span>
            ) : null}
            : {reading}
          </summary>
          <ul className="win-list">
            {stages.map(({ stage, minutes }) => (
              <li key={stage}>
                {stage}: {durationWords(minutes * 60_000)}
              </li>
            ))}
          </ul>
        </details>
      ))}
      <VendorFigures key={JSON.stringify(vendor.inputs)} inputs={vendor.inputs} />
      {vendor.notes.map(note => (
        <p key={note} className="quiet">
          {note}
        </p>
      ))}
    </>
  )
}

type Figure = (typeof VENDOR_FIGURES)[number]

type Typed = Readonly<Record<Figure, number>>

/** The figures of an estimate as the form has them. */
function typedOf(letters: VendorEstimate['inputs']): Typed {
  const of = (letter: string) => letters[letter] ?? Number.NaN
  return {
    'instances-per-compute': of('D'),
    computes: of('NC'),
    gateways: of('NG'),
    masters: of('NKC'),
    workers: of('NKM'),
    restart: of('RE'),
  }
}

/** The vendor's formula with figures of another cluster, such as one that will grow. */
function VendorFigures({ inputs }: Pick<VendorEstimate, 'inputs'>): ReactNode {
  const id = useId()
  const own = typedOf(inputs)
  const [typed, setTyped] = useState(own)
  const set = (figure: Figure, value: number) => setTyped(before => ({ ...before, [figure]: value }))
  const isOwn = VENDOR_FIGURES.every(figure => Object.is(typed[figure], own[figure]))
  const read = useMemo(() => vendorInputsOf(new Map(VENDOR_FIGURES.map(figure => [figure, typed[figure]]))), [typed])
  return (
    <details>
      <summary>With other figures</summary>
      <div className="win-figures">
        {VENDOR_FIGURES.filter(isLabelled).map(figure => (
          <FormGroup key={figure} label={LABELS[figure]} labelFor={`${id}-${figure}`}>
            <NumericInput
              id={`${id}-${figure}`}
              value={Number.isNaN(typed[figure]) ? '' : typed[figure]}
              min={0}
              buttonPosition="none"
              minorStepSize={null}
              onValueChange={(value, text) => set(figure, text.trim() === '' ? Number.NaN : value)}
            />
          </FormGroup>
        ))}
      </div>
      <Checkbox
        checked={typed.restart === 1}
        onChange={({ currentTarget }) => set('restart', currentTarget.checked ? 1 : 0)}
      >
        Nodes are restarted (RE)
      </Checkbox>
      <div role="status">
        {'code' in read ? (
          <p className="caution">{figureFaultWords(read)}</p>
        ) : (
          <ul className="win-list">
            {vendorEstimate(read, 'typed').readings.map(({ reading, totalMinutes }) => (
              <li key={reading}>
                <b>{durationWords(totalMinutes * 60_000)}</b>: {readingWords(reading)}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Button size="small" text="This cloud’s figures" disabled={isOwn} onClick={() => setTyped(own)} />
    </details>
  )
}
