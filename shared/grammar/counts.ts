/** Created on first use: one for every number would dominate a busy screen, and one at start delays the start. */
let number: Intl.NumberFormat | null = null

function numberText(amount: number): string {
  number ??= new Intl.NumberFormat('en')
  return number.format(amount)
}

/** `1 instance`, `12 instances`, `1,200 instances`. */
export function counted(amount: number, noun: string, plural = `${noun}s`): string {
  return `${numberText(amount)} ${amount === 1 ? noun : plural}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('')
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** `a, b, c and 4 more`. */
export function someOf(names: readonly string[], most = 5, between = ', '): string {
  const shown = names.slice(0, most).join(between)
  return names.length > most ? `${shown} and ${names.length - most} more` : shown
}

/** Returns the text with exactly one full stop at its end. */
export function asSentence(text: string): string {
  const trimmed = text.trim()
  return trimmed === '' || /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

/** The text without its full stop, as part of another sentence. */
export function asPhrase(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

export function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
