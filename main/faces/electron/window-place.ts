import { readFile, writeFile } from 'node:fs/promises'
import type { BrowserWindow, Rectangle } from 'electron'

/** Where the window was. */
export interface WindowPlace {
  readonly bounds: Rectangle
  readonly maximized: boolean
}

/** Reads where the window was; null when it never was, or would now be out of sight of every display. */
export async function readWindowPlace(path: string, displays: readonly Rectangle[]): Promise<WindowPlace | null> {
  try {
    const read: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isPlace(read) && displays.some(display => isReachable(read.bounds, display)) ? read : null
  } catch {
    return null
  }
}

/** Keeps where the window is. A place that cannot be kept is no reason to bother the operator. */
export async function keepWindowPlace(
  path: string,
  window: Pick<BrowserWindow, 'getNormalBounds' | 'isMaximized'>,
): Promise<void> {
  const place: WindowPlace = { bounds: window.getNormalBounds(), maximized: window.isMaximized() }
  await writeFile(path, JSON.stringify(place), { mode: 0o600 }).catch(() => {})
}

/** Enough of its title bar is on the display to be taken hold of. */
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
