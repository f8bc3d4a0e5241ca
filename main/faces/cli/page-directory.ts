import { existsSync } from 'node:fs'
import { join } from 'node:path'

// The bundle is in out/, beside the page; the source is not.
const BESIDE = join(import.meta.dirname, '../renderer')

/** The folder of the built page of the served console. */
export const PAGE_DIRECTORY = existsSync(BESIDE) ? BESIDE : join(import.meta.dirname, '../../../out/renderer')

export function hasPage(): boolean {
  return existsSync(join(PAGE_DIRECTORY, 'index.html'))
}
