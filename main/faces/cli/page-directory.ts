import { existsSync } from 'node:fs'
import { join } from 'node:path'

// The bundle lies beside the page, in out/; the source does not.
const BESIDE = join(import.meta.dirname, '../renderer')

/** Where the page of the served console is built to. */
export const PAGE_DIRECTORY = existsSync(BESIDE) ? BESIDE : join(import.meta.dirname, '../../../out/renderer')

/** Whether it is there. */
export function hasPage(): boolean {
  return existsSync(join(PAGE_DIRECTORY, 'index.html'))
}
