import { openJournal } from '../../../main/journal/journal.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'

/** Started by killed-care.test.ts: takes another journal over, then removes what is old, saying when each begins. */
const [path = '', file = ''] = process.argv.slice(2)
const opened = openJournal({ path, clock: systemClock })
if (!opened.ok) throw new Error(opened.failure.message)
const by = { operator: 'eva', machine: 'm' }
const { care } = opened.value
process.stdout.write('begins\n')
care.importFrom({ file, by })
care.prune({ before: '2026-11-21T00:00:00.000Z', dryRun: false, by })
process.stdout.write('done\n')
opened.value.close()
