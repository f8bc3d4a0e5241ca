import { Button, Checkbox, FormGroup, NumericInput } from '@blueprintjs/core'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { VendorEstimate } from '../../../shared/domain/estimate.ts'
import { VENDOR_FIGURES, vendorEstimate, vendorInputsOf } from '../../../shared/domain/vendor-estimate.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'

type Figure = (typeof VENDOR_FIGURES)[number]
type Typed = Readonly<Record<Figure, number>>

const LABELS: Readonly<Record<Exclude<Figure, 'restart'>, string>> = {
  'instances-per-compute': 'Instances per compute node (D)',
  computes: 'Compute nodes (NC)',
  gateways: 'Gateway nodes (NG)',
  masters: 'Kubernetes masters (NKC)',
  workers: 'Workers of all roles (NKM)',
}

const isLabelled = (figure: Figure): figure is keyof typeof LABELS => figure !== 'restart'

/** The letters of an estimate as the form has them. */
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

/** The vendor's formula with other figures than this cluster's: for a cluster that is to grow, or one that is not here. */
export function VendorFigures({ inputs }: Pick<VendorEstimate, 'inputs'>): ReactNode {
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
        {typeof read === 'string' ? (
          <p className="caution">{read}</p>
        ) : (
          <ul className="win-list">
            {vendorEstimate(read).readings.map(({ reading, totalMinutes }) => (
              <li key={reading}>
                <b>{durationWords(totalMinutes * 60_000)}</b>: {reading}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Button size="small" text="This cluster’s figures" disabled={isOwn} onClick={() => setTyped(own)} />
    </details>
  )
}
