import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { windowsCalendar } from '../../../shared/words/window-calendar.ts'
import { saveFile } from '../../ui/save-file.ts'

interface Props {
  /** Of the file, without its ending. */
  readonly name: string
  readonly windows: readonly ListedWindow[]
}

/** Saves windows as a file that calendars read. */
export function CalendarFile({ name, windows }: Props): ReactNode {
  const save = () => {
    const text = windowsCalendar(
      windows.map(({ window: each }) => each),
      new Date().toISOString(),
    )
    saveFile(`${name}.ics`, 'text/calendar;charset=utf-8', text)
  }
  return <Button size="small" text="Save .ics" title="A file for calendars" onClick={save} />
}
