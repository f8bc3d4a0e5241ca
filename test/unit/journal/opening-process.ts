import { openJournal } from '../../../main/journal/journal.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'

/** Started by read-only.test.ts as a user without rights: opens a journal and says how that went, as JSON. */
const [path = ''] = process.argv.slice(2)
const opened = openJournal({ path, clock: systemClock })
if (!opened.ok) process.stdout.write(JSON.stringify({ refused: opened.failure }))
else {
  const rows = opened.value.rows({ cluster: null })
  const edit = { operator: 'eva', machine: 'm', kind: 'host-mode', target: 'n', before: '', after: '' } as const
  const kept = opened.value.edits.record({ cluster: 'east', node: null, refused: null, ...edit })
  process.stdout.write(
    JSON.stringify({
      readOnly: opened.value.readOnly,
      runs: rows.ok ? rows.value.length : rows.failure,
      events: rows.ok ? rows.value.map(({ id }) => opened.value.events(id).ok) : [],
      kept: kept.ok ? 'kept' : kept.failure.message,
    }),
  )
  opened.value.close()
}
