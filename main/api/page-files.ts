import { readFile, realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

/** What the page may load: its own files, nothing from a network. Charts set styles through the DOM, not as attributes. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data: 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

interface PageFile {
  readonly content: Buffer<ArrayBuffer>
  readonly mediaType: string
  /** Its name contains a hash of its content: browsers may cache it forever. */
  readonly hashed: boolean
}

/** Reads a file of the built page by URL path; null for other file types and any path that leads out of the folder, through any spelling or link. */
export async function readPageFile(directory: string, pathname: string): Promise<PageFile | null> {
  const path = decodedPath(pathname)
  const mediaType = path === null ? undefined : MEDIA_TYPES[extname(path)]
  if (path === null || mediaType === undefined) return null
  try {
    const root = await realpath(directory)
    const file = await realpath(join(root, path))
    if (!file.startsWith(root + sep)) return null
    return { content: Buffer.from(await readFile(file)), mediaType, hashed: path.startsWith('/assets/') }
  } catch {
    return null
  }
}

function decodedPath(pathname: string): string | null {
  try {
    const path = decodeURIComponent(pathname)
    const parts = path.split('/')
    const odd = path.includes('\0') || path.includes('\\') || parts.includes('..') || !path.startsWith('/')
    return odd ? null : path
  } catch {
    return null
  }
}
