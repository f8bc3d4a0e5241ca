import { tell } from '../../stores/saying.ts'

/** Says why something was not done, or could not be. */
export function say(words: string): void {
  tell({ text: words, tone: 'caution' })
}
