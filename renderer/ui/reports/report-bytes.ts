import type { ReportFile } from '../../../shared/contract/reports.ts'

/** A report as it will lie on the disk. */
export function bytesOf({ encoding, content }: Pick<ReportFile, 'encoding' | 'content'>): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf8') return new TextEncoder().encode(content)
  return Uint8Array.from(atob(content), letter => letter.charCodeAt(0))
}
