import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { windowsCalendar } from '../../../shared/words/window-calendar.ts'
import { saveFile } from '../../ui/save-file.ts'

interface Props {
  /** The name of the file without its extension. */
  readonly name: string
  readonly windows: readonly ListedWindow[]
}

/** Saves windows as a calendar file. */
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
