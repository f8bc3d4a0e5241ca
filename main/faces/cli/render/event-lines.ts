import { clockWords, isApart } from '../../../../shared/domain/clock-skew.ts'
import { atMostWords, durationWords } from '../../../../shared/domain/duration-words.ts'
import { type FactTone, factLine, factSaying } from '../../../../shared/domain/fact-words.ts'
import { assertNever } from '../../../../shared/domain/must.ts'
import type { RunEvent, RunEventBody } from '../../../../shared/domain/run.ts'
import { EVICTION_REFUSED, factName } from '../../../../shared/domain/run-facts.ts'
import { oneLine } from '../words/clean-text.ts'
import { timeOfDay } from '../words/format-time.ts'
import type { Look } from '../words/look.ts'

/** Turns a run's events into lines with time stamps, one an event that matters; keeps the titles of steps and what was said already. */
interface EventLines {
  linesOf(event: RunEvent): readonly string[]
}

/** `verbose` tells every event; else what an operator watching a log wants to know. */
export function createEventLines(look: Look, verbose: boolean): EventLines {
  const titles = new Map<string, string>()
  const lastRefusals = new Map<string, string>()
  const { palette } = look

  const sayOf = (body: RunEventBody): string | null => {
    const title = 'stepId' in body ? (titles.get(body.stepId) ?? body.stepId) : ''
    switch (body.kind) {
      case 'run-created':
        for (const step of body.plan.steps) titles.set(step.id, step.title)
        return verbose ? `confirmed by ${body.driver.operator} on ${body.driver.machine}` : null
      case 'run-driven':
        return body.resumed ? `resumed by ${body.driver.operator} on ${body.driver.machine}` : null
      case 'lease-acquired':
        return verbose ? `holds the lease of ${body.node}` : null
      case 'lease-watched':
        return palette.warn(`${body.message} Watching whether it still is renewed: up to ${atMostWords(body.forMs)}.`)
      case 'lease-away':
        return palette.warn(`nothing is done without the lease of ${body.node}. ${body.why} Trying to take it back.`)
      case 'lease-back':
        return `took the lease of ${body.node} back after ${durationWords(body.awayMs)}; looking at everything afresh`
      case 'lease-lost':
        return palette.bad(`lost the lease of ${body.node}: ${body.why}`)
      case 'machine-slept':
        return palette.warn(`the machine slept for ${durationWords(body.ms)}; everything is looked at afresh`)
      case 'clocks-measured': {
        const apart = body.clocks.filter(isApart)
        if (apart.length > 0) return palette.warn(apart.map(clockWords).join(' '))
        return verbose ? body.clocks.map(clockWords).join(' ') : null
      }
      case 'step-checked':
        if (body.answer.kind === 'blocked') {
          return palette.bad(`${title}: blocked. ${body.answer.blockers.map(blocker => blocker.message).join(' ')}`)
        }
        return verbose ? `${title}: ${body.answer.reason}` : null
      case 'blocker-overridden':
        return palette.warn(`${title}: overridden by --${body.flag} (${body.reason}): ${body.message}`)
      case 'step-started':
        return `${title}${body.attempt > 1 ? ` (attempt ${body.attempt})` : ''}`
      case 'fact':
        return factWords(body)
      case 'step-applied':
        return `${title}: ${body.note}`
      case 'step-failed':
        return palette.bad(`${title}: failed. ${body.failure.message}`)
      case 'step-skipped':
        if (body.by === 'operator') return palette.warn(`${title}: skipped. ${body.reason}`)
        return verbose ? `${title}: nothing to do. ${body.reason}` : null
      case 'step-verified':
        if (body.answer.kind === 'fails')
          return palette.bad(`${title}: does not hold. ${body.answer.reason} ${body.answer.remedy}`)
        if (body.answer.kind === 'cannot-tell')
          return palette.bad(`${title}: cannot tell whether it is so. ${body.answer.reason} ${body.answer.remedy}`)
        return body.round === 'final' || verbose ? palette.good(`${title}: verified. ${body.answer.reason}`) : null
      case 'gate-opened':
        return palette.warn(`waits for an answer: ${body.question}`)
      case 'gate-answered':
        return `answered by ${body.by}: ${body.choice}${body.reason === '' ? '' : ` (${body.reason})`}`
      case 'pause-after-node-requested':
        return `${body.by} asked to stop after what is under way`
      case 'pause-requested':
        return `${body.by} asked to pause`
      case 'paused':
        return palette.warn('paused')
      case 'resume-requested':
        return `${body.by} asked to go on`
      case 'abort-requested':
        return palette.warn(`${body.by} asked to abort${body.reason === '' ? '' : `: ${body.reason}`}`)
      case 'driver-left':
        return palette.warn(`left: ${body.why}`)
      case 'run-finished':
        return body.outcome === 'done'
          ? palette.good(`done: ${body.summary}`)
          : palette.bad(`${body.outcome}: ${body.summary}`)
      default:
        return assertNever(body, 'run event')
    }
  }

  const factWords = (fact: Extract<RunEventBody, { kind: 'fact' }>): string | null => {
    const said = factSaying(fact, titles.get(fact.stepId) ?? fact.stepId, at => timeOfDay(at, look.offsetMinutes))
    if (said.tone === 'quiet' && !verbose) return null
    if (factName(fact) === EVICTION_REFUSED) {
      // A budget refuses every few seconds in the same words; once is enough.
      const known = lastRefusals.get(fact.subject) === said.text
      lastRefusals.set(fact.subject, said.text)
      if (known && !verbose) return null
    }
    return PAINT[said.tone](palette, factLine(said))
  }

  return {
    linesOf: event => {
      const text = sayOf(event.body)
      // Painted text holds our own sequences; what came from the cloud is clean already, only its line breaks are left to mend.
      return text === null
        ? []
        : [
            `${palette.faint(timeOfDay(event.at, look.offsetMinutes))}  ${look.ansi ? text.replace(/\s+/g, ' ') : oneLine(text)}`,
          ]
    },
  }
}

const PAINT: Readonly<Record<FactTone, (palette: Look['palette'], text: string) => string>> = {
  plain: (_, text) => text,
  quiet: (_, text) => text,
  good: (palette, text) => palette.good(text),
  caution: (palette, text) => palette.warn(text),
  bad: (palette, text) => palette.bad(text),
}
