import { type ReactNode, useId } from 'react'
import { ClusterColour } from '../../../shared/domain/cluster.ts'

interface Props {
  readonly value: ClusterColour
  readonly onChange: (colour: ClusterColour) => void
}

/** The colour that distinguishes a cluster. */
export function ColourChoice({ value, onChange }: Props): ReactNode {
  const name = useId()
  return (
    <fieldset className="colour-choice">
      <legend>Colour</legend>
      {ClusterColour.options.map(colour => (
        <label key={colour} title={colour}>
          <input
            type="radio"
            name={name}
            value={colour}
            checked={colour === value}
            onChange={() => onChange(colour)}
            aria-label={colour}
          />
          <span className="colour-dot" style={{ background: `var(--cluster-${colour})` }} />
        </label>
      ))}
    </fieldset>
  )
}
