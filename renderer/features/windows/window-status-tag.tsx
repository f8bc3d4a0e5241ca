import type { ReactNode } from 'react'
import type { WindowStatus } from '../../../shared/domain/window.ts'
import { STATUS_WORDS } from '../../../shared/words/windows.ts'

/** The status of a window, in a word with its colour. */
export function WindowStatusTag({ status }: { readonly status: WindowStatus }): ReactNode {
  return <span className={`badge status-${status}`}>{STATUS_WORDS[status]}</span>
}
