import type { Envelope, RequestInput } from '../../shared/contract/index.ts'
import type { ReportFile } from '../../shared/contract/reports.ts'
import type { ReportVerdict } from '../../shared/domain/report.ts'
import { askMain } from './transport.ts'

export function makeReport(input: RequestInput<'report.make'>): Promise<Envelope<ReportFile>> {
  return askMain('report.make', input)
}

/** Verifies a report against itself and against this console's journal. */
export function verifyReport(content: string): Promise<Envelope<ReportVerdict>> {
  return askMain('report.verify', { content })
}
