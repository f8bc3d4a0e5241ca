import type { ReactNode } from 'react'
import { useSheet } from '../../stores/sheet.ts'

/** The plan that was asked for, laid over whatever is shown. */
export function PlanSheet(): ReactNode {
  const open = useSheet(store => store.open)
  return open === null ? null : <p>{open.nodes.join(', ')}</p>
}
