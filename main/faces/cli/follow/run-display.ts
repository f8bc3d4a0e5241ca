import type { RunEvent, RunView } from '../../../../shared/domain/run.ts'
import { conditionOf, needsSomebody } from '../../../../shared/domain/run-condition.ts'
import { LOCK_WAITING } from '../../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { conditionSentence } from '../../../../shared/words/conditions.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Printer } from '../printer.ts'
import { createEventLines } from '../render/event-lines.ts'
import { renderLive } from '../render/render-live.ts'
import { hang } from '../words/width.ts'

/** Shows a running run: redrawn in place on a terminal, otherwise one line per event. */
interface RunDisplay {
  update(event: RunEvent): void
  /** Makes room for a question: draws nothing until `release`. */
  hold(): void
  release(): void
  /** Draws the last state and leaves it on screen. */
  close(): void
}

const REDRAW_EVERY_MS = 250

/** `events` is the list that grows as the run continues. */
export function createRunDisplay(printer: Printer, clock: Clock, events: readonly RunEvent[]): RunDisplay {
  return printer.look.ansi && !printer.verbose ? redrawn(printer, clock, events) : lineByLine(printer, events)
}

function lineByLine(printer: Printer, events: readonly RunEvent[]): RunDisplay {
  const lines = createEventLines(printer.look, printer.verbose)
  // Earlier events (of a resumed run) are not printed: they only give the titles of steps and the refusals already reported.
  for (const event of events) lines.linesOf(event)
  let held: string[] | null = null
  let reported = ''
  /** Names the person who must act when a lock waits for one; the lock itself has ids. */
  const waiting = ({ body }: RunEvent): readonly string[] => {
    if (body.kind !== 'fact' || body.fact !== LOCK_WAITING) return []
    const condition = conditionOf(foldRun(events), false)
    const sentence = needsSomebody(condition) ? conditionSentence(condition) : ''
    const isNews = sentence !== '' && sentence !== reported
    reported = sentence
    return isNews ? hang('', printer.look.palette.warn(sentence), printer.look.columns) : []
  }
  return {
    update: event => {
      const text = [...lines.linesOf(event), ...waiting(event)]
      if (held === null) printer.say(...text)
      else held.push(...text)
    },
    hold: () => {
      held ??= []
    },
    release: () => {
      const waiting = held ?? []
      held = null
      printer.say(...waiting)
    },
    close: () => {
      printer.say(...(held ?? []))
      held = null
    },
  }
}

function redrawn(printer: Printer, clock: Clock, events: readonly RunEvent[]): RunDisplay {
  const { channel, look } = printer
  const over = new AbortController()
  let drawn = 0
  let held = false
  let folded: { readonly count: number; readonly view: RunView } | null = null

  const viewNow = (): RunView | null => {
    if (events.length === 0) return null
    if (folded?.count !== events.length) folded = { count: events.length, view: foldRun(events) }
    return folded.view
  }
  const erase = () => (drawn === 0 ? '' : `\u001b[${drawn}A\r\u001b[0J`)
  const draw = () => {
    const view = viewNow()
    if (held || view === null) return
    const lines = renderLive(view, clock.now(), look, channel.rows)
    channel.write(erase() + lines.map(line => `${line}\n`).join(''))
    drawn = lines.length
  }
  const keepDrawing = async () => {
    while (!over.signal.aborted) {
      draw()
      await clock.sleep(REDRAW_EVERY_MS, over.signal)
    }
  }
  void keepDrawing()
  return {
    update: () => {},
    hold: () => {
      draw()
      held = true
      // The question comes below the current picture; the next picture starts below the answer.
      drawn = 0
    },
    release: () => {
      held = false
      draw()
    },
    close: () => {
      over.abort()
      draw()
    },
  }
}
