import type { RunSummary } from '../../../../shared/contract/index.ts'
import type { RunCondition } from '../../../../shared/domain/run-condition.ts'
import { betweenWords } from '../../../../shared/grammar/durations.ts'
import { dateAndTime } from '../../../../shared/grammar/times.ts'
import { conditionWord } from '../../../../shared/words/conditions.ts'
import { type EndingTone, endingTone } from '../../../../shared/words/run-ending.ts'
import { whereDriven } from '../../../../shared/words/runners.ts'
import { RUN_KIND_WORDS } from '../../../../shared/words/runs.ts'
import { shortIds } from '../find-run.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { renderTable } from '../words/table.ts'
import { summaryInList } from './gate-words.ts'

/** The runs as a table; ids are shortened, but stay unique. */
export function renderRuns(runs: readonly RunSummary[], look: Look): readonly string[] {
  if (runs.length === 0) return ['No runs yet.']
  const short = shortIds(runs.map(({ id }) => id))
  return renderTable(
    ['RUN', 'WHAT', 'CLOUD', 'NODE', 'STATE', 'STARTED', 'TOOK', 'BY', 'SUMMARY'],
    runs.map(run => [
      short.get(run.id) ?? run.id,
      RUN_KIND_WORDS[run.kind],
      run.cluster,
      run.node ?? '-',
      { text: conditionWord(run.condition), paint: paintOf(run.condition, look) },
      dateAndTime(run.createdAt, look.clock),
      run.endedAt === null ? '-' : betweenWords(run.createdAt, run.endedAt),
      run.runner === undefined ? `${run.operator}@${run.machine}` : `${run.operator} ${whereDriven(run.runner)}`,
      summaryInList(run),
    ]),
    look,
  )
}

const PAINTS: Readonly<Record<EndingTone, (palette: Look['palette']) => Paint>> = {
  good: ({ good }) => good,
  attention: ({ warn }) => warn,
  bad: ({ bad }) => bad,
  rest: ({ warn }) => warn,
}

/** Whatever is neither running nor done needs attention. */
function paintOf(condition: RunCondition, { palette }: Look): Paint {
  switch (condition.kind) {
    case 'over':
      return PAINTS[endingTone(condition.ending)](palette)
    case 'starting':
    case 'moving':
      return text => text
    case 'waiting':
    case 'paused':
    case 'aborting':
    case 'interrupted':
    case 'unheard':
      return palette.warn
  }
}
