import type { RunEvent, RunEventBody } from '../../../../shared/domain/run.ts'
import { endingOf, type RunEnding } from '../../../../shared/domain/run-ending.ts'
import { EVICTION_REFUSED, factName, factText, NODE_VERDICT } from '../../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { timeOfDay } from '../../../../shared/grammar/times.ts'
import type { FactTone } from '../../../../shared/words/facts.ts'
import { eventLine } from '../../../../shared/words/run-events.ts'
import { oneLine } from '../words/clean-text.ts'
import type { Look } from '../words/look.ts'

/** Turns events of a run into lines with timestamps, one per relevant event; remembers step titles and repeated refusals. */
interface EventLines {
  linesOf(event: RunEvent): readonly string[]
}

/** `verbose` prints every event. */
export function createEventLines(look: Look, verbose: boolean): EventLines {
  const titles = new Map<string, string>()
  /** Steps that look at a node at the end of its work. */
  const looksAtNode = new Set<string>()
  const lastRefusals = new Map<string, string>()
  const seen: RunEvent[] = []
  const { palette } = look

  /** Whether only `verbose` shows the event. */
  const isDetail = (body: RunEventBody, tone: FactTone): boolean =>
    tone === 'quiet' ||
    body.kind === 'run-created' ||
    (body.kind === 'run-driven' && !body.resumed) ||
    (body.kind === 'step-verified' && body.answer.kind === 'holds' && body.round !== 'final') ||
    isSaidBefore(body) ||
    isSaidByEnd(body)

  /** A disruption budget refuses every few seconds with the same text; one line is enough. */
  const isSaidBefore = (body: RunEventBody): boolean => {
    if (body.kind !== 'fact' || factName(body) !== EVICTION_REFUSED) return false
    const text = factText(body, 'sentence') ?? ''
    const known = lastRefusals.get(body.subject) === text
    lastRefusals.set(body.subject, text)
    return known
  }

  /** The result of a run, and of a run's one node, follows its events; of several nodes each fact says it. */
  const isSaidByEnd = (body: RunEventBody): boolean =>
    (body.kind === 'run-finished' && body.outcome === 'done') ||
    (body.kind === 'fact' && factName(body) === NODE_VERDICT && looksAtNode.size === 1) ||
    (body.kind === 'step-verified' && body.answer.kind === 'holds' && looksAtNode.has(body.stepId))

  const sayOf = (event: RunEvent): string | null => {
    const { body } = event
    if (body.kind === 'run-created') {
      for (const { id, kind, title } of body.plan.steps) {
        titles.set(id, title)
        if (kind === 'node-emptied' || kind === 'node-serves') looksAtNode.add(id)
      }
    }
    seen.push(event)
    const ending = body.kind === 'run-finished' ? endingIn(seen) : null
    const { tone, text } = eventLine(event, titles, { timeOf: at => timeOfDay(at, look.clock), ending })
    return isDetail(body, tone) && !verbose ? null : PAINT[tone](palette, text)
  }

  return {
    linesOf: event => {
      const text = sayOf(event)
      // Painted text contains our own escape sequences. Text from the cloud is clean already, except for line breaks.
      return text === null
        ? []
        : [
            `${palette.faint(timeOfDay(event.at, look.clock))}  ${look.ansi ? text.replace(/\s+/g, ' ') : oneLine(text)}`,
          ]
    },
  }
}

/** How a run ended, by its events; null when they do not start with its creation. */
function endingIn(events: readonly RunEvent[]): RunEnding | null {
  if (events[0]?.body.kind !== 'run-created') return null
  const view = foldRun(events)
  return view.state.kind === 'finished' ? endingOf(view, view.state) : null
}

const PAINT: Readonly<Record<FactTone, (palette: Look['palette'], text: string) => string>> = {
  plain: (_, text) => text,
  quiet: (_, text) => text,
  good: (palette, text) => palette.good(text),
  caution: (palette, text) => palette.warn(text),
  bad: (palette, text) => palette.bad(text),
}
