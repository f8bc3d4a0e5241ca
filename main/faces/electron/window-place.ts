import { readFile, writeFile } from 'node:fs/promises'
import type { BrowserWindow, Rectangle } from 'electron'

export interface WindowPlace {
  readonly bounds: Rectangle
  readonly maximized: boolean
}

/** The last place of the window; null if there is none, or if it is outside every display now. */
export async function readWindowPlace(path: string, displays: readonly Rectangle[]): Promise<WindowPlace | null> {
  try {
    const read: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isPlace(read) && displays.some(display => isReachable(read.bounds, display)) ? read : null
  } catch {
    return null
  }
}

/** Stores the place of the window. A failure does not matter. */
export async function keepWindowPlace(
  path: string,
  window: Pick<BrowserWindow, 'getNormalBounds' | 'isMaximized'>,
): Promise<void> {
  const place: WindowPlace = { bounds: window.getNormalBounds(), maximized: window.isMaximized() }
  await writeFile(path, JSON.stringify(place), { mode: 0o600 }).catch(() => {})
}

/** Whether enough of the title bar is on the display to drag it. */
function isReachable(bounds: Rectangle, display: Rectangle): boolean {
  const across = Math.min(bounds.x + bounds.width, display.x + display.width) - Math.max(bounds.x, display.x)
  return across >= 100 && bounds.y >= display.y && bounds.y <= display.y + display.height - 40
}

function isPlace(read: unknown): read is WindowPlace {
  if (typeof read !== 'object' || read === null || !('bounds' in read) || !('maximized' in read)) return false
  const { bounds, maximized } = read
  return typeof maximized === 'boolean' && isRectangle(bounds)
}

function isRectangle(read: unknown): read is Rectangle {
  if (typeof read !== 'object' || read === null) return false
  return ['x', 'y', 'width', 'height'].every(side => Number.isFinite(Reflect.get(read, side)))
}
