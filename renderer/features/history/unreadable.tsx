import type { ReactNode } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { Notice } from '../../ui/notice.tsx'

/** An unreadable run does not hide the others; it is named. */
export function Unreadable({ lines }: { readonly lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null
  return (
    <Notice
      tone="problem"
      title={`${counted(lines.length, 'run')} cannot be read and ${lines.length === 1 ? 'is' : 'are'} not counted`}
    >
      <ul>
        {lines.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Notice>
  )
}
