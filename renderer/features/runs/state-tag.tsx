import { type Intent, Tag } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { RunListState } from '../../../shared/contract/index.ts'
import { RUN_STATE_WORDS } from '../../words/runs.ts'

const INTENTS: Readonly<Record<RunListState, Intent>> = {
  created: 'primary',
  running: 'primary',
  waiting: 'warning',
  paused: 'warning',
  aborting: 'warning',
  interrupted: 'warning',
  done: 'success',
  failed: 'danger',
  aborted: 'none',
  'checks-failed': 'danger',
}

/** Where a run stands, in a word with its colour. */
export function StateTag({ state }: { readonly state: RunListState }): ReactNode {
  return (
    <Tag minimal intent={INTENTS[state]} className="run-state">
      {RUN_STATE_WORDS[state]}
    </Tag>
  )
}
