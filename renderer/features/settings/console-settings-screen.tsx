import { AnchorButton, FormGroup, SegmentedControl, Switch } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { Preferences } from '../../../shared/contract/console.ts'
import { changePreferences } from '../../bridge/preferences.ts'
import { useClusters } from '../../stores/clusters.ts'
import { useConsole } from '../../stores/console.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { ClusterName } from '../../ui/clusters/cluster-name.tsx'
import '../../ui/settings.css'

const THEMES = { system: 'System', light: 'Light', dark: 'Dark' } as const
const CLOCKS = { local: 'Local', utc: 'UTC' } as const

/** The settings of this console: how it looks, its clouds, and what it is. All tabs and windows follow them. */
export function ConsoleSettingsScreen(): ReactNode {
  const preferences = usePreferences(store => store.preferences)
  const description = useConsole(store => store.description)
  const clusters = useClusters(({ list }) => (list.kind === 'listed' ? list.byName : null))
  return (
    <div className="set-console">
      <h1>Settings</h1>
      <section className="panel" aria-labelledby="set-look">
        <h2 id="set-look">Appearance</h2>
        <div className="set-grid">
          <Choice
            label="Theme"
            words={THEMES}
            value={preferences.theme}
            onChange={value => void changePreferences({ theme: Preferences.shape.theme.parse(value) })}
          />
          <Choice
            label="Times"
            words={CLOCKS}
            value={preferences.clock}
            onChange={value => void changePreferences({ clock: Preferences.shape.clock.parse(value) })}
          />
        </div>
        {description?.face === 'desktop' ? (
          <Switch
            label="Notify me when a run needs me, is done or fails"
            checked={preferences.notifications}
            onChange={event => void changePreferences({ notifications: event.currentTarget.checked })}
          />
        ) : null}
      </section>
      <section className="panel" aria-labelledby="set-clouds">
        <h2 id="set-clouds">Clouds</h2>
        <ul className="set-list plain-list">
          {[...(clusters?.keys() ?? [])].map(name => (
            <li key={name} className="spread">
              <ClusterName name={name} />
              <a href={hashOf(clusterRoute(name, 'settings'))}>Settings of {name}</a>
            </li>
          ))}
        </ul>
        <AnchorButton text="Add a cloud" href={hashOf({ kind: 'add-cluster' })} />
      </section>
      {description === null ? null : (
        <section className="panel" aria-labelledby="set-about">
          <h2 id="set-about">About</h2>
          <dl className="facts">
            <dt>Version</dt>
            <dd>Lockkeeper {description.version}</dd>
            <dt>You</dt>
            <dd>
              {description.operator} on {description.machine}
            </dd>
            <dt>Data</dt>
            <dd className="mono">{description.dataDirectory}</dd>
            <dt>Passwords</dt>
            <dd>{description.secrets.words}</dd>
            <dt>Journal</dt>
            <dd>
              <a href={hashOf({ kind: 'history', part: 'journal', cluster: null })}>Verify, import and keep it</a>
            </dd>
          </dl>
        </section>
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
