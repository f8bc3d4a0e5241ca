import { DisableIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { NodeState } from '../../../shared/domain/node-summary.ts'
import { ACTION_WORDS, STATE_WORDS } from '../../../shared/words/actions.ts'
import { READY_WORDS } from '../../../shared/words/nodes.ts'
import { actionTone } from '../../ui/action-tone.ts'
import { Lamp } from './lamp.tsx'

const READINESS = ['ready', 'not-ready', 'unknown'] as const
const ACTIONS = ['live_migrate', 'migrating', 'poweroff', 'notify', 'blocked', 'ignore'] as const
const LOCKS = ['active', 'inactive', 'failed'] as const

/** What the colours and lamps of the tiles mean. */
export function Legend(): ReactNode {
  return (
    <section className="topo-legend" aria-label="Legend">
      <dl>
        <dt>State</dt>
        {NodeState.options.map(state => (
          <dd key={state}>
            <span className={`topo-swatch topo-state-${state}`} />
            {STATE_WORDS[state]}
          </dd>
        ))}
      </dl>
      <dl>
        <dt>Kubelet</dt>
        {READINESS.map(ready => (
          <dd key={ready}>
            <Lamp ready={ready} />
            {READY_WORDS[ready]}
          </dd>
        ))}
        <dd>
          <span className="topo-cordoned">
            <DisableIcon size={12} />
          </span>
          cordoned
        </dd>
      </dl>
      <dl>
        <dt>Instances, when the node is entered</dt>
        {ACTIONS.map(action => (
          <dd key={action}>
            <span className={`topo-swatch topo-act-${action}`} style={actionTone(action)} />
            {ACTION_WORDS[action]}
          </dd>
        ))}
      </dl>
      <dl>
        <dt>Workload locks</dt>
        {LOCKS.map(state => (
          <dd key={state}>
            <span className={`topo-lock topo-lock-${state}`}>os</span>
            {state}
          </dd>
        ))}
      </dl>
    </section>
  )
}
