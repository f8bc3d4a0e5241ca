import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { CONTENT_SECURITY_POLICY } from '../../../main/api/page-files.ts'

const RENDERER = join(import.meta.dirname, '../../../out/renderer')
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** The built renderer behind HTTP on loopback, under the desktop face's own content policy. */
export interface RendererServer {
  readonly url: string
  close(): Promise<void>
}

/** Serves out/renderer on a random port. */
export async function serveBuiltRenderer(): Promise<RendererServer> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://renderer').pathname
    readFile(join(RENDERER, path)).then(
      content => {
        response.writeHead(200, {
          'content-type': MEDIA_TYPES[extname(path)] ?? 'application/octet-stream',
          'content-security-policy': CONTENT_SECURITY_POLICY,
        })
        response.end(content)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/index.html`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
