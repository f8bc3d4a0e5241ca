import { Radio } from '@blueprintjs/core'
import type { ReactNode } from 'react'

/** One thing to choose. */
interface Offer {
  readonly name: string
  readonly words: string
  readonly problem: string | null
}

interface Props {
  readonly label: string
  readonly offers: readonly Offer[]
  readonly chosen: string | null
  readonly onChoose: (name: string) => void
}

/** What a file offers, one to be chosen; what cannot be used says why. */
export function OfferList({ label, offers, chosen, onChoose }: Props): ReactNode {
  return (
    <ul className="addc-offers" aria-label={label}>
      {offers.map(offer => (
        <li key={offer.name}>
          <Radio
            className="addc-offer"
            data-chosen={offer.name === chosen}
            checked={offer.name === chosen}
            disabled={offer.problem !== null}
            onChange={() => onChoose(offer.name)}
            name={label}
            value={offer.name}
          >
            <strong>{offer.name}</strong> <span className="quiet">{offer.problem ?? offer.words}</span>
          </Radio>
        </li>
      ))}
    </ul>
  )
}
