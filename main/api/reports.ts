import { Buffer } from 'node:buffer'
import type { ReportFile } from '../../shared/contract/index.ts'
import { assertNever } from '../../shared/domain/must.ts'
import { inPieces } from '../../shared/domain/pieces.ts'
import type { CsvTable, Report, ReportFormat, ReportSubject, ReportVerdict } from '../../shared/domain/report.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { namesOf } from '../../shared/words/steps/coded.ts'
import { isoNow } from '../platform/clock/clock.ts'
import type { ReportSource } from '../ports/journal.ts'
import { reportInPieces } from '../reports/build-report.ts'
import { reportCsv } from '../reports/csv.ts'
import { gatherInPieces } from '../reports/gather-entries.ts'
import { reportMarkdown } from '../reports/markdown.ts'
import { reportJson } from '../reports/read-report.ts'
import { redactReport } from '../reports/redact-report.ts'
import { signedReport } from '../reports/seal.ts'
import { verifyReport } from '../reports/verify-report.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about reports, made from the journal alone, so that every reader gets the same. */
export function reportHandlers(
  services: Pick<
    ApiServices,
    'clock' | 'clusters' | 'face' | 'installation' | 'journal' | 'others' | 'runs' | 'signer' | 'windows'
  >,
): Pick<Handlers, 'report.make' | 'report.verify'> {
  const { journal, windows, installation, signer } = services
  return {
    'report.make': async ({ subject, format, table, redact }) => {
      const made = await makeReport(subject, services)
      if (!made.ok) return made
      const unsigned = redact ? redactReport(made.value) : made.value
      const report = signer === null ? unsigned : signedReport(unsigned, signer)
      const name = fileName(report, format, table)
      return inFormat(report, { format, table, name }, services)
    },
    'report.verify': async ({ content, key }) => {
      const { reportHtml: htmlOf } = await htmlMaker()
      const against = (source: ReportSource, runsOf: (windowId: string) => readonly string[]) =>
        verifyReport(content, {
          version: installation.version,
          htmlOf,
          journal: source,
          runsOf,
          ownKey: signer?.fingerprint ?? null,
          wantedKey: key ?? null,
        })
      const own = against(journal.report, windows.runsOf)
      if (isOfJournal(own)) return ok(own)
      // A report of a runner's run is compared with the mirrored part of the runner's journal.
      for (const mirror of services.others.sources()) {
        const verdict = against(mirror.report, mirror.windows.runsOf)
        if (isOfJournal(verdict)) return ok(verdict)
      }
      return ok(own)
    },
  }
}

function isOfJournal({ findings }: ReportVerdict): boolean {
  return findings.some(({ what, holds }) => what === 'journal' && holds === true)
}

/** In pieces: a report of hundreds of instances takes most of a second, and the console works on meanwhile. */
async function makeReport(
  given: ReportSubject,
  services: Pick<ApiServices, 'clock' | 'clusters' | 'installation' | 'journal' | 'others' | 'runs' | 'windows'>,
): Promise<Result<Report>> {
  const { runs, clock, clusters, installation } = services
  if (given.kind === 'run') await inPieces(runs.readAhead(given.id), clock)
  const subject = given.kind === 'run' ? runSubject(given.id, services) : windowSubject(given.id, services)
  if (!subject.ok) return subject
  const { id } = subject.value
  // The runner's journal, with its chain, is the source for its run.
  const remote = given.kind === 'run' ? services.others.find(id) : null
  const windows = remote?.windows ?? services.windows
  const source = remote?.report ?? services.journal.report
  const runIds = given.kind === 'run' ? [id] : windows.runsOf(id)
  const windowId = given.kind === 'run' ? windows.windowOf(id) : id
  const madeAt = isoNow(clock)
  const interruptedRunIds = runIds.filter(run => {
    const found = runs.view(run)
    return found.ok && found.value.interrupted
  })
  const wish = { subject: subject.value, runIds, windowId, madeAt, upToLink: null }
  const extract = await inPieces(gatherInPieces(source, wish), clock)
  if (!extract.ok) return extract
  const known = clusters.get(clusterName(given, id, services))
  const building = reportInPieces({
    subject: subject.value,
    extract: extract.value,
    madeAt,
    madeBy: { operator: runs.driver.operator, machine: runs.driver.machine, version: installation.version },
    flavour: known.ok ? known.value.flavour : 'unknown',
    interruptedRunIds,
  })
  const report = await inPieces(building, clock)
  return report === null
    ? failed(
        refusal('damaged', because('NothingToReport', { kind: given.kind, id }), { target: `${given.kind}/${id}` }),
      )
    : ok(report)
}

function runSubject(given: string, { runs }: Pick<ApiServices, 'runs'>): Result<ReportSubject> {
  const found = runs.view(given)
  return found.ok ? ok({ kind: 'run', id: found.value.view.id }) : found
}

function windowSubject(given: string, { windows }: Pick<ApiServices, 'windows'>): Result<ReportSubject> {
  const ids = given === '' ? [] : windows.idsBeginningWith(given)
  const id = ids.find(each => each === given) ?? (ids.length === 1 ? ids[0] : undefined)
  if (id !== undefined) return ok({ kind: 'window', id })
  const target = { target: `window/${given}` }
  return failed(
    ids.length > 1
      ? refusal('bad-input', because('SeveralWindowsBegin', { given, windows: namesOf(ids) }), target)
      : refusal('not-found', because('WindowUnknown', { given }), target),
  )
}

function clusterName(
  given: ReportSubject,
  id: string,
  { windows, runs }: Pick<ApiServices, 'runs' | 'windows'>,
): string {
  if (given.kind === 'run') {
    const found = runs.view(id)
    return found.ok ? found.value.view.plan.cluster : ''
  }
  const events = windows.events(id)
  const first = events.ok ? events.value[0]?.body : undefined
  return first?.kind === 'created' ? first.draft.cluster : ''
}

async function inFormat(
  report: Report,
  { format, table, name }: { readonly format: ReportFormat; readonly table: CsvTable; readonly name: string },
  { clock, face }: Pick<ApiServices, 'clock' | 'face'>,
): Promise<Result<ReportFile>> {
  const hash = report.chain.after
  const text = (mediaType: string, content: string): Result<ReportFile> =>
    ok({ name, mediaType, encoding: 'utf8', content, hash })
  switch (format) {
    case 'json':
      return text('application/json', reportJson(report))
    case 'csv':
      return text('text/csv; charset=utf-8; header=present', reportCsv(report, table))
    case 'md':
      return text('text/markdown; charset=utf-8', reportMarkdown(report))
    case 'html':
      return text('text/html; charset=utf-8', await inPieces((await htmlMaker()).htmlInPieces(report), clock))
    case 'pdf': {
      if (face.printPdf === undefined) {
        return failed(refusal('conflict', because('NoPdfHere')))
      }
      const printed = await face.printPdf(await inPieces((await htmlMaker()).htmlInPieces(report), clock))
      if (!printed.ok) return printed
      return ok({
        name,
        mediaType: 'application/pdf',
        encoding: 'base64',
        content: Buffer.from(printed.value).toString('base64'),
        hash,
      })
    }
    default:
      return assertNever(format, 'format of a report')
  }
}

/** Renders reports; loaded at the first one, to keep other commands fast. */
function htmlMaker() {
  return import('../reports/html.ts')
}

/** `lockkeeper-east-window-4f1c2d3e-2026-11-21.html`: sorts by cluster and describes the content. */
function fileName({ cluster, subject, madeAt, redacted }: Report, format: ReportFormat, table: CsvTable): string {
  const parts = [
    'lockkeeper',
    cluster.name,
    subject.kind,
    subject.id,
    madeAt.slice(0, 10),
    ...(format === 'csv' ? [table] : []),
    ...(redacted ? ['redacted'] : []),
  ]
  return `${parts.map(part => part.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')).join('-')}.${format}`
}
