import { isAbsolute, join, resolve } from 'node:path'
import type { FilePlaces } from './file-places.ts'

/** `given` (--data-dir), else LOCKKEEPER_DATA_DIR, else XDG_DATA_HOME/lockkeeper, else ~/.local/share/lockkeeper. XDG ignores a relative path. */
export function dataDirectoryPath(given: string | null, { environment, home, currentDirectory }: FilePlaces): string {
  const named = given ?? environment.LOCKKEEPER_DATA_DIR ?? ''
  if (named !== '') return resolve(currentDirectory, named)
  const data = environment.XDG_DATA_HOME ?? ''
  return isAbsolute(data) ? join(data, 'lockkeeper') : join(home, '.local', 'share', 'lockkeeper')
}
