import { useMemo, useRef } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { timeOfDay } from '../../../shared/grammar/times.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { type LaneWords, laneWords, readsSame } from './lane-words.ts'
import type { Outlook } from './timeline-outlook.ts'

const MINUTE_MS = 60_000

/** The text of each lane, by node; unchanged texts keep their identity, so that rows are not drawn again. */
export function useLaneWords(timeline: UpdateTimeline, outlook: Outlook): ReadonlyMap<string, LaneWords> {
  const clock = usePreferences(store => store.preferences.clock)
  const before = useRef<ReadonlyMap<string, LaneWords>>(new Map())
  return useMemo(() => {
    // The end of its minute, so that no expected end lies in the past.
    const time = (ms: number) =>
      timeOfDay(new Date(Math.ceil(ms / MINUTE_MS) * MINUTE_MS).toISOString(), clock).slice(0, 5)
    const words = new Map<string, LaneWords>()
    if (timeline.endedAt === null || timeline.lanes.some(({ stage }) => stage === 'skipped' || stage === 'unseen')) {
      for (const lane of timeline.lanes) {
        const { node } = lane
        const fresh = laneWords(lane, {
          ghost: outlook.ghosts.get(node) ?? null,
          // Only the process that runs it knows the order.
          turn: outlook.nodes.length === 0 ? null : (outlook.turns.get(node) ?? null),
          condition: outlook.condition,
          left: outlook.departures.get(node)?.length ?? 0,
          toLeave: outlook.toLeave.get(node) ?? null,
          time,
        })
        if (fresh === null) continue
        const known = before.current.get(node)
        words.set(node, known !== undefined && readsSame(known, fresh) ? known : fresh)
      }
    }
    before.current = words
    return words
  }, [timeline, outlook, clock])
}
