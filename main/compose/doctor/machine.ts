import { because } from '../../../shared/words/reasons.ts'
import { CHROMIUM_VARIABLE, findChromium, type PrintingMachine } from '../../platform/print/find-chromium.ts'
import { type Finding, findingsAbout } from './finding.ts'

export interface ExaminedMachine extends PrintingMachine {
  readonly nodeVersion: string
  readonly hasPage: boolean
  readonly timeZone: string
}

const NODE_NEEDED = 24

export function examineMachine(machine: ExaminedMachine): readonly Finding[] {
  return [nodeOf(machine), zoneOf(machine), localeOf(machine), pageOf(machine), browserOf(machine)]
}

const { fine, attention, broken } = findingsAbout('this machine')

function nodeOf({ nodeVersion }: ExaminedMachine): Finding {
  return Number(nodeVersion.split('.')[0]) >= NODE_NEEDED
    ? fine('Node', because('NodeRuns', { version: nodeVersion }))
    : broken(
        'Node',
        because('NodeTooOld', { version: nodeVersion, needed: NODE_NEEDED }),
        because('InstallNodeNext', { needed: NODE_NEEDED }),
      )
}

function zoneOf({ env, timeZone }: ExaminedMachine): Finding {
  const wanted = (env.TZ ?? '').replace(/^:/, '')
  if (wanted !== '' && !isZone(wanted)) {
    return attention('time zone', because('TimeZoneUnknown', { wanted, timeZone }), because('TimeZoneNext'))
  }
  return fine('time zone', because('TimeZoneUsed', { timeZone }))
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The locale only decides which signs start the lines. */
function localeOf({ env }: ExaminedMachine): Finding {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find(value => value !== undefined && value !== '') ?? null
  return /utf-?8/i.test(locale ?? '')
    ? fine('locale', because('LocaleUtf8', { locale }))
    : fine('locale', because('LocaleNotUtf8', { locale }))
}

function pageOf({ hasPage }: ExaminedMachine): Finding {
  return hasPage
    ? fine('console page', because('PageThere'))
    : attention('console page', because('PageMissing'), because('PageBuildNext'))
}

function browserOf(machine: ExaminedMachine): Finding {
  const variable = CHROMIUM_VARIABLE
  const browser = findChromium(machine)
  switch (browser.kind) {
    case 'found':
      return fine('Chromium', because('BrowserFound', { path: browser.path }))
    case 'named-wrongly':
      return broken(
        'Chromium',
        because('BrowserNamedWrongly', { path: browser.path, variable }),
        because('NameBrowserNext', { variable }),
      )
    case 'none':
      return attention(
        'Chromium',
        because('BrowserNotFound', { lookedFor: browser.lookedFor }),
        because('InstallBrowserNext', { variable }),
      )
  }
}
