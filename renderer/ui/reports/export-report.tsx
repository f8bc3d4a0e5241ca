import { Button } from '@blueprintjs/core'
import { DocumentIcon } from '@blueprintjs/icons'
import { type ReactNode, useState } from 'react'
import type { ReportSubject } from '../../../shared/domain/report.ts'
import { ExportDialog } from './export-dialog.tsx'

/** Offers the report of a run or a window as a file. */
export function ExportReport({
  subject,
  isLarge = false,
}: {
  readonly subject: ReportSubject
  readonly isLarge?: boolean
}): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size={isLarge ? 'large' : 'small'}
        icon={<DocumentIcon />}
        text={isLarge ? 'Open report' : 'Report'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <ExportDialog subject={subject} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
