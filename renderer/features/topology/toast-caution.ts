import { showToast } from '../../stores/toasts.ts'

/** Says why an action was not possible. */
export function say(words: string): void {
  showToast({ text: words, tone: 'caution' })
}
