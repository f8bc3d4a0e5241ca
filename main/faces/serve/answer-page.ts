import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Contract } from '../../../shared/contract/index.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed } from '../../../shared/domain/result.ts'
import { CONTENT_SECURITY_POLICY, readPageFile } from '../../api/page-files.ts'
import type { CalendarAnswer } from './calendar-answer.ts'
import type { Door } from './door.ts'
import { addressOf, type Refusal, refusalOf } from './sender.ts'

interface PageParts {
  readonly contract: Pick<Contract, 'ask'>
  /** Folder of the built renderer. */
  readonly directory: string
  readonly door: Door
  readonly hosts: ReadonlySet<string>
  readonly calendar: (secret: string) => Promise<CalendarAnswer>
  readonly onRefused: (refusal: Refusal) => void
}

/** Sent with every answer, refused or not. */
const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const

/**
 * Answers the page's files, changes the token of a printed address into the key of a tab, and keeps a file that was dropped on the page;
 * everything else is refused in words.
 */
export async function answerPage(request: IncomingMessage, response: ServerResponse, parts: PageParts): Promise<void> {
  const { door, hosts, directory } = parts
  const refuse = (refusal: Refusal) => {
    parts.onRefused(refusal)
    const text = refusedPage(refusal)
    response.writeHead(refusal === 'wrong-method' ? 405 : refusal === 'malformed' ? 400 : 403, {
      ...HEADERS,
      // Whatever else it sends is not waited for.
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
  const foreign = refusalOf(request, hosts, enters || drops)
  if (foreign !== null) return refuse(foreign)
  if (enters) {
    const key = door.enter(bearerOf(request) ?? '')
    return key === null ? refuse('wrong-token') : say(200, JSON.stringify({ key }))
  }
  if (drops) {
    if (!door.knows(bearerOf(request))) return refuse('not-entered')
    const content = await bodyOf(request)
    const kept =
      content === null
        ? failed(
            failure('bad-input', `A file of more than ${LARGEST_DROPPED} bytes is no kubeconfig and no clouds.yaml.`),
          )
        : await parts.contract.ask('file.keep', { name: address.searchParams.get('name') ?? '', content })
    return say(200, JSON.stringify(kept))
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
    const text = answer.kind === 'calendar' ? answer.text : 'The windows cannot be read now.\n'
    response.end(request.method === 'HEAD' ? undefined : text)
    return
  }
  // The page itself holds nothing secret, and tells a tab without a key what to do.
  const isPage = address.pathname === '/' || address.pathname === '/enter'
  const file = await readPageFile(directory, isPage ? '/index.html' : rawPath(request.url ?? '/'))
  if (file === null) {
    response.writeHead(404, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    response.end(request.method === 'HEAD' ? undefined : 'There is no such file here.\n')
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

/** Where a calendar reads the windows, by the secret of the feed. */
const CALENDAR = /^\/calendar\/([\w-]{20,100})\.ics$/

/** As much as a person's kubeconfig or clouds.yaml is smaller than. */
const LARGEST_DROPPED = 1_000_000

/** The text that was sent; null: it is too long. The rest of it is then thrown away. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes <= LARGEST_DROPPED) parts.push(part)
  }
  return bytes > LARGEST_DROPPED ? null : Buffer.concat(parts).toString('utf8')
}

/** The secret of an Authorization header: no page of another port can have a browser send it, as it would a cookie. */
function bearerOf(request: IncomingMessage): string | null {
  return /^Bearer ([\w-]{1,100})$/.exec(request.headers.authorization ?? '')?.[1] ?? null
}

/** The path as it was sent: `URL` would already have resolved `..` away, and what is odd is to be refused. */
function rawPath(url: string): string {
  return url.split(/[?#]/)[0] ?? '/'
}

const WORDS: Readonly<Record<Refusal, string>> = {
  malformed: 'This is not a request that a browser sends here.',
  'too-many': 'Too many tabs are open already.',
  'foreign-host': 'This console answers only to the address it printed when it was started.',
  'foreign-origin': 'This request came from another page and was refused.',
  'other-site':
    'This request came from another site and was refused. Type or paste the printed address instead of following a link.',
  'not-entered': 'This tab has not been let in, or its time is over.',
  'wrong-token':
    'This address was used before, is too old, or is not the newest one: each printed address lets one tab in, once, within ten minutes.',
  'wrong-feed':
    'This is not the address of the calendar feed, or it was renewed: `lockkeeper window feed` prints the one that is good.',
  'wrong-method': 'Only reading is answered here.',
}

function refusedPage(refusal: Refusal): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Lockkeeper: not let in</title></head>
<body>
<h1>Not let in</h1>
<p>${WORDS[refusal]}</p>
<p>Press Enter in the terminal in which <code>lockkeeper serve</code> runs: it prints a fresh address.</p>
</body>
</html>
`
}
