import { Button, PopoverNext, Radio, RadioGroup } from '@blueprintjs/core'
import { GridViewIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { GROUPINGS, type Grouping } from '../../geometry/node-groups.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { useTopology } from '../../stores/topology.ts'

const GROUPING_WORDS: Readonly<Record<Grouping, string>> = {
  zone: 'Zone and role',
  role: 'Role',
  state: 'State',
  rack: 'Rack',
}
const DENSITY_WORDS = { comfortable: 'Comfortable', compact: 'Compact', dense: 'Dense' } as const
const DENSITIES = ['comfortable', 'compact', 'dense'] as const

/** By what the map is divided, and how dense it is. */
export function ViewMenu(): ReactNode {
  return (
    <PopoverNext placement="bottom-end" content={<Choices />}>
      <Button size="small" icon={<GridViewIcon />} text="View" />
    </PopoverNext>
  )
}

function Choices(): ReactNode {
  const grouping = useTopology(store => store.grouping)
  const chosen = useTopology(store => store.density)
  const preferred = usePreferences(store => store.preferences.density)
  return (
    <div className="topo-filters">
      <RadioGroup
        label="Group by"
        selectedValue={grouping}
        onChange={event =>
          useTopology.setState({ grouping: GROUPINGS.find(name => name === event.currentTarget.value) ?? 'zone' })
        }
      >
        {GROUPINGS.map(value => (
          <Radio key={value} value={value} label={GROUPING_WORDS[value]} />
        ))}
      </RadioGroup>
      <RadioGroup
        label="Density"
        selectedValue={chosen ?? preferred}
        onChange={event =>
          useTopology.setState({ density: DENSITIES.find(name => name === event.currentTarget.value) ?? null })
        }
      >
        {DENSITIES.map(value => (
          <Radio key={value} value={value} label={DENSITY_WORDS[value]} />
        ))}
      </RadioGroup>
    </div>
  )
}
