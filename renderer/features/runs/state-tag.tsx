import type { ReactNode } from 'react'
import type { RunListState } from '../../../shared/contract/index.ts'
import { RUN_STATE_WORDS } from '../../words/runs.ts'

/** Where a run stands, in a word with its colour. */
export function StateTag({ state }: { readonly state: RunListState }): ReactNode {
  return <span className={`run-state run-state-${state}`}>{RUN_STATE_WORDS[state]}</span>
}
