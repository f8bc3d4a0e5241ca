import { timingSafeEqual } from 'node:crypto'
import type { Contract, Envelope } from '../../../shared/contract/index.ts'
import { ReportSubject } from '../../../shared/domain/report.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { digestOf, newSecret } from './door.ts'

/** Reports that a tab opened as pages of their address: a secret, valid for a short time and until the console ends. */
export interface ReportPages {
  /** Makes the report that the query names; answers with its path. */
  open(query: URLSearchParams): Promise<Envelope<{ readonly path: string }>>
  /** The page with this secret; null if it is wrong or too old. */
  pageOf(secret: string): string | null
}

/** A page may be reloaded and printed for this time. */
const KEPT_MS = 10 * 60_000
/** Most pages kept in memory. */
const MOST_PAGES = 4

interface Page {
  readonly digest: Buffer
  readonly since: number
  readonly html: string
}

/** `now` never jumps. */
export function createReportPages(contract: Pick<Contract, 'ask'>, now: () => number): ReportPages {
  let pages: readonly Page[] = []
  const good = () => pages.filter(({ since }) => now() - since < KEPT_MS)
  return {
    open: async query => {
      const subject = ReportSubject.safeParse({ kind: query.get('kind'), id: query.get('id') })
      if (!subject.success)
        return failed(
          refusal(
            'bad-input',
            because('ApiInputUnfit', {
              request: 'report.make',
              issues: [{ path: 'subject', issue: 'is neither a run nor a window' }],
            }),
          ),
        )
      const made = await contract.ask('report.make', {
        subject: subject.data,
        format: 'html',
        table: 'instances',
        redact: query.get('redact') === 'yes',
      })
      if (!made.ok) return made
      const secret = newSecret()
      pages = [...good(), { digest: digestOf(secret), since: now(), html: made.value.content }].slice(-MOST_PAGES)
      return ok({ path: `/report/${secret}` })
    },
    pageOf: secret => {
      const digest = digestOf(secret)
      pages = good()
      return pages.find(page => timingSafeEqual(digest, page.digest))?.html ?? null
    },
  }
}
