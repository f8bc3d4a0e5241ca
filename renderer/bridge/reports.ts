import type { Envelope, RequestInput } from '../../shared/contract/index.ts'
import type { ReportFile } from '../../shared/contract/reports.ts'
import type { ReportVerdict } from '../../shared/domain/report.ts'
import { ask } from './transport.ts'

/** Has main make the report of a run or a window in one format. */
export function makeReport(input: RequestInput<'report.make'>): Promise<Envelope<ReportFile>> {
  return ask('report.make', input)
}

/** Holds a report against itself, and against the journal of this console. */
export function verifyReport(content: string): Promise<Envelope<ReportVerdict>> {
  return ask('report.verify', { content })
}
