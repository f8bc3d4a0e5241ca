const PRESSED = new Set(['checkbox', 'radio', 'button', 'submit', 'reset'])

/** Whether a letter pressed in an element is text: a box that was ticked keeps the focus and takes none. */
export function takesLetters(tagName: string, type: string | null): boolean {
  if (tagName === 'INPUT') return !PRESSED.has(type?.toLowerCase() ?? 'text')
  return tagName === 'TEXTAREA' || tagName === 'SELECT'
}
