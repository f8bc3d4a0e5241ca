import { showToast } from '../../stores/toasts.ts'

/** Says why something was not done, or could not be. */
export function say(words: string): void {
  showToast({ text: words, tone: 'caution' })
}
