import { CHROMIUM_VARIABLE, findChromium, type PrintingMachine } from '../print/find-chromium.ts'
import { type Finding, findingsAbout } from './finding.ts'

/** What is to be known of this machine and its process. */
export interface ExaminedMachine extends PrintingMachine {
  /** Of Node, such as `24.21.0`. */
  readonly nodeVersion: string
  /** Whether the console's page is there to be served. */
  readonly hasPage: boolean
  /** The time zone in which times are written. */
  readonly timeZone: string
}

/** The oldest Node that Lockkeeper runs with. */
const NODE_NEEDED = 24

/** Whether this machine has what the faces need of it. */
export function examineMachine(machine: ExaminedMachine): readonly Finding[] {
  return [nodeOf(machine), zoneOf(machine), localeOf(machine), pageOf(machine), browserOf(machine)]
}

const { fine, attention, broken } = findingsAbout('this machine')

function nodeOf({ nodeVersion }: ExaminedMachine): Finding {
  const message = `Node ${nodeVersion} runs Lockkeeper.`
  return Number(nodeVersion.split('.')[0]) >= NODE_NEEDED
    ? fine('Node', message)
    : broken('Node', `${message} ${NODE_NEEDED} or newer is needed.`, `Install Node ${NODE_NEEDED}.`)
}

function zoneOf({ env, timeZone }: ExaminedMachine): Finding {
  const wanted = (env.TZ ?? '').replace(/^:/, '')
  if (wanted !== '' && !isZone(wanted)) {
    return attention(
      'time zone',
      `TZ is "${wanted}", which is no time zone known here; times are written as of ${timeZone}.`,
      'Set TZ to a name such as Europe/Berlin, or unset it.',
    )
  }
  return fine('time zone', `Times are written as of ${timeZone}.`)
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Decides the signs before lines alone. */
function localeOf({ env }: ExaminedMachine): Finding {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find(value => value !== undefined && value !== '') ?? ''
  const named = locale === '' ? 'No locale is set' : `The locale is ${locale}`
  return /utf-?8/i.test(locale)
    ? fine('locale', `${named}.`)
    : fine(
        'locale',
        `${named}, which is not one of UTF-8: signs before lines are plain letters. Nothing else depends on it.`,
      )
}

function pageOf({ hasPage }: ExaminedMachine): Finding {
  return hasPage
    ? fine('console page', 'The page of `lockkeeper serve` is there.')
    : attention(
        'console page',
        'The page of `lockkeeper serve` is not there: the console cannot be opened in a browser.',
        'In a checkout: `npm run build`. Of a package: install it again.',
      )
}

function browserOf(machine: ExaminedMachine): Finding {
  const browser = findChromium(machine)
  switch (browser.kind) {
    case 'found':
      return fine('Chromium', `${browser.path} is there for the console and for PDF reports; it was not started.`)
    case 'named-wrongly':
      return broken(
        'Chromium',
        `${CHROMIUM_VARIABLE} names ${browser.path}, which is no program here: no PDF can be printed.`,
        `Name a Chromium, Chrome or Edge in ${CHROMIUM_VARIABLE}, or unset it.`,
      )
    case 'none':
      return attention(
        'Chromium',
        `No Chromium was found (${browser.lookedFor.join(', ')}): reports cannot be printed as PDF, and the console needs some other browser. HTML reports need none.`,
        `Install one, or name it in ${CHROMIUM_VARIABLE}.`,
      )
  }
}
