import { FormGroup, SegmentedControl, Switch } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { Preferences } from '../../shared/contract/index.ts'
import { changePreferences } from '../bridge/preferences.ts'
import { useConsole } from '../stores/console.ts'
import { usePreferences } from '../stores/preferences.ts'
import { hashOf } from '../stores/route.ts'

const THEMES = { system: 'As the system', light: 'Light', dark: 'Dark' } as const
const DENSITIES = { comfortable: 'Comfortable', compact: 'Compact', dense: 'Dense' } as const
const CLOCKS = { local: 'Local', utc: 'UTC' } as const

/** The operator's settings of the page; all tabs and windows follow them. */
export function PreferencesMenu(): ReactNode {
  const preferences = usePreferences(store => store.preferences)
  const description = useConsole(store => store.description)
  return (
    <div className="preferences">
      <Choice
        label="Theme"
        words={THEMES}
        value={preferences.theme}
        onChange={value => void changePreferences({ theme: Preferences.shape.theme.parse(value) })}
      />
      <Choice
        label="Density"
        words={DENSITIES}
        value={preferences.density}
        onChange={value => void changePreferences({ density: Preferences.shape.density.parse(value) })}
      />
      <Choice
        label="Times"
        words={CLOCKS}
        value={preferences.clock}
        onChange={value => void changePreferences({ clock: Preferences.shape.clock.parse(value) })}
      />
      {description?.face === 'desktop' ? (
        <Switch
          label="Notify when a run needs you, is done or fails"
          checked={preferences.notifications}
          onChange={event => void changePreferences({ notifications: event.currentTarget.checked })}
        />
      ) : null}
      <a href={hashOf({ kind: 'history', part: 'journal', cluster: null })}>The journal of this console</a>
      {description === null ? null : (
        <small className="quiet">
          Lockkeeper {description.version}, {description.operator} on {description.machine}. {description.secrets.words}
        </small>
      )}
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly words: Readonly<Record<string, string>>
  readonly value: string
  readonly onChange: (value: string) => void
}

function Choice({ label, words, value, onChange }: ChoiceProps): ReactNode {
  return (
    <FormGroup label={label}>
      <SegmentedControl
        size="small"
        fill
        aria-label={label}
        options={Object.entries(words).map(([key, text]) => ({ value: key, label: text }))}
        value={value}
        onValueChange={onChange}
      />
    </FormGroup>
  )
}
