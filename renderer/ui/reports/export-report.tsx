import { Button } from '@blueprintjs/core'
import { DocumentIcon } from '@blueprintjs/icons'
import { type ReactNode, useState } from 'react'
import type { ReportSubject } from '../../../shared/domain/report.ts'
import { noteSight } from '../../stores/guide.ts'
import { ExportDialog } from './export-dialog.tsx'

interface Props {
  readonly subject: ReportSubject
  readonly intent?: 'primary' | 'none'
  readonly isLarge?: boolean
}

/** Offers the report of a run or a window as a file. */
export function ExportReport({ subject, intent = 'none', isLarge = false }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    setOpen(true)
    noteSight('report')
  }
  return (
    <>
      <Button
        size={isLarge ? 'large' : 'small'}
        intent={intent}
        icon={<DocumentIcon />}
        text={isLarge ? 'Open report' : 'Report'}
        aria-haspopup="dialog"
        onClick={open}
      />
      <ExportDialog subject={subject} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
