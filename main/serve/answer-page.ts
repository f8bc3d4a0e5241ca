import type { IncomingMessage, ServerResponse } from 'node:http'
import { CONTENT_SECURITY_POLICY, readPageFile } from '../api/page-files.ts'
import type { Door } from './door.ts'
import { addressOf, type Refusal, refusalOf } from './sender.ts'

export interface PageParts {
  /** Folder of the built renderer. */
  readonly directory: string
  readonly door: Door
  readonly hosts: ReadonlySet<string>
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

/** Answers the page's files, and the address that was printed; everything else is refused in words. */
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
  const address = addressOf(request)
  if (address === null) return refuse('malformed')
  const foreign = refusalOf(request, hosts, false)
  if (foreign !== null) return refuse(foreign)
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse('wrong-method')
  if (address.pathname === '/enter') {
    const cookie = request.method === 'GET' ? door.enter(address.searchParams.get('token') ?? '') : null
    if (cookie === null) return refuse('wrong-token')
    response.writeHead(303, {
      ...HEADERS,
      location: '/',
      'cache-control': 'no-store',
      'set-cookie': `${door.cookieName}=${cookie}; HttpOnly; SameSite=Strict; Path=/`,
    })
    response.end()
    return
  }
  if (!door.knows(request.headers.cookie)) return refuse('not-entered')
  const file = await readPageFile(directory, address.pathname === '/' ? '/index.html' : rawPath(request.url ?? '/'))
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
  'not-entered': 'This browser has not been let in.',
  'wrong-token':
    'This address was used before, or is not the newest one: each printed address lets one browser in, once.',
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
