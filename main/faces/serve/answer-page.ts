import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Contract } from '../../../shared/contract/index.ts'
import { failed } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { CONTENT_SECURITY_POLICY, readPageFile } from '../../api/page-files.ts'
import type { CalendarAnswer } from './calendar-answer.ts'
import type { TabAccess } from './door.ts'
import type { ReportPages } from './report-pages.ts'
import { addressOf, type Refusal, refusalOf } from './sender.ts'

interface PageParts {
  readonly contract: Pick<Contract, 'ask'>
  /** Folder of the built renderer. */
  readonly directory: string
  readonly door: TabAccess
  readonly hosts: ReadonlySet<string>
  readonly calendar: (secret: string) => Promise<CalendarAnswer>
  readonly reports: ReportPages
  readonly onRefused: (refusal: Refusal) => void
}

/** Headers of every answer. */
const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const

/** Serves the page's files, exchanges the token of a printed address for the key of a tab, stores a file that was dropped on the page, and serves reports and the calendar at secret addresses; refuses everything else with a text. */
export async function answerPage(request: IncomingMessage, response: ServerResponse, parts: PageParts): Promise<void> {
  const { door, hosts, directory } = parts
  const refuse = (refusal: Refusal) => {
    parts.onRefused(refusal)
    const text = refusedPage(refusal)
    response.writeHead(refusal === 'wrong-method' ? 405 : refusal === 'malformed' ? 400 : 403, {
      ...HEADERS,
      // Does not wait for the rest of the request.
      connection: 'close',
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...(refusal === 'wrong-method' ? { allow: 'GET, HEAD' } : {}),
    })
    response.end(request.method === 'HEAD' ? undefined : text)
  }
  const say = (status: number, json: string) => {
    response.writeHead(status, { ...HEADERS, 'content-type': 'application/json', 'cache-control': 'no-store' })
    response.end(request.method === 'HEAD' ? undefined : json)
  }
  const address = addressOf(request)
  if (address === null) return refuse('malformed')
  const posts = request.method === 'POST'
  const enters = posts && address.pathname === '/enter'
  const drops = posts && address.pathname === '/dropped'
  const opens = posts && address.pathname === '/report'
  const foreign = refusalOf(request, hosts, enters || drops || opens)
  if (foreign !== null) return refuse(foreign)
  if (enters) {
    const key = door.enter(bearerOf(request) ?? '')
    return key === null ? refuse('wrong-token') : say(200, JSON.stringify({ key }))
  }
  if (drops || opens) {
    if (!door.knows(bearerOf(request))) return refuse('not-entered')
    const done = drops ? keepDropped(request, address, parts) : parts.reports.open(address.searchParams)
    return say(200, JSON.stringify(await done))
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse('wrong-method')
  if (address.pathname === '/session') return door.knows(bearerOf(request)) ? say(200, '{}') : refuse('not-entered')
  const secret = CALENDAR.exec(address.pathname)?.[1]
  if (secret !== undefined) {
    const answer = await parts.calendar(secret)
    if (answer.kind === 'refused') return refuse('wrong-feed')
    response.writeHead(answer.kind === 'calendar' ? 200 : 503, {
      ...HEADERS,
      'content-type': answer.kind === 'calendar' ? 'text/calendar; charset=utf-8' : 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    })
    const text = answer.kind === 'calendar' ? answer.text : 'The windows are not available now.\n'
    response.end(request.method === 'HEAD' ? undefined : text)
    return
  }
  const page = REPORT.exec(address.pathname)?.[1]
  if (page !== undefined) {
    const html = parts.reports.pageOf(page)
    if (html === null) return refuse('wrong-report')
    response.writeHead(200, {
      ...HEADERS,
      'content-security-policy': REPORT_POLICY,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    })
    response.end(request.method === 'HEAD' ? undefined : html)
    return
  }
  // The page contains no secrets, and tells a tab without a key what to do.
  const isPage = address.pathname === '/' || address.pathname === '/enter'
  const file = await readPageFile(directory, isPage ? '/index.html' : rawPath(request.url ?? '/'))
  if (file === null) {
    response.writeHead(404, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    response.end(request.method === 'HEAD' ? undefined : 'Not found.\n')
    return
  }
  response.writeHead(200, {
    ...HEADERS,
    'content-type': file.mediaType,
    'content-length': file.content.length,
    'cache-control': file.hashed ? 'private, max-age=31536000, immutable' : 'no-store',
  })
  response.end(request.method === 'HEAD' ? undefined : file.content)
}

/** The address of the calendar feed, with its secret. */
const CALENDAR = /^\/calendar\/([\w-]{20,100})\.ics$/

/** The address of a report, with its secret. */
const REPORT = /^\/report\/([\w-]{20,100})$/

/** A report loads nothing and runs nothing, as its own policy says. */
const REPORT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Larger than any kubeconfig or clouds.yaml of one person. */
const LARGEST_DROPPED = 1_000_000

async function keepDropped(request: IncomingMessage, address: URL, { contract }: PageParts) {
  const content = await bodyOf(request)
  return content === null
    ? failed(refusal('bad-input', because('DroppedFileTooLarge', { most: LARGEST_DROPPED })))
    : contract.ask('file.keep', { name: address.searchParams.get('name') ?? '', content })
}

/** The body as text; null if it is too long. The rest is discarded. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes <= LARGEST_DROPPED) parts.push(part)
  }
  return bytes > LARGEST_DROPPED ? null : Buffer.concat(parts).toString('utf8')
}

/** The secret of an Authorization header. Unlike a cookie, no page of another port can make a browser send it. */
function bearerOf(request: IncomingMessage): string | null {
  return /^Bearer ([\w-]{1,100})$/.exec(request.headers.authorization ?? '')?.[1] ?? null
}

/** The path as sent: `URL` resolves `..`, but odd paths must be refused. */
function rawPath(url: string): string {
  return url.split(/[?#]/)[0] ?? '/'
}

const WORDS: Readonly<Record<Refusal, string>> = {
  malformed: 'This is not a request of a browser.',
  'too-many': 'Too many tabs are open already.',
  'foreign-host': 'This console answers only to the address it printed when it was started.',
  'foreign-origin': 'This request came from another page and was refused.',
  'other-site':
    'This request came from another site and was refused. Type or paste the printed address instead of following a link.',
  'not-entered': 'This tab has no access any more.',
  'wrong-token':
    'This address was used before, is too old, or is not the newest one. Each printed address works once, for one tab, within ten minutes.',
  'wrong-feed':
    'This is not the address of the calendar feed, or it was renewed. `lockkeeper window feed` prints the current one.',
  'wrong-report': 'This address of a report is no longer valid. Open the report again from the console.',
  'wrong-method': 'Only GET and HEAD are allowed here.',
}

function refusedPage(refusal: Refusal): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Lockkeeper: no access</title></head>
<body>
<h1>No access</h1>
<p>${WORDS[refusal]}</p>
${refusal === 'wrong-report' ? '' : '<p>Press Enter where <code>lockkeeper serve</code> runs, then open the new address.</p>'}
</body>
</html>
`
}
