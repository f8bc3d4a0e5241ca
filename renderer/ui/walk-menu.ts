/** Moves to another item of a menu by arrows, Home and End; returns whether it used the key. */
export function walkMenu(menu: HTMLElement | null, key: string): boolean {
  const items = [...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])') ?? [])]
  const at = items.findIndex(item => item.matches(':focus'))
  const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }[key]
  if (to === undefined || items.length === 0) return false
  items.at(to % items.length)?.focus()
  return true
}
